import { hash } from 'node:crypto';
import { isEmail } from '@tenantry/service-kit';
import { recordOwnAudit } from '../../../audit/index.ts';
import type { Rows, Transaction } from '../../../database.ts';
import type { Client, Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { AddedWays, ListedIdentity } from '../../ways-in/way-in.ts';
import { IdentitiesRepository, type Identity } from './identities.repository.ts';
import { identityInUse, identityNotFound, tooManyIdentities } from './providers.errors.ts';
import type { Provider, ProviderProfile } from './provider.ts';

interface IdentitiesDependencies extends Pick<Ground, 'database' | 'now' | 'newId'> {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly mail: Pick<Mail, 'outbox'>;
}

/** An identity to link to the account of a transaction. */
export interface LinkedIdentity {
  readonly provider: string;
  readonly profile: ProviderProfile;
  readonly client: Client;
  /** Whom to notify; undefined if the account is new. */
  readonly told?: { readonly email: string; readonly name: string };
}

/** An identity to unlink from the account of a transaction. */
interface UnlinkedIdentity {
  readonly id: string;
  readonly client: Client;
  readonly told: { readonly email: string; readonly name: string };
}

/** Of one user. */
const identitiesMax = 20;

/** The provider accounts that users sign in with. Each signs in one user: by issuer and subject, never by its address. */
export class Identities implements AddedWays<ListedIdentity> {
  readonly #dependencies: IdentitiesDependencies;
  readonly #repository = new IdentitiesRepository();

  constructor(dependencies: IdentitiesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Those that can sign in, which needs a configured provider. */
  async list(rows: Rows): Promise<ListedIdentity[]> {
    const all = await this.#repository.list(rows);
    return all.filter(({ provider }) => this.#dependencies.providers.has(provider)).map(listedOf);
  }

  async forgetAll(tx: Transaction): Promise<void> {
    await this.#repository.forgetAll(tx);
  }

  /** The user whom an account at a provider signs in. */
  findUser(profile: ProviderProfile): Promise<string | undefined> {
    return this.#repository.findUser(this.#dependencies.database.unscoped, keyOf(profile));
  }

  /** Records a sign-in of the transaction's user. @returns whether the identity is still theirs */
  use(tx: Transaction, profile: ProviderProfile): Promise<boolean> {
    const { issuer, subject } = profile;
    const at = this.#dependencies.now();
    return this.#repository.use(tx, { issuer, subject, email: addressIn(profile), at });
  }

  /**
   * Links an identity to the account of the transaction's user.
   *
   * @throws IDENTITY_IN_USE; TOO_MANY_IDENTITIES
   */
  async link(tx: Transaction, { provider, profile, client, told }: LinkedIdentity): Promise<ListedIdentity> {
    const { mail, now, newId } = this.#dependencies;
    const { issuer, subject } = profile;
    if ((await this.#repository.list(tx)).length >= identitiesMax) throw tooManyIdentities();
    const id = newId();
    const at = now();
    const identity = { id, provider, issuer, subject, email: addressIn(profile) };
    if (!(await this.#repository.insert(tx, { ...identity, key: keyOf(profile), at }))) throw identityInUse();
    await recordOwnAudit(tx, {
      action: 'identity.linked',
      target: { type: 'identity', id },
      client,
      details: { provider },
    });
    if (told) {
      const data = { name: told.name, change: 'identity-linked', by: this.#nameOf(provider) } as const;
      await mail.outbox.enqueue(tx, { to: told.email, template: 'way-in-changed', data });
    }
    return listedOf({ ...identity, createdAt: at, lastUsedAt: null });
  }

  /** Whether it is linked to the account of the transaction's user. */
  async isLinkedTo(tx: Transaction, { issuer, subject }: ProviderProfile): Promise<boolean> {
    const own = await this.#repository.list(tx);
    return own.some((identity) => identity.issuer === issuer && identity.subject === subject);
  }

  /** Unlinks one from the account of the transaction's user. @throws NOT_FOUND */
  async unlink(tx: Transaction, { id, client, told }: UnlinkedIdentity): Promise<void> {
    const removed = await this.#repository.remove(tx, id);
    if (!removed) throw identityNotFound();
    await this.#repository.removeKey(tx, keyOf(removed));
    const { provider } = removed;
    await recordOwnAudit(tx, {
      action: 'identity.unlinked',
      target: { type: 'identity', id },
      client,
      details: { provider },
    });
    const data = { name: told.name, change: 'identity-unlinked', by: this.#nameOf(provider) } as const;
    await this.#dependencies.mail.outbox.enqueue(tx, { to: told.email, template: 'way-in-changed', data });
  }

  #nameOf(provider: string): string {
    return this.#dependencies.providers.get(provider)?.name ?? provider;
  }
}

/** The address given by a provider, in its stored form; null if it is not an address. */
export function addressIn({ email }: Pick<ProviderProfile, 'email'>): string | null {
  const address = email?.trim().toLowerCase();
  return address !== undefined && isEmail(address) ? address : null;
}

/** Of both, as JSON, so that different pairs are never encoded alike. */
function keyOf({ issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>): Buffer {
  return hash('sha256', JSON.stringify([issuer, subject]), 'buffer');
}

function listedOf({ id, provider, email, createdAt, lastUsedAt }: Identity): ListedIdentity {
  return {
    id,
    provider,
    email,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
