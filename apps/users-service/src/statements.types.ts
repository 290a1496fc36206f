// What PostgreSQL says of the statements in this folder. Written by `npm run statements`, compared by a test.

/** The columns of an outer join: all null if it found nothing. */
type Joined<Columns> = Columns | { readonly [Column in keyof Columns]: null };

/** The parameters of each statement, and its rows. */
export interface Statements {
  'archive-read': {
    values: readonly [];
    row: { readonly line: string | null };
  };
  'user-by-id': {
    values: readonly [userId: string];
    row: {
      readonly id: string;
      readonly email: string;
      readonly firstName: string;
      readonly lastName: string;
      readonly name: string;
      readonly familyName: string | null;
      readonly disabled: boolean;
      readonly role: string;
      readonly version: number;
      readonly createdAt: string;
    };
  };
  'user-forget': {
    values: readonly [userId: string];
    row: never;
  };
  'user-keep': {
    values: readonly [
      userId: string,
      email: string,
      name: string,
      familyName: string | null,
      firstName: string,
      lastName: string,
      createdAt: Date | string,
      disabled: boolean,
      role: string,
    ];
    row: never;
  };
  'user-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly email: string;
      readonly firstName: string;
      readonly lastName: string;
      readonly createdAt: string;
      readonly disabled: boolean;
      readonly role: string;
    }>;
  };
  'user-page-search': {
    values: readonly [limit: number, offset: number, value4: string | null];
    row: Statements['user-page']['row'];
  };
  'user-search-sample': {
    values: readonly [value2: string];
    row: { readonly isRare: boolean };
  };
  'user-suggestions': {
    values: readonly [value2: string, limit: number];
    row: { readonly id: string; readonly name: string; readonly email: string };
  };
}
