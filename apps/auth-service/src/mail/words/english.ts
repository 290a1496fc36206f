import { shownDomain, shownEmail } from '@tenantry/text';
import type { SignUpDetails, TemplateData } from '../letter.ts';
import { displayName, namesMax } from './display-name.ts';
import type { LetterWords, Moment, Words } from './words.ts';

const hello = (name: string | null): string => (name === null ? 'Hello,' : `Hello ${displayName(name)},`);
const quoted = (name: string): string => `“${displayName(name)}”`;

function listed(names: readonly string[]): string {
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  return names.slice(0, namesMax).map(quoted).join(', ') + more;
}

function replacement({ at, browser, system }: SignUpDetails, moment: Moment): string {
  const from = [browser, system].filter((part) => part !== null).join(' on ');
  const device = from === '' ? '' : ` with ${from}`;
  return `Someone signed up with this address before; that sign-up is no longer valid. This e-mail belongs to the sign-up of ${moment(at)}${device}, and its password is the one that will work. If that was not you, do not confirm: sign up again.`;
}

const proofs = {
  'mailed-code': 'a sign-in with a mailed code',
  provider: 'a sign-in with a provider that vouches for it',
  link: 'the link that was mailed to you',
  invitation: 'the invitation that was mailed to you',
} as const;

function recoveries(undone: TemplateData['account-recovered']): string[] {
  const { by, scope, passwordRemoved, waysRemoved, secondFactorRemoved, others, organizations } = undone;
  const proven = by
    ? `Your e-mail address is confirmed for the first time, by ${proofs[by]}.`
    : 'Your password was changed, and your e-mail address is confirmed for the first time.';
  const why =
    scope === 'everything'
      ? 'Someone else may have created this account, so everything that was set up before was undone, and all sessions ended.'
      : 'What came from other devices than the one that signed up was undone, and their sessions ended.';
  return [
    `${proven} ${why}`,
    ...(by && passwordRemoved
      ? ['The earlier password no longer works: reset it to choose one that only you know.']
      : []),
    ...(waysRemoved ? ['Passkeys and linked accounts that were added before no longer sign in.'] : []),
    ...(secondFactorRemoved
      ? ['Two-factor authentication that was set up before is off. Set up your own authenticator.']
      : []),
    ...(others.length > 0
      ? [
          `You own your personal organization. These people are now plain members of it: ${listed(others)}. Remove those you do not know.`,
        ]
      : []),
    ...(organizations.length > 0
      ? [`The account also belongs to ${listed(organizations)}. Leave those you do not know.`]
      : []),
  ];
}

const resetIt = 'If this was not you, reset your password: that ends all sessions.';
const resetAction = 'Reset your password';

/** A letter about something that somebody else may have done: its reader can reset the password. */
const warning = (subject: string, name: string | null, paragraph: string): LetterWords => ({
  subject,
  paragraphs: [hello(name), paragraph, resetIt],
  action: resetAction,
});

