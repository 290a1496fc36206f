/**
 * A reader's position in a feed: which entries it has seen.
 *
 * A snapshot of PostgreSQL (`xmin:xmax:running,…`) expresses it exactly. A reader next gets everything committed since, so a
 * transaction that began early and commits late is neither skipped nor waited for.
 */
export interface Cursor {
  /** Everything visible at this place has been read; `beginning`, or as {@link formatPlace} writes it. */
  readonly seen: string;
  /** Of what has been committed since, up to `until`, everything to this id has been read too. */
  readonly partly?: { readonly until: string; readonly id: string } | undefined;
  /** When it was issued, in seconds since the epoch. */
  readonly at: number;
}

/**
 * A snapshot, and the history of the database in which it has a meaning.
 *
 * It ends with the latest transaction that wrote to the feed, and names the mark of that one. A database that was restored to
 * an earlier state no longer has this mark.
 */
export interface Place {
  readonly epoch: string;
  readonly mark: string;
  readonly snapshot: string;
}

/** The place at which nothing has been read. */
export const beginning = '3:3:';

const snapshot = String.raw`[1-9]\d{0,18}:[1-9]\d{0,18}:(?:[1-9]\d{0,18}(?:,[1-9]\d{0,18})*)?`;
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const placeForm = new RegExp(`^(${uuid})~(${uuid})~(${snapshot})$`);
const idForm = /^\d{1,18}$/;

/** Writes a place as cursors carry it. */
export function formatPlace({ epoch, mark, snapshot: text }: Place): string {
  return `${epoch}~${mark}~${text}`;
}

/** Reads what {@link formatPlace} wrote; undefined for anything else, and for the beginning. */
export function parsePlace(text: string): Place | undefined {
  const [, epoch, mark, found] = placeForm.exec(text) ?? [];
  return epoch && mark && found ? { epoch, mark, snapshot: found } : undefined;
}

/**
 * Truncates a snapshot after a transaction. If that is the last one that wrote to the feed, the result marks the same entries
 * as seen, and states nothing about future transactions.
 */
export function cutOff(snapshotText: string, lastXid: string): string {
  const last = BigInt(lastXid);
  const [, , running = ''] = snapshotText.split(':');
  const earlier = running.split(',').filter((xid) => xid !== '' && BigInt(xid) < last);
  const end = String(last + 1n);
  return `${earlier[0] ?? end}:${end}:${earlier.join(',')}`;
}

/** Writes a cursor as readers carry it. */
export function formatCursor({ seen, partly, at }: Cursor): string {
  const parts = [at, seen, ...(partly ? [partly.until, partly.id] : [])];
  return Buffer.from(parts.join('/')).toString('base64url');
}

/** Reads what {@link formatCursor} wrote; undefined for anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const [at = '', seen = '', until, id, ...rest] = Buffer.from(text, 'base64url').toString().split('/');
  if (rest.length > 0 || !idForm.test(at) || !isPlace(seen)) return undefined;
  if (until === undefined) return { at: Number(at), seen };
  if (id === undefined || !isPlace(until) || !idForm.test(id)) return undefined;
  return { at: Number(at), seen, partly: { until, id } };
}

const isPlace = (text: string): boolean => text === beginning || placeForm.test(text);
