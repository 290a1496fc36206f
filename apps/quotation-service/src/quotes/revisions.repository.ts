import { pageOf, theOne, type Page, type PageRequest } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { live } from './quote-rows.ts';
import type { QuoteToUpdate } from './quotes.repository.ts';
import type { Quote } from './quote.ts';

/** A new revision. */
export type Revision = Pick<Quote, 'id' | 'number' | 'revision'>;

/** A revision in the list of its quote's revisions. Times are ISO 8601 UTC. */
export type ListedRevision = Pick<
  Quote,
  | 'id'
  | 'number'
  | 'revision'
  | 'status'
  | 'totalAmount'
  | 'currency'
  | 'sentAt'
  | 'supersededBy'
  | 'createdAt'
>;

// Deleted revisions count: their number is not reused.
const insertRevision = statement({
  name: 'quote-insert-revision',
  text: `
    INSERT INTO quotes (organization_id, number, number_year, number_sequence, revision, customer_id, customer_name,
      customer_email, customer_address, customer_vat_number, title, description, currency, vat_rate, vat_exemption_reason, subtotal, vat_amount, total_amount,
      valid_until, text_bytes, text_version)
    SELECT $1, number, number_year, number_sequence, (
        SELECT max(revision) + 1 FROM quotes r WHERE r.organization_id = $1
        AND r.number_year = quotes.number_year AND r.number_sequence = quotes.number_sequence
      ), customer_id, $3, $4, $5, $6, title, description, currency, vat_rate, vat_exemption_reason, subtotal, vat_amount,
      total_amount, $7, $8, 1
    FROM quotes WHERE ${live} AND id = $2
    RETURNING id, number, revision`,
});

// An empty page still has a row with the total.
const revisionPage = statement({
  name: 'quote-revisions',
  text: `
    WITH quote AS (
      SELECT number_year, number_sequence FROM quotes WHERE ${live} AND id = $2
    ), counted AS (
      SELECT count(*)::int AS total FROM quotes r JOIN quote USING (number_year, number_sequence)
      WHERE r.organization_id = $1 AND r.deleted_at IS NULL
    )
    SELECT counted.total, page.* FROM counted LEFT JOIN LATERAL (
      SELECT r.id, r.number, r.revision, r.status, r.total_amount::float8 AS "totalAmount", r.currency,
        r.sent_at AS "sentAt", r.superseded_by AS "supersededBy", r.created_at AS "createdAt"
      FROM quotes r JOIN quote USING (number_year, number_sequence)
      WHERE r.organization_id = $1 AND r.deleted_at IS NULL ORDER BY r.revision DESC LIMIT $3 OFFSET $4
    ) AS page ON true`,
});

const supersede = statement({
  name: 'quote-supersede',
  text: `UPDATE quotes SET superseded_by = $3 WHERE ${live} AND id = $2 AND superseded_by IS NULL RETURNING id`,
});

const reinstate = statement({
  name: 'quote-reinstate',
  text: 'UPDATE quotes SET superseded_by = NULL WHERE organization_id = $1 AND superseded_by = $2',
});

const copyPackages = statement({
  name: 'work-package-copy',
  text: `
    INSERT INTO work_packages (organization_id, quote_id, id, position, name, description, subtotal, item_count,
      last_position)
    SELECT $1, $3, id, position, name, description, subtotal, item_count, last_position
    FROM work_packages WHERE organization_id = $1 AND quote_id = $2`,
});

const copyLines = statement({
  name: 'line-item-copy',
  text: `
    INSERT INTO line_items (organization_id, quote_id, work_package_id, id, position, article_number, description,
      quantity, unit, unit_price, currency, total_price)
    SELECT $1, $3, work_package_id, id, position, article_number, description, quantity, unit, unit_price, currency,
      total_price
    FROM line_items WHERE organization_id = $1 AND quote_id = $2`,
});

/** Revisions and copies of quotes that the transaction has locked. */
export class RevisionRepository {
  /** Adds a draft of the next revision, without packages, which replaces the given one. */
  async insert(
    tx: Transaction,
    id: string,
    { customer, validUntil, textBytes }: Pick<QuoteToUpdate, 'customer' | 'validUntil' | 'textBytes'>,
  ): Promise<Revision> {
    const { name, email, address, vatNumber } = customer;
    const values = [id, name, email, address, vatNumber, validUntil, textBytes] as const;
    const revision = theOne(await tx.query(insertRevision, values));
    theOne(await tx.query(supersede, [id, revision.id]));
    return revision;
  }

  /** A page of the revisions of a quote, the latest first; empty for an unknown id. */
  async page(rows: Rows, id: string, { page, pageSize }: PageRequest): Promise<Page<ListedRevision>> {
    return pageOf(await rows.query(revisionPage, [id, pageSize, (page - 1) * pageSize]));
  }

  /** Copies packages and lines, which keep their ids. */
  async copyContent(tx: Transaction, from: string, to: string): Promise<void> {
    await tx.query(copyPackages, [from, to]);
    await tx.query(copyLines, [from, to]);
  }

  /** Makes the revision current again that a deleted one had replaced. */
  async reinstate(tx: Transaction, deletedId: string): Promise<void> {
    await tx.query(reinstate, [deletedId]);
  }
}
