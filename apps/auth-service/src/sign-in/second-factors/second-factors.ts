import type { Transaction } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import type { Principal, Sessions } from '../../sessions/index.ts';
import { recordRevocation } from '../../tokens/index.ts';
import type { ConfirmOwner } from '../step-up/confirm-owner.ts';
import { hashBackupCode, newBackupCodes } from './backup-codes.ts';
import { committing } from './committing.ts';
import type { Judge } from './judging.ts';
import type { Notices } from './notices.ts';
import { qrCodeOf } from './qr-code.ts';
import {
  isEnabled,
  methodsWith,
  secondFactorNames,
  strongNames,
  type SecondFactorMethod,
  type SecondFactorProof,
  type TwoFactorState,
} from './second-factor.ts';
import { twoFactorAlreadyEnabled, twoFactorNotEnabled } from './second-factors.errors.ts';
import type { SecondFactorsRepository } from './second-factors.repository.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import { sealTotpSecret } from './totp-secret.ts';

/** What an authenticator is set up with, shown this once. */
export interface SetUp {
  readonly totpUri: string;
  /** The same as a picture: a PNG in a data URL. */
  readonly qrCode: string;
  /** The same for typing, in base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** What the use cases of second factors need. */
export interface SecondFactorsDependencies extends Pick<Ground, 'database' | 'limits' | 'secrets' | 'now'> {
  readonly repository: SecondFactorsRepository;
  readonly judge: Judge;
  readonly notices: Notices;
  readonly confirmOwner: ConfirmOwner;
  readonly sessions: Pick<Sessions, 'pending' | 'requireAlive' | 'withdrawFactors'>;
}

/** A user at a request that asks for the password, where there is one. */
export interface OwnerClaim {
  readonly password: string | undefined;
  readonly client: Client;
}

/** Setting up a second factor, and turning it off. */
export interface SecondFactors {
  state(principal: Principal): Promise<TwoFactorState>;
  /** What a user can confirm a session with; nothing without a second factor. */
  methodsOf(userId: string): Promise<readonly SecondFactorMethod[]>;
  /** Starts a set-up, or starts over; it counts once a code is verified. Asks for what {@link ConfirmOwner} asks for. */
  enable(principal: Principal, claim: OwnerClaim): Promise<SetUp>;
  /** The code, as recent as can be, is the second factor that this needs; a user who has a password gives that as well. */
  disable(principal: Principal, claim: OwnerClaim & { readonly proof: SecondFactorProof }): Promise<void>;
  /** Within a transaction of the user: forgets the second factor, also one being set up. @returns whether one was on */
  discard(tx: Transaction): Promise<boolean>;
  /** Replaces the backup codes; earlier ones stop working. @throws RATE_LIMITED */
  renewBackupCodes(principal: Principal, client: Client): Promise<readonly string[]>;
}

export function createSecondFactors(dependencies: SecondFactorsDependencies): SecondFactors {
  const { database, limits, repository, judge, notices, confirmOwner, sessions, secrets, now } = dependencies;

  async function replaceBackupCodes(tx: Transaction): Promise<readonly string[]> {
    const backupCodes = newBackupCodes();
    await repository.replaceBackupCodes(tx, backupCodes.map(hashBackupCode));
    return backupCodes;
  }

  const state = (userId: string) => repository.state(database.within({ userId }));

  return {
    async state({ user }) {
      const { enabled, backupCodesLeft } = await state(user.id);
      return { enabled, backupCodesLeft };
    },

    async methodsOf(userId) {
      const { enabled, ...means } = await state(userId);
      return enabled ? methodsWith(means) : [];
    },

    async enable(principal, { password, client }) {
      const { user } = principal;
      const { id: userId, email } = user;
      const proof = await confirmOwner(principal, { password, client });
      const secret = newTotpSecret();
      const { backupCodes } = await committing(database.within({ userId }), async (tx) => {
        if (isEnabled(await repository.lockForUpdate(tx))) return twoFactorAlreadyEnabled();
        // Neither the session nor the password may have ended since.
        await sessions.requireAlive(tx, principal);
        await proof?.requireValid(tx);
        await repository.begin(tx, { ...sealTotpSecret(secret, userId, secrets.current), at: now() });
        return { backupCodes: await replaceBackupCodes(tx) };
      });
      const uri = totpUri({ secret, email });
      return { totpUri: uri, qrCode: await qrCodeOf(uri), secret, backupCodes };
    },

    async disable(principal, { password, proof, client }) {
      const { id: userId } = principal.user;
      await confirmOwner(principal, { password, client, besides: 'second-factor' });
      await committing(database.within({ userId }), async (tx) => {
        const account = await repository.lockForUpdate(tx);
        if (!isEnabled(account)) return twoFactorNotEnabled();

        const occasion = { account, client };
        const verdict = await judge(tx, account, proof);
        await notices.judged(tx, occasion, verdict);
        if (!verdict.accepted) return verdict.refusal;
        await repository.remove(tx);
        await sessions.withdrawFactors(tx, { factors: secondFactorNames, secondFactors: strongNames });
        await sessions.pending.withdraw(tx);
        await notices.changed(tx, occasion, 'disabled');
        // They speak of a factor that is gone, and may be for an organization that requires one.
        await recordRevocation(tx, { kind: 'user', userId, at: now() });
        return verdict;
      });
    },

    discard: (tx) => repository.remove(tx),

    async renewBackupCodes({ user }, client) {
      await limits.accountChanges.consume(user.id);
      const { backupCodes } = await committing(database.within({ userId: user.id }), async (tx) => {
        const account = await repository.lockForUpdate(tx);
        if (!isEnabled(account)) return twoFactorNotEnabled();

        const backupCodes = await replaceBackupCodes(tx);
        await sessions.pending.withdraw(tx);
        const occasion = { account, client };
        await notices.changed(tx, occasion, 'backup-codes-renewed');
        return { backupCodes };
      });
      return backupCodes;
    },
  };
}
