import { recordOwnAudit } from '../../../audit/index.ts';
import { addressKey } from '@tenantry/service-kit';
import type { Rows, Transaction } from '../../../database.ts';
import { boundDevice, type Client, type Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import { sessionEnded, type Principal, type Sessions } from '../../../sessions/index.ts';
import { recordRevocation } from '../../../tokens/index.ts';
import type { Method, Proof } from '../../proof.ts';
import type { AddedWays, ListedPasskey } from '../../ways-in/way-in.ts';
import { hasAdvanced, type Passkey } from './passkey.ts';
import { PasskeyChallenges, type ChallengeUse } from './passkey-challenges.ts';
import {
  invalidPasskey,
  noPasskeys,
  passkeyNotFound,
  passkeyRefused,
  tooManyPasskeys,
} from './passkeys.errors.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { challengeOf, RelyingParty, type Assertion, type Attestation } from './relying-party.ts';

/** What an authenticator answers at sign-in, and the token of the options it was asked with. */
export interface PasskeyClaim {
  readonly token: string;
  readonly response: Assertion;
  readonly client: Client;
}

/** A new passkey of a signed-in user. */
export interface Registration {
  readonly name: string | undefined;
  readonly response: Attestation;
  readonly client: Client;
}

/** What passkeys need. */
export interface PasskeysDependencies extends Pick<
  Ground,
  'config' | 'database' | 'limits' | 'newId' | 'now' | 'origins' | 'secrets'
> {
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail'>;
  readonly sessions: Pick<Sessions, 'requireAlive' | 'withdrawFactors'>;
}

/** What a removal asks, in its transaction, once the passkey is gone. */
export interface RemovalRules {
  /** @throws LAST_WAY_IN */
  readonly requireOneLeft: (tx: Transaction) => Promise<void>;
  /** The names of all second factors. */
  readonly secondFactors: readonly string[];
}

const passkeysMax = 20;

/**
 * Signing in with a passkey, which is two factors by itself: the device, and the finger, face or PIN that it asks for. Any
 * passkey of the domain may answer, so nothing is there to be enumerated; the answer names its user.
 */
export class Passkeys implements Method<PasskeyClaim>, AddedWays<ListedPasskey> {
  readonly #parts: PasskeysDependencies;
  readonly #party: RelyingParty | undefined;
  readonly #challenges: PasskeyChallenges;
  readonly #repository = new PasskeysRepository();

  constructor(parts: PasskeysDependencies) {
    const { PASSKEY_RP_ID: rpId } = parts.config;
    this.#parts = parts;
    this.#party = rpId === undefined ? undefined : new RelyingParty(rpId, parts.origins);
    this.#challenges = new PasskeyChallenges(parts);
  }

  /** What a page for signing in asks its browser for. @throws NOT_FOUND */
  signInOptions(client: Client) {
    const token = this.#challenges.make(signInBy(client));
    return { token, options: this.#requireParty().requestOptions(token) };
  }

  /** @throws NOT_FOUND; INVALID_PASSKEY; RATE_LIMITED */
  async prove({ token, response, client }: PasskeyClaim): Promise<Proof> {
    const party = this.#requireParty();
    const { database, limits, now } = this.#parts;
    await limits.signIn.consume(addressKey(client.ipAddress ?? ''));
    const userId = userOf(response.response.userHandle);
    const isExpected = (challenge: string) =>
      challenge === token && this.#challenges.isGood(challenge, signInBy(client));
    if (userId === undefined) throw passkeyRefused();
    const rows = database.within({ userId });
    const credentialId = Buffer.from(response.id, 'base64url');
    const passkey = await this.#repository.find(rows, party.rpId, credentialId);
    const use = passkey && (await party.readAssertion(response, passkey, isExpected));
    if (!passkey || !use) throw passkeyRefused();
    if (!hasAdvanced(passkey.counter, use.counter)) return this.#refuseCopy(userId, token, client);
    return {
      userId,
      amr: ['pop', 'mfa'],
      acr: 'aal2',
      requireValid: async (tx) => {
        if (!(await this.#challenges.use(tx, token))) throw passkeyRefused();
        if (!(await this.#repository.use(tx, passkey.id, use, now()))) throw passkeyRefused();
      },
    };
  }

  /** What a browser needs to make a passkey for a signed-in user. @throws NOT_FOUND */
  async registrationOptions({ user }: Principal) {
    const party = this.#requireParty();
    const rows = this.#parts.database.within({ userId: user.id });
    const existing = await this.#repository.list(rows, party.rpId);
    return party.creationOptions(user, this.#challenges.make(registrationBy(user.id)), existing);
  }

  /** Adds a passkey. @throws NOT_FOUND; INVALID_PASSKEY; TOO_MANY_PASSKEYS; RATE_LIMITED */
  async register(principal: Principal, { name, response, client }: Registration): Promise<ListedPasskey> {
    const party = this.#requireParty();
    const { database, limits, mail, newId, now, sessions } = this.#parts;
    const { id: userId } = principal.user;
    await limits.accountChanges.consume(userId);
    const challenge = challengeOf(response);
    const isExpected = (given: string) => this.#challenges.isGood(given, registrationBy(userId));
    const key = await party.readAttestation(response, isExpected);
    if (challenge === undefined || !key) throw invalidPasskey();
    const createdAt = now();
    const passkey = { ...key, id: newId(), rpId: party.rpId, name: name ?? 'Passkey', createdAt };
    await database.within({ userId }).transaction(async (tx) => {
      const account = await mail.addressees.lockForUpdate(tx, { userId, at: createdAt });
      if (!account) throw sessionEnded();
      await sessions.requireAlive(tx, principal);
      if (!(await this.#challenges.use(tx, challenge))) throw invalidPasskey();
      const existing = await this.#repository.list(tx, party.rpId);
      if (existing.length >= passkeysMax) throw tooManyPasskeys();
      if (existing.some(({ credentialId }) => credentialId.equals(key.credentialId))) throw invalidPasskey();
      await this.#repository.insert(tx, passkey);
      const target = { type: 'passkey', id: passkey.id };
      await recordOwnAudit(tx, { action: 'passkey.added', target, client });
      const data = { name: account.name, change: 'passkey-added' } as const;
      await mail.enqueueMail(tx, { to: account.email, template: 'way-in-changed', data });
    });
    return listed({ ...passkey, lastUsedAt: null });
  }

  /** Removes a passkey. @throws NOT_FOUND; LAST_WAY_IN */
  async remove(
    principal: Principal,
    { id, client, rules }: { readonly id: string; readonly client: Client; readonly rules: RemovalRules },
  ): Promise<void> {
    const { database, mail, now, sessions } = this.#parts;
    const { id: userId } = principal.user;
    await database.within({ userId }).transaction(async (tx) => {
      const at = now();
      const account = await mail.addressees.lockForUpdate(tx, { userId, at });
      if (!account) throw sessionEnded();
      await sessions.requireAlive(tx, principal);
      if (!(await this.#repository.remove(tx, id))) throw passkeyNotFound();
      await rules.requireOneLeft(tx);
      if ((await this.list(tx)).length === 0) {
        // No session is as strong as a passkey that its user no longer has.
        await sessions.withdrawFactors(tx, { factors: ['pop', 'mfa'], secondFactors: rules.secondFactors });
        await recordRevocation(tx, { kind: 'user', userId, at });
      }
      await recordOwnAudit(tx, { action: 'passkey.removed', target: { type: 'passkey', id }, client });
      const data = { name: account.name, change: 'passkey-removed' } as const;
      await mail.enqueueMail(tx, { to: account.email, template: 'way-in-changed', data });
    });
  }

  async list(rows: Rows): Promise<ListedPasskey[]> {
    if (!this.#party) return [];
    return (await this.#repository.list(rows, this.#party.rpId)).map(listed);
  }

  async forgetAll(tx: Transaction): Promise<void> {
    await this.#repository.removeAll(tx);
  }

  /** Deletes a batch of used challenges that are over. */
  sweep(): Promise<boolean> {
    return this.#challenges.sweep(this.#parts.database.unscoped);
  }

  #requireParty(): RelyingParty {
    if (!this.#party) throw noPasskeys();
    return this.#party;
  }

  /** A counter that falls back: somebody may have copied the key. WebAuthn Level 3, 6.1.1. */
  async #refuseCopy(userId: string, token: string, client: Client): Promise<never> {
    const { database, mail, now } = this.#parts;
    await database.within({ userId }).transaction(async (tx) => {
      const account = await mail.addressees.lockForUpdate(tx, { userId, at: now() });
      // The same answer sent twice is no copy.
      if (!account || !(await this.#challenges.use(tx, token))) return;
      await recordOwnAudit(tx, { action: 'passkey.counter-fell', client });
      const data = { name: account.name, change: 'passkey-copied' } as const;
      await mail.enqueueMail(tx, { to: account.email, template: 'way-in-changed', data });
    });
    throw passkeyRefused();
  }
}

const signInBy = (client: Client): ChallengeUse => ({ purpose: 'sign-in', subject: boundDevice(client) });
const registrationBy = (userId: string): ChallengeUse => ({ purpose: 'registration', subject: userId });

const userHandleBytes = 16;

/** The user whom an authenticator names: the bytes of the id. */
function userOf(userHandle: string | undefined): string | undefined {
  const bytes = Buffer.from(userHandle ?? '', 'base64url');
  if (bytes.length !== userHandleBytes) return undefined;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function listed({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): ListedPasskey {
  return { id, name, createdAt, lastUsedAt, backedUp };
}
