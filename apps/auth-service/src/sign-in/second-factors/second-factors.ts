import type { Static } from 'typebox';
import type { Transaction } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import { markIn, type Principal, type Sessions } from '../../sessions/index.ts';
import { recordRevocation } from '../../tokens/index.ts';
import type { PasskeyFactor } from '../methods/passkeys/passkey-factor.ts';
import { carriesTwoFactor, passkeyMissing } from '../methods/passkeys/passkeys.errors.ts';
import type { EndedWays } from '../ways-in/ended-ways.ts';
import type { ConfirmOwner } from '../step-up/confirm-owner.ts';
import { hashBackupCode, newBackupCodes } from './backup-codes.ts';
import { committing, type Judge } from './judging.ts';
import type { Notices } from './notices.ts';
import {
  codeNames,
  isEnabled,
  methodsWith,
  setUpMethodOf,
  strongNames,
  type SecondFactorProof,
  type SetUpMethod,
  type Account,
} from './second-factor.ts';
import { twoFactorAlreadyEnabled, twoFactorNotEnabled } from './second-factors.errors.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';
import type { EnableAnswer, StateAnswer } from './second-factors.schemas.ts';
import { newTotpSecret, qrCodeOf, totpUri } from './totp.ts';
import { sealTotpSecret } from './totp-secret.ts';

/** The result of a set-up, shown only once. */
type SetUp = Static<typeof EnableAnswer>;

interface SecondFactorsDependencies extends Pick<Ground, 'database' | 'limits' | 'secrets' | 'now'> {
  readonly passkeyFactor: Pick<PasskeyFactor, 'isHeld'>;
  readonly judge: Judge;
  readonly notices: Notices;
  readonly confirmOwner: ConfirmOwner;
  readonly sessions: Pick<Sessions, 'callers' | 'endings'>;
  readonly endedWays: Pick<EndedWays, 'end'>;
}

/** A user at a request that asks for the password, where there is one. */
interface OwnerClaim {
  readonly password: string | undefined;
  readonly client: Client;
}

/** Sets up second factors, and turns them off. */
export class SecondFactors {
  readonly #dependencies: SecondFactorsDependencies;
  readonly #repository = new SecondFactorsRepository();

