import { isDeepStrictEqual } from 'node:util';
import { changesNothing } from '@tenantry/service/resources';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Transaction } from '../database.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import { bytesOf } from '../quotes/quote-text.ts';
import type { Quote } from '../quotes/quote.ts';
import { orderIncomplete, tooManyWorkPackages, workPackageNotFound } from './work-packages.errors.ts';
import type {
  WorkPackageContent,
  WorkPackageRepository,
  WorkPackageRow,
} from './work-packages.repository.ts';

/** The package to change, and the accepted versions of its quote. */
export interface WorkPackageTarget extends QuoteTarget {
  readonly workPackageId: string;
}

/** The quote's version after a change. */
export interface Version {
  readonly version: number;
}

/** A part of a quote, with the quote's version. */
export type Versioned<Part> = Part & Version;

export interface WorkPackagesOptions {
  readonly repository: WorkPackageRepository;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

/** The use cases of a draft's work packages. Each returns the new version of the quote. */
export class WorkPackages {
  readonly #options: WorkPackagesOptions;

  constructor(options: WorkPackagesOptions) {
    this.#options = options;
  }

  /** Adds a package at the end, and returns its id. */
  add(
    { tenant, actor }: Context,
    target: QuoteTarget,
    content: WorkPackageContent,
  ): Promise<Versioned<{ id: string }>> {
    const { repository, locked, audit } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      const id = await repository.insert(tx, quote.id, content);
      if (id === undefined) throw tooManyWorkPackages();
      const text = { bytes: textOf(content), field: 'description' };
      const { version } = await locked.addToSums(tx, quote, { amount: 0, text });
      const entry = { action: 'work-package.added', details: { workPackageId: id } } as const;
      await audit.record(tx, { actor, target: quoteTarget(quote), ...entry });
      return { id, version };
    });
  }

  change(
    { tenant, actor }: Context,
    target: WorkPackageTarget,
    changes: Partial<WorkPackageContent>,
  ): Promise<Versioned<WorkPackageRow>> {
    const { repository, locked, audit } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      const { workPackageId } = target;
      const before = await this.#find(tx, quote, workPackageId);
      if (changesNothing(before, changes)) return { ...before, version: quote.version };
      const after = { ...before, ...changes };
      await repository.update(tx, quote.id, after);
      const text = { bytes: textOf(after) - textOf(before), field: 'description' };
      const { version } = await locked.addToSums(tx, quote, { amount: 0, text });
      const change = { before, after, details: { workPackageId } };
      const subject = { actor, target: quoteTarget(quote) };
      await audit.recordChange(tx, { ...subject, action: 'work-package.updated', ...change });
      return { ...after, version };
    });
  }

  /** Deletes a package with its lines. */
  remove({ tenant, actor }: Context, target: WorkPackageTarget): Promise<Version> {
    const { repository, locked, audit } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      const { id, subtotal } = await this.#find(tx, quote, target.workPackageId);
      const text = { bytes: -(await repository.countText(tx, quote.id, id)), field: 'description' };
      await repository.remove(tx, quote.id, id);
      const { version } = await locked.addToSums(tx, quote, { amount: -subtotal, text });
      const details = { workPackageId: id, subtotal };
      const entry = { action: 'work-package.removed', details } as const;
      await audit.record(tx, { actor, target: quoteTarget(quote), ...entry });
      return { version };
    });
  }

  /** Puts all packages into the order of these ids. */
  reorder({ tenant, actor }: Context, target: QuoteTarget, ids: readonly string[]): Promise<Version> {
    const { repository, locked, audit } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      const before = await repository.ids(tx, quote.id);
      requireOrderOf(before, ids, 'work package of the quote');
      if (isDeepStrictEqual(before, ids)) return { version: quote.version };
      await repository.reorder(tx, quote.id, ids);
      const { version } = await locked.addToSums(tx, quote, { amount: 0 });
      await audit.record(tx, { actor, action: 'work-package.reordered', target: quoteTarget(quote) });
      return { version };
    });
  }

  async #find(tx: Transaction, quote: Quote, id: string): Promise<WorkPackageRow> {
    const found = await this.#options.repository.find(tx, quote.id, id);
    if (!found) throw workPackageNotFound();
    return found;
  }
}

const textOf = ({ name, description }: WorkPackageContent): number => bytesOf(name, description);

/** @throws VALIDATION_ERROR unless a list names each of these once, in whatever order. */
export function requireOrderOf(ids: readonly string[], list: readonly string[], noun: string): void {
  const named = new Set(list);
  const isOrder = list.length === ids.length && named.size === ids.length && ids.every((id) => named.has(id));
  if (!isOrder) throw orderIncomplete(noun);
}
