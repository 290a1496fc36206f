// What PostgreSQL says of the statements in this folder. Written by `npm run statements`, compared by a test.

/** The parameters of each statement, and its rows. */
export interface Statements {
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
}
