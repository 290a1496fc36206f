import { randomBytes } from 'node:crypto';
import { domainsMax } from '@tenantry/contracts';
import type { Asking } from '@tenantry/fair-shares';
import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import type { OrganizationTransaction, Rows, Transaction } from '../../database.ts';
import {
  addressKeyOf,
  countChange,
  type Client,
  type Ground,
  type MemberContext,
  type OrganizationContext,
  type SignedIn,
} from '../../ground/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { requirePermission } from '../members/member-rules.ts';
import type { SsoRequirement } from '../sso-requirement/sso-requirement.ts';
import { readOwnDomain, recordName } from './domain-names.ts';
import type { DomainRecords } from './domain-records.ts';
import {
  domainListed,
  domainNotFound,
  domainNotVerified,
  domainTaken,
  tooManyDomains,
} from './domains.errors.ts';
import { DomainsRepository, type Joins, type StoredDomain } from './domains.repository.ts';
import type { ShownDomain } from './domains.schemas.ts';

interface DomainsDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly records: Pick<DomainRecords, 'read'>;
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly ssoRequirement: Pick<SsoRequirement, 'concernMore' | 'requireNone'>;
}

/** A domain that is to be added, as a person writes it. */
interface WantedDomain {
  readonly domain: string;
  readonly joins: Joins;
}

/** A record that was read counts for a day. */
export const readingIntervalMs = 24 * 60 * 60 * 1_000;

/** Domains that organizations have proven to be theirs, by a record in the DNS. */
export class Domains {
  readonly #dependencies: DomainsDependencies;
  readonly #repository = new DomainsRepository();

