import type { Letter, SignUpDetails, TemplateData, TemplateName, WayInChange } from './letter.ts';
import { greeting, quoted } from './names.ts';

/** A letter in parts: paragraphs, and at most one thing to do. */
export interface Draft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: Action;
}

/** Something to do: a page, and the request behind it. */
export interface Action {
  readonly label: string;
  /** A page of the front end. */
  readonly page: string;
  /** The endpoint behind it. */
  readonly endpoint: string;
  /** Undefined for what anyone may ask for. */
  readonly token?: string;
  /** What the endpoint wants besides the token. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What else the person who makes the request must know. */
  readonly hint?: string;
}

/** What a letter says. */
export function draftOf({ template, data, to }: Letter): Draft {
  const draft = drafts[template] as (data: Letter['data'], to: string) => Draft;
  return draft(data, to);
}

type Drafts = {
  readonly [Template in TemplateName]: (data: TemplateData[Template], to: string) => Draft;
};

const drafts: Drafts = {
  'verify-email': ({ name, token, replaces }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      greeting(name),
      'Confirm that this e-mail address is yours. If you did not ask for this letter, somebody else used your address: do not confirm.',
      ...(replaces ? [replacement(replaces)] : []),
    ],
    action: { label: 'Confirm', page: 'verify-email', endpoint: 'email/verify', token },
  }),

  'reset-password': ({ name, token }) => ({
    subject: 'Reset your password',
    paragraphs: [
      greeting(name),
      'You can choose a new password within the next hour. If you did not ask for it, there is nothing to do.',
    ],
    action: {
      label: 'Choose a new password',
      page: 'reset-password',
      endpoint: 'password/reset',
      token,
      fields: { newPassword: 'the new one' },
    },
  }),

  invitation: ({ inviterName, organizationName, role, token }) => ({
    subject: 'You are invited to an organization',
    paragraphs: [
      `${quoted(inviterName)} invites you to ${quoted(organizationName)} as ${role}.`,
      'The invitation is good for seven days, and for this e-mail address alone.',
    ],
    action: {
      label: 'Accept the invitation',
      page: 'accept-invitation',
      endpoint: 'invitations/accept',
      token,
      hint: 'Sign in with this address first. No account yet? Pass the token as invitationToken when you sign up.',
    },
  }),

  'password-changed': ({ name }, to) => ({
    subject: 'Your password was changed',
    paragraphs: [
      greeting(name),
      'Your password was changed, and your other sessions have ended. If this was not you, reset the password: that ends all sessions.',
    ],
    action: resetOf(to),
  }),

  'account-recovered': (data, to) => ({
    subject: 'Your password was changed',
    paragraphs: [
      greeting(null),
      ...recoveries(data),
      'If this was not you, reset the password: that ends all sessions.',
    ],
    action: resetOf(to),
  }),

  'confirm-new-address': ({ token, account }) => ({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      greeting(null),
      `${account ? `The account of ${quoted(account.name)} (${account.email})` : 'An account'} is to move to this e-mail address. If it is not yours, there is nothing to do: nobody else can finish this.`,
      'Sign in to that account first, then follow the link within an hour.',
    ],
    action: {
      label: 'Move the account here',
      page: 'verify-email',
      endpoint: 'email/verify',
      token,
      hint: 'Send it with an access token of that account.',
    },
  }),

  'email-change-requested': ({ name, newEmail }, to) =>
    warning({ to, name }, 'Your account is about to move to another e-mail address', [
      `Somebody who is signed in to your account asked to move it to ${newEmail ?? 'another address'}. It moves once the link in the letter to that address is followed. A change of the password, or the end of your other sessions, withdraws it.`,
    ]),

  'email-changed': ({ name, newEmail }) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      greeting(name),
      `Your account now belongs to ${newEmail ?? 'another address'}.`,
      // A password cannot be reset at an address that the account has left.
      'If this was not you, change your password and end your other sessions while you are signed in.',
    ],
  }),

  'account-locked': ({ name, lockedUntil }, to) =>
    warning({ to, name }, 'Sign-in to your account is locked for a while', [
      `Several sign-ins with a wrong password were tried. From unknown devices sign-in is locked until ${lockedUntil}.`,
    ]),

  'second-factor-locked': ({ name, lockedUntil }, to) =>
    warning({ to, name }, 'Wrong codes were given for your account', [
      `Ten wrong codes in a row were given by somebody who has your password or one of your sessions. No code is accepted until ${lockedUntil}.`,
    ]),

  'session-reuse-detected': ({ name, kind, device, ipAddress }, to) => {
    const where = ipAddress === null ? '' : ` at ${ipAddress}`;
    return warning({ to, name }, 'One of your sessions was ended', [
      `${misuses[kind]} ${device === null ? 'another device' : quoted(device)}${where}. Somebody may have copied it, so the session was ended. Sign in again.`,
    ]);
  },

  'two-factor-changed': ({ name, change }, to) =>
    warning({ to, name }, 'Your two-factor authentication was changed', [twoFactorChanges[change]]),

  'way-in-changed': ({ name, change }, to) =>
    warning({ to, name }, 'The ways to sign in to your account were changed', [wayInChanges[change]]),
};

