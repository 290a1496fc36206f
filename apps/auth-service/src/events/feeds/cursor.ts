/**
 * A reader's position in a feed: which entries it has seen.
 *
 * A snapshot of PostgreSQL (`xmin:xmax:running,…`) expresses it exactly. A reader next gets everything committed since, so a
 * transaction that began early and commits late is neither skipped nor waited for.
 */
export interface Cursor extends Range {
  /** When it was issued, in seconds since the epoch. */
  readonly at: number;
}

/** What a reader has seen, and what it has yet to get of that. */
export interface Range {
  /** Everything visible at this place has been read, apart from `behind`; `beginning`, or as {@link formatPlace} writes it. */
  readonly seen: string;
  /** Entries that were left for later pages, so that others do not wait for them. */
  readonly behind?: Behind | undefined;
}

/** Entries that a reader has yet to get, although they are visible at its place: those with greater ids. */
export interface Behind {
  /** By organization: those with more entries than a page has for one. */
  readonly organizations: ReadonlyMap<string, string>;
  /** Of all organizations: there are too many of them, or the reader has begun at the beginning. */
  readonly everyone?: { readonly id: string; readonly isPast: boolean } | undefined;
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
const behindForm = new RegExp(`^(${uuid}|now|past):(\\d{1,18})$`);

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
export function formatCursor({ seen, behind, at }: Cursor): string {
  const text = behind && formatBehind(behind);
  return Buffer.from([at, seen, ...(text ? [text] : [])].join('/')).toString('base64url');
}

/** Reads what {@link formatCursor} wrote; undefined for anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const [at = '', seen = '', third, id, ...rest] = Buffer.from(text, 'base64url').toString().split('/');
  if (rest.length > 0 || !idForm.test(at) || !isPlace(seen)) return undefined;
  const cursor = { at: Number(at), seen };
  if (third === undefined) return cursor;
  // As earlier versions wrote them: part of what follows a place has been read. All of it is sent again.
  if (id !== undefined) return isPlace(third) && idForm.test(id) ? cursor : undefined;
  const behind = parseBehind(third);
  return behind && { ...cursor, behind };
}

const [everyoneNow, everyonePast] = ['now', 'past'];

function formatBehind({ organizations, everyone }: Behind): string {
  const parts = [...organizations];
  if (everyone) parts.push([everyone.isPast ? everyonePast : everyoneNow, everyone.id]);
  return parts.map((part) => part.join(':')).join(',');
}

function parseBehind(text: string): Behind | undefined {
  const parts = new Map<string, string>();
  for (const [, name = '', id = ''] of text.split(',').map((part) => behindForm.exec(part) ?? [])) {
    if (name === '') return undefined;
    parts.set(name, id);
  }
  const id = parts.get(everyoneNow) ?? parts.get(everyonePast);
  const everyone = id === undefined ? undefined : { id, isPast: !parts.has(everyoneNow) };
  parts.delete(everyoneNow);
  parts.delete(everyonePast);
  return { organizations: parts, everyone };
}

const isPlace = (text: string): boolean => text === beginning || placeForm.test(text);
