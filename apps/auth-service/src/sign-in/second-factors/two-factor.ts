import type { Transaction } from '../../database.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import { recordRevocation } from '../../tokens/revocations/revocations.ts';
import type { SecretRing } from '../../ground/secrets/auth-secret.ts';
import type { Client } from '../../ground/callers/client.ts';
import type { Principal } from '../../sessions/session.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { RequireSensitive } from '../step-up/step-up.ts';
import { hashBackupCode, newBackupCodes } from './backup-codes.ts';
import type { Judge } from './judging.ts';
import type { Notices } from './notices.ts';
import { qrCodeOf } from './qr-code.ts';
import { isEnabled, type Proof, type TwoFactorState } from './second-factor.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import { sealTotpSecret } from './totp-secret.ts';
import { twoFactorAlreadyEnabled, twoFactorNotEnabled } from './two-factor.errors.ts';
import { committing, type TwoFactorRepository } from './two-factor.repository.ts';

/** What an authenticator is set up with: shown this once. */
export interface SetUp {
  readonly totpUri: string;
  /** The same as a picture: a PNG in a data URL. */
  readonly qrCode: string;
  /** The same for typing, in base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** What the use cases of two-factor authentication need. */
export interface TwoFactorDependencies {
  readonly repository: TwoFactorRepository;
  readonly judge: Judge;
  readonly notices: Notices;
  readonly passwords: Pick<Passwords, 'authenticate'>;
  readonly sessions: Pick<Sessions, 'forgetSecondFactor'>;
  readonly requireSensitive: RequireSensitive;
  readonly secrets: SecretRing;
  readonly now: () => Date;
}

/** Setting a second factor up, and giving it up. */
export interface TwoFactor {
  state(principal: Principal): Promise<TwoFactorState>;
  /** Begins a set-up, or begins anew; it counts once a code is verified. */
  enable(principal: Principal, claim: { password: string; client: Client }): Promise<SetUp>;
  /** The code, just as recent as can be, is the second factor that this asks for. */
  disable(principal: Principal, claim: { password: string; proof: Proof; client: Client }): Promise<void>;
  /** Replaces the backup codes; those of before count no more. */
  renewBackupCodes(principal: Principal, client: Client): Promise<readonly string[]>;
}

/** Makes the use cases of two-factor authentication. */
export function createTwoFactor(dependencies: TwoFactorDependencies): TwoFactor {
  const { repository, judge, notices, passwords, sessions, requireSensitive, secrets, now } = dependencies;

  async function replaceBackupCodes(tx: Transaction): Promise<readonly string[]> {
    const backupCodes = newBackupCodes();
    await repository.replaceBackupCodes(tx, backupCodes.map(hashBackupCode));
    return backupCodes;
  }

  return {
    state: ({ user }) => repository.stateOf(user.id),

    async enable({ user: { id, email } }, { password, client }) {
      await passwords.authenticate({ email, password, client });
      const secret = newTotpSecret();
      const { backupCodes } = await committing(repository, id, async (tx) => {
        if (isEnabled(await repository.hold(tx))) return twoFactorAlreadyEnabled();
        await repository.begin(tx, { ...sealTotpSecret(secret, id, secrets.current), at: now() });
        return { backupCodes: await replaceBackupCodes(tx) };
      });
      const uri = totpUri({ secret, email });
      return { totpUri: uri, qrCode: await qrCodeOf(uri), secret, backupCodes };
    },

    async disable({ user: { id, email }, organization }, { password, proof, client }) {
      await passwords.authenticate({ email, password, client });
      await committing(repository, id, async (tx) => {
        const account = await repository.hold(tx);
        if (!isEnabled(account)) return twoFactorNotEnabled();

        const occasion = { account, organizationId: organization?.id ?? null, client };
        const verdict = await judge(tx, account, proof);
        await notices.judged(tx, occasion, verdict);
        if (!verdict.accepted) return verdict.refusal;
        await repository.remove(tx);
        await sessions.forgetSecondFactor(tx);
        await notices.changed(tx, occasion, 'disabled');
        // They speak of a factor that is gone, and may be for an organization that asks for one.
        await recordRevocation(tx, { kind: 'user', userId: id, at: now() });
        return verdict;
      });
    },

    async renewBackupCodes(principal, client) {
      await requireSensitive(principal, { concerns: 'own-account', client });
      const { backupCodes } = await committing(repository, principal.user.id, async (tx) => {
        const account = await repository.hold(tx);
        if (!isEnabled(account)) return twoFactorNotEnabled();

        const backupCodes = await replaceBackupCodes(tx);
        const occasion = { account, organizationId: principal.organization?.id ?? null, client };
        await notices.changed(tx, occasion, 'backup-codes-renewed');
        return { backupCodes };
      });
      return backupCodes;
    },
  };
}
