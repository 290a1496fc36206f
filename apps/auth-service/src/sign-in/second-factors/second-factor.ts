/** A code that a user gives as a second factor. */
export interface SecondFactorProof {
  readonly method: SecondFactorMethod;
  readonly code: string;
}

/** The ways to prove a second factor. */
export type SecondFactorMethod = 'totp' | 'backup-code';

/** The codes of a second factor as `amr` names them: RFC 8176; `backup` is ours. */
export const secondFactorNames = ['otp', 'backup'] as const;

/** What else carries a session of `aal2`: a passkey, as a second factor or as a sign-in of its own. RFC 8176. */
export const strongNames = [...secondFactorNames, 'pop'] as const;

/** One of {@link secondFactorNames}. */
export type SecondFactor = (typeof secondFactorNames)[number];

/** A user's second factor: an authenticator app that shares a secret with the user, where there is one, and backup codes. */
export interface Authenticator {
  readonly encryptedSecret: Uint8Array | null;
  /** Which AUTH_SECRET encrypts it. */
  readonly secretId: string | null;
  /** Null while no code of it has been verified. */
  readonly enabledAt: Date | null;
  readonly createdAt: Date;
  /** The last step whose code was accepted. */
  readonly lastTimeStep: number;
  /** Wrong codes in a row. */
  readonly failures: number;
  readonly lockedUntil: Date | null;
  readonly backupCodesLeft: number;
}

/** Whose second factor it is, locked by a transaction: nobody else judges it meanwhile. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly authenticator: Authenticator | undefined;
}

/** An account with what its codes are judged by. */
export type JudgedAccount = Account & { readonly authenticator: Authenticator };

/** What a user may know of their second factor. */
export interface TwoFactorState {
  readonly enabled: boolean;
  readonly backupCodesLeft: number;
}

const pendingMsMax = 10 * 60 * 1_000;
const failuresMax = 10;
const lockMs = 15 * 60 * 1_000;

/** How a user has authenticated once a second factor follows, or replaces an earlier one. */
export function withSecondFactor(amr: readonly string[], factor: SecondFactor): string[] {
  return [...amr.filter((name) => !secondFactorNames.some((known) => known === name)), factor];
}

/** What a user whose second factor is on can give. */
export function methodsWith({ hasApp, backupCodesLeft }: Means): readonly SecondFactorMethod[] {
  return [...(hasApp ? (['totp'] as const) : []), ...(backupCodesLeft > 0 ? (['backup-code'] as const) : [])];
}

/** What a second factor consists of. */
export interface Means {
  readonly hasApp: boolean;
  readonly backupCodesLeft: number;
}

/** What a user's second factor consists of. */
export function meansOf({ encryptedSecret, backupCodesLeft }: Authenticator): Means {
  return { hasApp: encryptedSecret !== null, backupCodesLeft };
}

/** Whether codes are asked of the user. */
export function isEnabled(account: Account | undefined): account is JudgedAccount {
  return account?.authenticator !== undefined && account.authenticator.enabledAt !== null;
}

/** Whether a set-up that was started can still be confirmed. */
export function isPending({ enabledAt, createdAt }: Authenticator, at: Date): boolean {
  return enabledAt === null && at.getTime() - createdAt.getTime() < pendingMsMax;
}

/** Whether codes wait, right ones too. */
export function isLocked({ lockedUntil }: Pick<Authenticator, 'lockedUntil'>, at: Date): boolean {
  return lockedUntil !== null && lockedUntil > at;
}

/**
 * What follows one more wrong code: it is counted, and the tenth in a row locks the second factor.
 *
 * The count goes by account and is the same for sign-in, step-up and set-up, so neither a new challenge nor another
 * session gains a guess. A guess is right three times in a million.
 */
export function afterWrongCode(failures: number, at: Date): Pick<Authenticator, 'failures' | 'lockedUntil'> {
  if (failures + 1 < failuresMax) return { failures: failures + 1, lockedUntil: null };
  return { failures: 0, lockedUntil: new Date(at.getTime() + lockMs) };
}
