import { totalsOf } from '@tenantry/money';
import { retryOnContention } from '@tenantry/service-kit/failures';
import { changesNothing } from '@tenantry/service-kit/resources';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { NamedCustomer } from '../customers/customer.ts';
import type { Customers } from '../customers/customers.ts';
import type { Context, Rows, Tenant } from '../database.ts';
import type { Settings } from '../settings/settings.ts';
import { yearIn } from '../settings/time-zone.ts';
import { requireTotals, type LockedQuotes, type QuoteTarget } from './locked-quotes.ts';
import { contentOf, changedContent, textChangeOf } from './quote-content.ts';
import { documentHead, quoteDocument, type DocumentHead, type QuoteDocument } from './quote-document.ts';
import { readableBytesMax, usualBytesMax, type ReadLarge } from './large-quotes.ts';
import { bytesAfter } from './quote-text.ts';
import { currencyFixed, quoteNotFound, quoteTooLarge } from './quotes.errors.ts';
import type { QuoteCustomer, QuoteRepository } from './quotes.repository.ts';
import type { RevisionRepository } from './revisions.repository.ts';
import type {
  NewQuote,
  Quote,
  QuoteChanges,
  QuoteContent,
  QuoteListQuery,
  QuotePage,
  WholeQuote,
} from './quote.ts';

/** A quote, and how leads-service knows who changes it. */
export interface ChangedQuote extends QuoteTarget {
  /** Their Authorization header, by which leads-service tells what they may see. */
  readonly authorization?: string | undefined;
}

/** What can be done with the quotes of an organization. */
export interface Quotes {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: QuoteListQuery): Promise<QuotePage>;
  /** A quote without its packages. */
  head(rows: Rows, id: string): Promise<Quote>;
  /** A quote with its packages and lines. @throws QUOTE_TOO_LARGE */
  get(rows: Rows, id: string, readLarge: ReadLarge): Promise<WholeQuote>;
  /** The same as the PDF and the customer's page show it. */
  document(rows: Rows, id: string, readLarge: ReadLarge): Promise<QuoteDocument>;
  /** That without its packages. */
  documentHead(rows: Rows, id: string): Promise<DocumentHead>;
  /** The customer of a new quote, whose name leads-service may know: ask it outside of every transaction. */
  customerFor(tenant: Tenant, quote: NewQuote, authorization: string | undefined): Promise<NamedCustomer>;
  /** Makes a draft under the next number of the year. */
  create(context: Context, quote: DraftedQuote): Promise<CreatedQuote>;
  /** Changes what a draft says; its totals follow. */
  change(context: Context, target: ChangedQuote, changes: QuoteChanges): Promise<Quote>;
  /** Takes a draft out of every list. Its number is not given again; the revision before it is current again. */
  remove(context: Context, target: QuoteTarget): Promise<void>;
}

/** A new quote and its customer, as {@link Quotes.customerFor} gives it. */
export interface DraftedQuote extends NewQuote {
  readonly customer: NamedCustomer;
}

/** What is known of a quote that was just made. */
export type CreatedQuote = Pick<Quote, 'id' | 'number' | 'validUntil'>;

/** What the use cases of quotes need. */
export interface QuotesOptions {
  readonly repository: QuoteRepository;
  readonly revisions: Pick<RevisionRepository, 'reinstate'>;
  readonly locked: LockedQuotes;
  readonly customers: Customers;
  readonly settings: Settings;
  readonly audit: QuotationAudit;
}

export function createQuotes(options: QuotesOptions): Quotes {
  const { repository, revisions, locked, customers, settings, audit } = options;

  async function head(rows: Rows, id: string): Promise<Quote> {
    const quote = await repository.findHead(rows, id);
    if (!quote) throw quoteNotFound();
    return quote;
  }

  async function whole(rows: Rows, id: string, readLarge: ReadLarge): Promise<WholeQuote> {
    let quote = await repository.find(rows, id, usualBytesMax);
    if (quote === 'too-large') {
      await readLarge();
      quote = await repository.find(rows, id, readableBytesMax);
    }
    if (!quote) throw quoteNotFound();
    if (quote === 'too-large') throw quoteTooLarge();
    return quote;
  }

  return {
    list: (tenant, query) => repository.list(tenant, query),

    head,
    get: whole,
    document: async (rows, id, readLarge) =>
      quoteDocument(await whole(rows, id, readLarge), await settings.current(rows)),
    documentHead: async (rows, id) => documentHead(await head(rows, id), await settings.current(rows)),

    customerFor: (tenant, { customerId: id, customerName: name, customerEmail: email }, authorization) =>
      customers.identify(tenant, { id, name, email }, authorization),

    create: ({ tenant, actor, now }, quote) =>
      retryOnContention(() =>
        tenant.transaction(async (tx) => {
          const current = await settings.current(tx);
          const content = contentOf(quote, current, now);
          const customer = await customers.remember(tx, quote.customer);
          const { timeZone, numberPrefix } = current;
          const year = yearIn(timeZone, now);
          const created = await repository.insert(tx, { ...content, customer, numberPrefix, year });
          await audit.record(tx, { actor, action: 'quote.created', target: quoteTarget(created) });
          return { ...created, validUntil: content.validUntil.toISOString() };
        }),
      ),

    async change({ tenant, actor }, target, { customerId, ...changes }) {
      const { authorization } = target;
      const named = customerId === undefined ? undefined : { id: customerId };
      const identified = named && (await customers.identify(tenant, named, authorization));
      return retryOnContention(() =>
        tenant.transaction(async (tx) => {
          const known = identified && (await customers.lock(tx, identified));
          const quote = await locked.lockDraft(tx, target);
          // May rename the customer in this draft: the change is compared with what the draft was before.
          const chosen = known && (await customers.learn(tx, known, identified));
          const content = changedContent(quote, changes, await settings.current(tx));
          if (content.currency !== quote.currency && (await repository.hasLines(tx, quote.id))) {
            throw currencyFixed();
          }
          const totals = requireTotals(totalsOf(quote.subtotal, content), 'vatRate');
          const textBytes = bytesAfter(quote.textBytes, textChangeOf(quote, content));
          const customer = chosen ?? customerOf(quote);
          if (changesNothing(quote, shownOf(content, customer))) return quote;
          const sums = { ...totals, textBytes };
          const changed = await repository.update(tx, quote.id, { ...content, ...sums, customer });
          const change = { before: quote, after: changed, fields: audited };
          await audit.recordChange(tx, {
            ...{ actor, action: 'quote.updated', target: quoteTarget(quote), ...change },
          });
          return changed;
        }),
      );
    },

    remove: ({ tenant, actor, now }, target) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        await repository.markDeleted(tx, quote.id, now);
        await revisions.reinstate(tx, quote.id);
        await audit.record(tx, { actor, action: 'quote.deleted', target: quoteTarget(quote) });
      }),
  };
}

const audited = [
  ...(['customerId', 'customerName', 'customerEmail', 'title', 'description'] as const),
  ...(['currency', 'vatRate', 'vatExemptionReason', 'validUntil'] as const),
] as const;

/** Content and customer as a quote shows them. */
const shownOf = ({ validUntil, ...content }: QuoteContent, { id, name, email }: QuoteCustomer) => ({
  ...content,
  validUntil: validUntil.toISOString(),
  ...{ customerId: id, customerName: name, customerEmail: email },
});

const customerOf = ({ customerId, customerName, customerEmail }: Quote) => ({
  ...{ id: customerId, name: customerName, email: customerEmail },
});
