import type { LinkedRow } from '@tenantry/business-service';
import { statement, type Rows } from '../database.ts';

/** A link by which a customer opens a quote. */
export interface QuoteLink extends LinkedRow {
  readonly quoteId: string;
}

/** Why a quote is offered to nobody any more. */
export type Hindrance = 'ORGANIZATION_DELETED' | 'CUSTOMER_ERASED';

/** Links to quotes. */
export interface QuoteLinkRepository {
  find(rows: Rows, id: string): Promise<QuoteLink | undefined>;
  /** Keeps a link, unless the organization was deleted or the customer erased meanwhile. */
  insert(rows: Rows, link: QuoteLink & { readonly id: string }): Promise<Hindrance | undefined>;
}

const findLink = statement({
  name: 'quote-link',
  text: 'SELECT quote_id AS "quoteId", digest FROM quote_links WHERE organization_id = $1 AND id = $2',
});

const insertLink = statement({
  name: 'quote-link-insert',
  text: `
    WITH offered AS MATERIALIZED (
      SELECT q.id, CASE
        WHEN EXISTS (SELECT FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL)
          THEN 'ORGANIZATION_DELETED'
        WHEN EXISTS (SELECT FROM customers WHERE organization_id = $1 AND id = q.customer_id AND erased_at IS NOT NULL)
          THEN 'CUSTOMER_ERASED'
        END AS hindrance
      FROM quotes q WHERE q.organization_id = $1 AND q.id = $3
    ), kept AS (
      INSERT INTO quote_links (organization_id, id, quote_id, digest)
      SELECT $1, $2, id, $4 FROM offered WHERE hindrance IS NULL)
    SELECT hindrance FROM offered`,
});

/** Links in PostgreSQL. */
export function createQuoteLinkRepository(): QuoteLinkRepository {
  return {
    async find(rows, id) {
      const [link] = await rows.query(findLink, [id]);
      return link;
    },

    async insert(rows, { id, quoteId, digest }) {
      const [offered] = await rows.query(insertLink, [id, quoteId, digest]);
      if (!offered) throw new Error(`there is no quote ${quoteId}`);
      return offered.hindrance ?? undefined;
    },
  };
}