/** Letters in English. */
export const english: Words = {
  'verify-email': ({ name, replaces }, moment) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      hello(name),
      'Confirm that this e-mail address is yours. If you did not request this e-mail, someone else used your address: do not confirm.',
      'On the device where you signed up, nothing else changes. On any other device you choose a new password next.',
      ...(replaces ? [replacement(replaces, moment)] : []),
    ],
    action: 'Confirm',
  }),
  'reset-password': ({ name }) => ({
    subject: 'Reset your password',
    paragraphs: [
      hello(name),
      'You can choose a new password within the next hour. If you did not request this, you can ignore this e-mail.',
    ],
    action: 'Choose a new password',
  }),
  invitation: ({ inviterName, organizationName, role }) => ({
    subject: 'You are invited to an organization',
    paragraphs: [
      `${quoted(inviterName)} invites you to ${quoted(organizationName)} as ${role}.`,
      'The invitation is valid for seven days, and only for this e-mail address.',
    ],
    action: 'Accept the invitation',
    hint: 'Sign in with this address first. No account yet? Pass the token as invitationToken when you sign up.',
  }),
  'password-changed': ({ name }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      hello(name),
      'Your password was changed, and your other sessions have ended. If this was not you, reset the password: that ends all sessions.',
    ],
    action: resetAction,
  }),
  'sign-in-code': ({ name, code }) => ({
    subject: 'Your sign-in code',
    paragraphs: [
      hello(name),
      `Your code is ${code}. Enter it where you started to sign in, within ten minutes.`,
      'Or open the link on the same device and confirm there. We never ask you for the code. If you did not request this e-mail, you can ignore it.',
    ],
    action: 'Sign in',
  }),
  'account-recovered': (undone) => ({
    subject: undone.by === undefined ? 'Your password was changed' : 'Your account is now only yours',
    paragraphs: [
      hello(null),
      ...recoveries(undone),
      'If this was not you, reset the password: that ends all sessions.',
    ],
    action: resetAction,
  }),
  'confirm-new-address': ({ account }) => {
    const moving = account
      ? `The account of ${quoted(account.name)} (${shownEmail(account.email)})`
      : 'An account';
    return {
      subject: 'Confirm your new e-mail address',
      paragraphs: [
        hello(null),
        `${moving} is about to change to this e-mail address. If the account is not yours, you can ignore this e-mail: no one else can complete the change.`,
        'Sign in to that account first, then follow the link within an hour.',
      ],
      action: 'Use this address',
      hint: 'Send it with an access token of that account.',
    };
  },
  'email-change-requested': ({ name, newEmail }) =>
    warning(
      'A change of your e-mail address was requested',
      name,
      `Someone who is signed in to your account requested to change its e-mail address to ${newEmail ? shownEmail(newEmail) : 'another address'}. It changes once the link in the e-mail to that address is followed. Changing your password or ending your other sessions cancels the request.`,
    ),
  'email-changed': ({ name, newEmail }) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      hello(name),
      `The e-mail address of your account is now ${newEmail ? shownEmail(newEmail) : 'another one'}.`,
      'If this was not you, change your password and end your other sessions while you are signed in.',
    ],
  }),
  'account-locked': ({ name, lockedUntil }, moment) =>
    warning(
      'Sign-in to your account is locked for a while',
      name,
      `There were several sign-in attempts with a wrong password. Signing in from unknown devices is locked until ${moment(lockedUntil)}.`,
    ),
  'second-factor-locked': ({ name, lockedUntil }, moment) =>
    warning(
      'Wrong codes were entered for your account',
      name,
      `Someone who has your password or one of your sessions entered ten wrong codes in a row. No code is accepted until ${moment(lockedUntil)}.`,
    ),
  'session-reuse-detected': ({ name, kind, device, ipAddress }) => {
    const what = {
      reused: 'A refresh token was used a second time, from',
      'other-device': 'A token of one of your sessions was used on a device that it does not belong to,',
    }[kind];
    const from = device === null ? 'another device' : quoted(device);
    const where = `${from}${ipAddress === null ? '' : ` at ${ipAddress}`}`;
    return warning(
      'One of your sessions was ended',
      name,
      `${what} ${where}. Someone may have copied it, so the session was ended. Sign in again.`,
    );
  },
  'two-factor-changed': ({ name, change }) =>
    warning(
      'Your two-factor authentication was changed',
      name,
      {
        enabled: 'Two-factor authentication is now on.',
        disabled: 'Two-factor authentication is now off.',
        'backup-codes-renewed': 'You have new backup codes; the old ones no longer work.',
        'backup-code-used': 'One of your backup codes was used.',
        reset:
          'Two-factor authentication was turned off for you, because the second factor was reported as lost. All your sessions have ended. Set it up again once you are signed in.',
      }[change],
    ),
  'way-in-changed': ({ name, change, by = 'a provider' }) =>
    warning(
      'The ways to sign in to your account were changed',
      name,
      {
        'connection-linked': `Single sign-on by ${by} can now sign you in. It reaches the organization that it belongs to, and nothing else of your account. If you do not want that, leave the organization.`,
        'identity-linked': `Your account at ${by} was linked: you can sign in with it.`,
        'identity-unlinked': `Your account at ${by} was unlinked: you can no longer sign in with it.`,
        'password-removed':
          'Your password was removed. You can sign in with the other methods that you have set up.',
        'passkey-added': 'A passkey was added to your account. You can sign in with it without a password.',
        'passkey-removed': 'A passkey was removed from your account.',
        'passkey-copied':
          'A sign-in with one of your passkeys was refused, because its counter decreased: someone may have copied the key. Remove it, and add another.',
      }[change],
    ),
  'keys-expire': ({ name, organizationName, keys }, moment) => ({
    subject: 'Keys of your organization expire soon',
    paragraphs: [
      hello(name),
      `Programs that use these keys of ${quoted(organizationName)} will be refused from then on:`,
      ...keys.map(
        ({ name: key, ending, expiresAt }) =>
          `${key === null ? 'Key' : quoted(key)} (…${ending}): ${moment(expiresAt)}`,
      ),
      'Create a new key for each program, and delete the old one once the program uses the new one.',
    ],
  }),
  'certificate-ends': ({ name, organizationName, endsAt }, moment) => ({
    subject: 'The certificate of your identity provider ends soon',
    paragraphs: [
      hello(name),
      `The last certificate with which your identity provider signs people in to ${quoted(organizationName)} ends: ${moment(endsAt)}. From then on, nobody signs in by it.`,
      'Have the identity provider make a new certificate, and enter its metadata in the settings of the organization. Both certificates count until the old one ends.',
    ],
  }),
  'domain-record-missing': ({ name, organizationName, domain, record }) => ({
    subject: `The DNS record of ${shownDomain(domain)} is missing`,
    paragraphs: [
      hello(name),
      `The TXT record that proves ${shownDomain(domain)} to be a domain of ${quoted(organizationName)} was not found. It is looked for once a day. If it is missing three days in a row, the domain is suspended: nobody can join or sign in by it.`,
      `Add the record again, unless you gave up the domain. Its name: ${record.name}`,
      `Its value: ${record.value}`,
    ],
  }),
  'domain-suspended': ({ name, organizationName, domain, record }) => ({
    subject: `${shownDomain(domain)} was suspended`,
    paragraphs: [
      hello(name),
      `The TXT record that proves ${shownDomain(domain)} to be a domain of ${quoted(organizationName)} was missing three days in a row. Nobody can join or sign in by the domain any more, and another organization may prove it. Members stay.`,
      `To use it again, add the record, and check the domain in the settings of the organization. Its name: ${record.name}`,
      `Its value: ${record.value}`,
    ],
  }),
  'sso-requirement-changed': ({ name, organizationName, change, by }) => ({
    subject: change === 'on' ? 'Single sign-on is now required' : 'Single sign-on is no longer required',
    paragraphs: [
      hello(name),
      {
        on: `${quoted(by ?? '')} now requires single sign-on in ${quoted(organizationName)}: members with an address in its verified domains get in through your identity provider, and in no other way. Guests and programs are not concerned.`,
        off: `${quoted(by ?? '')} no longer requires single sign-on in ${quoted(organizationName)}: members get in with the ways to sign in of their own again.`,
        'domains-gone': `The last verified domain of ${quoted(organizationName)} was suspended, so nobody can sign in through your identity provider, and single sign-on is no longer required: members get in with the ways to sign in of their own.`,
      }[change],
      change === 'on'
        ? 'Owners can still get in with two factors of their own, in case the identity provider fails. All owners hear of it each time.'
        : 'If you did not expect this, look at the access settings and the activity of the organization.',
    ],
  }),
  'owner-bypassed-sso': ({ name, organizationName, owner, device, ipAddress }) => ({
    subject: 'An owner got in without single sign-on',
    paragraphs: [
      hello(name),
      `${quoted(owner.name)} (${shownEmail(owner.email)}) got into ${quoted(organizationName)} with two factors of their own instead of single sign-on, which the organization requires, from ${device === null ? 'an unknown device' : quoted(device)}${ipAddress === null ? '' : ` at ${ipAddress}`}.`,
      'Owners may do so, in case the identity provider fails. If this was not them, remove them from the organization, and look at its activity.',
    ],
  }),
  'organization-exported': ({ name, organizationName, by }) => ({
    subject: 'The data of your organization was exported',
    paragraphs: [
      hello(name),
      `${quoted(by)} has begun to export all data of ${quoted(organizationName)}: leads, customers, quotes, people and the audit trail, as files.`,
      'If you did not expect this, end the sessions of this owner, and look at the activity of the organization.',
    ],
  }),
  'organization-restored': ({ name, organizationName }) => ({
    subject: 'Your organization was restored',
    paragraphs: [
      hello(name),
      `${quoted(organizationName)} was deleted and has been restored, with its members and its data.`,
      'Its service accounts, their keys, its domains, its single sign-on and open invitations do not come back: create new ones where you need them.',
    ],
  }),
};
