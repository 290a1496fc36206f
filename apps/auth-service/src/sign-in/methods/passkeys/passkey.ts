/** A passkey as it is stored. */
export interface Passkey {
  readonly id: string;
  readonly credentialId: Buffer;
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer;
  /** The signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it may be backed up to several devices; this never changes. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  readonly name: string;
  /** ISO 8601 text, as `lastUsedAt` is. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** A passkey about to be stored. */
export interface NewPasskey extends Omit<Passkey, 'lastUsedAt'> {
  readonly rpId: string;
  /** The mark of the device that adds it. */
  readonly addedOn: string | null;
}

/** What an authenticator reports at each use. */
export interface PasskeyUse {
  readonly counter: number;
  readonly backedUp: boolean;
}

/** Whether a counter has increased, if the authenticator counts. WebAuthn Level 3, 6.1.1. */
export function hasAdvanced(stored: number, shown: number): boolean {
  return shown > stored || (shown === 0 && stored === 0);
}
