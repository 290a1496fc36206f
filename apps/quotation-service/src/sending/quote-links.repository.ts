import type { LinkedRow } from '@tenantry/service/business';
import { theOne } from '@tenantry/tenancy';
import { statement, type Rows } from '../database.ts';
import { languageCodes, type Language } from '../wording/languages.ts';

/** A link by which a customer opens a quote. */
export interface QuoteLink extends LinkedRow {
  readonly linkId: string;
  readonly quoteId: string;
  /** Whether a person has opened its page. */
  readonly isOpened: boolean;
  /** That of the letters to its customer; null where none was chosen. */
  readonly language: Language | null;
}

/** Why a quote is no longer offered. */
export type Hindrance = 'ORGANIZATION_DELETED' | 'CUSTOMER_ERASED';

const findLink = statement({
  name: 'quote-link',
  text: `
    SELECT l.id AS "linkId", l.quote_id AS "quoteId", l.digest, l.opened_at IS NOT NULL AS "isOpened", c.language
    FROM quote_links l
    JOIN quotes q ON q.organization_id = $1 AND q.id = l.quote_id
    LEFT JOIN customers c ON c.organization_id = $1 AND c.id = q.customer_id
    WHERE l.organization_id = $1 AND l.id = $2`,
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

const countLinks = statement({
  name: 'quote-links-count',
  text: 'SELECT count(*)::int AS links FROM quote_links WHERE organization_id = $1 AND quote_id = $2',
});

const markOpened = statement({
  name: 'quote-link-mark-opened',
  text: 'UPDATE quote_links SET opened_at = $3 WHERE organization_id = $1 AND id = $2 AND opened_at IS NULL',
});

/** Links to quotes. */
export class QuoteLinkRepository {
  async find(rows: Rows, id: string): Promise<QuoteLink | undefined> {
    const [link] = await rows.query(findLink, [id]);
    return link && { ...link, language: languageCodes.find((code) => code === link.language) ?? null };
  }

  /** Stores a link, unless the organization was deleted or the customer erased meanwhile. */
  async insert(
    rows: Rows,
    { linkId, quoteId, digest }: Omit<QuoteLink, 'isOpened' | 'language'>,
  ): Promise<Hindrance | undefined> {
    const [offered] = await rows.query(insertLink, [linkId, quoteId, digest]);
    if (!offered) throw new Error(`there is no quote ${quoteId}`);
    return offered.hindrance ?? undefined;
  }

  /** How many links a quote has. */
  async count(rows: Rows, quoteId: string): Promise<number> {
    return theOne(await rows.query(countLinks, [quoteId])).links;
  }

  /** Records when the page of a link was first opened. */
  async markOpened(rows: Rows, id: string, at: Date): Promise<void> {
    await rows.query(markOpened, [id, at]);
  }
}
