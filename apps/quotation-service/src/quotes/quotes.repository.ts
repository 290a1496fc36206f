import type { Totals } from '@tenantry/money';
import { pageOf, theOne, type Page } from '@tenantry/tenancy';
import type { Customer, quotedFields } from '../customers/customer.ts';
import { statement, type Rows, type Transaction } from '../database.ts';
import { packagesInTurns, packagesOf } from './in-turns.ts';
import { queryQuotePage } from './quote-page.repository.ts';
import { columns, contentBytes, live, packageJson, toQuote } from './quote-rows.ts';
import type { ListedQuote, Quote, QuoteContent, QuoteListQuery, UnparsedQuote, WholeQuote } from './quote.ts';

/** Stored totals of a quote's content, so that a change need not read all of it. */
export interface Sums extends Totals {
  readonly textBytes: number;
}

/** The customer of a quote. */
export type QuoteCustomer = Pick<Customer, 'id' | (typeof quotedFields)[number]>;

/** A draft that has no number yet. */
export interface QuoteToInsert extends QuoteContent {
  readonly customer: QuoteCustomer;
  /** The prefix of its number. */
  readonly numberPrefix: string;
  readonly year: number;
}

/** The changed fields of a draft. */
export interface QuoteToUpdate extends QuoteContent, Sums {
  readonly customer: QuoteCustomer;
}

const quoteHead = statement({
  name: 'quote-head',
  text: `SELECT ${columns} FROM quotes WHERE ${live} AND id = $2`,
});

const customerIdOf = statement({
  name: 'quote-customer-id',
  text: `SELECT customer_id AS "customerId" FROM quotes WHERE ${live} AND id = $2`,
});

// A row for each package, so that no value is large, and in one statement, so that everything is of one snapshot.
const wholeQuote = statement({
  name: 'quote-whole',
  text: `
    SELECT ${columns}, (SELECT min(opened_at) FROM quote_links WHERE organization_id = $1 AND quote_id = $2) AS "openedAt",
      fits, package AS "workPackage"
    FROM quotes CROSS JOIN LATERAL (SELECT ${contentBytes} <= $3 AS fits) AS content LEFT JOIN LATERAL (
      SELECT ${packageJson}::text, p.position, p.id
      FROM work_packages p WHERE p.organization_id = $1 AND p.quote_id = $2 AND fits
    ) AS packages (package, place, package_id) ON true
    WHERE ${live} AND id = $2 ORDER BY place, package_id`,
});

const countLines = statement({
  name: 'quote-count-lines',
  text: `SELECT coalesce(sum(item_count), 0)::int AS lines FROM work_packages WHERE organization_id = $1 AND quote_id = $2`,
});

const quoteForUpdate = statement({
  name: 'quote-for-update',
  text: `SELECT ${columns} FROM quotes WHERE ${live} AND id = $2 FOR NO KEY UPDATE`,
});

// The counter row is locked until the transaction ends, and a rollback returns the number.
const insertQuote = statement({
  name: 'quote-insert',
  text: `
    WITH counter AS (
      INSERT INTO quote_counters (organization_id, year, last_number) VALUES ($1, $3, 1)
      ON CONFLICT (organization_id, year) DO UPDATE SET last_number = quote_counters.last_number + 1
      RETURNING organization_id, last_number AS sequence
    )
    INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, customer_email,
      customer_address, customer_vat_number, title, description, currency, vat_rate, vat_exemption_reason, valid_until,
      text_bytes, text_version)
    SELECT $1, concat_ws('-', $2::text, $3::int, lpad(sequence::text, greatest(4, length(sequence::text)), '0')),
      $3, sequence, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
      octet_length($9::text) + octet_length($10::text) + octet_length(coalesce($13::text, '')), 1
    FROM counter WHERE organization_id = $1
    RETURNING id, number`,
});

const updateQuote = statement({
  name: 'quote-update',
  text: `
    UPDATE quotes SET customer_id = $3, customer_name = $4, customer_email = $5, customer_address = $6,
      customer_vat_number = $7, title = $8, description = $9, currency = $10, vat_rate = $11, vat_exemption_reason = $12,
      valid_until = $13, subtotal = $14, vat_amount = $15, total_amount = $16, text_bytes = $17, text_version = version + 1
    WHERE ${live} AND id = $2 AND status = 'draft' RETURNING ${columns}`,
});

const linesExist = statement({
  name: 'quote-lines-exist',
  text: `SELECT EXISTS (SELECT FROM line_items WHERE organization_id = $1 AND quote_id = $2) AS exist`,
});

const markDeleted = statement({
  name: 'quote-mark-deleted',
  text: `UPDATE quotes SET deleted_at = $3 WHERE ${live} AND id = $2 AND status = 'draft' RETURNING id`,
});

const setSums = statement({
  name: 'quote-set-sums',
  text: `
    UPDATE quotes SET subtotal = $3, vat_amount = $4, total_amount = $5, text_bytes = $6, text_version = version + 1
    WHERE ${live} AND id = $2 AND status = 'draft' RETURNING ${columns}`,
});

const countText = statement({
  name: 'quote-count-text',
  text: `
    SELECT (octet_length(title) + octet_length(description) + coalesce(octet_length(vat_exemption_reason), 0) + (
        SELECT coalesce(sum(octet_length(name) + octet_length(description)), 0)
        FROM work_packages WHERE organization_id = $1 AND quote_id = $2
      ) + (
        SELECT coalesce(sum(octet_length(article_number) + octet_length(description) + octet_length(unit)), 0)
        FROM line_items WHERE organization_id = $1 AND quote_id = $2
      ))::int AS bytes
    FROM quotes WHERE ${live} AND id = $2`,
});

