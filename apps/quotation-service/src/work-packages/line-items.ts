import { lineTotal, limits, sumOf, type Line } from '@tenantry/money';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Tenant } from '../database.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import type { LineItem } from '../quotes/quote.ts';
import { workPackageNotFound } from './work-packages.errors.ts';
import type { WorkPackageRepository } from './work-packages.repository.ts';
import { lineItemTooLarge, lineItemsMax, tooManyLineItems } from './line-items.errors.ts';
import type { LineItemContent, LineItemRepository } from './line-items.repository.ts';

/** What can be done with the lines of a draft. */
export interface LineItems {
  /** Adds a line behind the others of its package. */
  add(tenant: Tenant, target: LineItemsTarget, content: LineItemContent): Promise<PricedLine>;
}

/** Which package of which quote is to be changed, and on which versions of the quote. */
export interface LineItemsTarget extends QuoteTarget {
  readonly workPackageId: string;
}

/** A line's id, and what it comes to. */
export type PricedLine = Pick<LineItem, 'id' | 'totalPrice'>;

/** What the use cases of lines need. */
export interface LineItemsOptions {
  readonly repository: LineItemRepository;
  readonly workPackages: WorkPackageRepository;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

/** Makes the use cases of lines. Each adds the change to the sums, and none adds all lines up again. */
export function createLineItems({ repository, workPackages, locked, audit }: LineItemsOptions): LineItems {
  return {
    add: (tenant, target, content) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const workPackage = await workPackages.find(tx, quote.id, target.workPackageId);
        if (!workPackage) throw workPackageNotFound();
        if (workPackage.itemCount >= lineItemsMax) throw tooManyLineItems();
        const { currency } = quote;
        const totalPrice = priceOf(content, currency);
        const place = { quoteId: quote.id, workPackageId: workPackage.id };
        const position = workPackage.lastPosition + 1;
        const id = await repository.insert(tx, { ...place, ...content, totalPrice, position, currency });
        await workPackages.setLines(tx, quote.id, {
          id: workPackage.id,
          subtotal: sumOf([workPackage.subtotal, totalPrice]),
          itemCount: workPackage.itemCount + 1,
          lastPosition: position,
        });
        await locked.addToSubtotal(tx, quote, totalPrice);
        await audit.record(tx, {
          actorUserId: target.actorUserId,
          action: 'line-item.added',
          target: quoteTarget(quote.id),
          details: { workPackageId: workPackage.id, lineItemId: id, totalPrice },
        });
        return { id, totalPrice };
      }),
  };
}

function priceOf(line: Line, currency: string): number {
  const price = lineTotal(line, currency);
  if (price > limits.lineTotalMax) throw lineItemTooLarge();
  return price;
}
