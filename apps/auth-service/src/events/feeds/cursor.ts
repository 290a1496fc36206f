/**
 * Where a reader of a feed stands: which transactions it has seen.
 *
 * A snapshot of PostgreSQL (`xmin:xmax:running,…`) says so exactly. What a reader gets next is everything committed
 * since, so a transaction that began early and commits late is neither skipped nor waited for.
 */
export interface Cursor {
  /** Everything visible in this snapshot has been read. */
  readonly seen: string;
  /** Of what has been committed since, up to `until`, everything to this id has been read too. */
  readonly partly?: { readonly until: string; readonly id: string } | undefined;
  /** When it was given out, in seconds since the epoch. */
  readonly at: number;
}

/** A snapshot in which nothing was visible yet. */
export const beginning = '3:3:';

const snapshotForm = /^[1-9]\d{0,18}:[1-9]\d{0,18}:(?:[1-9]\d{0,18}(?:,[1-9]\d{0,18})*)?$/;
const idForm = /^\d{1,18}$/;

/** Writes a cursor as readers carry it. */
export function formatCursor({ seen, partly, at }: Cursor): string {
  const parts = [at, seen, ...(partly ? [partly.until, partly.id] : [])];
  return Buffer.from(parts.join('/')).toString('base64url');
}

/** Reads what {@link formatCursor} wrote; undefined for anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const [at = '', seen = '', until, id, ...rest] = Buffer.from(text, 'base64url').toString().split('/');
  if (rest.length > 0 || !idForm.test(at) || !snapshotForm.test(seen)) return undefined;
  if (until === undefined) return { at: Number(at), seen };
  if (id === undefined || !snapshotForm.test(until) || !idForm.test(id)) return undefined;
  return { at: Number(at), seen, partly: { until, id } };
}
