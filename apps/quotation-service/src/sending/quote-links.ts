import { randomUUID } from 'node:crypto';
import { locatedTokens, type LocatedTokens } from '@tenantry/service-kit';
import type { Tenant } from '../database.ts';
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
  make(tenant: Tenant, quoteId: string): Promise<string>;
}

/** What links are made with. */
export interface QuoteLinksOptions {
  readonly repository: Pick<QuoteLinkRepository, 'insert'>;
  /** Where customers reach the gateway: `https://api.example`. */
  readonly publicUrl: string;
}

export function createQuoteLinks({ repository, publicUrl }: QuoteLinksOptions): QuoteLinks {
  return {
    async make(tenant, quoteId) {
      const id = randomUUID();
      const { token, digest } = quoteTokens.make({ ownerId: tenant.scope.organizationId, id });
      const hindrance = await repository.insert(tenant, { id, quoteId, digest });
      if (hindrance) throw new NotOffered(quoteId, hindrance);
      // In the query: paths are logged, queries are not.
      return `${publicUrl}/api/quotation/offer?token=${token}`;
    },
  };
}
