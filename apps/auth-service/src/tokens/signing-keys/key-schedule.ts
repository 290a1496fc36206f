/** How long each part of a key's life is, in milliseconds. */
export interface KeySchedule {
  /** From one rotation to the next; undefined: only by an operator's command. */
  readonly rotationMs: number | undefined;
  /** How long a key is published before it signs: verifiers know it by then. */
  readonly announcedMs: number;
  /** How long it is published after the next one began to sign: its last token has expired by then. */
  readonly retainedMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The schedule of a service; tokens live for 15 minutes and verifiers read the keys every 30 s. */
export function keySchedule(rotationDays: number): KeySchedule {
  return {
    rotationMs: rotationDays === 0 ? undefined : rotationDays * dayMs,
    announcedMs: 15 * minuteMs,
    retainedMs: 45 * minuteMs,
  };
}

/** The part of a key that the schedule uses. */
export interface ScheduledKey {
  readonly kid: string;
  readonly signsFrom: Date;
}

/** Pending changes of the keys. */
export type KeyStep =
  | { readonly kind: 'make'; readonly signsFrom: Date }
  | { readonly kind: 'advance'; readonly kid: string; readonly signsFrom: Date }
  | { readonly kind: 'remove'; readonly kid: string };

// Which key signs follows from the time alone, so a rotation changes no row: every instance takes the step at the
// same moment of one clock, the database's. All lists are in the order in which the keys sign.

/** The key that signs at a given time: the last one that has started. */
export function signingKeyAt<Key extends ScheduledKey>(keys: readonly Key[], at: Date): Key | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= at);
}

/** The published keys: future ones, the one that signs, and recently retired ones. */
export function publishedKeysAt<Key extends ScheduledKey>(
  keys: readonly Key[],
  at: Date,
  schedule: KeySchedule,
): Key[] {
  return keys.filter((_, index) => {
    const until = publishedUntil(keys, index, schedule);
    return until === undefined || at < until;
  });
}

/** When a key is deleted; undefined while no other follows it. */
export function publishedUntil(
  keys: readonly ScheduledKey[],
  index: number,
  { retainedMs }: KeySchedule,
): Date | undefined {
  const successor = keys[index + 1];
  return successor && later(successor.signsFrom, retainedMs);
}

/** The changes that are due: a first key, the next one, the deletion of expired ones. */
export function dueSteps(keys: readonly ScheduledKey[], at: Date, schedule: KeySchedule): KeyStep[] {
  const newest = keys.at(-1);
  if (newest === undefined) return [{ kind: 'make', signsFrom: at }];

  const published = new Set(publishedKeysAt(keys, at, schedule));
  const steps: KeyStep[] = keys
    .filter((key) => !published.has(key))
    .map(({ kid }) => ({ kind: 'remove', kid }));
  const { rotationMs, announcedMs } = schedule;
  if (rotationMs !== undefined && later(newest.signsFrom, rotationMs - announcedMs) <= at) {
    steps.push({ kind: 'make', signsFrom: later(at, announcedMs) });
  }
  return steps;
}

/** The changes for a rotation as soon as verifiers know the next key; none if one is in progress. */
export function rotationSteps(keys: readonly ScheduledKey[], at: Date, schedule: KeySchedule): KeyStep[] {
  const announced = keys.some(({ signsFrom }) => signsFrom > at);
  return announced ? [] : [{ kind: 'make', signsFrom: later(at, schedule.announcedMs) }];
}

/**
 * The changes to withdraw a key. If it is the signing one, the next one signs immediately: the announced one, which verifiers
 * may know already, or a new one. A retired key never signs again.
 */
export function removalSteps(keys: readonly ScheduledKey[], at: Date, kid: string): KeyStep[] {
  const removal: KeyStep = { kind: 'remove', kid };
  if (signingKeyAt(keys, at)?.kid !== kid) return [removal];
  const next = keys.find(({ signsFrom }) => signsFrom > at);
  return [
    removal,
    next ? { kind: 'advance', kid: next.kid, signsFrom: at } : { kind: 'make', signsFrom: at },
  ];
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
