import { recordOwnAudit } from '../../../audit/index.ts';
import type { Client, Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import { markIn, type Principal, type Sessions } from '../../../sessions/index.ts';
import { recordRevocation } from '../../../tokens/index.ts';
import type { SecondFactors } from '../../second-factors/second-factors.ts';
import { strongNames } from '../../second-factors/second-factor.ts';
import type { EndedWays } from '../../ways-in/ended-ways.ts';
import type { WaysIn } from '../../ways-in/ways-in.ts';
import type { Passkey } from './passkey.ts';
import type { PasskeyAnswers } from './passkey-answers.ts';
import type { ChallengeUse } from './passkey-challenges.ts';
import { invalidPasskey, passkeyNotFound, tooManyPasskeys, userNotVerified } from './passkeys.errors.ts';
import { challengeOf, lacksVerification, type Attestation } from './relying-party.ts';

/** A new passkey of a signed-in user. */
interface Registration {
  readonly name: string | undefined;
  readonly response: Attestation;
  readonly client: Client;
}

interface PasskeysDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly answers: PasskeyAnswers;
  readonly mail: Pick<Mail, 'outbox'>;
  readonly sessions: Pick<Sessions, 'callers' | 'endings'>;
  readonly secondFactors: Pick<SecondFactors, 'requireCarried'>;
  readonly endedWays: Pick<EndedWays, 'end'>;
  readonly waysIn: Pick<WaysIn, 'requireOneLeft'>;
}

const passkeysMax = 20;

/** Adds and removes users' passkeys. */
export class Passkeys {
  readonly #dependencies: PasskeysDependencies;

  constructor(dependencies: PasskeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** The options with which a browser creates a passkey for a signed-in user. @throws NOT_FOUND */
  async registrationOptions({ user }: Principal) {
    const { answers, database } = this.#dependencies;
    const party = answers.requireParty();
    const existing = await answers.list(database.within({ userId: user.id }));
    return party.creationOptions(user, answers.challenges.make(registrationBy(user.id)), existing);
  }

  /** Adds a passkey. @throws NOT_FOUND; INVALID_PASSKEY; TOO_MANY_PASSKEYS; RATE_LIMITED */
  async register(principal: Principal, { name, response, client }: Registration): Promise<Passkey> {
    const { answers, limits, mail, newId, now, sessions } = this.#dependencies;
    const party = answers.requireParty();
    const { id: userId } = principal.user;
    await limits.accountChanges.consume(userId);
    const challenge = challengeOf(response);
    const isExpected = (given: string) => answers.challenges.isGood(given, registrationBy(userId));
    const key = await party.readAttestation(response, isExpected);
    if (challenge === undefined || !key) {
      throw lacksVerification(response) ? userNotVerified(400) : invalidPasskey();
    }
    const createdAt = now().toISOString();
    const passkey = { ...key, id: newId(), rpId: party.rpId, name: name ?? 'Passkey', createdAt };
    const addedOn = markIn(principal, client);
    await sessions.callers.ownAccount(principal, async (tx, account) => {
      if (!(await answers.challenges.use(tx, challenge))) throw invalidPasskey();
      if ((await answers.list(tx)).length >= passkeysMax) throw tooManyPasskeys();
      if (!(await answers.repository.insert(tx, { ...passkey, addedOn }))) throw invalidPasskey();
      const target = { type: 'passkey', id: passkey.id };
      await recordOwnAudit(tx, { action: 'passkey.added', target, client });
      await mail.outbox.notify(tx, account, 'way-in-changed', { change: 'passkey-added' });
    });
    return { ...passkey, lastUsedAt: null };
  }

  /** Removes a passkey, and ends the other sessions that were started with passkeys. @throws NOT_FOUND; LAST_WAY_IN */
  async remove(
    principal: Principal,
    { id, client }: { readonly id: string; readonly client: Client },
  ): Promise<void> {
    const { answers, endedWays, mail, now, sessions, secondFactors, waysIn } = this.#dependencies;
    const { id: userId } = principal.user;
    await sessions.callers.ownAccount(principal, async (tx, account) => {
      if (!(await answers.repository.remove(tx, id))) throw passkeyNotFound();
      await secondFactors.requireCarried(tx);
      await waysIn.requireOneLeft(tx);
      await endedWays.end(tx, 'passkey', { account: principal.user, principal });
      if ((await answers.list(tx)).length === 0) {
        // This session loses the level of the removed passkey.
        const withdrawn = { userId, factors: ['pop', 'mfa'], secondFactors: strongNames };
        await sessions.endings.withdrawFactors(tx, withdrawn);
        await recordRevocation(tx, { kind: 'user', userId, at: now() });
      }
      await recordOwnAudit(tx, { action: 'passkey.removed', target: { type: 'passkey', id }, client });
      await mail.outbox.notify(tx, account, 'way-in-changed', { change: 'passkey-removed' });
    });
  }
}

const registrationBy = (userId: string): ChallengeUse => ({ purpose: 'registration', subject: userId });
