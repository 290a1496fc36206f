import { theOne } from '@tenantry/tenancy';
import { statement, type Transaction } from '../database.ts';
import type { LineItem } from '../quotes/quote.ts';

/** The content of a line, from which its price follows. */
export type LineItemContent = Omit<LineItem, 'id' | 'totalPrice'>;

/** The location of a line. */
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

const inPackage = 'organization_id = $1 AND quote_id = $2 AND work_package_id = $3';

const lineItemById = statement({
  name: 'line-item-by-id',
  text: `
    SELECT id, article_number AS "articleNumber", description, quantity::float8 AS quantity, unit,
      unit_price::float8 AS "unitPrice", total_price::float8 AS "totalPrice"
    FROM line_items WHERE ${inPackage} AND id = $4`,
});

const updateLineItem = statement({
  name: 'line-item-update',
  text: `
    UPDATE line_items SET article_number = $5, description = $6, quantity = $7, unit = $8, unit_price = $9,
      total_price = $10
    WHERE ${inPackage} AND id = $4 RETURNING id`,
});

const deleteLineItem = statement({
  name: 'line-item-delete',
  text: `DELETE FROM line_items WHERE ${inPackage} AND id = $4 RETURNING id`,
});

const lineItemIds = statement({
  name: 'line-item-ids',
  text: `SELECT id FROM line_items WHERE ${inPackage} ORDER BY position, id`,
});

const reorderLineItems = statement({
  name: 'line-item-reorder',
  text: `
    UPDATE line_items SET position = array_position($4::uuid[], id)
    WHERE ${inPackage} AND id = ANY ($4::uuid[])`,
});

const insertLineItem = statement({
  name: 'line-item-insert',
  text: `
    INSERT INTO line_items (organization_id, quote_id, work_package_id, article_number, description, quantity, unit,
      unit_price, total_price, position, currency)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    RETURNING id`,
});

/** The lines of a quote that the transaction has locked. */
export class LineItemRepository {
  async insert(
    tx: Transaction,
    { quoteId, workPackageId, position, currency, ...line }: LineItemToInsert,
  ): Promise<string> {
    const values = [quoteId, workPackageId, ...contentValues(line), position, currency] as const;
    return theOne(await tx.query(insertLineItem, values)).id;
  }

  async find(tx: Transaction, place: LineItemPlace, id: string): Promise<LineItem | undefined> {
    const [found] = await tx.query(lineItemById, [...placeValues(place), id]);
    return found;
  }

  async update(tx: Transaction, place: LineItemPlace, { id, ...line }: LineItem): Promise<void> {
    theOne(await tx.query(updateLineItem, [...placeValues(place), id, ...contentValues(line)]));
  }

  async remove(tx: Transaction, place: LineItemPlace, id: string): Promise<void> {
    theOne(await tx.query(deleteLineItem, [...placeValues(place), id]));
  }

  /** The ids of all lines of a package, in their order. */
  async ids(tx: Transaction, place: LineItemPlace): Promise<string[]> {
    return (await tx.query(lineItemIds, placeValues(place))).map(({ id }) => id);
  }

  async reorder(tx: Transaction, place: LineItemPlace, ids: readonly string[]): Promise<void> {
    await tx.query(reorderLineItems, [...placeValues(place), ids]);
  }
}

const placeValues = ({ quoteId, workPackageId }: LineItemPlace) => [quoteId, workPackageId] as const;

function contentValues(line: Omit<LineItem, 'id'>) {
  const { articleNumber, description, quantity, unit, unitPrice, totalPrice } = line;
  return [articleNumber, description, quantity, unit, unitPrice, totalPrice] as const;
}
