import type { LinkedRow } from '@tenantry/business-service';
import { statement } from '@tenantry/tenancy';
import type { Rows } from '../database.ts';

/** A link by which a customer opens a quote. */
export interface QuoteLink extends LinkedRow {
  readonly quoteId: string;
}

/** Links to quotes. */
export interface QuoteLinkRepository {
  find(rows: Rows, id: string): Promise<QuoteLink | undefined>;
  insert(rows: Rows, link: QuoteLink & { readonly id: string }): Promise<void>;
}

const findLink = statement<QuoteLink, [id: string]>({
  name: 'quote-link',
  text: 'SELECT quote_id AS "quoteId", digest FROM quote_links WHERE organization_id = $1 AND id = $2',
});

const insertLink = statement<never, [id: string, quoteId: string, digest: Uint8Array]>({
  name: 'quote-link-insert',
  text: 'INSERT INTO quote_links (organization_id, id, quote_id, digest) VALUES ($1, $2, $3, $4)',
});

/** Links in PostgreSQL. */
export function createQuoteLinkRepository(): QuoteLinkRepository {
  return {
    async find(rows, id) {
      const [link] = await rows.query(findLink, [id]);
      return link;
    },

    async insert(rows, { id, quoteId, digest }) {
      await rows.query(insertLink, [id, quoteId, digest]);
    },
  };
}
