import { invalidField } from '@tenantry/envelope';
import { isCurrency, minorDigits } from '@tenantry/money';
import { retryOnContention } from '@tenantry/service-kit';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Tenant } from '../database.ts';
import type { OrganizationSettings, Settings } from '../settings/settings.ts';
import { yearIn } from '../settings/time-zone.ts';
import { quoteNotFound } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';
import type { NewQuote, Quote, QuoteContent, QuoteListQuery, QuotePage, WholeQuote } from './quote.ts';
import { readValidUntil, standardValidity } from './validity.ts';

/** Who asks for something, and how leads-service knows them. */
export interface QuoteAuthor {
  readonly actorUserId: string;
  /** Their Authorization header, by which leads-service tells what they may see. */
  readonly authorization?: string | undefined;
}

/** What can be done with the quotes of an organization. */
export interface Quotes {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: QuoteListQuery): Promise<QuotePage>;
  /** A quote with its packages and lines. */
  get(tenant: Tenant, id: string): Promise<WholeQuote>;
  /** Makes a draft under the next number of the year. */
  create(tenant: Tenant, quote: NewQuote, author: QuoteAuthor): Promise<CreatedQuote>;
}

/** What is known of a quote that was just made. */
export type CreatedQuote = Pick<Quote, 'id' | 'number' | 'validUntil'>;

/** What the use cases of quotes need. */
export interface QuotesOptions {
  readonly repository: QuoteRepository;
  readonly customers: Customers;
  readonly settings: Settings;
  readonly audit: QuotationAudit;
  readonly now: () => Date;
}

/** Makes the use cases of quotes. */
export function createQuotes({ repository, customers, settings, audit, now }: QuotesOptions): Quotes {
  return {
    list: (tenant, query) => repository.list(tenant, query),

    async get(tenant, id) {
      const quote = await repository.find(tenant, id);
      if (!quote) throw quoteNotFound();
      return quote;
    },

    async create(tenant, quote, { actorUserId, authorization }) {
      const { customerId, customerName, customerEmail } = quote;
      const named = await customers.identify(
        tenant,
        { id: customerId, name: customerName, email: customerEmail },
        authorization,
      );
      return retryOnContention(() =>
        tenant.transaction(async (tx) => {
          const current = await settings.current(tx);
          const content = contentOf(quote, current, now());
          const customer = await customers.remember(tx, named);
          const { timeZone, numberPrefix } = current;
          const year = yearIn(timeZone, now());
          const created = await repository.insert(tx, { ...content, customer, numberPrefix, year });
          const target = quoteTarget(created.id);
          await audit.record(tx, { actorUserId, action: 'quote.created', target });
          return { ...created, validUntil: content.validUntil.toISOString() };
        }),
      );
    },
  };
}

function contentOf(quote: NewQuote, settings: OrganizationSettings, now: Date): QuoteContent {
  const { title, description = '', currency = settings.currency, validUntil } = quote;
  const { vatRate = settings.vatRate, vatExemptionReason = null } = quote;
  requireQuotable(currency);
  requireNoVat({ vatRate, vatExemptionReason });
  const until =
    validUntil === undefined ? standardValidity(now) : readValidUntil(validUntil, settings.timeZone);
  return { title, description, currency, vatRate, vatExemptionReason, validUntil: until };
}

/** Amounts are kept with two decimals. */
function requireQuotable(currency: string): void {
  if (isCurrency(currency) && minorDigits(currency) <= 2) return;
  const message = 'must be the ISO 4217 code of a currency in use with at most two decimals, such as EUR';
  throw invalidField({ field: 'currency', rule: 'currency', message });
}

/** A reason for charging no VAT goes with a rate of 0. */
function requireNoVat({ vatRate, vatExemptionReason }: Pick<QuoteContent, 'vatRate' | 'vatExemptionReason'>) {
  if (vatExemptionReason === null || vatRate === 0) return;
  const message = 'says why no VAT is charged, and needs a vatRate of 0';
  throw invalidField({ field: 'vatExemptionReason', rule: 'vatExemption', message });
}
