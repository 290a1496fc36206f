import { randomUUID } from 'node:crypto';
import { locatedTokens, type LocatedTokens } from '@tenantry/service-kit/tokens';
import type { Rows } from '../database.ts';
import type { Hindrance, QuoteLinkRepository } from './quote-links.repository.ts';

/** The tokens in the links to quotes: 256 random bits, of which the digest alone is stored. */
export const quoteTokens: LocatedTokens = locatedTokens('quote_');

/** A quote is offered to nobody any more. */
export class NotOffered extends Error {
  readonly reason: Hindrance;

  constructor(quoteId: string, reason: Hindrance) {
    super(`the quote ${quoteId} is offered to nobody any more: ${reason}`);
    this.reason = reason;
  }
}

/** Makes links by which customers open quotes. */
export interface QuoteLinks {
  /** A new link to a quote; earlier ones keep working. @throws {@link NotOffered} */
  make(rows: Rows, quote: LinkedQuote): Promise<string>;
  /** How many links a quote has. */
  count(rows: Rows, quoteId: string): Promise<number>;
}

/** Which quote a link is to. */
export interface LinkedQuote {
  readonly organizationId: string;
  readonly quoteId: string;
}

/** What links are made with. */
export interface QuoteLinksOptions {
  readonly repository: Pick<QuoteLinkRepository, 'insert' | 'count'>;
  /** Where customers reach the gateway: `https://api.example`. */
  readonly publicUrl: string;
}

export function createQuoteLinks({ repository, publicUrl }: QuoteLinksOptions): QuoteLinks {
  return {
    async make(rows, { organizationId, quoteId }) {
      const linkId = randomUUID();
      const { token, digest } = quoteTokens.make({ ownerId: organizationId, id: linkId });
      const hindrance = await repository.insert(rows, { linkId, quoteId, digest });
      if (hindrance) throw new NotOffered(quoteId, hindrance);
      // In the query: paths are logged, queries are not.
      return `${publicUrl}/api/quotation/offer?token=${token}`;
    },

    count: (rows, quoteId) => repository.count(rows, quoteId),
  };
}
