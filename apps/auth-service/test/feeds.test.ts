import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@tenantry/service/logging';
import { patience, testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { models, type Transaction } from '../src/database.ts';
import { eventsTable } from '../src/events/events.repository.ts';
import { recordEvent } from '../src/events/events.ts';
import { beginning, cutOff, formatCursor, formatPlace, parseCursor } from '../src/events/feeds/cursor.ts';
import { Feed } from '../src/events/feeds/feed.ts';
import { FeedRepository } from '../src/events/feeds/feed.repository.ts';
import { Tail, type ReadFeed } from '../src/events/feeds/tail.ts';
import { revocationsTable } from '../src/tokens/revocations/revocations.repository.ts';
import { recordRevocation } from '../src/tokens/revocations/revocations.ts';
import { claimsOf, send, signIn, signUp } from './support/client.ts';
import { openDatabase, startService } from './support/service.ts';

const keys = ['k'.repeat(8), 'l'.repeat(8)].map((letters) => `${letters}-0123456789-abcdefghijklmnop`);
const first = await startService({ settings: { INTERNAL_API_KEY: keys.join(',') } });
const { app, sql } = first;
const alike = { database: first.database, settings: { AUTH_SECRET: first.config.AUTH_SECRET } };
const second = await startService(alike);
const database = openDatabase(
  first.config,
  createLogger({ name: 'test', level: 'trace', destination: testLog() }),
);
afterAll(() => database.close());

interface Page {
  readonly cursor: string;
  readonly behind: readonly string[];
  readonly nowMs?: number;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

async function read(path: string, after?: string, wait = 0, from = app): Promise<Page> {
  const cursor = after === undefined ? '' : `&after=${after}`;
  const headers = { authorization: `Bearer ${keys[0] ?? ''}` };
  const answer = await from.inject({ url: `${path}?wait=${wait}${cursor}`, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
async function readToEnd(from: Page): Promise<Page> {
  let page = from;
  while (page.entries.length > 0) page = await events(page.cursor);
  return page;
}
const revocations = (after?: string, wait?: number, from?: typeof app) =>
  read('/internal/revocations', after, wait, from);
const events = (after?: string, wait?: number) => read('/internal/events', after, wait);

const ada = await signUp(app);
const asAda = <Result>(work: (tx: Transaction) => Promise<Result>) =>
  database.within({ userId: ada.id }).transaction(work);
const sessionOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const revoke = async (tx: Transaction, n: number): Promise<void> => {
  await recordRevocation(tx, { kind: 'session', userId: ada.id, sessionId: sessionOf(n), at: new Date() });
};
const now = Math.floor(Date.now() / 1_000);
const placeAt = (snapshot: string) => formatPlace({ epoch: randomUUID(), mark: randomUUID(), snapshot });
const sids = ({ entries }: Page) => entries.map(({ sid }) => sid);

const organizationId = claimsOf(ada.token)['organizationId'] as string;
const renamed = (name: string) => ({
  type: 'user.updated' as const,
  organizationId,
  userId: ada.id,
  familyName: null,
  disabled: false,
  emailVerified: true,
  role: 'owner',
  email: ada.email,
  name,
  createdAt: '1970-01-01T00:00:00.000Z',
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** A transaction that is open until commit is called. */
async function openTransaction(work: (tx: Transaction) => Promise<void>): Promise<() => Promise<void>> {
  const commit = gate();
  const begun = gate();
  const done = asAda(async (tx) => {
    await work(tx);
    begun.open();
    await commit.opened;
  });
  await Promise.race([begun.opened, done]);
  return () => {
    commit.open();
    return done;
  };
}

describe('the feed of revocations', () => {
  test('publishes a signed-out session to every waiting reader, at any instance', async () => {
    const { session } = (await signIn(app, ada.email)).body;
    const { cursor } = await revocations();
    const waiting = [app, second.app].map((instance) => revocations(cursor, 30, instance));
    await sleep(100);
    await send(app, 'POST /sign-out', { token: session.token });

    for (const page of await Promise.all(waiting)) {
      expect(page.entries).toEqual([
        { kind: 'session', sid: session.id, until: expect.any(Number) as number },
      ]);
    }
  });

  test('contains the current time of the clock that tokens are issued by [S-92]', async () => {
    const ahead = await startService({ ...alike, now: () => new Date(Date.now() + 90_000) });
    const askedAt = Date.now();
    const { cursor, nowMs } = await revocations(undefined, 0, ahead.app);
    expect(nowMs).toBeGreaterThanOrEqual(askedAt + 90_000);
    expect(nowMs).toBeLessThanOrEqual(Date.now() + 90_000);
    const after = await revocations(cursor, 1, ahead.app);
    expect((after.nowMs ?? 0) - (nowMs ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('publishes every session that a further sign-in evicts', async () => {
    const small = await startService({
      ...alike,
      settings: { ...alike.settings, MAX_SESSIONS_PER_USER: '1' },
    });
    const grace = await signUp(small.app, 'Grace');
    const { cursor } = await revocations();
    await signIn(small.app, grace.email);
    expect(sids(await revocations(cursor))).toEqual([grace.sessionId]);
  });

  test('publishes members and users with whole seconds', async () => {
    const { cursor } = await revocations();
    const at = new Date();
    await database.within({ organizationId, userId: ada.id }).transaction(async (tx) => {
      await recordRevocation(tx, { kind: 'member', userId: ada.id, at });
      await recordRevocation(tx, { kind: 'user', userId: ada.id, at });
    });
    const issuedBefore = Math.floor(at.getTime() / 1_000) + 2;
    const until = Math.ceil(at.getTime() / 1_000) + 960;
    const { entries } = await revocations(cursor);
    // A transaction that takes longer moves both on, by whole seconds.
    const late = Number(entries[0]?.['issuedBefore']) - issuedBefore;
    expect(late).toBeGreaterThanOrEqual(0);
    const common = { sub: ada.id, issuedBefore: issuedBefore + late, until: until + late };
    expect(entries).toEqual([
      { kind: 'member', organizationId, ...common },
      { kind: 'user', ...common },
    ]);
  });

  test('never skips a transaction that begins first and commits last, and waits for none [S-70]', async () => {
    const { cursor } = await revocations();
    const commitFirst = await openTransaction((tx) => revoke(tx, 1));
    const commitSecond = await openTransaction((tx) => revoke(tx, 2));
    await commitSecond();
    const page = await revocations(cursor, 30);
    expect(sids(page)).toEqual([sessionOf(2)]);

    const late = [app, second.app].map((instance) => revocations(page.cursor, 30, instance));
    await sleep(1_200);
    await commitFirst();
    for (const next of await Promise.all(late)) expect(sids(next)).toEqual([sessionOf(1)]);
    expect(sids(await revocations(cursor))).toEqual([sessionOf(1), sessionOf(2)]);
  });

  test('responds without entries at the timeout, and continues from there', async () => {
    const { cursor } = await revocations();
    const askedAt = performance.now();
    const nothing = await revocations(cursor, 1);
    expect(nothing.entries).toEqual([]);
    expect(performance.now() - askedAt).toBeGreaterThan(900);
    await asAda((tx) => revoke(tx, 3));
    expect(sids(await revocations(nothing.cursor, 30))).toEqual([sessionOf(3)]);
  });

  test('starts with all current entries, and no expired ones', async () => {
    await asAda((tx) => revoke(tx, 4));
    await asAda((tx) =>
      recordRevocation(tx, { kind: 'session', userId: ada.id, sessionId: sessionOf(5), at: new Date(0) }),
    );
    const all = sids(await revocations());
    expect(all).toContain(sessionOf(4));
    expect(all).not.toContain(sessionOf(5));
  });

  test.each([
    ['no cursor at all', 'x'],
    ['a snapshot that names no history', formatCursor({ seen: '9:9:', at: now })],
    ['a history of another database', formatCursor({ seen: placeAt('9:9:'), at: now })],
    ['no snapshot', formatCursor({ seen: placeAt('9:3:5'), at: now })],
    ['a number too large', formatCursor({ seen: placeAt(`${'9'.repeat(19)}:${'9'.repeat(19)}:`), at: now })],
  ])('responds with 410 to %s', async (_case, cursor) => {
    const answer = await app.inject({ url: `/internal/revocations?after=${cursor}` });
    expect(answer.statusCode).toBe(410);
    expect(answer.json()).toMatchObject({ code: 'CURSOR_UNKNOWN' });
  });

  test('releases waiting readers when the instance stops', async () => {
    const third = await startService(alike);
    const { cursor } = await revocations();
    const waiting = revocations(cursor, 30, third.app);
    // By the time that others are answered, it waits.
    for (let n = 0; n < 3; n += 1) await revocations(undefined, 0, third.app);
    await third.app.close();
    expect((await waiting).entries).toEqual([]);
  });
});

describe('the feed of events', () => {
  test('is for peers alone, by any key that is valid at the time [S-183]', async () => {
    const status = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/internal/events', headers })).statusCode;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${ada.token}` })).toBe(401);
    expect(await status({ authorization: `Bearer ${keys.join(',')}` })).toBe(401);
    for (const key of keys) expect(await status({ authorization: `Bearer ${key}` })).toBe(200);
  });

  test('contains the whole event', async () => {
    const { cursor } = await events();
    await asAda((tx) => recordEvent(tx, renamed('Ada King')));
    expect((await events(cursor)).entries).toEqual([
      {
        id: expect.stringMatching(/^\d+$/) as string,
        type: 'user.updated',
        occurredAt: expect.stringMatching(/Z$/) as string,
        organizationId,
        userId: ada.id,
        email: ada.email,
        name: 'Ada King',
        familyName: null,
        disabled: false,
        emailVerified: true,
        role: 'owner',
        createdAt: '1970-01-01T00:00:00.000Z',
      },
    ]);
  });

  describe('for a reader that postpones an organization', () => {
    const other = randomUUID();
    const postponing = async (after: string, later = organizationId): Promise<Page> =>
      read('/internal/events', `${after}&later=${later}`);
    const rename = (...names: string[]) =>
      asAda(async (tx) => {
        for (const [n, name] of names.entries()) {
          await recordEvent(tx, { ...renamed(name), userId: sessionOf(n) });
        }
      });
    const names = ({ entries }: Page) => entries.map(({ name, type }) => name ?? type);

    test('sends those of others, and afterwards all of its, in order, however many pages later [S-76]', async () => {
      let page = await readToEnd(await events());
      await rename('One', 'Two');
      await asAda((tx) => recordEvent(tx, { type: 'user.erased', organizationId: other, userId: ada.id }));
      page = await postponing(page.cursor);
      expect(names(page)).toEqual(['user.erased']);
      expect(page.behind).toEqual([organizationId]);
      page = await postponing(page.cursor);
      expect([names(page), page.behind]).toEqual([[], [organizationId]]);
      await asAda(async (tx) => recordEvent(tx, { ...renamed('Three'), userId: sessionOf(3) }));
      page = await postponing(page.cursor);
      expect(names(page)).toEqual([]);
      page = await postponing(page.cursor, other);
      expect(names(page)).toEqual(['One', 'Two', 'Three']);
      expect([names(await events(page.cursor)), page.behind]).toEqual([[], []]);
    });

    test('waits for others at the end', async () => {
      const { cursor } = await readToEnd(await events());
      await rename('Four');
      const { cursor: postponed } = await postponing(cursor);
      const waiting = read('/internal/events', `${postponed}&later=${organizationId}`, 30);
      await asAda((tx) => recordEvent(tx, { type: 'user.erased', organizationId: other, userId: ada.id }));
      const page = await waiting;
      expect([names(page), page.behind]).toEqual([['user.erased'], [organizationId]]);
      expect(names(await events(page.cursor))).toEqual(['Four']);
    });

    test('refuses what is no list of ids', async () => {
      const headers = { authorization: `Bearer ${keys[0] ?? ''}` };
      const answer = await app.inject({ url: '/internal/events?later=everyone', headers });
      expect(answer.statusCode).toBe(400);
    });
  });

  test('contains the last change of one row, whichever transaction began first', async () => {
    const { cursor } = await events();
    const change = (name: string) => async (tx: Transaction) => {
      await models(tx).user.updateMany({ where: { id: ada.id }, data: { name } });
      await recordEvent(tx, renamed(name));
    };
    const go = gate();
    // It has its transaction id before the other, and changes the row after it.
    const beganFirst = asAda(async (tx) => {
      await recordEvent(tx, { type: 'user.erased', organizationId, userId: sessionOf(0) });
      await go.opened;
      await change('second')(tx);
    });
    await sleep(50);
    await asAda(change('first'));
    go.open();
    await beganFirst;
    const { entries } = await events(cursor);
    expect(entries.filter(({ userId }) => userId === ada.id).map(({ name }) => name)).toEqual(['second']);
  });

  test('is paged without losing or repeating an event', async () => {
    const { cursor } = await events();
    const names = Array.from({ length: 1_203 }, (_, n) => `Ada ${n}`);
    await sql(
      `INSERT INTO events (type, subject, user_id, organization, payload)
       SELECT 'user.updated', 'user:' || name, $1::uuid, $3::uuid,
         jsonb_build_object('organizationId', $3::uuid, 'name', name)
       FROM unnest($2::text[]) AS name`,
      [ada.id, names, organizationId],
    );
    const told: unknown[] = [];
    let page = await events(cursor);
    while (page.entries.length > 0) {
      expect(page.entries.length).toBeLessThanOrEqual(500);
      told.push(...page.entries.map(({ name }) => name));
      // What is written meanwhile comes after what was there before.
      if (told.length === 100) await asAda((tx) => recordEvent(tx, renamed('the last')));
      page = await events(page.cursor);
    }
    expect(told).toEqual([...names, 'the last']);
  });

  /** Events about members of their own, by organization and name. */
  const tellOf = (organization: string, names: readonly string[]) =>
    sql(
      `INSERT INTO events (type, subject, user_id, organization, payload)
       SELECT 'user.updated', concat('member:', $1::text, ':', name), gen_random_uuid(), $1::uuid,
         jsonb_build_object('organizationId', $1::uuid, 'userId', gen_random_uuid(), 'name', name)
       FROM unnest($2::text[]) AS name`,
      [organization, names],
    );
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);
  const namesIn = ({ entries }: Page) => entries.map(({ name }) => name);

  test('gives each organization its turn: one event of a small one does not wait for a thousand of another [S-75]', async () => {
    const [big, small, later] = [randomUUID(), randomUUID(), randomUUID()];
    const start = await events();
    let page = await readToEnd(start);
    await tellOf(big, numbered('big', 1_000));
    await tellOf(small, ['small']);
    page = await events(page.cursor);
    expect(namesIn(page)).toEqual([...numbered('big', 100), 'small']);
    expect(page.behind).toEqual([big]);

    // What comes meanwhile does not wait either, and that of the big one is not lost.
    await tellOf(later, ['later']);
    await tellOf(big, ['the last']);
    page = await events(page.cursor, 5);
    expect(namesIn(page)).toContain('later');
    expect(page.behind).toEqual([big]);
    const told = namesIn(page);
    while (page.behind.length > 0) told.push(...namesIn((page = await events(page.cursor, 5))));
    expect(new Set(told)).toEqual(new Set(['later', 'the last', ...numbered('big', 1_000).slice(100)]));
    expect((await events(page.cursor)).entries).toEqual([]);
  });

  test('loses nothing where too many organizations are behind to name them', async () => {
    const organizations = Array.from({ length: 700 }, () => randomUUID());
    let page = await readToEnd(await events());
    await sql(
      `INSERT INTO events (type, subject, user_id, organization, payload)
       SELECT 'user.updated', concat('member:', id), gen_random_uuid(), id, jsonb_build_object('organizationId', id)
       FROM unnest($1::uuid[]) AS id`,
      [organizations],
    );
    page = await events(page.cursor);
    expect(page.entries).toHaveLength(500);
    expect(page.behind).toEqual(['*']);
    const told = new Set<unknown>(page.entries.map((entry) => entry['organizationId']));
    while (page.entries.length > 0) {
      page = await events(page.cursor);
      for (const entry of page.entries) told.add(entry['organizationId']);
    }
    expect(told).toEqual(new Set(organizations));
    expect(page.behind).toEqual([]);
  });

  test('tells a reader from the beginning what is new before it has everything else', async () => {
    await tellOf(randomUUID(), numbered('long ago', 600));
    let page = await events();
    await tellOf(randomUUID(), ['new']);
    page = await events(page.cursor);
    expect(namesIn(page)).toContain('new');
    // It has yet to get what there was, which is no news of anybody.
    expect(page.behind).toEqual([]);
    await readToEnd(page);
  });

  test('never tells an earlier change after a later one, in whatever order pages come [S-75]', async () => {
    const organization = randomUUID();
    let page = await readToEnd(await events());
    await tellOf(organization, [...numbered('member', 150), 'changed twice']);
    page = await events(page.cursor);
    const told = namesIn(page);
    expect(told).not.toContain('changed twice');
    await sql(
      `INSERT INTO events (type, subject, user_id, organization, payload)
       SELECT type, subject, user_id, organization, payload || '{"name":"the second time"}' FROM events
       WHERE subject = concat('member:', $1::text, ':changed twice')`,
      [organization],
    );
    while (page.entries.length > 0) told.push(...namesIn((page = await events(page.cursor))));
    expect(told).toContain('the second time');
    expect(told).not.toContain('changed twice');
  });

  test('reads a cursor of an earlier version, and tells again what that had told in part', async () => {
    const page = await readToEnd(await events());
    const { seen } = parseCursor(page.cursor)!;
    await tellOf(randomUUID(), ['one', 'two']);
    const former = Buffer.from([now, seen, seen, '1'].join('/')).toString('base64url');
    expect(namesIn(await events(former))).toEqual(['one', 'two']);
    const fromBeginning = Buffer.from([now, beginning, seen, '1'].join('/')).toString('base64url');
    expect((await events(fromBeginning)).entries).toHaveLength(500);
  });

  test('responds with 410 to a reader that was down for longer than ended subjects are kept', async () => {
    const { cursor } = await events();
    const { seen } = parseCursor(cursor)!;
    const at = Math.floor(Date.now() / 1_000) - 8 * 24 * 60 * 60;
    const old = formatCursor({ seen, at });
    const answer = await app.inject({
      url: `/internal/events?after=${old}`,
      headers: { authorization: `Bearer ${keys[0] ?? ''}` },
    });
    expect(answer.statusCode).toBe(410);
  });
});

describe('a feed whose database has another history', () => {
  const isUnknown = async (after: string, wait = 0) => {
    const answer = await app.inject({ url: `/internal/revocations?after=${after}&wait=${wait}` });
    expect(answer.json()).toMatchObject({ code: 'CURSOR_UNKNOWN' });
  };

  test.each([
    ['a timeline that began behind it', `UPDATE feed_history SET timeline = 'FFFFFFFF'`],
    ['another cluster', 'UPDATE feed_history SET system_identifier = 1'],
    [
      'files from before the last entry',
      `WITH last AS (DELETE FROM feed_marks WHERE feed = 'revocations' AND xid = (
         SELECT max(xid) FROM feed_marks WHERE feed = 'revocations') RETURNING xid)
       DELETE FROM revocations USING last WHERE revocations.xid = last.xid`,
    ],
    ['no history at all', 'TRUNCATE feed_history, feed_marks'],
  ])(
    'responds with 410 to a cursor from before %s, also to a waiting reader, and continues after it [S-73]',
    async (_, change) => {
      await asAda((tx) => revoke(tx, 8));
      await asAda((tx) => revoke(tx, 9));
      const { cursor } = await revocations();
      const waiting = isUnknown(cursor, 30);
      await sleep(100);
      await sql(change);
      await waiting;
      await isUnknown(cursor);

      const anew = await revocations();
      expect(sids(anew)).toContain(sessionOf(8));
      const later = revocations(anew.cursor, 30, second.app);
      await asAda((tx) => revoke(tx, 10));
      expect(sids(await later)).toEqual([sessionOf(10)]);
    },
  );

  test('publishes restored entries once, in pages, whatever their former transaction ids [S-73]', async () => {
    await sql(
      `INSERT INTO events (xid, type, subject, user_id, payload)
       SELECT '9000000000'::xid8, 'user.updated', 'restored:' || n, $1::uuid,
         jsonb_build_object('organizationId', $2::uuid, 'name', 'restored ' || n)
       FROM generate_series(1, 1203) AS n`,
      [ada.id, organizationId],
    );
    await sql(`UPDATE feed_history SET system_identifier = 1`);
    const told: unknown[] = [];
    let page = await events();
    while (page.entries.length > 0) {
      told.push(...page.entries.map(({ name }) => name));
      page = await events(page.cursor);
    }
    const restored = told.filter((name) => String(name).startsWith('restored'));
    expect(restored).toEqual(Array.from({ length: 1_203 }, (_, n) => `restored ${n + 1}`));

    const waiting = events(page.cursor, 30);
    await asAda((tx) => recordEvent(tx, renamed('after the restore')));
    const after = await waiting;
    expect(after.entries.map(({ name }) => name)).toEqual(['after the restore']);
    expect((await events(after.cursor)).entries).toEqual([]);
    await sql(`DELETE FROM events WHERE subject LIKE 'restored:%'`);
  });

  test('names no transaction behind the last one that wrote to it', () => {
    expect(cutOff('10:20:10,12,18', '15')).toBe('10:16:10,12');
    expect(cutOff('17:20:17', '15')).toBe('16:16:');
    expect(cutOff('20:20:', '15')).toBe('16:16:');
    expect(cutOff('10:20:10,12,18', '12')).toBe('10:13:10');
  });
});

describe('an instance', () => {
  const counted = (waitersMax?: number) => {
    const repository = new FeedRepository(revocationsTable);
    const state = { reads: 0, away: false };
    const read: ReadFeed = async (...range) => {
      state.reads++;
      if (state.away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      return repository.read(database.unscoped, ...range);
    };
    const tail = new Tail({ read, onFailure: () => undefined });
    const now = () => new Date();
    const limits = { pageMax: 1_000, ...(waitersMax === undefined ? {} : { waitersMax }) };
    return { feed: new Feed({ read, tail, now, ...limits }), tail, state };
  };
  const forever = new AbortController().signal;

  test('asks the database once for all that wait, and without any notification twice a second', async () => {
    const { feed, state } = counted();
    const { cursor } = await feed.page({ waitSeconds: 0, signal: forever });
    const waiting = Array.from({ length: 200 }, () =>
      feed.page({ after: cursor, waitSeconds: 60, signal: forever }),
    );
    await sleep(50);
    state.reads = 0;
    const since = performance.now();
    const pollsDue = () => (performance.now() - since) / 500;
    await expect.poll(() => state.reads).toBeGreaterThanOrEqual(3);
    expect(state.reads).toBeLessThanOrEqual(pollsDue() + 1.5);

    await asAda((tx) => revoke(tx, 6));
    const pages = await Promise.all(waiting);
    expect(pages.every(({ entries }) => entries.length === 1)).toBe(true);
    expect(state.reads).toBeLessThanOrEqual(pollsDue() + 2.5);
    expect(new Set(pages.map((page) => page.cursor)).size).toBeLessThanOrEqual(2);
  });

  test('reads for all readers outside of the request that caused it', async () => {
    const requests = new AsyncLocalStorage<string>();
    const askedFor: (string | undefined)[] = [];
    const failedFor: (string | undefined)[] = [];
    const state = { away: false };
    const tail = new Tail({
      read: async () => {
        askedFor.push(requests.getStore());
        await sleep(1);
        if (state.away) throw new Error('away');
        return { place: 'here', entries: [] };
      },
      onFailure: () => void failedFor.push(requests.getStore()),
    });
    await requests.run('of the first reader', () => tail.refresh({ anyway: true }));
    const leave = requests.run('of one that waits', () => tail.listen(() => undefined));
    await expect.poll(() => askedFor.length).toBeGreaterThanOrEqual(3);
    requests.run('of a writer', () => tail.wake());
    state.away = true;
    await expect.poll(() => failedFor.length).toBeGreaterThanOrEqual(1);
    // A caller reads for itself once two polls have failed.
    await expect.poll(() => tail.staleMs).toBeGreaterThan(1_000);
    await expect(requests.run('of the last', () => tail.refresh({ anyway: true }))).rejects.toThrow('away');
    leave();
    expect(new Set([...askedFor, ...failedFor])).toEqual(new Set([undefined]));
  });

  test('lets a bounded number of readers wait, and drops those that disconnect', async () => {
    const { feed, tail } = counted(2);
    const listening = vi.spyOn(tail, 'listen');
    const { cursor } = await feed.page({ waitSeconds: 0, signal: forever });
    const leaving = new AbortController();
    const page = (signal: AbortSignal) => feed.page({ after: cursor, waitSeconds: 30, signal });
    const staying = [page(leaving.signal), page(leaving.signal)];
    await expect.poll(() => listening).toHaveBeenCalledTimes(2);
    await expect(page(forever)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    leaving.abort();
    await Promise.all(staying);
    const again = new AbortController();
    const waiting = page(again.signal);
    again.abort();
    expect((await waiting).entries).toEqual([]);
  });

  test('never reports "no entries" while its database does not respond', async () => {
    const { feed, state } = counted();
    const { cursor } = await feed.page({ waitSeconds: 0, signal: forever });
    await feed.page({ after: cursor, waitSeconds: 1, signal: forever });
    state.away = true;
    // By the one error or the other, as this call is the first to notice or not.
    const saysSo = { code: expect.stringMatching(/^(UPSTREAM_UNAVAILABLE|ECONNREFUSED)$/) as string };
    await expect(feed.page({ after: cursor, waitSeconds: 3, signal: forever })).rejects.toMatchObject(saysSo);
    await expect(feed.page({ after: cursor, waitSeconds: 3, signal: forever })).rejects.toMatchObject(saysSo);
    state.away = false;
    await asAda((tx) => revoke(tx, 7));
    const page = await feed.page({ after: cursor, waitSeconds: 20, signal: forever });
    expect(page.entries).toHaveLength(1);
  });

  test('reads only what is news, among a hundred thousand events', async () => {
    await sql(
      `INSERT INTO events (type, subject, user_id, payload)
       SELECT 'user.updated', 'user:' || n, gen_random_uuid(), '{}' FROM generate_series(1, 100000) AS n`,
    );
    await sql('ANALYZE events');
    // While a transaction is open that began before them, in whichever database of the server, they stay news.
    const areSettled = 'SELECT pg_snapshot_xmin(pg_current_snapshot()) > max(xid) AS settled FROM events';
    await expect.poll(() => sql(areSettled)).toEqual([{ settled: true }]);
    const reader = openDatabase(
      first.config,
      createLogger({ name: 'test', level: 'trace', destination: testLog() }),
    );
    const repository = new FeedRepository(eventsTable);
    const seen = (await repository.read(reader.unscoped, { seen: beginning }, 0))?.place ?? '';
    await asAda((tx) => recordEvent(tx, renamed('of note')));
    await sql('SELECT pg_stat_reset()');
    for (let n = 0; n < 20; n++) {
      expect((await repository.read(reader.unscoped, { seen }, 100_000))?.entries).toHaveLength(1);
    }
    // A connection reports what it has read when it closes.
    await reader.close();
    await vi.waitFor(async () => {
      const [read] = await sql(
        `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname = 'events'`,
      );
      // What others read before is reported late.
      expect(read?.['rows']).toBeGreaterThanOrEqual(20);
      expect(read?.['rows']).toBeLessThan(200);
    }, patience());
  });
});
