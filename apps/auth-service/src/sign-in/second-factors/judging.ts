import type { ApiError } from '@tenantry/envelope';
import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import { hashBackupCode } from './backup-codes.ts';
import {
  afterWrongCode,
  isLocked,
  type Authenticator,
  type JudgedAccount,
  type SecondFactor,
  type SecondFactorProof,
} from './second-factor.ts';
import { matchTimeStep } from './totp.ts';
import { openTotpSecret, sealTotpSecret } from './totp-secret.ts';
import { invalidCode, secondFactorLocked } from './second-factors.errors.ts';
import type { SecondFactorsRepository } from './second-factors.repository.ts';

/** What became of a code. */
export type Verdict =
  | { readonly accepted: true; readonly factor: SecondFactor }
  | {
      readonly accepted: false;
      readonly refusal: ApiError;
      /** False when codes have to wait and this one was not even looked at. */
      readonly counted: boolean;
      /** Until when codes have to wait, if it was this one that locked the second factor. */
      readonly locksUntil: Date | null;
    };

/** What judging needs. */
export interface JudgingDependencies extends Pick<Ground, 'secrets' | 'now'> {
  readonly repository: Pick<SecondFactorsRepository, 'advance' | 'spendBackupCode' | 'recordFailure'>;
}

/**
 * Judges a code of a locked account, and uses it up: the one place in which codes count, so that none counts twice
 * and all wrong ones are counted together.
 *
 * Commit whatever the verdict is: a refusal that rolls back has counted nothing.
 */
export type Judge = (tx: Transaction, account: JudgedAccount, proof: SecondFactorProof) => Promise<Verdict>;

export function createJudge({ repository, secrets, now }: JudgingDependencies): Judge {
  return async (tx, { id, authenticator }, { method, code }) => {
    const at = now();
    const { lockedUntil, failures } = authenticator;
    if (lockedUntil !== null && isLocked(authenticator, at)) {
      const refusal = secondFactorLocked(lockedUntil, at);
      return { accepted: false, refusal, counted: false, locksUntil: null };
    }
    const accepted =
      method === 'totp'
        ? await acceptTotp(tx, { userId: id, authenticator, code, at })
        : await repository.spendBackupCode(tx, hashBackupCode(code), at);
    if (accepted) return { accepted: true, factor: method === 'totp' ? 'otp' : 'backup' };

    const outcome = afterWrongCode(failures, at);
    await repository.recordFailure(tx, outcome);
    return { accepted: false, refusal: invalidCode(), counted: true, locksUntil: outcome.lockedUntil };
  };

  async function acceptTotp(tx: Transaction, attempt: TotpProof): Promise<boolean> {
    const { userId, authenticator, code, at } = attempt;
    const { encryptedSecret, secretId } = authenticator;
    if (encryptedSecret === null || secretId === null) return false;
    const secret = openTotpSecret({ encryptedSecret, secretId }, userId, secrets);
    const timeStep = matchTimeStep({ secret, code, at, afterTimeStep: authenticator.lastTimeStep });
    if (timeStep === undefined) return false;
    // Under the current AUTH_SECRET from now on, so that the previous one can go.
    return repository.advance(tx, { timeStep, ...sealTotpSecret(secret, userId, secrets.current) });
  }
}

interface TotpProof {
  readonly userId: string;
  readonly authenticator: Authenticator;
  readonly code: string;
  readonly at: Date;
}
