/** A row of a page, with the exact total beside its item. A page beyond the end is one row with a total and no item. */
export type PageRow<Item extends { readonly id: string }> = { readonly total: number } & (
  | Item
  | { readonly id: null }
);

/** One page, and how many items there are in all, as of one moment. */
export interface Page<Item> {
  readonly items: Item[];
  readonly total: number;
}

/** The page of a statement that answers {@link PageRow}s. Its rows are the items: nothing is copied. */
export function pageOf<Item extends { readonly id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.filter((row): row is { readonly total: number } & Item => row.id !== null);
  return { items, total: rows[0]?.total ?? 0 };
}
