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
  'lead-by-id': {
    values: readonly [id: string];
    row: Statements['lead-export']['row'] & {
      readonly furtherMoves: readonly string[] | null;
    };
  };
  'lead-by-id-for-update': {
    values: readonly [id: string];
    row: Statements['lead-export']['row'] & {
      readonly isDeleted: boolean;
    };
  };
  'lead-duplicate': {
    values: readonly [id: string, value3: string | null];
    row: { readonly id: string };
  };
  'lead-export': {
    values: readonly [
      limit: number,
      offset: number,
      statusList: readonly ('new' | 'contacted' | 'qualified' | 'lost' | 'won')[],
      value5: string | null,
      value6: string | null,
      createdAt: Date | string,
      createdAt2: Date | string,
    ];
    row: {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly phone: string | null;
      readonly source: string | null;
      readonly notes: string | null;
      readonly status: 'new' | 'contacted' | 'qualified' | 'lost' | 'won';
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  'lead-fill-many': {
    values: readonly [
      value2: readonly string[],
      value3: readonly string[],
      value4: readonly string[],
      value5: readonly string[],
    ];
    row: {
      readonly id: string;
      readonly version: number;
      readonly phone: boolean;
      readonly source: boolean;
      readonly notes: boolean;
    };
  };
  'lead-import-begin': {
    values: readonly [
      id: string,
      actorKind: 'user' | 'service-account',
      actorUserId: string,
      fileName: string | null,
    ];
    row: never;
  };
  'lead-import-by-id': {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly fileName: string | null;
      readonly startedAt: string;
      readonly status: 'interrupted' | 'running' | 'done' | 'failed';
      readonly rows: number;
      readonly imported: number;
      readonly filled: number;
      readonly skipped: number;
      readonly rejected: number;
      readonly saved: number;
      readonly undoneAt: string | null;
      readonly undone: number;
    };
  };
  'lead-import-end': {
    values: readonly [
      id: string,
      status: 'running' | 'done' | 'failed',
      rows: number,
      imported: number,
      filled: number,
      skipped: number,
      rejected: number,
      saved: number,
    ];
    row: never;
  };
  'lead-import-left-out': {
    values: readonly [importId: string, part: number];
    row: { readonly part: number; readonly leftOut: string };
  };
  'lead-import-live': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string; readonly name: string };
  };
  'lead-import-lock': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'lead-import-move': {
    values: readonly [id: string, rows: number];
    row: never;
  };
  'lead-import-note-undone': {
    values: readonly [id: string, undone: number];
    row: never;
  };
  'lead-import-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<Statements['lead-import-by-id']['row']>;
  };
  'lead-import-part-insert': {
    values: readonly [
      importId: string,
      part: number,
      leadIds: readonly string[],
      filled: unknown,
      leftOut: string,
    ];
    row: never;
  };
  'lead-import-part-next': {
    values: readonly [importId: string, part: number];
    row: { readonly part: number; readonly ids: readonly string[]; readonly filled: unknown };
  };
  'lead-import-turn': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'lead-import-undo-created': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string };
  };
  'lead-import-undo-filled': {
    values: readonly [value2: unknown];
    row: { readonly id: string };
  };
  'lead-imports-purge': {
    values: readonly [value2: number];
    row: { readonly id: string };
  };
  'lead-insert': {
    values: readonly [
      name: string,
      email: string | null,
      phone: string | null,
      source: string | null,
      notes: string | null,
    ];
    row: { readonly id: string; readonly duplicateOf: string | null };
  };
  'lead-insert-many': {
    values: readonly [
      actorKind: 'user' | 'service-account' | null,
      actorUserId: string | null,
      nameList: readonly string[],
      emailList: readonly string[],
      phoneList: readonly (string | null)[],
      sourceList: readonly (string | null)[],
      notesList: readonly (string | null)[],
    ];
    row: { readonly id: string };
  };
  'lead-mark-deleted': {
    values: readonly [id: string, version: number];
    row: { readonly id: string };
  };
  'lead-move-insert': {
    values: readonly [
      leadId: string,
      fromStatus: 'new' | 'contacted' | 'qualified' | 'lost' | 'won' | null,
      toStatus: 'new' | 'contacted' | 'qualified' | 'lost' | 'won',
      actorKind: 'user' | 'service-account' | null,
      actorUserId: string | null,
      quoteId: string | null,
      quoteNumber: string | null,
    ];
    row: never;
  };
  'lead-move-page': {
    values: readonly [leadId: string, limit: number, offset: number];
    row: {
      readonly total: number;
      readonly latestKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
      readonly actorName: string | null;
    } & Joined<{
      readonly id: string;
      readonly from: 'new' | 'contacted' | 'qualified' | 'lost' | 'won' | null;
      readonly to: 'new' | 'contacted' | 'qualified' | 'lost' | 'won';
      readonly actorKind: 'user' | 'service-account' | null;
      readonly actorUserId: string | null;
      readonly quoteId: string | null;
      readonly quoteNumber: string | null;
      readonly at: string;
    }>;
  };
  'lead-moved-since': {
    values: readonly [leadId: string, quoteId: string, value4: Date | string];
    row: { readonly hasMoved: boolean; readonly hasEnded: boolean };
  };
  'lead-page': {
    values:
      | readonly [
          limit: number,
          offset: number,
          status: 'new' | 'contacted' | 'qualified' | 'lost' | 'won',
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('new' | 'contacted' | 'qualified' | 'lost' | 'won')[],
          value5: string | null,
          value6: string | null,
          createdAt: Date | string,
          createdAt2: Date | string,
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('new' | 'contacted' | 'qualified' | 'lost' | 'won')[],
          value5: string | null,
          value6: string | null,
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('new' | 'contacted' | 'qualified' | 'lost' | 'won')[],
        ]
      | readonly [limit: number, offset: number, value4: string | null]
      | readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly phone: string | null;
      readonly source: string | null;
      readonly status: 'new' | 'contacted' | 'qualified' | 'lost' | 'won';
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly deletedAt: string | null;
    }>;
  };
  'lead-page-deleted': {
    values: readonly [
      limit: number,
      offset: number,
      statusList: readonly ('new' | 'contacted' | 'qualified' | 'lost' | 'won')[],
      value5: string | null,
      value6: string | null,
      createdAt: Date | string,
      createdAt2: Date | string,
    ];
    row: Statements['lead-page']['row'];
  };
  'lead-restore': {
    values: readonly [id: string, version: number];
    row: Statements['lead-export']['row'];
  };
  'lead-search-sample': {
    values: readonly [value2: string];
    row: { readonly isRare: boolean };
  };
  'lead-settings': {
    values: readonly [];
    row: {
      readonly furtherMoves: readonly string[];
      readonly acceptedQuoteMovesLead: boolean;
      readonly version: number;
    };
  };
  'lead-settings-lock': {
    values: readonly [];
    row: Statements['lead-settings']['row'];
  };
  'lead-settings-update': {
    values: readonly [furtherMoves: readonly string[], acceptedQuoteMovesLead: boolean];
    row: Statements['lead-settings']['row'];
  };
  'lead-statistics': {
    values: readonly [value2: string, value3: string, value4: string, value5: string];
    row: { readonly start: string | null; readonly status: string; readonly count: number | null };
  };
  'lead-suggestions': {
    values: readonly [value2: string, limit: number];
    row: { readonly id: string; readonly name: string; readonly email: string };
  };
  'lead-update': {
    values: readonly [
      id: string,
      version: number,
      status: 'new' | 'contacted' | 'qualified' | 'lost' | 'won',
      name: string,
      email: string,
      phone: string | null,
      source: string | null,
      notes: string | null,
    ];
    row: Statements['lead-export']['row'];
  };
  'leads-by-email': {
    values: readonly [value2: readonly string[]];
    row: { readonly place: number; readonly id: string };
  };
  'leads-purge': {
    values: readonly [value2: number];
    row: { readonly id: string };
  };
}
