import {
  cursorUnknownStatus,
  EventPage,
  eventsPath,
  everyone,
  readEvent,
  type AuthEvent,
} from '@tenantry/contracts';
import { Check } from 'typebox/value';
import { callPeer, type PeerConfig } from '../peers/peers.ts';
import type { Behind } from './arrivals.ts';

/** What was read. */
export interface FeedPage {
  readonly cursor: string;
  readonly events: readonly AuthEvent[];
  /** The organizations with events that lack a property, for example, and why they cannot be read. */
  readonly unreadable: ReadonlyMap<string, unknown>;
  /** Whether the end of the feed was reached. */
  readonly isEnd: boolean;
  /** The organizations that have more events than the page. */
  readonly behind: Behind;
}

/** What is asked for. */
export interface FeedRequest {
  /** Null at the beginning. */
  readonly cursor: string | null;
  /** How long auth-service may hold a poll, in seconds. */
  readonly waitSeconds: number;
  /** Organizations whose events are wanted later. */
  readonly later: readonly string[];
  readonly signal: AbortSignal;
}

/** How much longer than the wait a response may take; a dead connection is closed then. */
const answerTimeoutMs = 3_000;

/** Reads the entries after a cursor from auth-service; `unknown` if it does not know the cursor. */
export async function readFeed(
  config: PeerConfig,
  { cursor, waitSeconds, later, signal }: FeedRequest,
): Promise<FeedPage | 'unknown'> {
  const url = new URL(`${config.AUTH_INTERNAL_URL}${eventsPath}`);
  if (cursor !== null) url.searchParams.set('after', cursor);
  url.searchParams.set('wait', String(waitSeconds));
  // Earlier versions of auth-service do not know it.
  if (later.length > 0) url.searchParams.set('later', later.join(','));
  const timeout = AbortSignal.timeout(waitSeconds * 1_000 + answerTimeoutMs);
  const answer = await callPeer('ask for events', url, {
    config,
    headers: { accept: 'application/json' },
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
  const isEnd = page.entries.length === 0 && later.length === 0;
  return { cursor: page.cursor, ...eventsOf(page), isEnd, behind: isEnd ? new Set() : behindOf(page) };
}

function eventsOf({ entries }: EventPage): Pick<FeedPage, 'events' | 'unreadable'> {
  const events: AuthEvent[] = [];
  const unreadable = new Map<string, unknown>();
  for (const entry of entries) {
    try {
      const event = readEvent(entry);
      if (event) events.push(event);
    } catch (cause) {
      unreadable.set(entry.organizationId, cause);
    }
  }
  return { events, unreadable };
}

/** Earlier versions of auth-service do not say it. */
function behindOf({ behind }: EventPage): Behind {
  return behind === undefined || behind.includes(everyone) ? 'all' : new Set(behind);
}
