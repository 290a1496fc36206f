import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '@tenantry/business-service';
import { changesNothing } from '@tenantry/service-kit';
import { quoteTarget, type QuotationAction, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Tenant, Transaction } from '../database.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import { bytesOf } from '../quotes/quote-text.ts';
import type { Quote } from '../quotes/quote.ts';
import { isOrderOf } from './order.ts';
import { orderIncomplete, tooManyWorkPackages, workPackageNotFound } from './work-packages.errors.ts';
import type {
  WorkPackageContent,
  WorkPackageRepository,
  WorkPackageRow,
} from './work-packages.repository.ts';

/** What can be done with the work packages of a draft. Each answers the new version of the quote. */
export interface WorkPackages {
  /** Adds a package behind the others, and gives its id. */
  add(tenant: Tenant, quote: QuoteTarget, content: WorkPackageContent): Promise<Versioned<{ id: string }>>;
  change(
    tenant: Tenant,
    target: WorkPackageTarget,
    changes: Partial<WorkPackageContent>,
  ): Promise<Versioned<WorkPackageRow>>;
  /** Deletes a package with its lines. */
  remove(tenant: Tenant, target: WorkPackageTarget): Promise<Version>;
  /** Puts all packages into the order of these ids. */
  reorder(tenant: Tenant, quote: QuoteTarget, ids: readonly string[]): Promise<Version>;
}

/** Which package of which quote is to be changed, and on which versions of the quote. */
export interface WorkPackageTarget extends QuoteTarget {
  readonly workPackageId: string;
}

/** The version that a change has made of the quote. */
export interface Version {
  readonly version: number;
}

/** Something of a quote, with the version of the quote. */
export type Versioned<Part> = Part & Version;

/** What the use cases of work packages need. */
export interface WorkPackagesOptions {
  readonly repository: WorkPackageRepository;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

export function createWorkPackages({ repository, locked, audit }: WorkPackagesOptions): WorkPackages {
  async function find(tx: Transaction, quote: Quote, id: string): Promise<WorkPackageRow> {
    const found = await repository.find(tx, quote.id, id);
    if (!found) throw workPackageNotFound();
    return found;
  }

  const record = (tx: Transaction, { id, actorUserId }: QuoteTarget, entry: WorkPackageEntry) =>
    audit.record(tx, { actorUserId, target: quoteTarget(id), ...entry });

  return {
    add: (tenant, target, content) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const id = await repository.insert(tx, quote.id, content);
        if (id === undefined) throw tooManyWorkPackages();
        const text = { bytes: textOf(content), field: 'description' };
        const { version } = await locked.addToSums(tx, quote, { amount: 0, text });
        await record(tx, target, { action: 'work-package.added', details: { workPackageId: id } });
        return { id, version };
      }),

    change: (tenant, target, changes) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const { workPackageId } = target;
        const before = await find(tx, quote, workPackageId);
        if (changesNothing(before, changes)) return { ...before, version: quote.version };
        const workPackage = { ...before, ...changes };
        await repository.update(tx, quote.id, workPackage);
        const text = { bytes: textOf(workPackage) - textOf(before), field: 'description' };
        const { version } = await locked.addToSums(tx, quote, { amount: 0, text });
        const details = { workPackageId, fields: Object.keys(changes) };
        await record(tx, target, { action: 'work-package.updated', details });
        return { ...workPackage, version };
      }),

    remove: (tenant, target) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const { id, subtotal } = await find(tx, quote, target.workPackageId);
        const text = { bytes: -(await repository.countText(tx, quote.id, id)), field: 'description' };
        await repository.remove(tx, quote.id, id);
        const { version } = await locked.addToSums(tx, quote, { amount: -subtotal, text });
        const details = { workPackageId: id, subtotal };
        await record(tx, target, { action: 'work-package.removed', details });
        return { version };
      }),

    reorder: (tenant, target, ids) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const before = await repository.ids(tx, quote.id);
        if (!isOrderOf(before, ids)) throw orderIncomplete('work package of the quote');
        if (isDeepStrictEqual(before, ids)) return { version: quote.version };
        await repository.reorder(tx, quote.id, ids);
        const { version } = await locked.addToSums(tx, quote, { amount: 0 });
        await record(tx, target, { action: 'work-package.reordered' });
        return { version };
      }),
  };
}

const textOf = ({ name, description }: WorkPackageContent): number => bytesOf(name, description);

type WorkPackageEntry = Pick<AuditEntry<QuotationAction>, 'action' | 'details'>;
