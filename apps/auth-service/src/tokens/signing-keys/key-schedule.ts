/** How long each part of a key's life is, in milliseconds. */
export interface KeySchedule {
  /** From one rotation to the next; undefined: only when an operator asks for it. */
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

/** As much of a key as the schedule knows. */
export interface ScheduledKey {
  readonly kid: string;
  readonly signsFrom: Date;
}

/** What is to be done to the keys. */
export type KeyStep =
  | { readonly kind: 'make'; readonly signsFrom: Date }
  | { readonly kind: 'advance'; readonly kid: string; readonly signsFrom: Date }
  | { readonly kind: 'remove'; readonly kid: string };

// Which key signs follows from the time alone, so a rotation changes no row: every instance takes the step at the
// same moment of one clock, the database's. All lists are in the order in which the keys sign.

/** The key that signs at a moment: of those whose time has come, the last. */
export function signingKeyAt<Key extends ScheduledKey>(keys: readonly Key[], at: Date): Key | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= at);
}

/** The published keys: those to come, the one that signs, and those that lately did. */
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

/** What must be done by now: a first key, the next one, the end of expired ones. */
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

/** What makes the keys rotate as soon as verifiers know the next one; nothing when that is under way. */
export function rotationSteps(keys: readonly ScheduledKey[], at: Date, schedule: KeySchedule): KeyStep[] {
  const announced = keys.some(({ signsFrom }) => signsFrom > at);
  return announced ? [] : [{ kind: 'make', signsFrom: later(at, schedule.announcedMs) }];
}

/**
 * What withdraws a key. In the place of the one that signs, the next signs at once: the one announced, which verifiers
 * may know already, or a new one. One that is retired never signs again.
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
