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
  'contract-insert': {
    values: readonly [quoteId: string, value3: unknown, contentHash: Uint8Array, createdBy: string];
    row: { readonly id: string; readonly createdAt: string };
  };
  'contract-made-at': {
    values: readonly [quoteId: string];
    row: { readonly createdAt: string };
  };
  'contract-of-quote': {
    values: readonly [quoteId: string, value3: number];
    row: {
      readonly id: string;
      readonly quoteId: string;
      readonly document: unknown;
      readonly fits: boolean;
      readonly workPackage: string | null;
      readonly contentHash: Buffer;
      readonly createdBy: string;
      readonly createdAt: string;
    };
  };
  'customer-by-id': {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly name: string;
      readonly email: string | null;
      readonly address: string | null;
      readonly vatNumber: string | null;
      readonly language: 'en' | 'sv' | null;
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  'customer-by-id-for-update': {
    values: readonly [id: string];
    row: Statements['customer-by-id']['row'];
  };
  'customer-create': {
    values: readonly [
      name: string,
      email: string | null,
      address: string | null,
      vatNumber: string | null,
      language: 'en' | 'sv' | null,
    ];
    row: { readonly id: string; readonly duplicateOf: string | null };
  };
  'customer-duplicate': {
    values: readonly [id: string, value3: string | null, vatNumber: string];
    row: { readonly id: string | null };
  };
  'customer-erase': {
    values: readonly [id: string];
    row: never;
  };
  'customer-erase-from-quotes': {
    values:
      | readonly [idList: readonly string[]]
      | readonly [quoteIdList: readonly string[]]
      | readonly [subjectIdList: readonly string[]];
    row: never;
  };
  'customer-erase-lock-quotes': {
    values: readonly [customerId: string, id: string];
    row: { readonly id: string };
  };
  'customer-fill-lock': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string };
  };
  'customer-fill-many': {
    values: readonly [
      value2: readonly string[],
      value3: readonly string[],
      value4: readonly string[],
      value5: readonly string[],
    ];
    row: {
      readonly id: string;
      readonly version: number;
      readonly email: boolean;
      readonly address: boolean;
      readonly vatNumber: boolean;
    };
  };
  'customer-import-begin': {
    values: readonly [
      id: string,
      actorKind: 'user' | 'service-account',
      actorUserId: string,
      fileName: string | null,
    ];
    row: never;
  };
  'customer-import-by-id': {
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
  'customer-import-end': {
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
  'customer-import-kept': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string; readonly name: string };
  };
  'customer-import-left-out': {
    values: readonly [importId: string, part: number];
    row: { readonly part: number; readonly leftOut: string };
  };
  'customer-import-left-out-mention': {
    values: readonly [
      value2: string,
      value3: number,
      value4: string,
      value5: string,
      value6: string,
      value7: string,
    ];
    row: { readonly importId: string; readonly part: number; readonly leftOut: string };
  };
  'customer-import-left-out-replace': {
    values: readonly [importId: string, part: number, leftOut: string, saved: number];
    row: never;
  };
  'customer-import-lock': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'customer-import-move': {
    values: readonly [id: string, rows: number];
    row: never;
  };
  'customer-import-note-undone': {
    values: readonly [id: string, undone: number];
    row: never;
  };
  'customer-import-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<Statements['customer-import-by-id']['row']>;
  };
  'customer-import-part-insert': {
    values: readonly [
      importId: string,
      part: number,
      customerIds: readonly string[],
      filled: unknown,
      leftOut: string,
    ];
    row: never;
  };
  'customer-import-part-next': {
    values: readonly [importId: string, part: number];
    row: { readonly part: number; readonly ids: readonly string[]; readonly filled: unknown };
  };
  'customer-import-turn': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'customer-import-undo-created': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string };
  };
  'customer-import-undo-filled': {
    values: readonly [value2: unknown];
    row: { readonly id: string };
  };
  'customer-import-undo-lock': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string };
  };
  'customer-imports-purge': {
    values: readonly [value2: number];
    row: { readonly id: string };
  };
  'customer-insert': {
    values: readonly [id: string, name: string, email: string | null];
    row: never;
  };
  'customer-insert-many': {
    values: readonly [
      nameList: readonly string[],
      emailList: readonly (string | null)[],
      addressList: readonly (string | null)[],
      vatNumberList: readonly (string | null)[],
    ];
    row: { readonly id: string };
  };
  'customer-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<Statements['customer-by-id']['row']>;
  };
  'customer-page-search': {
    values: readonly [limit: number, offset: number, value4: string | null];
    row: Statements['customer-page']['row'];
  };
  'customer-suggestions': {
    values: readonly [value2: string, limit: number];
    row: { readonly id: string; readonly name: string; readonly email: string | null };
  };
  'customer-update': {
    values: readonly [
      id: string,
      name: string,
      email: string | null,
      address: string | null,
      vatNumber: string | null,
      language: 'en' | 'sv' | null,
    ];
    row: Statements['customer-by-id']['row'];
  };
  'customers-the-same': {
    values: readonly [value2: readonly string[], value3: readonly string[]];
    row: { readonly place: number; readonly id: string };
  };
  'line-item-by-id': {
    values: readonly [quoteId: string, workPackageId: string, id: string];
    row: {
      readonly id: string;
      readonly articleNumber: string;
      readonly description: string;
      readonly quantity: number;
      readonly unit: string;
      readonly unitPrice: number;
      readonly totalPrice: number;
    };
  };
  'line-item-copy': {
    values: readonly [quoteId: string, quoteId2: string];
    row: never;
  };
  'line-item-delete': {
    values: readonly [quoteId: string, workPackageId: string, id: string];
    row: { readonly id: string };
  };
  'line-item-ids': {
    values: readonly [quoteId: string, workPackageId: string];
    row: { readonly id: string };
  };
  'line-item-insert': {
    values: readonly [
      quoteId: string,
      workPackageId: string,
      articleNumber: string,
      description: string,
      quantity: number | string,
      unit: string,
      unitPrice: number | string,
      totalPrice: number | string,
      position: number,
      currency: string,
    ];
    row: { readonly id: string };
  };
  'line-item-reorder': {
    values: readonly [quoteId: string, workPackageId: string, idList: readonly string[]];
    row: never;
  };
  'line-item-update': {
    values: readonly [
      quoteId: string,
      workPackageId: string,
      id: string,
      articleNumber: string,
      description: string,
      quantity: number | string,
      unit: string,
      unitPrice: number | string,
      totalPrice: number | string,
    ];
    row: { readonly id: string };
  };
  'logo-current': {
    values: readonly [];
    row: { readonly digest: string; readonly version: string };
  };
  'logo-drop-current': {
    values: readonly [logoDigest: string, value3: string];
    row: { readonly id: string };
  };
  'logo-exists': {
    values: readonly [digest: string];
    row: { readonly digest: string };
  };
  'logo-find': {
    values: readonly [digest: string];
    row: {
      readonly digest: string;
      readonly mediaType: 'image/png' | 'image/jpeg';
      readonly content: Buffer;
    };
  };
  'logo-insert': {
    values: readonly [digest: string, mediaType: 'image/png' | 'image/jpeg', content: Uint8Array];
    row: never;
  };
  'logo-mark-sent': {
    values: readonly [digest: string];
    row: { readonly digest: string };
  };
  'logo-remove-unsent': {
    values: readonly [digest: string];
    row: never;
  };
  'mailed-letters-insert': {
    values: readonly [id: string, senderId: string | null, recipient: Uint8Array];
    row: never;
  };
  'mailed-letters-lock': {
    values: readonly [];
    row: { readonly counted: number };
  };
  'mailed-letters-remove': {
    values: readonly [id: string];
    row: never;
  };
  'mailed-letters-seconds-left': {
    values: readonly [
      id: string,
      senderId: string | null,
      recipient: Uint8Array,
      value5: number,
      value6: number,
      value7: number,
    ];
    row: { readonly recipient: number; readonly sender: number; readonly organization: number };
  };
  'member-address': {
    values: readonly [userId: string | null];
    row: { readonly email: string; readonly isProven: boolean; readonly turn: number };
  };
  'member-find': {
    values: readonly [userId: string];
    row: { readonly email: string; readonly isProven: boolean };
  };
  'member-forget': {
    values: readonly [userId: string];
    row: never;
  };
  'member-keep': {
    values: readonly [
      userId: string,
      email: string,
      emailVerified: boolean | null,
      role: string,
      createdAt: Date | string,
    ];
    row: never;
  };
  'quote-count-lines': {
    values: readonly [quoteId: string];
    row: { readonly lines: number };
  };
  'quote-count-text': {
    values: readonly [id: string];
    row: { readonly bytes: number };
  };
  'quote-customer-id': {
    values: readonly [id: string];
    row: { readonly customerId: string };
  };
  'quote-decide': {
    values: readonly [id: string, status: 'draft' | 'sent' | 'accepted' | 'rejected'];
    row: {
      readonly id: string;
      readonly number: string;
      readonly revision: number;
      readonly customerId: string;
      readonly customerName: string;
      readonly customerEmail: string | null;
      readonly customerAddress: string | null;
      readonly customerVatNumber: string | null;
      readonly title: string;
      readonly description: string;
      readonly currency: string;
      readonly vatRate: number;
      readonly vatExemptionReason: string | null;
      readonly subtotal: number;
      readonly vatAmount: number;
      readonly totalAmount: number;
      readonly status: 'draft' | 'sent' | 'accepted' | 'rejected';
      readonly validUntil: string;
      readonly sentAt: string | null;
      readonly sentBy: string | null;
      readonly seller: unknown | null;
      readonly textBytes: number | null;
      readonly supersededBy: string | null;
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  'quote-decision': {
    values: readonly [quoteId: string];
    row: {
      readonly decision: 'accepted' | 'rejected';
      readonly decidedAt: Date;
      readonly userId: string | null;
      readonly name: string | null;
      readonly reason: string | null;
      readonly ipAddress: string | null;
      readonly userAgent: string | null;
      readonly contentHash: Buffer;
    };
  };
  'quote-decision-insert': {
    values: readonly [
      quoteId: string,
      decision: 'accepted' | 'rejected',
      decidedAt: Date | string,
      userId: string | null,
      name: string | null,
      reason: string | null,
      ipAddress: string | null,
      userAgent: string | null,
      contentHash: Uint8Array,
    ];
    row: never;
  };
  'quote-for-update': {
    values: readonly [id: string];
    row: Statements['quote-decide']['row'];
  };
  'quote-head': {
    values: readonly [id: string];
    row: Statements['quote-decide']['row'];
  };
  'quote-insert': {
    values: readonly [
      value2: string,
      numberYear: number,
      customerId: string,
      customerName: string,
      customerEmail: string | null,
      customerAddress: string | null,
      customerVatNumber: string | null,
      title: string,
      description: string,
      currency: string,
      vatRate: number | string,
      vatExemptionReason: string | null,
      validUntil: Date | string,
    ];
    row: { readonly id: string; readonly number: string };
  };
  'quote-insert-revision': {
    values: readonly [
      id: string,
      customerName: string,
      customerEmail: string | null,
      customerAddress: string | null,
      customerVatNumber: string | null,
      validUntil: Date | string,
      textBytes: number | null,
    ];
    row: { readonly id: string; readonly number: string; readonly revision: number };
  };
  'quote-letters': {
    values: readonly [id: string];
    row: { readonly letters: string };
  };
  'quote-lines-exist': {
    values: readonly [quoteId: string];
    row: { readonly exist: boolean };
  };
  'quote-link': {
    values: readonly [id: string];
    row: {
      readonly linkId: string;
      readonly quoteId: string;
      readonly digest: Buffer;
      readonly isOpened: boolean;
      readonly language: 'en' | 'sv' | null;
    };
  };
  'quote-link-insert': {
    values: readonly [id: string, id2: string, digest: Uint8Array];
    row: { readonly hindrance: 'ORGANIZATION_DELETED' | 'CUSTOMER_ERASED' | null };
  };
  'quote-link-mark-opened': {
    values: readonly [id: string, openedAt: Date | string | null];
    row: never;
  };
  'quote-links-count': {
    values: readonly [quoteId: string];
    row: { readonly links: number };
  };
  'quote-mark-deleted': {
    values: readonly [id: string, deletedAt: Date | string | null];
    row: { readonly id: string };
  };
  'quote-mark-sent': {
    values: readonly [
      id: string,
      sentAt: Date | string | null,
      seller: unknown | null,
      sentBy: string | null,
    ];
    row: Statements['quote-decide']['row'];
  };
  'quote-milestones': {
    values: readonly [idList: readonly string[]];
    row: {
      readonly id: string;
      readonly openedAt: string | null;
      readonly decidedAt: string | null;
    };
  };
  'quote-page': {
    values:
      | readonly [
          limit: number,
          offset: number,
          status: 'draft' | 'sent' | 'accepted' | 'rejected',
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('draft' | 'sent' | 'accepted' | 'rejected')[],
          value5: string | null,
          validUntil: Date | string,
          validUntil2: Date | string,
          customerId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('draft' | 'sent' | 'accepted' | 'rejected')[],
          value5: string | null,
          validUntil: Date | string,
          validUntil2: Date | string,
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('draft' | 'sent' | 'accepted' | 'rejected')[],
          value5: string | null,
        ]
      | readonly [
          limit: number,
          offset: number,
          statusList: readonly ('draft' | 'sent' | 'accepted' | 'rejected')[],
        ]
      | readonly [limit: number, offset: number, customerId: string]
      | readonly [limit: number, offset: number, value4: string | null]
      | readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly number: string;
      readonly revision: number;
      readonly customerId: string;
      readonly customerName: string;
      readonly title: string;
      readonly totalAmount: number;
      readonly currency: string;
      readonly status: 'draft' | 'sent' | 'accepted' | 'rejected';
      readonly validUntil: string;
      readonly version: number;
      readonly sentAt: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
    }>;
  };
  'quote-reinstate': {
    values: readonly [supersededBy: string];
    row: never;
  };
  'quote-rename-customers': {
    values: readonly [idList: readonly string[]];
    row: never;
  };
  'quote-revisions': {
    values: readonly [id: string, limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly number: string;
      readonly revision: number;
      readonly status: 'draft' | 'sent' | 'accepted' | 'rejected';
      readonly totalAmount: number;
      readonly currency: string;
      readonly sentAt: string | null;
      readonly supersededBy: string | null;
      readonly createdAt: string;
    }>;
  };
  'quote-search-sample': {
    values: readonly [value2: string];
    row: { readonly isRare: boolean };
  };
  'quote-set-sums': {
    values: readonly [
      id: string,
      subtotal: number | string,
      vatAmount: number | string,
      totalAmount: number | string,
      textBytes: number | null,
    ];
    row: Statements['quote-decide']['row'];
  };
  'quote-statistics': {
    values: readonly [
      value2: string,
      value3: string,
      value4: string,
      value5: string,
      validUntil: Date | string,
    ];
    row: {
      readonly start: string | null;
      readonly currency: string;
      readonly status: string;
      readonly quotes: number;
      readonly totalAmount: string;
    };
  };
  'quote-supersede': {
    values: readonly [id: string, supersededBy: string | null];
    row: { readonly id: string };
  };
  'quote-update': {
    values: readonly [
      id: string,
      customerId: string,
      customerName: string,
      customerEmail: string | null,
      customerAddress: string | null,
      customerVatNumber: string | null,
      title: string,
      description: string,
      currency: string,
      vatRate: number | string,
      vatExemptionReason: string | null,
      validUntil: Date | string,
      subtotal: number | string,
      vatAmount: number | string,
      totalAmount: number | string,
      textBytes: number | null,
    ];
    row: Statements['quote-decide']['row'];
  };
  'quote-whole': {
    values: readonly [quoteId: string, value3: number | string];
    row: Statements['quote-decide']['row'] & {
      readonly openedAt: string | null;
      readonly fits: boolean;
      readonly workPackage: string | null;
    };
  };
  'quotes-sent': {
    values: readonly [id: string, sentAt: Date | string, numberYear: number | null];
    row: {
      readonly id: string;
      readonly number: string;
      readonly revision: number;
      readonly language: 'en' | 'sv' | null;
      readonly hasContract: boolean;
    };
  };
  'settings-of-organization': {
    values: readonly [];
    row: {
      readonly name: string;
      readonly currency: string;
      readonly vatRate: number;
      readonly numberPrefix: string;
      readonly timeZone: string;
      readonly address: string;
      readonly vatNumber: string;
      readonly logo: string | null;
    };
  };
  'settings-remove': {
    values: readonly [];
    row: never;
  };
  'settings-save': {
    values: readonly [
      name: string,
      currency: string,
      vatRate: number | string,
      numberPrefix: string,
      timeZone: string,
      address: string,
      vatNumber: string,
      logoDigest: string | null,
    ];
    row: never;
  };
  'work-package-by-id': {
    values: readonly [quoteId: string, id: string];
    row: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly subtotal: number;
      readonly itemCount: number;
      readonly lastPosition: number;
    };
  };
  'work-package-copy': {
    values: readonly [quoteId: string, quoteId2: string];
    row: never;
  };
  'work-package-count-text': {
    values: readonly [quoteId: string, id: string];
    row: { readonly bytes: number };
  };
  'work-package-delete': {
    values: readonly [quoteId: string, id: string];
    row: { readonly id: string };
  };
  'work-package-ids': {
    values: readonly [quoteId: string];
    row: { readonly id: string };
  };
  'work-package-insert': {
    values: readonly [quoteId: string, name: string, description: string, value5: number | string];
    row: { readonly id: string };
  };
  'work-package-reorder': {
    values: readonly [quoteId: string, idList: readonly string[]];
    row: never;
  };
  'work-package-set-lines': {
    values: readonly [
      quoteId: string,
      id: string,
      subtotal: number | string,
      itemCount: number,
      lastPosition: number,
    ];
    row: { readonly id: string };
  };
  'work-package-update': {
    values: readonly [quoteId: string, id: string, name: string, description: string];
    row: { readonly id: string };
  };
}
