import type { AuthSecret } from '../ground/index.ts';

/** A user's language (BCP 47) and time zone (IANA); null if not set. */
export interface Locale {
  readonly language: string | null;
  readonly timeZone: string | null;
}

/** A mail to send: recipient, template and data. */
export type Letter = {
  readonly to: string;
  /** Whose language and time zone it is written in; set when it is put into the outbox. */
  readonly reader?: Locale | undefined;
} & {
  [Template in TemplateName]: { readonly template: Template; readonly data: TemplateData[Template] };
}[TemplateName];

/** A letter about to be written, if the budget has room for it. */
export type PlannedLetter = {
  readonly to: string;
  /** Of what it tells, where that can be withdrawn while the letter waits. */
  readonly id?: string;
  readonly cause?: Cause | undefined;
  /** The user in whose language it is written; by default, whose account has the address. */
  readonly inLanguageOf?: string | undefined;
} & {
  [Template in TemplateName]: {
    readonly template: Template;
    /** A function if the letter contains a token, which is created only if the letter is sent. */
    readonly data: TemplateData[Template] | (() => Promise<TemplateData[Template]>);
  };
}[TemplateName];

/** Who causes a letter, if not its recipient. */
export interface Cause {
  /** A user who writes to another person. */
  readonly userId?: string | undefined;
  /** On behalf of which organization. */
  readonly organizationId?: string | undefined;
  /**
   * Counted separately from letters that strangers can cause: a device that has signed in, or an event that they cannot repeat.
   */
  readonly apart?: string | undefined;
}

/** All mails. */
export type TemplateName = keyof TemplateData;

/** The name in a greeting; null to an address that is not proven. */
type Greeted = string | null;

/** The data of each template. */
export interface TemplateData {
  readonly 'verify-email': {
    readonly name: Greeted;
    readonly token: string;
    /** Of a sign-up that replaced an earlier one of the same address. */
    readonly replaces?: SignUpDetails;
  };
  readonly 'reset-password': { readonly name: Greeted; readonly token: string };
  readonly 'password-changed': { readonly name: Greeted };
  /** The first proof of an address: what was undone because another person may have set it up. */
  readonly 'account-recovered': {
    /** How, if not by a reset of the password. */
    readonly by?: 'mailed-code' | 'provider' | 'link' | 'invitation';
    /** `from-elsewhere` on the device that signed up: what that has set up itself stays. */
    readonly scope: 'everything' | 'from-elsewhere';
    readonly passwordRemoved: boolean;
    /** Passkeys, or accounts at providers. */
    readonly waysRemoved: boolean;
    readonly secondFactorRemoved: boolean;
    /** Who else belongs to the personal organization, by name. */
    readonly others: readonly string[];
    /** The other organizations that the account belongs to, by name. */
    readonly organizations: readonly string[];
  };
  /** To the new address: following the link completes the change. */
  readonly 'confirm-new-address': {
    readonly token: string;
    /** The account whose address changes; null if its current address is not proven. */
    readonly account: { readonly name: string; readonly email: string } | null;
  };
  /** To the current address, when a change is requested. */
  readonly 'email-change-requested': { readonly name: Greeted; readonly newEmail: string | null };
  /** To the former address, after the change. */
  readonly 'email-changed': { readonly name: Greeted; readonly newEmail: string | null };
  /** A code and a link to sign in with. */
  readonly 'sign-in-code': { readonly name: Greeted; readonly code: string; readonly token: string };
  readonly invitation: {
    readonly inviterName: string;
    readonly organizationName: string;
    readonly role: string;
    readonly token: string;
  };
  readonly 'account-locked': { readonly name: Greeted; readonly lockedUntil: string };
  readonly 'second-factor-locked': { readonly name: Greeted; readonly lockedUntil: string };
  readonly 'session-reuse-detected': {
    readonly name: Greeted;
    /** A refresh token was used a second time, or something of the session on another device. */
    readonly kind: 'reused' | 'other-device';
    readonly device: string | null;
    readonly ipAddress: string | null;
  };
  readonly 'two-factor-changed': {
    readonly name: Greeted;
    readonly change: 'enabled' | 'disabled' | 'backup-codes-renewed' | 'backup-code-used' | 'reset';
  };
  /** A way to sign in that was added or removed. */
  readonly 'way-in-changed': {
    readonly name: Greeted;
    readonly change: WayInChange;
    /** The provider of an identity, by its name here. */
    readonly by?: string;
  };
  /** To the owners of an organization, two weeks before. */
  readonly 'keys-expire': {
    readonly name: Greeted;
    readonly organizationName: string;
    readonly keys: readonly {
      /** Null where its maker has not confirmed their address. */
      readonly name: string | null;
      /** The last characters of the key. */
      readonly ending: string;
      readonly expiresAt: string;
    }[];
  };
  /** To the owners of an organization, two weeks before nobody signs in by its identity provider any more. */
  readonly 'certificate-ends': {
    readonly name: Greeted;
    readonly organizationName: string;
    readonly endsAt: string;
  };
  /** To the owners of an organization: what proves the domain is gone, which is still taken for theirs for now. */
  readonly 'domain-record-missing': LostDomain;
  /** To the owners of an organization: the domain is no longer taken for theirs. */
  readonly 'domain-suspended': LostDomain;
  /** To the owners of an organization: who may get in without single sign-on, from now on. */
  readonly 'sso-requirement-changed': {
    readonly name: Greeted;
    readonly organizationName: string;
    /** `domains-gone`: none counts any more, so that nobody could sign in by it. */
    readonly change: 'on' | 'off' | 'domains-gone';
    /** Who did it, by name; null for nobody. */
    readonly by: string | null;
  };
  /** To the owners of an organization that requires single sign-on: one of them is in without it. */
  readonly 'owner-bypassed-sso': {
    readonly name: Greeted;
    readonly organizationName: string;
    readonly owner: { readonly name: string; readonly email: string };
    readonly device: string | null;
    readonly ipAddress: string | null;
  };
  /** To the owners of an organization: one of them has all of its data. */
  readonly 'organization-exported': {
    readonly name: Greeted;
    readonly organizationName: string;
    /** Who exports, by name. */
    readonly by: string;
  };
  /** To the owners of an organization: what did not come back. */
  readonly 'organization-restored': { readonly name: Greeted; readonly organizationName: string };
}

