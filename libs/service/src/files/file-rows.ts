import type { ErrorDetail } from '@tenantry/envelope';

/** A row of a file, with the line in which it begins. */
export interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row as it is read: what it becomes, or its problems. */
export interface ReadRow<Item> extends FileRow {
  readonly warnings: readonly string[];
  readonly item?: Item;
  /** None if it becomes something. */
  readonly problems: readonly ErrorDetail[];
  /** Values of it that nothing has room for; the row is among those that were left out, and becomes something all the same. */
  readonly leftOut?: readonly { readonly field: string; readonly message: string }[];
}

/** The rows of a file, and the names of its columns. */
export interface RowsToImport<Item> {
  readonly names: readonly string[];
  readonly rows: AsyncGenerator<ReadRow<Item>>;
}
