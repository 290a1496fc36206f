import { postponedMax, type AuthEvent, type Member, type MemberKey } from '@tenantry/contracts';
import type { OrganizationTransaction, TenantDatabase } from '@tenantry/tenancy';
import type { EndsRepository } from '../organizations/ends.repository.ts';
import { quietSeconds } from '../organizations/purges.ts';
import type { StorageRepository } from '../storage/storage.repository.ts';
import { versionOf, type Projection } from './projection.ts';
import type { ReaderRepository, ReaderState, Subject } from './reader.repository.ts';

/** What changes are applied with. */
export interface ApplyOptions {
  readonly database: TenantDatabase;
  readonly projection: Projection;
  readonly repository: ReaderRepository;
  readonly ends: EndsRepository;
  readonly quotas: Pick<StorageRepository, 'confirm'>;
}

const daySeconds = 24 * 60 * 60;
/** Interval at which auth-service is asked whether a deleted organization has been purged. */
const deletedAskSeconds = daySeconds;
/** A missing organization may only have been lost, for example by restoring another database, and may come back. */
const missingAskSeconds = 30 * daySeconds;
/** Longer than a request may take: a page of 500 events that times out is read again, and would time out again. */
const pageMs = 60_000;

/**
 * Each event has the full state of its subject, so the latest is enough: a user who is renamed ten times is stored once. Only
 * the erasure of a user has an effect of its own.
 */
function latestOf(events: readonly AuthEvent[]): AuthEvent[] {
  const last = new Map(events.map((event) => [subjectOf(event), event]));
  return events.filter((event) => event.type === 'user.erased' || last.get(subjectOf(event)) === event);
}

/** A user's own id differs from that of any organization. */
const subjectOf = (event: AuthEvent): string =>
  `${event.organizationId} ${'userId' in event ? event.userId : event.organizationId}`;

/** Stores what was read, with the cursor after it. Each function returns false if another instance was faster. */
export class Applied {
  readonly #options: ApplyOptions;

  constructor(options: ApplyOptions) {
    this.#options = options;
  }

