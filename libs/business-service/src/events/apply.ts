import type { TenantDatabase, TenantTransaction } from '@tenantry/tenancy';
import type { Change } from './event.ts';
import type { Projection } from './projection.ts';
import type { ReaderRepository, ReaderState, Subject } from './reader.repository.ts';

/** What changes are applied with. */
export interface ApplyOptions<Client> {
  readonly database: TenantDatabase<Client>;
  readonly projection: Projection<Client>;
  readonly repository: ReaderRepository;
}

/** Writes down what was read, together with how far that leads. Each answers false where another instance was faster. */
export interface Applied {
  /** Applies a page of the feed. */
  page(
    state: ReaderState,
    page: { readonly changes: readonly Change[]; readonly cursor: string },
  ): Promise<boolean>;
  /** Forgets the subjects that did not appear in the round, and completes it. */
  completion(state: ReaderState, cursor: string): Promise<boolean>;
}

/** Makes {@link Applied}. */
export function createApplied<Client>({ database, projection, repository }: ApplyOptions<Client>): Applied {
  type Transaction = TenantTransaction<Client>;
  const { version = 1 } = projection;

  async function forget(tx: Transaction, { organizationId, subjectId }: Subject): Promise<void> {
    if (subjectId === organizationId) await projection.organization?.forget(tx);
    else await projection.member?.forget(tx, subjectId);
    await repository.removeSubjects(tx, organizationId, [subjectId]);
  }

  /** A change that the projection does not ask for leaves no trace. */
  async function apply(tx: Transaction, change: Change, { round }: ReaderState): Promise<void> {
    const { organizationId } = change;
    const note = (subjectId: string) =>
      repository.noteSubjects(tx, organizationId, { subjectIds: [subjectId], round });
    switch (change.kind) {
      case 'member':
        if (!projection.member) return;
        await projection.member.keep(tx, change.member);
        return note(change.member.userId);
      case 'member-gone':
        if (!projection.member) return;
        return forget(tx, { organizationId, subjectId: change.userId });
      case 'organization':
        if (!projection.organization) return;
        await projection.organization.keep(tx, change.organization);
        return note(organizationId);
      case 'organization-gone':
        for (const subject of await repository.subjectsOf(tx, organizationId)) await forget(tx, subject);
    }
  }

  /** Runs work in a transaction that no other instance goes on during, if none has since. */
  function locked(
    state: ReaderState,
    work: (tx: Transaction) => Promise<void>,
    first: string,
  ): Promise<boolean> {
    return database.within({ organizationId: first }).transaction(async (tx) => {
      if (!(await repository.lock(tx, state))) return false;
      await work(tx);
      return true;
    });
  }

  /** Each organization's in one go, in the order in which they came. */
  async function inEach<Item extends { readonly organizationId: string }>(
    tx: Transaction,
    items: readonly Item[],
    work: (inner: Transaction, item: Item) => Promise<void>,
  ): Promise<void> {
    for (const organizationId of new Set(items.map((item) => item.organizationId))) {
      await tx.within({ organizationId }, async (inner) => {
        for (const item of items) if (item.organizationId === organizationId) await work(inner, item);
      });
    }
  }

  return {
    async page(state, { changes, cursor }) {
      const next = { cursor, isComplete: state.isComplete, projection: version };
      const [first] = changes;
      if (!first) {
        await repository.goOn(database.unscoped, state, next);
        return true;
      }
      return locked(
        state,
        async (tx) => {
          await inEach(tx, changes, (inner, change) => apply(inner, change, state));
          await repository.goOn(tx, state, next);
        },
        first.organizationId,
      );
    },

    async completion(state, cursor) {
      for (;;) {
        const gone = await repository.goneSubjects(database.unscoped, state.round);
        const [first] = gone;
        if (!first) break;
        if (!(await locked(state, (tx) => inEach(tx, gone, forget), first.organizationId))) return false;
      }
      await repository.goOn(database.unscoped, state, {
        cursor,
        isComplete: true,
        projection: version,
      });
      return true;
    },
  };
}
