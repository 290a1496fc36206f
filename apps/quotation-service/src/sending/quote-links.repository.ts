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
  /** Keeps a link, unless the organization was deleted or the customer erased meanwhile. @returns whether it is kept */
  insert(rows: Rows, link: QuoteLink & { readonly id: string }): Promise<boolean>;
}

const findLink = statement<QuoteLink, [id: string]>({
  name: 'quote-link',
  text: 'SELECT quote_id AS "quoteId", digest FROM quote_links WHERE organization_id = $1 AND id = $2',
});

const insertLink = statement<{ id: string }, [id: string, quoteId: string, digest: Uint8Array]>({
  name: 'quote-link-insert',
  text: `
    INSERT INTO quote_links (organization_id, id, quote_id, digest)
    SELECT $1, $2, id, $4 FROM quotes q WHERE organization_id = $1 AND id = $3
      AND NOT EXISTS (SELECT FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM customers WHERE organization_id = $1 AND id = q.customer_id AND erased_at IS NOT NULL)
    RETURNING id`,
});

/** Links in PostgreSQL. */
export function createQuoteLinkRepository(): QuoteLinkRepository {
  return {
    async find(rows, id) {
      const [link] = await rows.query(findLink, [id]);
      return link;
    },

    async insert(rows, { id, quoteId, digest }) {
      return (await rows.query(insertLink, [id, quoteId, digest])).length > 0;
    },
  };
}