  /** Applies a page of the feed. */
  async page(
    state: ReaderState,
    { events, cursor }: { readonly events: readonly AuthEvent[]; readonly cursor: string },
  ): Promise<boolean> {
    const { database, projection, repository } = this.#options;
    const next = { cursor, isComplete: state.isComplete, projection: versionOf(projection) };
    const [first] = events;
    if (!first) {
      await repository.goOn(database.unscoped, state, next);
      return true;
    }
    return this.#locked(
      state,
      async (tx) => {
        await this.#inEach(tx, latestOf(events), (inner, event) => this.#apply(inner, event, state));
        await repository.goOn(tx, state, next);
      },
      first.organizationId,
    );
  }

  /**
   * Applies the events of each organization by itself, and leaves the cursor where it is: the page is to be read again without
   * the organizations that failed.
   *
   * @returns why events of which organizations cannot be stored, or false if another instance was faster
   */
  async apart(
    state: ReaderState,
    events: readonly AuthEvent[],
  ): Promise<ReadonlyMap<string, unknown> | false> {
    const failures = new Map<string, unknown>();
    for (const [organizationId, own] of byOrganization(latestOf(events))) {
      const applyOwn = (tx: OrganizationTransaction) =>
        this.#inEach(tx, own, (inner, event) => this.#apply(inner, event, state));
      try {
        if (!(await this.#locked(state, applyOwn, organizationId))) return false;
      } catch (error) {
        failures.set(organizationId, error);
        if (failures.size > postponedMax) throw error;
      }
    }
    return failures;
  }

  /** Removes the subjects that did not appear in the round, and completes it. */
  async completion(state: ReaderState, cursor: string): Promise<boolean> {
    const { database, projection, repository } = this.#options;
    for (;;) {
      const gone = await repository.goneSubjects(database.unscoped, state.round);
      const [first] = gone;
      if (!first) break;
      const forgetAll = (tx: OrganizationTransaction) =>
        this.#inEach(tx, gone, (inner, subject) => this.#forgetMissing(inner, subject));
      if (!(await this.#locked(state, forgetAll, first.organizationId))) return false;
    }
    await repository.goOn(database.unscoped, state, {
      cursor,
      isComplete: true,
      projection: versionOf(projection),
    });
    return true;
  }

  /**
   * Deletes the members of an organization that has ended, in batches, so that events of others do not wait for it. If the
   * organization is restored meanwhile, the remaining members stay.
   */
  async membersOfEnded(organizationId: string, signal: AbortSignal): Promise<void> {
    if (!this.#options.projection.member) return;
    const tenant = this.#options.database.within({ organizationId });
    while (!signal.aborted && (await tenant.transaction((tx) => this.#forgetSome(tx, organizationId))));
  }

  /** @returns whether there may be more */
  async #forgetSome(tx: OrganizationTransaction, organizationId: string): Promise<boolean> {
    const { repository, ends } = this.#options;
    if (!(await ends.keepEnded(tx, organizationId))) return false;
    const members = await repository.membersOf(tx, organizationId);
    for (const member of members) await this.#forget(tx, member);
    return members.length > 0;
  }

  async #forget(tx: OrganizationTransaction, subject: Subject): Promise<void> {
    const { projection, repository } = this.#options;
    const { organizationId, subjectId } = subject;
    if (subjectId === organizationId) await projection.organization?.forget(tx);
    else await projection.member?.forget(tx, subjectId);
    await repository.remove(tx, subject);
  }

  /** Deletes the subjects that did not appear in a round. An organization is suspended, and purged if it stays missing. */
  async #forgetMissing(tx: OrganizationTransaction, subject: Subject): Promise<void> {
    await this.#forget(tx, subject);
    const { organizationId, subjectId } = subject;
    if (subjectId === organizationId) await this.#options.ends.end(tx, organizationId, missingAskSeconds);
  }

  async #endMember(tx: OrganizationTransaction, { organizationId, userId }: MemberKey): Promise<void> {
    if (this.#options.projection.member) await this.#forget(tx, { organizationId, subjectId: userId });
  }

  /** An organization has the large quotas from the first owner with a confirmed address on. */
  async #confirm(tx: OrganizationTransaction, member: Member): Promise<void> {
    const { role, emailVerified = true, organizationId } = member;
    if (role === 'owner' && emailVerified) await this.#options.quotas.confirm(tx, organizationId);
  }

  /** Of events about members only the quotas are kept if the projection keeps none. */
  async #apply(tx: OrganizationTransaction, event: AuthEvent, { round }: ReaderState): Promise<void> {
    const { projection, repository, ends } = this.#options;
    const { organizationId } = event;
    const note = (subjectId: string) => repository.note(tx, { organizationId, subjectId }, round);
    switch (event.type) {
      case 'member.added':
      case 'member.role-changed':
      case 'user.updated':
        await this.#confirm(tx, event);
        if (!projection.member) return;
        await projection.member.keep(tx, event);
        note(event.userId);
        return;
      case 'member.removed':
        return this.#endMember(tx, event);
      case 'user.erased':
        await projection.people?.erase(tx, event.userId);
        return this.#endMember(tx, event);
      case 'organization.created':
      case 'organization.updated':
        await ends.revive(tx, organizationId);
        await projection.organization?.keep(tx, event);
        note(organizationId);
        return;
      case 'organization.deleted':
        await this.#forget(tx, { organizationId, subjectId: organizationId });
        await ends.end(tx, organizationId, deletedAskSeconds);
        // It still has events, so it is not missing.
        note(organizationId);
        return;
      case 'organization.purged':
        await this.#forget(tx, { organizationId, subjectId: organizationId });
        return ends.end(tx, organizationId, quietSeconds);
    }
  }

  /** Runs work in a transaction that keeps other instances from advancing, unless one has advanced already. */
  #locked(
    state: ReaderState,
    work: (tx: OrganizationTransaction) => Promise<void>,
    first: string,
  ): Promise<boolean> {
    const { database, repository } = this.#options;
    return database.within({ organizationId: first }).transaction(
      async (tx) => {
        if (!(await repository.lock(tx, state))) return false;
        await work(tx);
        return true;
      },
      { limitMs: pageMs },
    );
  }

  /** All events of an organization together, in the order in which they arrived. */
  async #inEach<Item extends { readonly organizationId: string }>(
    tx: OrganizationTransaction,
    items: readonly Item[],
    work: (inner: OrganizationTransaction, item: Item) => Promise<void>,
  ): Promise<void> {
    for (const [organizationId, own] of byOrganization(items)) {
      await tx.within({ organizationId }, async (inner) => {
        for (const item of own) await work(inner, item);
      });
    }
  }
}

function byOrganization<Item extends { readonly organizationId: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const own = found.get(item.organizationId);
    if (own) own.push(item);
    else found.set(item.organizationId, [item]);
  }
  return found;
}