/** A way back for somebody whose password another person has changed: a link that does not expire with a token. */
const resetOf = (email: string): Action => ({
  label: 'Reset your password',
  page: 'forgot-password',
  endpoint: 'password/forgot',
  fields: { email },
});

const misuses = {
  reused: 'A refresh token was used a second time, from',
  'other-device': 'A token of one of your sessions was used on a device that it does not belong to,',
} as const;

function replacement({ at, browser, system }: SignUpDetails): string {
  const from = [browser, system].filter((part) => part !== null).join(' on ');
  const device = from === '' ? '' : ` with ${from}`;
  return `Somebody had signed up with this address before, which no longer counts. This letter belongs to the sign-up of ${at}${device}, and its password is the one that will work. If that was not you, do not confirm: sign up again.`;
}

const namesMax = 100;

function listed(names: readonly string[]): string {
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  return names.slice(0, namesMax).map(quoted).join(', ') + more;
}

function recoveries({
  secondFactorRemoved,
  others,
  organizations,
}: TemplateData['account-recovered']): string[] {
  return [
    'Your password was changed, and your e-mail address is confirmed for the first time. Somebody else may have created this account, so what was set up before was undone.',
    ...(secondFactorRemoved
      ? ['Two-factor authentication that was set up before is off. Set up your own authenticator.']
      : []),
    ...(others.length > 0
      ? [
          `You own your personal organization. Also in it, as plain members from now on: ${listed(others)}. Remove those you do not know.`,
        ]
      : []),
    ...(organizations.length > 0
      ? [`The account also belongs to ${listed(organizations)}. Leave those you do not know.`]
      : []),
  ];
}

const twoFactorChanges = {
  enabled: 'Two-factor authentication is now on.',
  disabled: 'Two-factor authentication is now off.',
  'backup-codes-renewed': 'You have new backup codes; the former ones do not work any more.',
  'backup-code-used': 'One of your backup codes was used.',
  reset:
    'Two-factor authentication was turned off for you, because the second factor was said to be lost. All your sessions have ended. Set it up again once you are signed in.',
} as const;

const wayInChanges: Readonly<Record<WayInChange, string>> = {
  'password-removed': 'Your password was removed. You sign in by the other ways that you have set up.',
};

/** News of the account that may be somebody else's doing, with the way out. */
function warning(
  { to, name }: { readonly to: string; readonly name: string | null },
  subject: string,
  sentences: readonly string[],
): Draft {
  const unexpected = 'If this was not you, reset your password: that ends all sessions.';
  return { subject, paragraphs: [greeting(name), ...sentences, unexpected], action: resetOf(to) };
}
