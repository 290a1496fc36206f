import { cursorUnknownStatus, EventPage, eventsPath, readEvent, type AuthEvent } from '@tenantry/contracts';
import { callService } from '@tenantry/service-kit';
import { Check } from 'typebox/value';

/** The address of auth-service, and the key. */
export interface PeerConfig {
  readonly AUTH_INTERNAL_URL: string;
  /** The first is sent; the others are accepted elsewhere during a rotation. */
  readonly INTERNAL_API_KEY: readonly string[];
}

/** What was read. */
export interface FeedPage {
  readonly cursor: string;
  readonly events: readonly AuthEvent[];
  /** Whether the end of the feed was reached. */
  readonly isEnd: boolean;
}

/** Reads the entries after a cursor from auth-service; `unknown` if it does not know the cursor. */
export type ReadFeed = (request: FeedRequest) => Promise<FeedPage | 'unknown'>;

/** What is asked for. */
export interface FeedRequest {
  /** Null at the beginning. */
  readonly cursor: string | null;
  /** How long auth-service may hold a poll, in seconds. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

/** How much longer than the wait a response may take; a dead connection is closed then. */
const answerTimeoutMs = 3_000;

/** Makes {@link ReadFeed}. */
export function createReadFeed({ AUTH_INTERNAL_URL, INTERNAL_API_KEY }: PeerConfig): ReadFeed {
  const headers = { authorization: `Bearer ${INTERNAL_API_KEY[0] ?? ''}`, accept: 'application/json' };
  return async ({ cursor, waitSeconds, signal }) => {
    const url = new URL(`${AUTH_INTERNAL_URL}${eventsPath}`);
    if (cursor !== null) url.searchParams.set('after', cursor);
    url.searchParams.set('wait', String(waitSeconds));
    const timeout = AbortSignal.timeout(waitSeconds * 1_000 + answerTimeoutMs);
    const answer = await callService('ask for events', url, {
      headers,
      signal: AbortSignal.any([signal, timeout]),
    });
    if (answer.status === cursorUnknownStatus) {
      await answer.body?.cancel();
      return 'unknown';
    }
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new Error(`auth-service answered ${answer.status} for its events`);
    }
    const page: unknown = await answer.json();
    if (!Check(EventPage, page)) throw new Error('auth-service answered no page of events');
    const events = page.entries.flatMap((entry) => readEvent(entry) ?? []);
    return { cursor: page.cursor, events, isEnd: page.entries.length === 0 };
  };
}