const renameCustomers = statement({
  name: 'quote-rename-customers',
  text: `
    UPDATE quotes SET customer_name = of.name, customer_email = of.email, customer_address = of.address,
      customer_vat_number = of.vat_number, text_version = text_version + 1
    FROM customers AS of
    WHERE of.organization_id = $1 AND of.id = ANY ($2::uuid[]) AND quotes.organization_id = $1
      AND quotes.customer_id = of.id AND deleted_at IS NULL AND superseded_by IS NULL AND status = 'draft'`,
});

const milestonesOfQuotes = statement({
  name: 'quote-milestones',
  text: `
    SELECT id, (SELECT min(opened_at) FROM quote_links WHERE organization_id = $1 AND quote_id = quotes.id) AS "openedAt",
      (SELECT decided_at FROM quote_decisions WHERE organization_id = $1 AND quote_id = quotes.id) AS "decidedAt"
    FROM quotes WHERE organization_id = $1 AND id = ANY ($2::uuid[])`,
});

/** The quotes of an organization, without deleted ones. */
export class QuoteRepository {
  async list(rows: Rows, { hasMilestones, ...query }: QuoteListQuery): Promise<Page<ListedQuote>> {
    const page = pageOf(await queryQuotePage(rows, query));
    if (hasMilestones !== true || page.items.length === 0) return page;
    const found = await rows.query(milestonesOfQuotes, [page.items.map(({ id }) => id)]);
    const milestones = new Map(found.map(({ id, ...of }) => [id, of]));
    return { ...page, items: page.items.map((quote) => ({ ...quote, ...milestones.get(quote.id) })) };
  }

  /** The quote alone. */
  async findHead(rows: Rows, id: string): Promise<Quote | undefined> {
    const [row] = await rows.query(quoteHead, [id]);
    return row && toQuote(row);
  }

  /** The quote with its packages and lines, of one snapshot; 'too-large' if these exceed the given size. */
  async find(rows: Rows, id: string, bytesMax: number): Promise<WholeQuote | 'too-large' | undefined> {
    const found = await this.findUnparsed(rows, id, bytesMax);
    if (found === undefined || found === 'too-large') return found;
    const { packages, ...quote } = found;
    return { ...quote, workPackages: await packagesInTurns(packages) };
  }

  /** The same with its packages as JSON, for a thread to parse. */
  async findUnparsed(
    rows: Rows,
    id: string,
    bytesMax: number,
  ): Promise<UnparsedQuote | 'too-large' | undefined> {
    const found = await rows.query(wholeQuote, [id, bytesMax]);
    const [row] = found;
    if (!row) return undefined;
    const { fits, workPackage: first, openedAt, ...head } = row;
    if (!fits) return 'too-large';
    return { ...toQuote(head), openedAt, packages: first === null ? [] : packagesOf(found) };
  }

  /** How many lines a quote has, without reading them. */
  async countLines(rows: Rows, id: string): Promise<number> {
    return theOne(await rows.query(countLines, [id])).lines;
  }

  async customerIdOf(tx: Transaction, id: string): Promise<string | undefined> {
    const [found] = await tx.query(customerIdOf, [id]);
    return found?.customerId;
  }

  /** Finds the quote, and locks it with its packages and lines until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<Quote | undefined> {
    const [row] = await tx.query(quoteForUpdate, [id]);
    return row && toQuote(row);
  }

  /** Adds a draft under the next number of its year. Call it last: the organization's next draft waits for it. */
  async insert(
    tx: Transaction,
    { numberPrefix, year, customer, ...content }: QuoteToInsert,
  ): Promise<Pick<Quote, 'id' | 'number'>> {
    const values = [...customerValues(customer), ...contentValues(content)] as const;
    return theOne(await tx.query(insertQuote, [numberPrefix, year, ...values]));
  }

  /** Stores a draft and its totals. */
  async update(tx: Transaction, id: string, { customer, ...quote }: QuoteToUpdate): Promise<Quote> {
    const values = [...customerValues(customer), ...contentValues(quote), ...sumValues(quote)] as const;
    return toQuote(theOne(await tx.query(updateQuote, [id, ...values])));
  }

  async hasLines(tx: Transaction, id: string): Promise<boolean> {
    return theOne(await tx.query(linesExist, [id])).exist;
  }

  /** Marks a draft as deleted; its number is not reused. */
  async markDeleted(tx: Transaction, id: string, at: Date): Promise<void> {
    theOne(await tx.query(markDeleted, [id, at]));
  }

  async setSums(tx: Transaction, id: string, sums: Sums): Promise<Quote> {
    return toQuote(theOne(await tx.query(setSums, [id, ...sumValues(sums)])));
  }

  /** Counts the bytes of all texts of a quote. */
  async countText(tx: Transaction, id: string): Promise<number> {
    return theOne(await tx.query(countText, [id])).bytes;
  }

  /** Updates what drafts show of customers that have been stored. */
  async renameCustomers(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.query(renameCustomers, [[...ids]]);
  }
}

const customerValues = ({ id, name, email, address, vatNumber }: QuoteCustomer) =>
  [id, name, email, address, vatNumber] as const;

const sumValues = ({ subtotal, vatAmount, totalAmount, textBytes }: Sums) =>
  [subtotal, vatAmount, totalAmount, textBytes] as const;

function contentValues(content: QuoteContent) {
  const { title, description, currency, vatRate, vatExemptionReason, validUntil } = content;
  return [title, description, currency, vatRate, vatExemptionReason, validUntil] as const;
}
