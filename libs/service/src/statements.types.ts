// What PostgreSQL says of the statements in this folder. Written by `npm run statements`, compared by a test.

/** The columns of an outer join: all null if it found nothing. */
type Joined<Columns> = Columns | { readonly [Column in keyof Columns]: null };

/** The parameters of each statement, and its rows. */
export interface Statements {
  'archive-moment': {
    values: readonly [];
    row: { readonly moment: Date };
  };
  'audit-forget-actor': {
    values: readonly [actorUserId: string, id: string];
    row: { readonly id: string };
  };
  'audit-forget-target': {
    values: readonly [targetId: string];
    row: never;
  };
  'audit-insert': {
    values: readonly [
      actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null,
      actorUserId: string | null,
      actorName: string | null,
      action: string,
      targetType: string | null,
      targetId: string | null,
      targetName: string | null,
      details: unknown,
    ];
    row: never;
  };
  'audit-page': {
    values:
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          actorUserId: string,
          targetId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          actorUserId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          targetId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          actorUserId: string,
          targetId: string,
        ]
      | readonly [limit: number, offset: number, id: string, id2: string, action: string]
      | readonly [limit: number, offset: number, id: string, id2: string, actorUserId: string]
      | readonly [limit: number, offset: number, id: string, id2: string, targetId: string]
      | readonly [limit: number, offset: number, id: string, id2: string];
    row:
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string | null;
          readonly actorName: string | null;
          readonly targetType: string | null;
          readonly targetId: string | null;
          readonly targetName: string | null;
          readonly details: unknown;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string | null;
          readonly actorName: string | null;
          readonly targetType: string | null;
          readonly targetId: string;
          readonly targetName: string | null;
          readonly details: unknown;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string;
          readonly actorName: string | null;
          readonly targetType: string | null;
          readonly targetId: string | null;
          readonly targetName: string | null;
          readonly details: unknown;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string;
          readonly actorName: string | null;
          readonly targetType: string | null;
          readonly targetId: string;
          readonly targetName: string | null;
          readonly details: unknown;
        }>;
  };
  'audit-sweep': {
    values: readonly [value2: number];
    row: { readonly swept: number };
  };
  'due-work-again': {
    values: readonly [kind: string, id: string, attempts: number, value5: number];
    row: never;
  };
  'due-work-answered': {
    values: readonly [kind: string, id: string, attempts: number];
    row: never;
  };
  'due-work-backlog': {
    values: readonly [value1: readonly string[]];
    row: {
      readonly work: string;
      readonly due: number;
      readonly setAside: number;
      readonly oldestSeconds: number;
    };
  };
  'due-work-claim': {
    values: readonly [
      value1: readonly string[],
      value2: readonly string[],
      value3: readonly string[],
      value4: number,
      unanswered: number,
    ];
    row: {
      readonly organizationId: string;
      readonly kind: string;
      readonly id: string;
      readonly isResting: boolean;
      readonly attempts: number;
      readonly unfinished: number;
    };
  };
  'due-work-done': {
    values: readonly [kind: string, id: string, attempts: number];
    row: { readonly id: string };
  };
  'due-work-promote': {
    values: readonly [kindList: readonly string[]];
    row: { readonly kind: string };
  };
  'due-work-rest': {
    values: readonly [organizationId: string, kindList: readonly string[]];
    row: never;
  };
  'due-work-retry': {
    values: readonly [kind: string, id: string, attempts: number, value5: number];
    row: never;
  };
  'due-work-schedule': {
    values: readonly [kind: string, id: string, value4: number];
    row: never;
  };
  'event-reader': {
    values: readonly [];
    row: {
      readonly cursor: string | null;
      readonly round: number;
      readonly isComplete: boolean;
      readonly projection: number;
    };
  };
  'event-reader-begin-anew': {
    values: readonly [cursor: string, round: number];
    row: never;
  };
  'event-reader-go-on': {
    values: readonly [
      cursor: string | null,
      round: number,
      cursor2: string | null,
      isComplete: boolean,
      projection: number,
    ];
    row: never;
  };
  'event-reader-lock': {
    values: readonly [];
    row: Statements['event-reader']['row'];
  };
  'event-reader-rewind': {
    values: readonly [cursor: string, round: number];
    row: never;
  };
  'event-subjects-gone': {
    values: readonly [round: number];
    row: { readonly organizationId: string; readonly subjectId: string };
  };
  'event-subjects-members': {
    values: readonly [organizationId: string];
    row: { readonly organizationId: string; readonly subjectId: string };
  };
  'event-subjects-note': {
    values: readonly [organizationId: string, subjectId: string, round: number];
    row: never;
  };
  'event-subjects-remove': {
    values: readonly [organizationId: string, subjectId: string];
    row: never;
  };
  'idempotency-find': {
    values: readonly [userId: string, key: Uint8Array];
    row: { readonly kept: boolean };
  };
  'idempotency-forget': {
    values: readonly [];
    row: { readonly forgotten: number };
  };
  'idempotency-hold': {
    values: readonly [userId: string | null, key: Uint8Array | null];
    row: { readonly held: boolean } & Joined<{
      readonly status: number;
      readonly headers: unknown;
      readonly body: string;
      readonly request: Buffer;
    }>;
  };
  'idempotency-keep': {
    values: readonly [
      userId: string,
      key: Uint8Array,
      request: Uint8Array,
      status: number,
      headers: unknown,
      body: string,
    ];
    row: { readonly id: string };
  };
  'organization-begin-purge': {
    values: readonly [organizationId: string];
    row: never;
  };
  'organization-end': {
    values: readonly [organizationId: string, value2: number];
    row: never;
  };
  'organization-end-purge': {
    values: readonly [organizationId: string];
    row: never;
  };
  'organization-ends-claim': {
    values: readonly [value1: number];
    row: { readonly id: string; readonly attempts: number };
  };
  'organization-ends-postpone': {
    values: readonly [organizationId: string, value2: number];
    row: never;
  };
  'organization-has-ended': {
    values: readonly [organizationId: string];
    row: { readonly ended: boolean };
  };
  'organization-keep-ended': {
    values: readonly [organizationId: string];
    row: { readonly ended: boolean };
  };
  'organization-purge-batch': {
    values: readonly [value2: number | null];
    row: { readonly gone: number | null };
  };
  'organization-revive': {
    values: readonly [organizationId: string];
    row: never;
  };
  'outbox-count-attempt': {
    values: readonly [id: string, attempts: number];
    row: never;
  };
  'outbox-end': {
    values: readonly [id: string, attempts: number, value4: string, reason: string | null];
    row: never;
  };
  'outbox-find': {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly topic: string;
      readonly subjectId: string;
      readonly payload: unknown;
      readonly createdAt: Date;
      readonly isOver: boolean;
    };
  };
  'outbox-list': {
    values: readonly [subjectId: string, topic: string];
    row: {
      readonly id: string;
      readonly attempts: number;
      readonly payload: unknown;
      readonly createdAt: Date;
      readonly endedAt: Date | null;
      readonly state: 'delivered' | 'failed' | 'waiting';
      readonly reason: string | null;
      readonly nextAttemptAt: Date | null;
    };
  };
  'outbox-postpone': {
    values: readonly [id: string, reason: string | null];
    row: never;
  };
  'outbox-put': {
    values: readonly [topic: string, subjectId: string, payload: unknown];
    row: { readonly id: string };
  };
  'outbox-remove': {
    values: readonly [id: string];
    row: never;
  };
  'storage-confirm': {
    values: readonly [organizationId: string];
    row: never;
  };
  'storage-limit': {
    values: readonly [
      rows: number | string,
      bytes: number | string,
      rowsUnconfirmed: number | string,
      bytesUnconfirmed: number | string,
    ];
    row: never;
  };
  'storage-of-all': {
    values: readonly [];
    row: {
      readonly nearQuota: number;
      readonly atQuota: number;
      readonly rows: number;
      readonly bytes: number;
    };
  };
  'storage-use': {
    values: readonly [organizationId: string | null];
    row: {
      readonly rows: number;
      readonly bytes: number;
      readonly rowsMax: number;
      readonly bytesMax: number;
      readonly isConfirmed: boolean;
    };
  };
}
