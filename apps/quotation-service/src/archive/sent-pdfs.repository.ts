import { statement, type Rows } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/** A quote as its files are named, the language that was chosen for its customer, and whether it had a contract. */
export type SentPdf = Statements['quotes-sent']['row'];

/** Quotes that are known at once. */
const pageSize = 100;

const sentQuotes = statement({
  name: 'quotes-sent',
  text: `
    SELECT q.id, q.number, q.revision, c.language, EXISTS (
        SELECT FROM contracts k WHERE k.organization_id = $1 AND k.quote_id = q.id AND k.created_at <= $3
      ) AS "hasContract"
    FROM quotes q JOIN customers c ON c.organization_id = $1 AND c.id = q.customer_id
    WHERE q.organization_id = $1 AND q.deleted_at IS NULL AND q.id > $2 AND q.sent_at <= $3
      AND ($4::int IS NULL OR q.number_year = $4)
    ORDER BY q.id LIMIT ${pageSize}`,
});

interface Listed {
  readonly moment: Date;
  readonly year?: number | null | undefined;
}

/** Lists the quotes that an archive has as PDFs. */
export class SentPdfRepository {
  /** Those that were sent by then, of a year or of all, a few at a time. */
  async *list(rows: Rows, { moment, year = null }: Listed): AsyncGenerator<SentPdf> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const page = await rows.query(sentQuotes, [after, moment, year]);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.id;
    }
  }
}