  constructor(dependencies: DomainsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The domains that the scope's organization has proven and that are not suspended, in A-labels and lower case. */
  proven(rows: Rows): Promise<string[]> {
    return this.#repository.proven(rows);
  }

  /** In order of creation. */
  async list(organizationId: string): Promise<ShownDomain[]> {
    const rows = this.#dependencies.database.within({ organizationId });
    return (await this.#repository.list(rows)).map(shown);
  }

  /**
   * Adds a domain, which counts once its record is found. Whether another organization has proven it is not said before.
   *
   * @throws VALIDATION_ERROR; QUOTA_EXCEEDED; FORBIDDEN; RATE_LIMITED
   */
  add(context: MemberContext<SignedIn>, { domain: text, joins }: WantedDomain): Promise<ShownDomain> {
    const { newId, now } = this.#dependencies;
    const domain = readOwnDomain(text);
    return this.#counted(context, async (tx) => {
      const id = newId();
      const { userId: createdBy } = context.actor;
      const challenge = randomBytes(32).toString('base64url');
      const row = { id, domain, challenge, joins, createdBy, at: now() };
      if ((await this.#repository.count(tx)) >= domainsMax) throw tooManyDomains();
      if (!(await this.#repository.insert(tx, row))) throw domainListed();
      const target = { type: 'domain', id, name: domain };
      await recordAudit(tx, context, { action: 'domain.added', target, details: { joins } });
      return { domain: shown(await this.#get(tx, id)), hasChanged: true };
    });
  }

  /**
   * Looks for the record of a domain, which counts from then on.
   *
   * @throws DOMAIN_NOT_VERIFIED; DOMAIN_TAKEN; NOT_FOUND; FORBIDDEN; RATE_LIMITED
   */
  async verify(context: MemberContext<SignedIn>, client: Client, id: string): Promise<ShownDomain> {
    const { database, limits, now, records, sessions, ssoRequirement } = this.#dependencies;
    const { organizationId, actor } = context;
    const { domain, challenge } = await this.#get(database.within({ organizationId }), id);
    const address = addressKeyOf(client);
    await limits.domainChecks.consume(organizationId);
    await limits.domainChecksByAddress.consume(address);
    const asking: Asking = { organizationId, userId: actor.userId, address };
    const finding = await records.read(asking, { domain, challenge });
    if (finding !== 'found') throw domainNotVerified(finding);
    return sessions.callers.inOrganization(context, async (tx, role) => {
      requirePermission(role, 'domains:write');
      // It may have been deleted meanwhile. Another one of this name has another id, and another value in its record.
      await this.#get(tx, id);
      const at = now();
      const dueAt = new Date(at.getTime() + readingIntervalMs);
      const isNew = await this.#repository.hold(tx, { organizationId, domain, at, dueAt });
      if (isNew === undefined) throw domainTaken();
      const target = { type: 'domain', id, name: domain };
      if (isNew) {
        await ssoRequirement.concernMore(tx);
        await recordAudit(tx, context, { action: 'domain.verified', target });
      }
      return shown(await this.#get(tx, id));
    });
  }

  /** @throws NOT_FOUND; FORBIDDEN; RATE_LIMITED */
  change(context: MemberContext, id: string, { joins }: Pick<WantedDomain, 'joins'>): Promise<ShownDomain> {
    return this.#counted(context, async (tx) => {
      const before = await this.#get(tx, id);
      if (before.joins === joins) return { domain: shown(before), hasChanged: false };
      await this.#repository.setJoins(tx, { id, joins, at: this.#dependencies.now() });
      const target = { type: 'domain', id, name: before.domain };
      const details = { from: before.joins, to: joins };
      await recordAudit(tx, context, { action: 'domain.joins-changed', target, details });
      return { domain: shown({ ...before, joins }), hasChanged: true };
    });
  }

  /**
   * Deletes a domain, which counts no more: another organization may prove it.
   *
   * @throws FORBIDDEN; NOT_FOUND; CONFLICT for the last one that counts, while single sign-on is required
   */
  async remove(context: MemberContext, id: string): Promise<void> {
    const { sessions, ssoRequirement } = this.#dependencies;
    await sessions.callers.inOrganization(context, async (tx, role) => {
      requirePermission(role, 'domains:write');
      await this.#end(tx, context, await this.#get(tx, id));
      if ((await this.proven(tx)).length === 0) await ssoRequirement.requireNone(tx);
    });
  }

  /** As {@link Domains.remove}, all of an organization, in a transaction in its scope that has locked it. */
  async removeAll(tx: Transaction, context: OrganizationContext): Promise<void> {
    for (const domain of await this.#repository.list(tx)) await this.#end(tx, context, domain);
  }

  async #end(
    tx: Transaction,
    context: OrganizationContext,
    { id, domain: name }: Pick<StoredDomain, 'id' | 'domain'>,
  ): Promise<void> {
    await this.#repository.remove(tx, id);
    const target = { type: 'domain', id, name };
    await recordAudit(tx, context, { action: 'domain.deleted', target });
  }

  async #get(rows: Rows, id: string): Promise<StoredDomain> {
    const domain = await this.#repository.get(rows, id);
    if (!domain) throw domainNotFound();
    return domain;
  }

  /** Counted among the changes of the organization. Deletions are not: what they delete was counted. */
  async #counted(
    context: MemberContext,
    work: (
      tx: OrganizationTransaction,
      role: Role,
    ) => Promise<{ readonly domain: ShownDomain; readonly hasChanged: boolean }>,
  ): Promise<ShownDomain> {
    const { limits, sessions } = this.#dependencies;
    const charge = { limiter: limits.organizationChanges, key: context.organizationId };
    const { domain } = await countChange(charge, () =>
      sessions.callers.inOrganization(context, (tx, role) => {
        requirePermission(role, 'domains:write');
        return work(tx, role);
      }),
    );
    return domain;
  }
}

function shown({ challenge, misses, readAt, ...stored }: StoredDomain): ShownDomain {
  const record = { type: 'TXT', name: recordName(stored.domain), value: challenge } as const;
  return { ...stored, record, readAt, state: stateOf({ misses, ...stored }) };
}

function stateOf({
  misses,
  suspendedAt,
}: Pick<StoredDomain, 'misses' | 'suspendedAt'>): ShownDomain['state'] {
  if (misses === null) return suspendedAt === null ? 'pending' : 'suspended';
  return misses === 0 ? 'verified' : 'missing';
}
