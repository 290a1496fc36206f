import { statement } from '@tenantry/tenancy';
import { theOne, type Transaction } from '../database.ts';
import type { LineItem } from '../quotes/quote.ts';

/** What a line says; its price follows of it. */
export type LineItemContent = Omit<LineItem, 'id' | 'totalPrice'>;

/** Where a line is. */
export interface LineItemPlace {
  readonly quoteId: string;
  readonly workPackageId: string;
}

/** A line that has no id yet. */
export interface LineItemToInsert extends LineItemPlace, Omit<LineItem, 'id'> {
  readonly position: number;
  /** The quote's. */
  readonly currency: string;
}

/** The lines of a quote that the transaction has locked. */
export interface LineItemRepository {
  insert(tx: Transaction, line: LineItemToInsert): Promise<string>;
}

type ContentValues = [
  articleNumber: string,
  description: string,
  quantity: number,
  unit: string,
  unitPrice: number,
  totalPrice: number,
];

const insertLineItem = statement<
  { id: string },
  [quoteId: string, workPackageId: string, ...ContentValues, position: number, currency: string]
>({
  name: 'line-item-insert',
  text: `
    INSERT INTO line_items (organization_id, quote_id, work_package_id, article_number, description, quantity, unit,
      unit_price, total_price, position, currency)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    RETURNING id`,
});

/** Lines in PostgreSQL. */
export function createLineItemRepository(): LineItemRepository {
  return {
    async insert(tx, { quoteId, workPackageId, position, currency, ...line }) {
      const values = contentValues(line);
      const inserted = await tx.query(insertLineItem, [
        quoteId,
        workPackageId,
        ...values,
        position,
        currency,
      ]);
      return theOne(inserted).id;
    },
  };
}

function contentValues(line: Omit<LineItem, 'id'>): ContentValues {
  const { articleNumber, description, quantity, unit, unitPrice, totalPrice } = line;
  return [articleNumber, description, quantity, unit, unitPrice, totalPrice];
}
