import type { Identity } from '../tokens/identity.ts';

/** An entry of the revocation feed: tokens that are no longer valid. Times are seconds since the epoch. */
export type Revocation =
  /** Every token of a session. */
  | { readonly kind: 'session'; readonly sid: string; readonly until: number }
  /** A user's tokens for one organization, issued before a time: removed, or given another role. */
  | {
      readonly kind: 'member';
      readonly sub: string;
      readonly organizationId: string;
      readonly issuedBefore: number;
      readonly until: number;
    }
  /** All of a user's tokens issued before a time: disabled, or the password was reset. */
  | { readonly kind: 'user'; readonly sub: string; readonly issuedBefore: number; readonly until: number }
  /** All tokens for one organization, issued before a time: it now requires more than they prove. */
  | {
      readonly kind: 'organization';
      readonly organizationId: string;
      readonly issuedBefore: number;
      readonly until: number;
    };

interface Kept {
  /** Tokens issued before this are revoked; a whole session's are, whenever issued. */
  readonly issuedBefore: number;
  /** When the last affected token has expired and the entry may be dropped. */
  readonly until: number;
}

/**
 * The known revocations: bounded, and dropped once all affected tokens have expired. Revoking something again takes no more
 * space.
 *
 * When it is full, new entries are rejected rather than older ones dropped: the feed then counts as stale, and the caller's
 * policy for stale revocations decides. A revoked token is never silently accepted.
 */
export class Revocations {
  readonly #entriesMax: number;
  readonly #kept = new Map<string, Kept>();
  #version = 0;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** Grows with every change, so that a token checked against this version need not be checked again. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Adds all entries, or throws if there is no room for them. */
  apply(news: readonly Revocation[], nowSeconds: number): void {
    this.#forget(nowSeconds);
    const current = news.filter((revocation) => revocation.until > nowSeconds);
    if (current.length === 0) return;
    const added = new Set(current.map(keyOf).filter((key) => !this.#kept.has(key)));
    if (this.#kept.size + added.size > this.#entriesMax) {
      throw new Error(`more than ${this.#entriesMax} revocations are in force: raise revocations.entriesMax`);
    }
    for (const revocation of current) this.#keep(revocation);
    this.#version++;
  }

  /** Whether the token of this identity is revoked. */
  covers(identity: Identity): boolean {
    if (this.#kept.size === 0) return false;
    const { sessionId, userId, organizationId, issuedAt } = identity;
    return (
      this.#kept.has(sessionKey(sessionId)) ||
      this.#before(userKey(userId), issuedAt) ||
      (organizationId !== null &&
        (this.#before(memberKey(userId, organizationId), issuedAt) ||
          this.#before(organizationKey(organizationId), issuedAt)))
    );
  }

  #before(key: string, issuedAt: number): boolean {
    const kept = this.#kept.get(key);
    return kept !== undefined && issuedAt < kept.issuedBefore;
  }

  #keep(revocation: Revocation): void {
    const key = keyOf(revocation);
    const known = this.#kept.get(key);
    const issuedBefore = revocation.kind === 'session' ? Infinity : revocation.issuedBefore;
    this.#kept.set(key, {
      issuedBefore: Math.max(issuedBefore, known?.issuedBefore ?? 0),
      until: Math.max(revocation.until, known?.until ?? 0),
    });
  }

  #forget(nowSeconds: number): void {
    for (const [key, { until }] of this.#kept) if (until <= nowSeconds) this.#kept.delete(key);
  }
}

function keyOf(revocation: Revocation): string {
  switch (revocation.kind) {
    case 'session':
      return sessionKey(revocation.sid);
    case 'member':
      return memberKey(revocation.sub, revocation.organizationId);
    case 'user':
      return userKey(revocation.sub);
    case 'organization':
      return organizationKey(revocation.organizationId);
  }
}

// JSON encodes a pair unambiguously, whatever the ids contain.
const sessionKey = (sid: string): string => `session ${sid}`;
const userKey = (sub: string): string => `user ${sub}`;
const organizationKey = (organizationId: string): string => `organization ${organizationId}`;
const memberKey = (sub: string, organizationId: string): string =>
  `member ${JSON.stringify([sub, organizationId])}`;

/** A response of the feed: its cursor, the entries since the requested cursor, and its time. */
export interface RevocationPage {
  readonly cursor: string;
  readonly entries: readonly Revocation[];
  /** The issuer's clock, in milliseconds since the epoch; absent from older issuers. */
  readonly nowMs: number | undefined;
}

/** Parses a response of the feed, or throws. Unknown kinds are ignored. */
export function readRevocationPage(value: unknown): RevocationPage {
  const { cursor, entries, nowMs } = (value ?? {}) as Record<keyof RevocationPage, unknown>;
  if (typeof cursor !== 'string' || !Array.isArray(entries)) {
    throw new Error('not a page of revocations: cursor (text) and entries (array) are needed');
  }
  if (nowMs !== undefined && !Number.isFinite(nowMs)) {
    throw new Error('not a page of revocations: nowMs is no time');
  }
  return {
    cursor,
    entries: (entries as unknown[]).filter(isKnownKind).map(readRevocation),
    nowMs: nowMs as number | undefined,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isKnownKind(entry: unknown): entry is Fields {
  return ['session', 'member', 'user', 'organization'].includes(
    (entry as { kind: string } | null)?.kind ?? '',
  );
}

function readRevocation(entry: Fields): Revocation {
  const until = number(entry, 'until');
  if (entry['kind'] === 'session') return { kind: 'session', sid: id(entry, 'sid'), until };
  const issuedBefore = number(entry, 'issuedBefore');
  if (entry['kind'] === 'organization') {
    return { kind: 'organization', organizationId: id(entry, 'organizationId'), issuedBefore, until };
  }
  const sub = id(entry, 'sub');
  if (entry['kind'] === 'user') return { kind: 'user', sub, issuedBefore, until };
  return { kind: 'member', sub, organizationId: id(entry, 'organizationId'), issuedBefore, until };
}

function id(entry: Fields, name: string): string {
  const value = entry[name];
  if (typeof value !== 'string' || value === '') throw new Error(`a revocation has no ${name}`);
  return value;
}

function number(entry: Fields, name: string): number {
  const value = entry[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`a revocation has no ${name}`);
  return value;
}
