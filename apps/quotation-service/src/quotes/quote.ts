import type { Totals } from '@tenantry/money';
import type { PageRequest } from '@tenantry/service/business';
import type { QuoteStatus } from './quote-status.ts';

/** A quote as a list shows it. Times are ISO 8601 UTC. */
export interface QuoteListItem {
  readonly id: string;
  readonly number: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly title: string;
  readonly totalAmount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: QuoteStatus;
  readonly validUntil: string;
  readonly createdAt: string;
}

/** One revision of a quote, without its work packages. */
export interface Quote extends QuoteListItem, Totals {
  /** 1 at first. */
  readonly revision: number;
  readonly customerEmail: string | null;
  /** Several lines. */
  readonly customerAddress: string | null;
  readonly customerVatNumber: string | null;
  readonly description: string;
  /** Percent, at most two decimals. */
  readonly vatRate: number;
  /** Why no VAT is charged, as for a reverse charge. */
  readonly vatExemptionReason: string | null;
  readonly sentAt: string | null;
  /** The id of the member who sent it; null for drafts, and if it was not recorded. */
  readonly sentBy: string | null;
  /** The organization at the time the quote was sent. */
  readonly seller: SenderThen | null;
  /** The id of the revision that replaces this one. */
  readonly supersededBy: string | null;
  readonly updatedAt: string;
  /** Increases with every change of the quote, its packages and lines. */
  readonly version: number;
  /** Bytes of all its texts; null if they have to be counted. */
  readonly textBytes: number | null;
}

/** The organization that offers. */
export interface Seller {
  readonly name: string;
  /** Several lines. */
  readonly address: string;
  readonly vatNumber: string;
  /** SHA-256 of its logo, hexadecimal. */
  readonly logo?: string;
}

/** The same, at the time a quote was sent. */
export interface SenderThen extends Seller {
  /** IANA. Not kept of quotes that were sent before it was. */
  readonly timeZone?: string;
}

/** A quote with all that it offers. */
export interface WholeQuote extends Quote {
  /** When a person first opened the customer's page. */
  readonly openedAt: string | null;
  readonly workPackages: WorkPackage[];
}

/** A {@link WholeQuote} whose packages are JSON, each a text of its own. */
export interface UnparsedQuote extends Omit<WholeQuote, 'workPackages'> {
  readonly packages: readonly string[];
}

/** A part of a quote, with lines of its own. */
export interface WorkPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly items: LineItem[];
  /** Sum of the lines' `totalPrice`. */
  readonly subtotal: number;
}

/** One line of a work package. */
export interface LineItem {
  readonly id: string;
  readonly articleNumber: string;
  readonly description: string;
  readonly quantity: number;
  readonly unit: string;
  readonly unitPrice: number;
  /** quantity × unitPrice, rounded to the currency's minor unit. */
  readonly totalPrice: number;
}

/** The fields of a draft, without its packages. */
export type QuoteContent = Pick<
  Quote,
  'title' | 'description' | 'currency' | 'vatRate' | 'vatExemptionReason'
> & { readonly validUntil: Date };

/** The fields of a new quote; absent ones come from the organization's settings, or are empty. */
export interface NewQuote extends Partial<Omit<QuoteContent, 'validUntil'>> {
  readonly customerId: string;
  readonly customerName?: string;
  readonly customerEmail?: string;
  readonly title: string;
  /** A time, or a date, meaning its end in the organization's time zone. Default: 30 days ahead. */
  readonly validUntil?: string;
}

/** Changed fields of a draft; null clears the reason for no VAT, absent ones are unchanged. */
export type QuoteChanges = Partial<Omit<NewQuote, 'customerEmail'>>;

/** The order of a list; a leading hyphen reverses it. */
export const quoteOrders = [
  '-createdAt',
  'createdAt',
  'number',
  '-number',
  'validUntil',
  '-validUntil',
  'totalAmount',
  '-totalAmount',
  'customerName',
  '-customerName',
  'updatedAt',
  '-updatedAt',
  'sentAt',
  '-sentAt',
] as const;
export type QuoteOrder = (typeof quoteOrders)[number];

/** Which quotes. */
export interface QuoteFilters {
  /** Any of these; all if empty. */
  readonly statuses?: readonly QuoteStatus[];
  readonly customerId?: string;
  /** Any part of number, title or customer name; case and accents do not matter. */
  readonly search?: string;
  /** Valid until then or later. */
  readonly validUntilFrom?: Date;
  /** Valid until before. */
  readonly validUntilTo?: Date;
}

/** Selects a page of quotes. */
export interface QuoteListQuery extends QuoteFilters, PageRequest {
  readonly sort: QuoteOrder;
  /** Whether {@link QuoteMilestones} are read as well. */
  readonly hasMilestones?: boolean;
}

/** A quote in a list, with the fields that a list shows only on request. */
export type ListedQuote = QuoteListItem &
  Pick<Quote, 'revision' | 'sentAt' | 'updatedAt' | 'version'> &
  Partial<QuoteMilestones>;

/** What its customer did. */
export interface QuoteMilestones extends Pick<WholeQuote, 'openedAt'> {
  /** When it was accepted or rejected. */
  readonly decidedAt: string | null;
}
