import { totalsOf } from '@tenantry/money';
import type { Page } from '@tenantry/service/business';
import { retryOnContention } from '@tenantry/service/failures';
import { changesNothing } from '@tenantry/service/resources';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { NamedCustomer } from '../customers/customer.ts';
import type { Customers } from '../customers/customers.ts';
import type { Context, Rows, Tenant } from '../database.ts';
import type { OrganizationSettings } from '../settings/organization-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { yearIn } from '../wording/time-zone.ts';
import { requireTotals, type LockedQuotes, type QuoteTarget } from './locked-quotes.ts';
import { contentOf, changedContent, textChangeOf } from './quote-content.ts';
import {
  documentHead,
  quoteDocument,
  type DocumentHead,
  type QuoteDocument,
  type UnparsedDocument,
} from './quote-document.ts';
import { readAnyway, readWhole, type ReadLarge } from './large-quotes.ts';
import { bytesAfter } from './quote-text.ts';
import { currencyFixed, customerUnnamed, quoteNotFound } from './quotes.errors.ts';
import type { QuoteCustomer, QuoteRepository } from './quotes.repository.ts';
import type { RevisionRepository } from './revisions.repository.ts';
import { readValidUntil } from './validity.ts';
import type {
  ListedQuote,
  NewQuote,
  Quote,
  QuoteChanges,
  QuoteContent,
  QuoteListQuery,
  WholeQuote,
} from './quote.ts';

export interface QuotesOptions {
  readonly repository: QuoteRepository;
  readonly revisions: Pick<RevisionRepository, 'reinstate'>;
  readonly locked: LockedQuotes;
  readonly customers: Customers;
  readonly settings: Pick<Settings, 'shown'>;
  readonly audit: QuotationAudit;
}

/** The draft to change. */
export interface ChangedQuote extends QuoteTarget {
  /** The caller's, for leads-service. */
  readonly authorization: string | undefined;
  /** Asked for where the change names a day, which ends in the time zone of the organization. */
  readonly settings: () => Promise<OrganizationSettings>;
}

/** The use cases of quotes. */
export class Quotes {
  readonly #options: QuotesOptions;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  /** One page, with the exact total. */
  list(tenant: Tenant, query: QuoteListQuery): Promise<Page<ListedQuote>> {
    return this.#options.repository.list(tenant, query);
  }

  /** A quote without its packages. */
  async head(rows: Rows, id: string): Promise<Quote> {
    const quote = await this.#options.repository.findHead(rows, id);
    if (!quote) throw quoteNotFound();
    return quote;
  }

  /** A quote with its packages and lines. @throws QUOTE_TOO_LARGE */
  async get(rows: Rows, id: string, readLarge: ReadLarge): Promise<WholeQuote> {
    const { repository } = this.#options;
    const quote = await readWhole((bytesMax) => repository.find(rows, id, bytesMax), readLarge);
    if (!quote) throw quoteNotFound();
    return quote;
  }

