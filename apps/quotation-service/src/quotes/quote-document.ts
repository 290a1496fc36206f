import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Totals } from '@tenantry/money';
import { canonicalJson } from '@tenantry/service/business';
import type { Quote, Seller, WholeQuote, WorkPackage } from './quote.ts';

/**
 * A quote as a document: the contents of the PDF and the customer's page. All texts are plain, all amounts exact in the quote's
 * currency, all times ISO 8601 UTC.
 */
export interface QuoteDocument
  extends
    Totals,
    Pick<Quote, 'number' | 'revision' | 'status' | 'title' | 'description' | 'currency'>,
    Pick<Quote, 'vatRate' | 'vatExemptionReason' | 'validUntil' | 'createdAt' | 'sentAt'> {
  readonly quoteId: string;
  readonly seller: Seller;
  readonly customer: Recipient;
  readonly workPackages: readonly WorkPackage[];
  /** The organization's time zone (IANA). */
  readonly timeZone: string;
}

/** Whom a document is for. What is not known is absent, so that a document of before it could be known has the same digest. */
export interface Recipient {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** Several lines. */
  readonly address?: string;
  readonly vatNumber?: string;
}

/** A document without its packages. */
export type DocumentHead = Omit<QuoteDocument, 'workPackages'>;

/** A document whose packages are JSON, each a text of its own: a thread takes it without a copy of every line. */
export interface UnparsedDocument {
  readonly head: DocumentHead;
  readonly packages: readonly string[];
}

/** What makes a contract of a quote: its acceptance. Times are ISO 8601 UTC. */
export interface Agreement {
  readonly acceptedAt: string;
  readonly acceptedBy: 'customer' | 'seller';
  /** As the customer signed; null where the seller accepted for them, or they have been erased. */
  readonly name: string | null;
  /** SHA-256 of what was accepted, in hexadecimal digits. */
  readonly contentHash: string;
  /** When the contract was created. */
  readonly createdAt: string;
}

/** The organization in a document: its current settings, which a sent quote overrides. */
export interface DocumentSender extends Seller {
  readonly timeZone: string;
}

/** Creates the document of a quote. A sent one shows the seller as it was then. */
export function quoteDocument(quote: WholeQuote, sender: DocumentSender): QuoteDocument {
  return { ...documentHead(quote, sender), workPackages: quote.workPackages };
}

/** The same without its packages. */
export function documentHead(quote: Quote, sender: DocumentSender): DocumentHead {
  const { id, number, revision, status, title, description } = quote;
  const { subtotal, vatRate, vatExemptionReason, vatAmount, totalAmount, currency } = quote;
  const { name, address, vatNumber, logo } = quote.seller ?? sender;
  return {
    quoteId: id,
    number,
    revision,
    status,
    seller: { name, address, vatNumber, ...(logo !== undefined && { logo }) },
    customer: recipientOf(quote),
    title,
    description,
    subtotal,
    vatRate,
    vatExemptionReason,
    vatAmount,
    totalAmount,
    currency,
    validUntil: quote.validUntil,
    timeZone: quote.seller?.timeZone ?? sender.timeZone,
    createdAt: quote.createdAt,
    sentAt: quote.sentAt,
  };
}

const recipientOf = (quote: Quote): Recipient => ({
  ...{ id: quote.customerId, name: quote.customerName, email: quote.customerEmail },
  ...(quote.customerAddress !== null && { address: quote.customerAddress }),
  ...(quote.customerVatNumber !== null && { vatNumber: quote.customerVatNumber }),
});

/** The document of one that is not parsed, all at once. */
export const parsedDocument = ({ head, packages }: UnparsedDocument): QuoteDocument => ({
  ...head,
  workPackages: packages.map((workPackage) => JSON.parse(workPackage) as WorkPackage),
});

/**
 * SHA-256 of a document's offer: everything but status and time zone. The same offer gives the same digest, whatever the order
 * of keys. Other requests run between two packages.
 */
export async function contentHash({ workPackages, ...head }: QuoteDocument): Promise<Buffer> {
  const hash = createHash('sha256');
  // The packages are the last key.
  hash.update(canonicalJson({ ...head, status: undefined, timeZone: undefined }).slice(0, -1));
  hash.update(',"workPackages":[');
  for (const [index, workPackage] of workPackages.entries()) {
    if (index > 0) hash.update(',');
    hash.update(canonicalJson(workPackage));
    await setImmediate();
  }
  return hash.update(']}').digest();
}
