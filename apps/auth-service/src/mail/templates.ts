import type { ComposedMail } from '@tenantry/outbox/mail';
import type { Letter, TemplateData } from './letter.ts';

/** Writes a letter out. */
export type ComposeLetter = (letter: Letter) => ComposedMail;

/** Where the links lead. */
export interface TemplateOptions {
  /** AUTH_URL. */
  readonly authUrl: string;
  /** FRONTEND_URL: links lead to its pages; without it, letters say which request to make. */
  readonly frontendUrl?: string | undefined;
}

/** A letter in parts: paragraphs, and at most one thing to do. */
interface Draft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: Action;
}

interface Action {
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

/** Makes {@link ComposeLetter}. Names are anyone's text: they are quoted, kept short and escaped in HTML. */
export function createTemplates(options: TemplateOptions): ComposeLetter {
  return (letter) => {
    const { subject, paragraphs, action } = draftOf(letter);
    const todo = action && instructionOf(action, options);
    const text = [...paragraphs, ...(todo ? [todo.text] : []), signature].join('\n\n');
    const html = [...paragraphs.map(paragraph), ...(todo ? [todo.html] : []), paragraph(signature)].join(
      '\n',
    );
    return { to: letter.to, subject, text: `${text}\n`, html: `<!doctype html>\n${html}\n` };
  };
}

const signature = 'Tenantry';

function draftOf(letter: Letter): Draft {
  switch (letter.template) {
    case 'verify-email':
      return {
        subject: 'Confirm your e-mail address',
        paragraphs: [
          greeting(letter.data.name),
          'Confirm that this e-mail address is yours. If you did not ask for this letter, somebody else used your address: do not confirm.',
        ],
        action: {
          label: 'Confirm',
          page: 'verify-email',
          endpoint: 'email/verify',
          token: letter.data.token,
        },
      };
    case 'reset-password':
      return {
        subject: 'Reset your password',
        paragraphs: [
          greeting(letter.data.name),
          'You can choose a new password within the next hour. If you did not ask for it, there is nothing to do.',
        ],
        action: {
          label: 'Choose a new password',
          page: 'reset-password',
          endpoint: 'password/reset',
          token: letter.data.token,
          fields: { newPassword: 'the new one' },
        },
      };
    case 'invitation':
      return {
        subject: 'You are invited to an organization',
        paragraphs: [
          `${quoted(letter.data.inviterName)} invites you to ${quoted(letter.data.organizationName)} as ${letter.data.role}.`,
          'The invitation is good for seven days, and for this e-mail address alone.',
        ],
        action: {
          label: 'Accept the invitation',
          page: 'accept-invitation',
          endpoint: 'invitations/accept',
          token: letter.data.token,
          hint: 'Sign in with this address first. No account yet? Pass the token as invitationToken when you sign up.',
        },
      };
    case 'password-changed':
      return {
        subject: 'Your password was changed',
        paragraphs: [
          greeting(letter.data.name),
          'Your password was changed, and your other sessions have ended. If this was not you, reset the password: that ends all sessions.',
        ],
        action: resetOf(letter.to),
      };
    case 'account-recovered':
      return {
        subject: 'Your password was changed',
        paragraphs: [
          greeting(letter.data.name),
          ...recoveries(letter.data),
          'If this was not you, reset the password: that ends all sessions.',
        ],
        action: resetOf(letter.to),
      };
    case 'email-changed':
      return notice(
        letter.data.name,
        'Your e-mail address was changed',
        `Your account now belongs to ${letter.data.newEmail}.`,
      );
    case 'account-locked':
      return warning(
        letter,
        'Sign-in to your account is locked for a while',
        `Several sign-ins with a wrong password were tried. From unknown devices sign-in is locked until ${letter.data.lockedUntil}.`,
      );
    case 'second-factor-locked':
      return warning(
        letter,
        'Wrong codes were given for your account',
        `Ten wrong codes in a row were given by somebody who has your password or one of your sessions. No code is accepted until ${letter.data.lockedUntil}.`,
      );
    case 'session-reuse-detected':
      return warning(
        letter,
        'One of your sessions was ended',
        `${misuses[letter.data.kind]} ${quoted(letter.data.device)}${
          letter.data.ipAddress === null ? '' : ` at ${letter.data.ipAddress}`
        }. Somebody may have copied it, so the session was ended. Sign in again.`,
      );
    case 'two-factor-changed':
      return warning(
        letter,
        'Your two-factor authentication was changed',
        twoFactorChanges[letter.data.change],
      );
  }
}

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

const namesMax = 20;

function recoveries({ secondFactorRemoved, others }: TemplateData['account-recovered']): string[] {
  const named = others.slice(0, namesMax).map(quoted).join(', ');
  const more = others.length > namesMax ? ` and ${others.length - namesMax} more` : '';
  return [
    'Your password was changed, and your e-mail address is confirmed for the first time. Somebody else may have created this account, so what was set up before was undone.',
    ...(secondFactorRemoved
      ? ['Two-factor authentication that was set up before is off. Set up your own authenticator.']
      : []),
    ...(others.length > 0
      ? [
          `You own your personal organization. Also in it, as plain members from now on: ${named}${more}. Remove those you do not know.`,
        ]
      : []),
  ];
}

const twoFactorChanges = {
  enabled: 'Two-factor authentication is now on.',
  disabled: 'Two-factor authentication is now off.',
  'backup-codes-renewed': 'You have new backup codes; the former ones do not work any more.',
  'backup-code-used': 'One of your backup codes was used.',
} as const;

/** To an address that the account has left: a password cannot be reset there. */
function notice(name: string, subject: string, sentence: string): Draft {
  const unexpected =
    'If this was not you, change your password and end your other sessions while you are signed in.';
  return { subject, paragraphs: [greeting(name), sentence, unexpected] };
}

/** News of the account that may be somebody else's doing, with the way out. */
function warning(
  { to, data }: { readonly to: string; readonly data: { readonly name: string } },
  subject: string,
  sentence: string,
): Draft {
  const unexpected = 'If this was not you, reset your password: that ends all sessions.';
  return { subject, paragraphs: [greeting(data.name), sentence, unexpected], action: resetOf(to) };
}

const nameLengthMax = 60;
const greeting = (name: string): string => `Hello ${shortened(name)},`;
const quoted = (name: string): string => `“${shortened(name)}”`;

/**
 * Mail programs turn what looks like an address into a link, `evil.example/offer` too: in a name, nothing follows a dot,
 * a colon, an @ or a slash at once. Some dots are dots in domain names alone (RFC 3490, 3.1).
 */
function shortened(name: string): string {
  const plain = name
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[/\\]+/g, ' ')
    .replaceAll(/[.:@\u3002\uff0e\uff61](?=\S)/gu, '$& ');
  const characters = Array.from(plain.trim());
  return characters.length <= nameLengthMax
    ? plain.trim()
    : `${characters.slice(0, nameLengthMax).join('')}…`;
}

function instructionOf(action: Action, { authUrl, frontendUrl }: TemplateOptions) {
  const { label, page, endpoint, token, fields, hint } = action;
  if (frontendUrl === undefined) {
    const request = `POST ${authUrl}/${endpoint} with ${JSON.stringify({ token, ...fields })}`;
    const sentences = [`${label}: ${request}`, ...(hint === undefined ? [] : [hint])];
    return { text: sentences.join('\n\n'), html: sentences.map(paragraph).join('\n') };
  }
  // After the #, so that it stands in no log and no Referer on the way.
  const link = `${frontendUrl}/${page}${token === undefined ? '' : `#token=${token}`}`;
  return { text: `${label}:\n${link}`, html: `<p><a href="${escaped(link)}">${escaped(label)}</a></p>` };
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
