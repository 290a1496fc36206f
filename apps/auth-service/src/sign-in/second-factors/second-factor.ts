import type { Assertion } from '../methods/passkeys/relying-party.ts';

/** A second factor, as a user presents it. */
export type SecondFactorProof = CodeProof | PasskeyProof;

/** A code of the app, or a backup code. */
export interface CodeProof {
  readonly method: 'totp' | 'backup-code';
  readonly code: string;
}

/** The response of a passkey's authenticator to the sign-in or session with this id. */
export interface PasskeyProof {
  readonly method: 'passkey';
  readonly response: Assertion;
  readonly askedBy: string;
}

/** The ways to prove a second factor. */
export const secondFactorMethods = ['passkey', 'totp', 'backup-code'] as const;

/** One of {@link secondFactorMethods}. */
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** What two-factor authentication can be turned on with. */
export type SetUpMethod = Exclude<SecondFactorMethod, 'backup-code'>;

/** The codes of a second factor as `amr` names them: RFC 8176; `backup` is ours. */
export const codeNames = ['otp', 'backup'] as const;

/** Factors of a session at `aal2`: codes, and a passkey, also as a sign-in by itself. RFC 8176. */
export const strongNames = [...codeNames, 'pop'] as const;

/** One of {@link strongNames}. */
export type SecondFactor = (typeof strongNames)[number];

/** A user's second factor beside passkeys: an app that shares a secret with the user, where there is one, and backup codes. */
export interface Authenticator {
  readonly encryptedSecret: Uint8Array | null;
  /** Which AUTH_SECRET encrypts it. */
  readonly secretId: string | null;
  /** Null while it has not been verified. */
  readonly enabledAt: Date | null;
  readonly createdAt: Date;
  /** The session that began the set-up; null from an earlier version. */
  readonly begunBy: string | null;
  /** The last step whose code was accepted. */
  readonly lastTimeStep: number;
  /** Wrong codes in a row. */
  readonly failures: number;
  readonly lockedUntil: Date | null;
  readonly backupCodesLeft: number;
}

/** The owner of a second factor, locked by a transaction, so that no other one checks it meanwhile. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly authenticator: Authenticator | undefined;
}

/** An account with what its codes are judged by. */
export type JudgedAccount = Account & { readonly authenticator: Authenticator };

const pendingMsMax = 10 * 60 * 1_000;
const failuresMax = 10;
const lockMs = 15 * 60 * 1_000;

/**
 * How a user has authenticated once a second factor follows. A code replaces an earlier one; a passkey does not, since the
 * session must remain valid if it is removed.
 */
export function withSecondFactor(amr: readonly string[], factor: SecondFactor): string[] {
  const replaced: readonly string[] = factor === 'pop' ? ['pop'] : codeNames;
  return [...amr.filter((name) => !replaced.includes(name)), factor];
}

/** What a user whose second factor is on can give. */
export function methodsWith({ hasPasskey, hasApp, backupCodesLeft }: Means): SecondFactorMethod[] {
  const has = { passkey: hasPasskey, totp: hasApp, 'backup-code': backupCodesLeft > 0 };
  return secondFactorMethods.filter((method) => has[method]);
}

/** The parts of a second factor. */
export interface Means {
  readonly hasPasskey: boolean;
  readonly hasApp: boolean;
  readonly backupCodesLeft: number;
}

/** The basis of a second factor, even a pending one: an app if there is a shared secret. */
export function setUpMethodOf({ encryptedSecret }: Authenticator): SetUpMethod {
  return encryptedSecret === null ? 'passkey' : 'totp';
}

/** Whether a second factor is asked of the user. */
export function isEnabled(account: Account | undefined): account is JudgedAccount {
  return account?.authenticator !== undefined && account.authenticator.enabledAt !== null;
}

/**
 * Whether a session can confirm a set-up: the one that began it, within ten minutes. Another person may hold another session,
 * and would end the session that entered the password.
 */
export function isPending(
  { enabledAt, createdAt, begunBy }: Authenticator,
  { sessionId, at }: { readonly sessionId: string; readonly at: Date },
): boolean {
  const isOwn = begunBy === null || begunBy === sessionId;
  return enabledAt === null && isOwn && at.getTime() - createdAt.getTime() < pendingMsMax;
}

/** Whether codes are locked, even right ones. */
export function isLocked({ lockedUntil }: Pick<Authenticator, 'lockedUntil'>, at: Date): boolean {
  return lockedUntil !== null && lockedUntil > at;
}

/**
 * The state after a further wrong code: it is counted, and the tenth in a row locks the second factor.
 *
 * The count goes by account and is the same for sign-in, step-up and set-up, so neither a new challenge nor another
 * session gains a guess. A guess is right three times in a million.
 */
export function afterWrongCode(failures: number, at: Date): Pick<Authenticator, 'failures' | 'lockedUntil'> {
  if (failures + 1 < failuresMax) return { failures: failures + 1, lockedUntil: null };
  return { failures: 0, lockedUntil: new Date(at.getTime() + lockMs) };
}