  /** The same as a document, for the PDF and the customer's page. */
  async document(rows: Rows, id: string, readLarge: ReadLarge): Promise<QuoteDocument> {
    return quoteDocument(await this.get(rows, id, readLarge), await this.#options.settings.shown(rows));
  }

  /** The same for a thread to parse, if it has at most so many lines; otherwise 'too-large', without reading it. */
  async unparsedDocument(
    rows: Rows,
    id: string,
    { linesMax }: { readonly linesMax: number },
  ): Promise<UnparsedDocument | 'too-large'> {
    const { repository, settings } = this.#options;
    if (await this.hasMoreLines(rows, id, linesMax)) return 'too-large';
    const found = await readWhole((bytesMax) => repository.findUnparsed(rows, id, bytesMax), readAnyway);
    if (!found) throw quoteNotFound();
    const { packages, ...quote } = found;
    return { head: documentHead(quote, await settings.shown(rows)), packages };
  }

  /** Whether a quote has more lines, without reading them. */
  async hasMoreLines(rows: Rows, id: string, linesMax: number): Promise<boolean> {
    return (await this.#options.repository.countLines(rows, id)) > linesMax;
  }

  /** A document without its packages. */
  async documentHead(rows: Rows, id: string): Promise<DocumentHead> {
    return documentHead(await this.head(rows, id), await this.#options.settings.shown(rows));
  }

  /** The customer of a new quote, whose name leads-service may know. Call it outside of transactions. */
  customerFor(
    tenant: Tenant,
    { customerId: id, customerName: name, customerEmail: email }: NewQuote,
    authorization: string | undefined,
  ): Promise<NamedCustomer> {
    return this.#options.customers.identify(tenant, { id, name, email }, authorization);
  }

  /** Makes a draft under the next number of the year, for the customer that {@link customerFor} gives. */
  create(
    { tenant, actor, now }: Context,
    quote: NewQuote & { readonly customer: NamedCustomer; readonly settings: OrganizationSettings },
  ): Promise<Pick<Quote, 'id' | 'number' | 'validUntil'>> {
    const { repository, customers, audit } = this.#options;
    const { settings } = quote;
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const content = contentOf(quote, settings, now);
        const customer = await customers.remember(tx, quote.customer);
        const { timeZone, numberPrefix } = settings;
        const year = yearIn(timeZone, now);
        const created = await repository.insert(tx, { ...content, customer, numberPrefix, year });
        await audit.record(tx, { actor, action: 'quote.created', target: quoteTarget(created) });
        return { ...created, validUntil: content.validUntil.toISOString() };
      }),
    );
  }

  /** Changes a draft and its totals. */
  async change(
    { tenant, actor }: Context,
    target: ChangedQuote,
    { customerId, customerName: name, validUntil: until, ...changes }: QuoteChanges,
  ): Promise<Quote> {
    const { repository, locked, customers, audit } = this.#options;
    const { authorization, settings } = target;
    if (name !== undefined && customerId === undefined) throw customerUnnamed();
    const named =
      customerId === undefined ? undefined : { id: customerId, ...(name !== undefined && { name }) };
    const identified = named && (await customers.identify(tenant, named, authorization));
    const validUntil = until === undefined ? undefined : readValidUntil(until, (await settings()).timeZone);
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const known = identified && (await customers.lock(tx, identified));
        const quote = await locked.lockDraft(tx, target);
        // This may rename the customer in the draft, so the change is compared with the draft before it.
        const chosen = known && (await customers.learn(tx, known, identified));
        const content = changedContent(quote, { ...changes, validUntil });
        if (content.currency !== quote.currency && (await repository.hasLines(tx, quote.id))) {
          throw currencyFixed();
        }
        const totals = requireTotals(totalsOf(quote.subtotal, content), 'vatRate');
        const textBytes = bytesAfter(quote.textBytes, textChangeOf(quote, content));
        const customer = chosen ?? customerOf(quote);
        if (changesNothing(quote, shownOf(content, customer))) return quote;
        const sums = { ...totals, textBytes };
        const changed = await repository.update(tx, quote.id, { ...content, ...sums, customer });
        await audit.recordChange(tx, {
          ...{ actor, action: 'quote.updated', target: quoteTarget(quote) },
          ...{ before: quote, after: changed },
        });
        return changed;
      }),
    );
  }

  /** Deletes a draft. Its number is not reused; the previous revision becomes current again. */
  remove({ tenant, actor, now }: Context, target: QuoteTarget): Promise<void> {
    const { repository, revisions, locked, audit } = this.#options;
    return locked.withDraft(tenant, target, async (tx, quote) => {
      await repository.markDeleted(tx, quote.id, now);
      await revisions.reinstate(tx, quote.id);
      await audit.record(tx, { actor, action: 'quote.deleted', target: quoteTarget(quote) });
    });
  }
}

/** Content and customer as a quote shows them. */
const shownOf = ({ validUntil, ...content }: QuoteContent, customer: QuoteCustomer) => ({
  ...content,
  validUntil: validUntil.toISOString(),
  customerId: customer.id,
  customerName: customer.name,
  customerEmail: customer.email,
  customerAddress: customer.address,
  customerVatNumber: customer.vatNumber,
});

const customerOf = (quote: Quote): QuoteCustomer => ({
  id: quote.customerId,
  name: quote.customerName,
  email: quote.customerEmail,
  address: quote.customerAddress,
  vatNumber: quote.customerVatNumber,
});
