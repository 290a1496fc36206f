/** A row of a page, with the exact total beside its item. A page beyond the end is one row with a total and no item. */
export interface PageRow {
  readonly id: string | null;
  readonly total: number;
}

/** One page, and how many items there are in all, as of one moment. */
export interface Page<Item> {
  readonly items: Item[];
  readonly total: number;
}

/** The page of a statement that answers {@link PageRow}s. Its rows are the items: nothing is copied. */
export function pageOf<Row extends PageRow>(
  rows: readonly Row[],
): Page<Extract<Row, { readonly id: string }>> {
  const items = rows.filter((row) => row.id !== null) as Extract<Row, { readonly id: string }>[];
  return { items, total: rows[0]?.total ?? 0 };
}
