// What PostgreSQL says of the statements in this folder. Written by `npm run statements`, compared by a test.

/** The columns of an outer join: all null if it found nothing. */
type Joined<Columns> = Columns | { readonly [Column in keyof Columns]: null };

/** The parameters of each statement, and its rows. */
export interface Statements {
  'archive-read': {
    values: readonly [];
    row: { readonly line: string | null };
  };
  'archive-write': {
    values: readonly [value2: unknown];
    row: never;
  };
  'field-note-by-id': {
    values: readonly [id: string];
    row: { readonly id: string; readonly title: string; readonly createdAt: string };
  };
  'field-note-insert': {
    values: readonly [title: string];
    row: { readonly id: string };
  };
  'field-note-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<{ readonly id: string; readonly title: string; readonly createdAt: string }>;
  };
  'organization-forget': {
    values: readonly [];
    row: never;
  };
  'organization-keep': {
    values: readonly [name: string];
    row: never;
  };
  'organization-name': {
    values: readonly [];
    row: { readonly name: string };
  };
}