  constructor(dependencies: SecondFactorsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The state of a user's second factor; there are no methods while it is off. */
  async state(userId: string): Promise<Static<typeof StateAnswer>> {
    const { database, passkeyFactor } = this.#dependencies;
    const rows = database.within({ userId });
    const { enabled, hasApp, backupCodesLeft } = await this.#repository.state(rows);
    if (!enabled) return { enabled, methods: [], backupCodesLeft };
    const hasPasskey = await passkeyFactor.isHeld(rows);
    return { enabled, methods: methodsWith({ hasPasskey, hasApp, backupCodesLeft }), backupCodesLeft };
  }

  /**
   * Starts a set-up, or starts over; it takes effect once this session verifies it. Requires what {@link ConfirmOwner}
   * requires.
   */
  async enable(principal: Principal, claim: OwnerClaim & { readonly method: SetUpMethod }): Promise<SetUp> {
    const { method, password, client } = claim;
    const { passkeyFactor, confirmOwner, sessions, secrets, now } = this.#dependencies;
    const { id: userId, email } = principal.user;
    const proof = await confirmOwner(principal, { password, client });
    const secret = method === 'totp' ? newTotpSecret() : undefined;
    const beginning = sessions.callers.own(principal, async (tx) => {
      if (isEnabled(await this.#repository.lockForUpdate(tx))) return twoFactorAlreadyEnabled();
      if (secret === undefined && !(await passkeyFactor.isHeld(tx))) return passkeyMissing();
      await proof?.requireValid(tx);
      const sealed = secret === undefined ? {} : sealTotpSecret(secret, userId, secrets.current);
      const begunBy = principal.session.id;
      await this.#repository.begin(tx, { ...sealed, begunBy, addedOn: markIn(principal, client), at: now() });
      return { backupCodes: await this.#replaceBackupCodes(tx) };
    });
    const { backupCodes } = await committing(beginning);
    if (secret === undefined) return { backupCodes };
    const uri = totpUri({ secret, email });
    return { totpUri: uri, qrCode: await qrCodeOf(uri), secret, backupCodes };
  }

  /** Within a transaction that has locked its user and removed a passkey. @throws LAST_WAY_IN where two-factor needs it */
  async requireCarried(tx: Transaction): Promise<void> {
    const { passkeyFactor } = this.#dependencies;
    const account = await this.#repository.lockForUpdate(tx);
    if (!isEnabled(account) || setUpMethodOf(account.authenticator) === 'totp') return;
    if (!(await passkeyFactor.isHeld(tx))) throw carriesTwoFactor();
  }

  /** The fresh proof serves as the required second factor; a user with a password must also enter that. */
  async disable(
    principal: Principal,
    { password, proof, client }: OwnerClaim & { readonly proof: SecondFactorProof },
  ): Promise<void> {
    const { judge, notices, confirmOwner, endedWays, sessions, now } = this.#dependencies;
    const { id: userId } = principal.user;
    const confirmed = await confirmOwner(principal, { password, client, besides: 'second-factor' });
    const disabling = sessions.callers.own(principal, async (tx) => {
      const account = await this.#repository.lockForUpdate(tx);
      await confirmed?.requireValid(tx);
      if (!isEnabled(account)) return twoFactorNotEnabled();

      const occasion = { account, client };
      const verdict = await judge.verdictOn(tx, account, proof);
      await notices.judged(tx, occasion, verdict);
      if (!verdict.accepted) return verdict.refusal;
      await this.#repository.remove(tx);
      await endedWays.end(tx, 'second-factor', { account: principal.user, principal });
      await sessions.endings.withdrawFactors(tx, { userId, factors: codeNames, secondFactors: strongNames });
      await notices.changed(tx, occasion, 'disabled');
      // Their tokens name a factor that no longer exists, and may be for an organization that requires one.
      await recordRevocation(tx, { kind: 'user', userId, at: now() });
      return verdict;
    });
    await committing(disabling);
  }

  /** Within a transaction of the user: the second factor, whose user is locked; undefined without the user. */
  lock(tx: Transaction): Promise<Account | undefined> {
    return this.#repository.lockForUpdate(tx);
  }

  /** Within a transaction that has locked the user: the second factor that was set up takes effect. */
  turnOn(tx: Transaction): Promise<void> {
    return this.#repository.enable(tx, this.#dependencies.now());
  }

  /**
   * Within a transaction of the user: forgets the second factor, also one being set up.
   *
   * @param but the mark of a device whose own second factor stays
   * @returns whether one was on
   */
  discard(tx: Transaction, but: string | null = null): Promise<boolean> {
    return this.#repository.remove(tx, but);
  }

  /** Replaces the backup codes; earlier ones stop working. @throws RATE_LIMITED */
  async renewBackupCodes(principal: Principal, client: Client): Promise<string[]> {
    const { endedWays, limits, notices, sessions } = this.#dependencies;
    await limits.backupCodes.consume(principal.session.id);
    const renewing = sessions.callers.own(principal, async (tx) => {
      const account = await this.#repository.lockForUpdate(tx);
      if (!isEnabled(account)) return twoFactorNotEnabled();

      const backupCodes = await this.#replaceBackupCodes(tx);
      await endedWays.end(tx, 'backup-codes', { account: principal.user, principal });
      const occasion = { account, client };
      await notices.changed(tx, occasion, 'backup-codes-renewed');
      return { backupCodes };
    });
    const { backupCodes } = await committing(renewing);
    return backupCodes;
  }

  async #replaceBackupCodes(tx: Transaction): Promise<string[]> {
    const backupCodes = newBackupCodes();
    await this.#repository.replaceBackupCodes(tx, backupCodes.map(hashBackupCode));
    return backupCodes;
  }
}
