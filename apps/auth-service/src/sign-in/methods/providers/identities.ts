import { hash } from 'node:crypto';
import { lowerAscii, readEmail } from '@tenantry/text';
import { recordOwnAudit } from '../../../audit/index.ts';
import type { Rows, UserTransaction } from '../../../database.ts';
import type { Client, Ground, User } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { AddedWays } from '../../ways-in/way-in.ts';
import { IdentitiesRepository, type Identity } from './identities.repository.ts';
import { identityInUse, identityNotFound, tooManyIdentities } from './providers.errors.ts';
import type { Provider, ProviderProfile } from '../../flows/provider.ts';

export type { Identity } from './identities.repository.ts';

interface IdentitiesDependencies extends Pick<Ground, 'database' | 'now' | 'newId'> {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly mail: Pick<Mail, 'outbox'>;
}

/** Who changes the identities of an account. */
interface IdentityChange {
  readonly client: Client;
  /** Whom to notify; undefined if the account is new. */
  readonly told?: Pick<User, 'email' | 'name'> | undefined;
}

/** An identity to link to the account of a transaction. */
interface LinkedIdentity extends IdentityChange {
  readonly provider: string;
  readonly profile: ProviderProfile;
  /** The mark of the client that links it. */
  readonly addedOn: string | null;
}

/** Of one user. */
const identitiesMax = 20;

/** The provider accounts that users sign in with. Each signs in one user: by issuer and subject, never by its address. */
export class Identities implements AddedWays<Identity> {
  readonly #dependencies: IdentitiesDependencies;
  readonly #repository = new IdentitiesRepository();

  constructor(dependencies: IdentitiesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Those that can sign in, which needs a configured provider. */
  async list(rows: Rows): Promise<Identity[]> {
    const all = await this.#repository.list(rows);
    return all.filter(({ provider }) => this.#dependencies.providers.has(provider));
  }

  async forget(tx: UserTransaction, but: string | null): Promise<number> {
    const removed = await this.#repository.removeAll(tx, but);
    if (but === null) await this.#repository.removeKeys(tx);
    else for (const identity of removed) await this.#repository.removeKey(tx, keyOf(identity));
    return removed.length;
  }

  /** The user whom an account at a provider signs in. */
  findUser(profile: ProviderProfile): Promise<string | undefined> {
    return this.#repository.findUser(this.#dependencies.database.unscoped, keyOf(profile));
  }

  /** Records a sign-in of the transaction's user. @returns whether the identity is still theirs */
  use(tx: UserTransaction, profile: ProviderProfile): Promise<boolean> {
    const { issuer, subject } = profile;
    const at = this.#dependencies.now();
    return this.#repository.use(tx, { issuer, subject, email: addressIn(profile), at });
  }

  /**
   * Links an identity to the account of the transaction's user.
   *
   * @throws IDENTITY_IN_USE; TOO_MANY_IDENTITIES
   */
  async link(tx: UserTransaction, { provider, profile, addedOn, ...by }: LinkedIdentity): Promise<Identity> {
    const { now, newId } = this.#dependencies;
    const { issuer, subject } = profile;
    if ((await this.#repository.list(tx)).length >= identitiesMax) throw tooManyIdentities();
    const id = newId();
    const at = now();
    const identity = { id, provider, issuer, subject, email: addressIn(profile) };
    const key = keyOf(profile);
    if (!(await this.#repository.insert(tx, { ...identity, key, at, addedOn }))) throw identityInUse();
    await this.#report(tx, 'linked', identity, by);
    return { ...identity, createdAt: at.toISOString(), lastUsedAt: null };
  }

  /** Whether it is linked to the account of the transaction's user. */
  async isLinkedTo(tx: UserTransaction, profile: ProviderProfile): Promise<boolean> {
    return (await this.#repository.list(tx)).some(isThat(profile));
  }

  /**
   * Checks that a later transaction of the user can use or link it.
   *
   * @throws IDENTITY_IN_USE; TOO_MANY_IDENTITIES
   */
  async requireLinkable(tx: UserTransaction, profile: ProviderProfile): Promise<void> {
    const own = await this.#repository.list(tx);
    if (own.some(isThat(profile))) return;
    if (own.length >= identitiesMax) throw tooManyIdentities();
    if ((await this.#repository.findUser(tx, keyOf(profile))) !== undefined) throw identityInUse();
  }

  /** Unlinks one from the account of the transaction's user. @throws NOT_FOUND */
  async unlink(tx: UserTransaction, id: string, by: IdentityChange): Promise<void> {
    const removed = await this.#repository.remove(tx, id);
    if (!removed) throw identityNotFound();
    await this.#repository.removeKey(tx, keyOf(removed));
    await this.#report(tx, 'unlinked', removed, by);
  }

  async #report(
    tx: UserTransaction,
    change: 'linked' | 'unlinked',
    { id, provider }: Pick<Identity, 'id' | 'provider'>,
    { client, told }: IdentityChange,
  ): Promise<void> {
    const { mail, providers } = this.#dependencies;
    const target = { type: 'identity', id };
    await recordOwnAudit(tx, { action: `identity.${change}`, target, client, details: { provider } });
    if (!told) return;
    const by = providers.get(provider)?.name ?? provider;
    await mail.outbox.notify(tx, told, 'way-in-changed', { change: `identity-${change}`, by });
  }
}

const isThat =
  ({ issuer, subject }: ProviderProfile) =>
  (identity: Identity): boolean =>
    identity.issuer === issuer && identity.subject === subject;

/** The address given by a provider, in its stored form; null if it is not an address. */
export function addressIn({ email }: Pick<ProviderProfile, 'email'>): string | null {
  return readEmail(lowerAscii(email ?? '')) ?? null;
}

/** Of both, as JSON, so that different pairs are never encoded alike. */
function keyOf({ issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>): Buffer {
  return hash('sha256', JSON.stringify([issuer, subject]), 'buffer');
}
