/** A mail to send: who it is for, which template, and what goes into it. */
export type Letter = { readonly to: string } & {
  [Template in TemplateName]: { readonly template: Template; readonly data: TemplateData[Template] };
}[TemplateName];

/** The mails there are. */
export type TemplateName = keyof TemplateData;

/** What each template shows. */
export interface TemplateData {
  readonly 'verify-email': { readonly name: string; readonly token: string };
  readonly 'reset-password': { readonly name: string; readonly token: string };
  readonly 'password-changed': { readonly name: string };
  /** The first proof of an address, by a reset: what was undone that somebody else may have set up. */
  readonly 'account-recovered': {
    readonly name: string;
    readonly secondFactorRemoved: boolean;
    /** Who else belongs to the personal organization, by name. */
    readonly others: readonly string[];
  };
  /** To the former address; the new one is confirmed by `verify-email`. */
  readonly 'email-changed': { readonly name: string; readonly newEmail: string };
  readonly invitation: {
    readonly inviterName: string;
    readonly organizationName: string;
    readonly role: string;
    readonly token: string;
  };
  readonly 'account-locked': { readonly name: string; readonly lockedUntil: string };
  readonly 'second-factor-locked': { readonly name: string; readonly lockedUntil: string };
  readonly 'session-reuse-detected': {
    readonly name: string;
    /** A refresh token was used a second time, or something of the session on another device. */
    readonly kind: 'reused' | 'other-device';
    readonly device: string;
    readonly ipAddress: string | null;
  };
  readonly 'two-factor-changed': {
    readonly name: string;
    readonly change: 'enabled' | 'disabled' | 'backup-codes-renewed' | 'backup-code-used';
  };
}
