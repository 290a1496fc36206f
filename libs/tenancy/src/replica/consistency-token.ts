import { hash } from 'node:crypto';

/** A place in the write-ahead log of one history of a database. */
export interface Position {
  /** As {@link historyNamed} gives it. */
  readonly history: string;
  readonly lsn: bigint;
}

/**
 * A short name for a history: LSNs of different ones cannot be compared. System identifier and timeline tell them
 * apart: a promotion or a recovery to a point in time begins another timeline.
 */
export function historyNamed(systemIdentifierAndTimeline: string): string {
  return hash('sha256', systemIdentifierAndTimeline, 'base64url').slice(0, 11);
}

/** The token that a client carries from a write to its next reads. */
export function tokenOf({ history, lsn }: Position): string {
  return `${history}.${lsn.toString(16)}`;
}

const tokenForm = /^([\w-]{11})\.([0-9a-f]{1,16})$/;

/** Reads a token of {@link tokenOf}; undefined for anything else. */
export function positionIn(token: string): Position | undefined {
  const [, history, lsn] = tokenForm.exec(token) ?? [];
  return history === undefined ? undefined : { history, lsn: BigInt(`0x${lsn}`) };
}
