import { ApiError } from '@tenantry/envelope';
import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import type { PasskeyAnswer } from '../methods/passkeys/passkey-answers.ts';
import type { PasskeyFactor } from '../methods/passkeys/passkey-factor.ts';
import { passkeyRefused, userNotVerified } from '../methods/passkeys/passkeys.errors.ts';
import { lacksVerification } from '../methods/passkeys/relying-party.ts';
import { hashBackupCode } from './backup-codes.ts';
import {
  afterWrongCode,
  isLocked,
  type CodeProof,
  type JudgedAccount,
  type PasskeyProof,
  type SecondFactor,
  type SecondFactorProof,
} from './second-factor.ts';
import { matchTimeStep } from './totp.ts';
import { openTotpSecret, sealTotpSecret } from './totp-secret.ts';
import { invalidCode, secondFactorLocked } from './second-factors.errors.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';

/** The verdict on a proof. */
export type Verdict =
  | { readonly accepted: true; readonly factor: SecondFactor }
  | {
      readonly accepted: false;
      readonly refusal: ApiError;
      /** False for a passkey, and for a code that was not checked because codes are locked. */
      readonly counted: boolean;
      /** When the lock ends, if this code has locked the second factor. */
      readonly locksUntil: Date | null;
      /** For a passkey whose counter went back. */
      readonly copy?: PasskeyAnswer;
    };

/** What judging needs. */
interface JudgingDependencies extends Pick<Ground, 'secrets' | 'now'> {
  readonly passkeyFactor: Pick<PasskeyFactor, 'refusal'>;
}

/**
 * Judges proofs of locked users, and consumes them: the only place for this, so that no proof works twice and all wrong codes
 * are counted together.
 */
export class Judge {
  readonly #dependencies: JudgingDependencies;
  readonly #repository = new SecondFactorsRepository();

  constructor(dependencies: JudgingDependencies) {
    this.#dependencies = dependencies;
  }

  /** Commit either verdict: a rollback would undo the count. */
  verdictOn(tx: Transaction, account: JudgedAccount, proof: SecondFactorProof): Promise<Verdict> {
    if (proof.method === 'passkey') return this.#judgePasskey(tx, account, proof);
    return this.#judgeCode(tx, account, proof);
  }

  async #judgePasskey(tx: Transaction, { id }: JudgedAccount, proof: PasskeyProof): Promise<Verdict> {
    const refused = await this.#dependencies.passkeyFactor.refusal(tx, { ...proof, userId: id });
    if (!refused) return { accepted: true, factor: 'pop' };
    const refusal = lacksVerification(proof.response) ? userNotVerified(401) : passkeyRefused();
    return { accepted: false, refusal, counted: false, locksUntil: null, ...refused };
  }

  async #judgeCode(tx: Transaction, account: JudgedAccount, { method, code }: CodeProof): Promise<Verdict> {
    const { now } = this.#dependencies;
    const at = now();
    const { authenticator } = account;
    const { lockedUntil, failures } = authenticator;
    if (lockedUntil !== null && isLocked(authenticator, at)) {
      const refusal = secondFactorLocked(lockedUntil, at);
      return { accepted: false, refusal, counted: false, locksUntil: null };
    }
    const accepted =
      method === 'totp'
        ? await this.#acceptTotp(tx, account, { code, at })
        : await this.#repository.spendBackupCode(tx, hashBackupCode(code), at);
    if (accepted) return { accepted: true, factor: method === 'totp' ? 'otp' : 'backup' };

    const outcome = afterWrongCode(failures, at);
    await this.#repository.recordFailure(tx, outcome);
    return { accepted: false, refusal: invalidCode(), counted: true, locksUntil: outcome.lockedUntil };
  }

  async #acceptTotp(
    tx: Transaction,
    { id: userId, authenticator }: JudgedAccount,
    { code, at }: { readonly code: string; readonly at: Date },
  ): Promise<boolean> {
    const { secrets } = this.#dependencies;
    const { encryptedSecret, secretId } = authenticator;
    if (encryptedSecret === null || secretId === null) return false;
    const secret = openTotpSecret({ encryptedSecret, secretId }, userId, secrets);
    const timeStep = matchTimeStep({ secret, code, at, afterTimeStep: authenticator.lastTimeStep });
    if (timeStep === undefined) return false;
    // Re-encrypts under the current AUTH_SECRET, so that the previous one can be removed.
    return this.#repository.advance(tx, { timeStep, ...sealTotpSecret(secret, userId, secrets.current) });
  }
}

/** Runs a transaction, and only when it has committed throws the refusal that it returned: wrong codes stay counted. */
export async function committing<Result extends object>(
  transaction: Promise<Result | ApiError>,
): Promise<Result> {
  const result = await transaction;
  if (result instanceof ApiError) throw result;
  return result;
}
