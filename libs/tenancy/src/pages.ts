/** A row of a page, with the exact total beside its item. A page beyond the end is one row with a total and no item. */
export type PageRow<Key extends string = 'id'> = Readonly<Record<Key, string | null>> & {
  readonly total: number;
};

/** Selects a page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A page of items, and their total at the same moment. */
export interface Page<Item> {
  readonly items: Item[];
  readonly total: number;
}

/** A row with an item: of those with the key, that is. */
type ItemOf<Row, Key extends string> = Extract<Row, Readonly<Record<Key, string>>>;

/**
 * The page of a statement that answers {@link PageRow}s. Its rows are the items: nothing is copied.
 *
 * @param key what identifies an item; default: `id`
 */
export function pageOf<Row extends PageRow>(rows: readonly Row[]): Page<ItemOf<Row, 'id'>>;
export function pageOf<Key extends string, Row extends PageRow<Key>>(
  rows: readonly Row[],
  key: Key,
): Page<ItemOf<Row, Key>>;
export function pageOf<Row extends PageRow<string>>(
  rows: readonly Row[],
  key = 'id',
): Page<ItemOf<Row, string>> {
  const items = rows.filter((row) => row[key] !== null) as ItemOf<Row, string>[];
  return { items, total: rows[0]?.total ?? 0 };
}

/** The row of a query that always answers one. */
export function theOne<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('a query that always answers a row answered none');
  return row;
}
