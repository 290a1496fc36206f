import { theOne } from '@tenantry/tenancy';
import { statement, type Transaction } from '../database.ts';
import { columns, live, toQuote } from '../quotes/quote-rows.ts';
import type { Quote, SenderThen } from '../quotes/quote.ts';

// As they are stored: composed, unless that would take quadratic time.
const lettersOf = statement({
  name: 'quote-letters',
  text: `
    SELECT coalesce(string_agg(DISTINCT letter, ''), '') AS letters
    FROM (
        SELECT concat_ws(' ', title, description, vat_exemption_reason) FROM quotes WHERE ${live} AND id = $2
        UNION ALL SELECT concat_ws(' ', name, description)
        FROM work_packages WHERE organization_id = $1 AND quote_id = $2
        UNION ALL SELECT concat_ws(' ', article_number, description, unit)
        FROM line_items WHERE organization_id = $1 AND quote_id = $2
      ) AS texts (text), unnest(string_to_array(text, NULL)) AS letter
    WHERE text ~ '[^\\u0001-\\u017F]'`,
});

const markSent = statement({
  name: 'quote-mark-sent',
  text: `
    UPDATE quotes SET status = 'sent', sent_at = $3, seller = $4, sent_by = $5
    WHERE ${live} AND id = $2 AND status = 'draft' RETURNING ${columns}`,
});

/** Sends quotes that the transaction has locked. */
export class SentQuoteRepository {
  /** The distinct characters of a quote's own texts, without those of Latin texts. */
  async lettersOf(tx: Transaction, id: string): Promise<string> {
    return theOne(await tx.query(lettersOf, [id])).letters;
  }

  /** Moves a draft to sent. */
  async markSent(
    tx: Transaction,
    id: string,
    { at, by, seller }: { at: Date; by: string; seller: SenderThen },
  ): Promise<Quote> {
    return toQuote(theOne(await tx.query(markSent, [id, at, seller, by])));
  }
}
