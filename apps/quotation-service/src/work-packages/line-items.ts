import { isDeepStrictEqual } from 'node:util';
import { lineTotal, limits, sumOf, type Line } from '@tenantry/money';
import { changedFields, changeDetails, changesNothing } from '@tenantry/service/resources';
import { quoteTarget, type QuotationAction, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Transaction } from '../database.ts';
import type { Counted, LockedQuotes } from '../quotes/locked-quotes.ts';
import { bytesOf } from '../quotes/quote-text.ts';
import type { LineItem, Quote } from '../quotes/quote.ts';
import { lineItemTooLarge, lineItemsMax, tooManyLineItems } from './line-items.errors.ts';
import type { LineItemContent, LineItemRepository } from './line-items.repository.ts';
import { lineItemNotFound, workPackageNotFound } from './work-packages.errors.ts';
import type { WorkPackageRepository, WorkPackageRow } from './work-packages.repository.ts';
import { requireOrderOf, type Version, type Versioned, type WorkPackageTarget } from './work-packages.ts';

/** The line to change, and the accepted versions of the quote. */
export interface LineItemTarget extends WorkPackageTarget {
  readonly lineItemId: string;
}

/** A line's id and price. */
export type PricedLine = Pick<LineItem, 'id' | 'totalPrice'>;

export interface LineItemsOptions {
  readonly repository: LineItemRepository;
  readonly workPackages: WorkPackageRepository;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

/** A locked package. */
interface OpenPackage {
  readonly tx: Transaction;
  readonly actor: Context['actor'];
  readonly quote: Counted;
  readonly workPackage: WorkPackageRow;
  readonly place: { readonly quoteId: string; readonly workPackageId: string };
}

/** The effect of a change of lines on their package. */
interface LineChange {
  readonly action: QuotationAction;
  readonly lineItemId?: string;
  /** The difference of its lines' sum. */
  readonly added: number;
  /** The difference of their text bytes. */
  readonly textAdded: number;
  readonly itemCount: number;
  readonly lastPosition: number;
  /** What the trail says of a line that was changed. */
  readonly said?: ReturnType<typeof changeDetails>;
}

/**
 * The use cases of a draft's lines. Each returns the new version of the quote, and adds the difference to its sums instead of
 * adding up all lines again.
 */
export class LineItems {
  readonly #options: LineItemsOptions;

  constructor(options: LineItemsOptions) {
    this.#options = options;
  }

  /** Adds a line at the end of its package. */
  add(context: Context, target: WorkPackageTarget, content: LineItemContent): Promise<Versioned<PricedLine>> {
    return this.#within(context, target, async (open) => {
      const { tx, quote, workPackage, place } = open;
      const itemCount = workPackage.itemCount + 1;
      if (itemCount > lineItemsMax) throw tooManyLineItems();
      const { currency } = quote;
      const totalPrice = priceOf(content, currency);
      const position = workPackage.lastPosition + 1;
      const id = await this.#options.repository.insert(tx, {
        ...place,
        ...content,
        totalPrice,
        position,
        currency,
      });
      const sums = { added: totalPrice, textAdded: textOf(content) };
      const change = { lineItemId: id, ...sums, itemCount, lastPosition: position };
      const { version } = await this.#settle(open, { action: 'line-item.added', ...change });
      return { id, totalPrice, version };
    });
  }

  change(
    context: Context,
    target: LineItemTarget,
    changes: Partial<LineItemContent>,
  ): Promise<Versioned<LineItem>> {
    return this.#within(context, target, async (open) => {
      const { tx, quote, workPackage, place } = open;
      const before = await this.#find(open, target.lineItemId);
      if (changesNothing(before, changes)) return { ...before, version: quote.version };
      const content = { ...before, ...changes };
      const line = { ...content, totalPrice: priceOf(content, quote.currency) };
      await this.#options.repository.update(tx, place, line);
      const added = sumOf([line.totalPrice, -before.totalPrice]);
      const textAdded = textOf(line) - textOf(before);
      const { kept } = this.#options.audit;
      const said = changeDetails(changedFields(before, content), { kept, before, after: content });
      const change = { ...workPackage, lineItemId: line.id, added, textAdded, said };
      const { version } = await this.#settle(open, { ...change, action: 'line-item.updated' });
      return { ...line, version };
    });
  }

  remove(context: Context, target: LineItemTarget): Promise<Version> {
    return this.#within(context, target, async (open) => {
      const { tx, workPackage, place } = open;
      const line = await this.#find(open, target.lineItemId);
      await this.#options.repository.remove(tx, place, line.id);
      const itemCount = workPackage.itemCount - 1;
      const sums = { added: -line.totalPrice, textAdded: -textOf(line) };
      const change = { ...workPackage, lineItemId: line.id, ...sums, itemCount };
      return this.#settle(open, { ...change, action: 'line-item.removed' });
    });
  }

  /** Puts all lines of a package into the order of these ids. */
  reorder(context: Context, target: WorkPackageTarget, ids: readonly string[]): Promise<Version> {
    const { repository } = this.#options;
    return this.#within(context, target, async (open) => {
      const { tx, quote, workPackage, place } = open;
      const before = await repository.ids(tx, place);
      requireOrderOf(before, ids, 'item of the work package');
      if (isDeepStrictEqual(before, ids)) return quote;
      await repository.reorder(tx, place, ids);
      const change = { ...workPackage, added: 0, textAdded: 0, lastPosition: ids.length };
      return this.#settle(open, { ...change, action: 'line-item.reordered' });
    });
  }

  #within<Result>(
    { tenant, actor }: Context,
    target: WorkPackageTarget,
    work: (open: OpenPackage) => Promise<Result>,
  ): Promise<Result> {
    const { workPackages, locked } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      const workPackage = await workPackages.find(tx, quote.id, target.workPackageId);
      if (!workPackage) throw workPackageNotFound();
      return work({
        tx,
        actor,
        quote,
        workPackage,
        place: { quoteId: quote.id, workPackageId: workPackage.id },
      });
    });
  }

  async #find({ tx, place }: OpenPackage, id: string): Promise<LineItem> {
    const line = await this.#options.repository.find(tx, place, id);
    if (!line) throw lineItemNotFound();
    return line;
  }

  async #settle(open: OpenPackage, change: LineChange): Promise<Quote> {
    const { workPackages, locked, audit } = this.#options;
    const { tx, actor, quote, workPackage } = open;
    const { action, lineItemId, added, textAdded, itemCount, lastPosition, said } = change;
    const { id, subtotal } = workPackage;
    const lines = { id, subtotal: sumOf([subtotal, added]), itemCount, lastPosition };
    await workPackages.setLines(tx, quote.id, lines);
    const text = { bytes: textAdded, field: 'description' };
    const changed = await locked.addToSums(tx, quote, { amount: added, text });
    const details = { workPackageId: id, ...(lineItemId && { lineItemId, added }), ...said };
    await audit.record(tx, { actor, action, target: quoteTarget(quote), details });
    return changed;
  }
}

const textOf = ({ articleNumber, description, unit }: LineItemContent): number =>
  bytesOf(articleNumber, description, unit);

function priceOf(line: Line, currency: string): number {
  const price = lineTotal(line, currency);
  if (price > limits.lineTotalMax) throw lineItemTooLarge();
  return price;
}