/** A domain whose record was not found. */
interface LostDomain {
  readonly name: Greeted;
  readonly organizationName: string;
  /** In A-labels. */
  readonly domain: string;
  readonly record: { readonly name: string; readonly value: string };
}

/** A letter that greets the holder of an account, by name. */
export type NoticeName = {
  [Template in TemplateName]: TemplateData[Template] extends { readonly name: Greeted } ? Template : never;
}[TemplateName];

/** A change of a sign-in method. */
type WayInChange =
  | 'password-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied'
  | 'connection-linked'
  | 'identity-linked'
  | 'identity-unlinked';

/** Describes a sign-up to its user, without text of theirs. */
export interface SignUpDetails {
  readonly at: string;
  readonly browser: string | null;
  readonly system: string | null;
}

const texts = ['name', 'newEmail', 'device'];

/**
 * A letter about an account, to an unproven address: it may be a stranger's, so the letter contains no text that a user chose.
 * Invitations and letters to a new address concern another person's account, and handle this themselves.
 */
export function withoutUserText(letter: Letter): Letter {
  if (letter.template === 'invitation') return letter;
  const kept = Object.entries(letter.data).map(([field, value]: [string, unknown]) => [
    field,
    texts.includes(field) ? null : value,
  ]);
  return { ...letter, data: Object.fromEntries(kept) as never };
}

/** Encrypts a letter for its row, so that reading the database reveals no token. */
export function sealLetter(letter: Letter, id: string, secret: AuthSecret): Buffer {
  return secret.encrypt('mail-encryption', Buffer.from(JSON.stringify(letter)), id);
}

/** Opens what {@link sealLetter} made; throws for any other row. */
export function openLetter(payload: Uint8Array, id: string, secret: AuthSecret): Letter {
  return JSON.parse(secret.decrypt('mail-encryption', payload, id).toString()) as Letter;
}
