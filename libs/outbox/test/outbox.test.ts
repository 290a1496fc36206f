import { randomUUID } from 'node:crypto';
import { catalogProblems, type TenantDatabase } from '@tenantry/tenancy';
import { definedStatements, statementProblems } from '@tenantry/tenancy/testing';
import { createDueWork, createOutbox, createScheduleWork, type Deliver, type Worker } from '@tenantry/outbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFixture, type Fixture, type PrismaClient } from './fixture/database.ts';

interface Letter {
  readonly text: string;
}
type Sent = { readonly id: string; readonly organizationId: string; readonly text: string };

const outbox = createOutbox<{ letter: Letter }>({ keepDays: 30 });
const schedule = createScheduleWork();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let fixture: Fixture;
let database: TenantDatabase<PrismaClient>;
let workers: Worker[] = [];
beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open();
});
afterAll(() => fixture.drop());
beforeEach(() => fixture.admin.query('DELETE FROM due_work; DELETE FROM outbox'));
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
});

/** Starts an instance; it is woken by what others commit, so that nothing waits for its next look. */
function startInstance(
  deliver: Deliver<Letter, PrismaClient>,
  options: { attemptsMax?: number; timeoutSeconds?: number; concurrency?: number } = {},
): Worker {
  const worker = createDueWork({
    database: fixture.open(),
    kinds: { outbox: outbox.delivery({ letter: deliver }) },
    connectionString: fixture.testDatabase.runtimeUrl,
    logger,
    pollSeconds: 0.2,
    ...options,
  });
  workers.push(worker);
  worker.start();
  return worker;
}

/** Delivers into a list, and reads the organization by the scope that it is given. */
function recorder() {
  const sent: Sent[] = [];
  const deliver: Deliver<Letter, PrismaClient> = async ({ id, payload }, { tenant }) => {
    const own = await tenant.prisma.outboxMessage.findFirst({ where: { id } });
    sent.push({ id, organizationId: own?.organizationId ?? 'none', text: payload.text });
    return undefined;
  };
  return { sent, deliver };
}

const within = (organizationId: string) => database.within({ organizationId });
const put = (organizationId: string, text = 'hello', subjectId = randomUUID()) =>
  within(organizationId).transaction((tx) =>
    outbox.put(tx, { topic: 'letter', subjectId, payload: { text } }),
  );
const dueNow = () => fixture.admin.query("UPDATE due_work SET next_attempt_at = now() - INTERVAL '1 s'");
const dueRows = async () =>
  (
    await fixture.admin.query<{ attempts: number; days: number; seconds: number }>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - clock_timestamp())::float / 86400 AS days,
       extract(epoch FROM next_attempt_at - clock_timestamp())::float AS seconds FROM due_work`,
    )
  ).rows;

describe('the tables of the outbox', () => {
  const unscoped = {
    due_work: 'names organizations and rows, for workers that are in no organization yet',
    organization_ends: 'names organizations that were deleted',
  };

  it('keep the payload in its organization, and name nothing else to who is in none', async () => {
    expect(await catalogProblems(database.pool, { unscoped })).toEqual([]);
    expect(await statementProblems(database.pool, { unscoped })).toEqual([]);
    const { rows } = await fixture.admin.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'due_work'::regclass AND attnum > 0 ORDER BY attnum`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'organization_id',
      'kind',
      'id',
      'attempts',
      'next_attempt_at',
      'is_ready',
      'unanswered',
    ]);
    await put(randomUUID());
    await expect(database.pool.query('SELECT * FROM outbox') as Promise<unknown>).rejects.toThrow(
      'no organization is set',
    );
  });
});

describe('a message', () => {
  it('is delivered once it is committed, within its organization', async () => {
    const { sent, deliver } = recorder();
    startInstance(deliver);
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const messages = [await put(mine, 'mine'), await put(theirs, 'theirs')];
    await vi.waitFor(() => expect(sent).toHaveLength(2), 5_000);
    expect(sent).toEqual(
      expect.arrayContaining([
        { id: messages[0]?.id, organizationId: mine, text: 'mine' },
        { id: messages[1]?.id, organizationId: theirs, text: 'theirs' },
      ]),
    );
  });

  it('is never delivered when its transaction is rolled back, even if the worker is woken meanwhile', async () => {
    const { sent, deliver } = recorder();
    const worker = startInstance(deliver);
    const organizationId = randomUUID();
    const rolledBack = within(organizationId).transaction(async (tx) => {
      await outbox.put(tx, { topic: 'letter', subjectId: randomUUID(), payload: { text: 'lost' } });
      worker.wake();
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await put(organizationId, 'kept');
    await vi.waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['kept']), 5_000);
  });

  it('of a hundred is delivered once each, however many instances deliver', async () => {
    const { sent, deliver } = recorder();
    const organizations = Array.from({ length: 10 }, () => randomUUID());
    for (let n = 0; n < 100; n++) await put(organizations[n % 10]!, `letter ${n}`);
    for (let n = 0; n < 3; n++) startInstance(deliver);
    await vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(100), 15_000);
    await vi.waitFor(async () => expect((await dueRows()).every(({ days }) => days > 29)).toBe(true), 5_000);
    expect(sent.map(({ text }) => text).sort()).toEqual(
      Array.from({ length: 100 }, (_, n) => `letter ${n}`).sort(),
    );
  });

  it('is tried again, later and later, until it is given up', async () => {
    const attempts: string[] = [];
    startInstance(
      async ({ id }) => {
        attempts.push(id);
        throw new Error('the mail server is away');
      },
      { attemptsMax: 3 },
    );
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    const { id } = await put(organizationId, 'hello', subjectId);
    for (const [attempt, pause] of [
      [1, 10],
      [2, 20],
    ] as const) {
      await vi.waitFor(() => expect(attempts).toHaveLength(attempt), 5_000);
      // Its lease, of 30 s and more, is shortened once it has failed.
      await vi.waitFor(async () => {
        const [due] = await dueRows();
        expect(due?.attempts).toBe(attempt);
        expect(due?.seconds).toBeGreaterThan(pause - 8);
        expect(due?.seconds).toBeLessThanOrEqual(pause);
      }, 5_000);
      await dueNow();
    }
    const state = async () => (await outbox.list(within(organizationId), { topic: 'letter', subjectId }))[0];
    await vi.waitFor(
      async () => expect(await state()).toMatchObject({ id, state: 'failed', attempts: 3 }),
      5_000,
    );
    await vi.waitFor(async () => expect((await dueRows())[0]?.days).toBeGreaterThan(29), 5_000);
    expect(attempts).toEqual([id, id, id]);
  });

  it('that waits is measured by kind: how much is due, and for how long', async () => {
    const organizationId = randomUUID();
    await put(organizationId);
    await put(organizationId);
    await fixture.admin.query("UPDATE due_work SET next_attempt_at = now() - INTERVAL '100 s'");
    const holding = await fixture.admin.connect();
    // What another instance is claiming is still due.
    await holding.query('BEGIN; SELECT 1 FROM due_work FOR UPDATE');
    const { deliver } = recorder();
    const worker = startInstance(deliver);
    const read = (name: string) => worker.measurements.find((one) => one.name === name)?.read();
    await vi.waitFor(
      () => expect(read('tenantry_work_due')).toEqual([{ labels: { work: 'outbox' }, value: 2 }]),
      5_000,
    );
    const [lag] = read('tenantry_work_lag_seconds') as { value: number }[];
    expect(lag?.value).toBeGreaterThan(99);
    await holding.query('ROLLBACK');
    holding.release();
    await vi.waitFor(
      () =>
        expect(read('tenantry_work_total')).toContainEqual({
          labels: { work: 'outbox', outcome: 'done' },
          value: 2,
        }),
      5_000,
    );
  });

  it('that waits is counted from the index, in a table of a hundred thousand', async () => {
    await fixture.admin.query(`
      INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
      SELECT gen_random_uuid(), 'outbox', gen_random_uuid(), now() + INTERVAL '1 day' FROM generate_series(1, 100000);
      ANALYZE due_work`);
    const text = definedStatements().find(({ name }) => name === 'due-work-backlog')?.text ?? '';
    const client = await fixture.admin.connect();
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE backlog AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE backlog('{outbox}')`);
    await client.query('DEALLOCATE backlog; RESET plan_cache_mode');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('due_work_next');
    expect(plan).not.toContain('Seq Scan');
  });

  it('that an instance took on and did not deliver is delivered by another when the lease is over', async () => {
    let giveUp = () => {};
    const held = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)));
    // Has its hands full with it, and does not take it on again.
    startInstance(() => held, { concurrency: 1, timeoutSeconds: 20 });
    const organizationId = randomUUID();
    await put(organizationId);
    await vi.waitFor(async () => expect((await dueRows())[0]?.attempts).toBe(1), 5_000);
    const { sent, deliver } = recorder();
    startInstance(deliver).wake();
    expect(sent).toEqual([]);
    await dueNow();
    await vi.waitFor(() => expect(sent).toHaveLength(1), 5_000);
    giveUp();
  });

  it('shows its organization how far it has come', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    const first = await put(organizationId, 'first', subjectId);
    const second = await put(organizationId, 'second', subjectId);
    const list = () => outbox.list(within(organizationId), { topic: 'letter', subjectId });
    expect(await list()).toMatchObject([
      { id: second.id, state: 'waiting', attempts: 0, endedAt: null, payload: { text: 'second' } },
      { id: first.id, state: 'waiting' },
    ]);
    expect(await outbox.list(within(randomUUID()), { topic: 'letter', subjectId })).toEqual([]);
    startInstance(recorder().deliver);
    await vi.waitFor(
      async () => expect((await list()).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
      5_000,
    );
    expect((await list())[0]?.endedAt).toBeInstanceOf(Date);
  });

  it('that waits on purpose is not an attempt, and says why and for how long; one that is dropped says why', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    let outcome: Awaited<ReturnType<Deliver<Letter, PrismaClient>>> = {
      againAfterSeconds: 3_600,
      reason: 'DAILY_LIMIT',
    };
    startInstance(async () => outcome);
    await put(organizationId, 'hello', subjectId);
    const state = async () => (await outbox.list(within(organizationId), { topic: 'letter', subjectId }))[0];
    await expect
      .poll(state)
      .toMatchObject({ state: 'waiting', attempts: 0, reason: 'DAILY_LIMIT', endedAt: null });
    const inMs = ((await state())?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    expect(Math.round(inMs / 100_000)).toBe(36);
    outcome = { droppedBecause: 'OBSOLETE' };
    await dueNow();
    await expect.poll(state).toMatchObject({ state: 'failed', reason: 'OBSOLETE', nextAttemptAt: null });
    expect((await state())?.endedAt).toBeInstanceOf(Date);
  });

  it('that is set aside says so', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    await put(organizationId, 'hello', subjectId);
    await fixture.admin.query(`UPDATE due_work SET unanswered = 2, next_attempt_at = now() - INTERVAL '1 s'`);
    expect(await outbox.list(within(organizationId), { topic: 'letter', subjectId })).toMatchObject([
      { state: 'waiting', reason: 'SET_ASIDE', nextAttemptAt: null },
    ]);
  });

  it('is kept for a time after its end, and then forgotten', async () => {
    const { sent, deliver } = recorder();
    startInstance(deliver);
    await put(randomUUID());
    await vi.waitFor(async () => expect((await dueRows())[0]?.days).toBeGreaterThan(29), 5_000);
    expect((await dueRows())[0]?.attempts).toBe(0);
    await dueNow();
    const counted = async () =>
      (
        await fixture.admin.query(
          'SELECT (SELECT count(*)::int FROM due_work) + (SELECT count(*)::int FROM outbox) AS n',
        )
      ).rows[0] as { n: number };
    await vi.waitFor(async () => expect((await counted()).n).toBe(0), 5_000);
    expect(sent).toHaveLength(1);
  });
});

describe('work of several organizations', () => {
  /** What an instance does, in the order in which it begins, and how much of one organization is in hand at most. */
  function inOrder({ concurrency }: { concurrency: number }) {
    const begun: string[] = [];
    const inHand = new Map<string, number>();
    let most = 0;
    const deliver: Deliver<Letter, PrismaClient> = async ({ payload: { text } }) => {
      begun.push(text);
      const now = (inHand.get(text) ?? 0) + 1;
      inHand.set(text, now);
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inHand.set(text, (inHand.get(text) ?? 0) - 1);
      return undefined;
    };
    const start = () => startInstance(deliver, { concurrency });
    return { begun, start, most: () => most };
  }

  it('is done in turn: nobody waits for more than one piece of each other organization', async () => {
    const { begun, start } = inOrder({ concurrency: 1 });
    const flooding = randomUUID();
    for (let n = 0; n < 20; n += 1) await put(flooding, 'flooding');
    const [two, one] = [randomUUID(), randomUUID()];
    for (const [organization, text] of [
      [two, 'two'],
      [two, 'two'],
      [one, 'one'],
    ] as const)
      await put(organization, text);
    start();
    await vi.waitFor(() => expect(begun).toHaveLength(23), 10_000);
    expect(begun.slice(0, 3).toSorted()).toEqual(['flooding', 'one', 'two']);
    expect(begun.slice(3, 5).toSorted()).toEqual(['flooding', 'two']);
  });

  it('is in turn also for what comes while the others work, whatever their ids', async () => {
    const { begun, start } = inOrder({ concurrency: 2 });
    for (const flooding of ['00000000-0000-7000-8000-000000000001', 'ffffffff-ffff-7fff-bfff-fffffffffffe']) {
      for (let n = 0; n < 40; n += 1) await put(flooding, flooding);
    }
    start();
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(5), 5_000);
    const before = begun.length;
    await put(randomUUID(), 'new');
    await vi.waitFor(() => expect(begun).toContain('new'), 5_000);
    expect(begun.indexOf('new') - before).toBeLessThanOrEqual(4);
    await vi.waitFor(() => expect(begun).toHaveLength(81), 10_000);
  });

  it('leaves one of them half of what an instance does at a time, alone as well', async () => {
    const { begun, start, most } = inOrder({ concurrency: 4 });
    const organizationId = randomUUID();
    for (let n = 0; n < 30; n += 1) await put(organizationId, 'only');
    start();
    await vi.waitFor(() => expect(begun).toHaveLength(30), 10_000);
    expect(most()).toBe(2);
  });

  it('finds the next piece in the index, however much one of them has waiting', async () => {
    await fixture.admin.query(`
      INSERT INTO due_work (organization_id, kind, id, is_ready, next_attempt_at)
      SELECT '00000000-0000-7000-8000-000000000001', 'outbox', gen_random_uuid(), true, now() - INTERVAL '1 s'
      FROM generate_series(1, 50000);
      INSERT INTO due_work (organization_id, kind, id, is_ready, next_attempt_at)
      SELECT gen_random_uuid(), 'outbox', gen_random_uuid(), true, now() - INTERVAL '1 s' FROM generate_series(1, 50000);
      ANALYZE due_work`);
    const text = definedStatements().find(({ name }) => name === 'due-work-claim')?.text ?? '';
    const client = await fixture.admin.connect();
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE claim AS ${text}`);
    const arcs = `'{00000000-0000-7000-8000-000000000001}', '{ffffffff-ffff-ffff-ffff-ffffffffffff}'`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) EXECUTE claim('{outbox}', ${arcs}, 30, 2)`,
    );
    await client.query('DEALLOCATE claim; RESET plan_cache_mode');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('due_work_ready');
    expect(plan).not.toContain('Seq Scan');
    expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(100);
  });
});

describe('work whose process has died', () => {
  /** As an instance leaves it that is killed while it is at it. */
  const dies = (id: string) =>
    fixture.admin.query(
      `UPDATE due_work SET attempts = attempts + 1, unanswered = unanswered + 1, is_ready = false,
         next_attempt_at = now() - INTERVAL '1 s' WHERE id = $1`,
      [id],
    );
  const read = (worker: Worker, name: string) => worker.measurements.find((one) => one.name === name)?.read();

  it('is begun again once, and told that it was not finished', async () => {
    const { id } = await put(randomUUID());
    await dies(id);
    const unfinished: number[] = [];
    const worker = createDueWork({
      database: fixture.open(),
      logger,
      pollSeconds: 0.2,
      kinds: { outbox: { work: async (item) => (unfinished.push(item.unfinished), 'done') } },
    });
    workers.push(worker);
    worker.start();
    await vi.waitFor(() => expect(unfinished).toEqual([1]), 5_000);
  });

  it('twice is set aside and measured, holds nobody up, and is begun when an operator brings it back', async () => {
    const poison = await put(randomUUID(), 'poison');
    await dies(poison.id);
    await dies(poison.id);
    await put(randomUUID(), 'innocent');
    const { sent, deliver } = recorder();
    const worker = startInstance(deliver);
    await vi.waitFor(
      () =>
        expect(read(worker, 'tenantry_work_set_aside')).toEqual([{ labels: { work: 'outbox' }, value: 1 }]),
      5_000,
    );
    await vi.waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['innocent']), 5_000);
    const [lag] = read(worker, 'tenantry_work_lag_seconds') as { value: number }[];
    expect(lag?.value).toBeLessThan(0.9);
    worker.wake();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toHaveLength(1);
    await fixture.admin.query('UPDATE due_work SET unanswered = 0 WHERE unanswered >= 2');
    await vi.waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['innocent', 'poison']), 5_000);
  });

  it('is not what failed, was late, or ended well: each is answered for', async () => {
    startInstance(
      async ({ payload: { text } }) => {
        if (text === 'fails') throw new Error('no');
        if (text === 'late') await new Promise(() => undefined);
        return undefined;
      },
      { timeoutSeconds: 0.3, concurrency: 4 },
    );
    for (const text of ['fails', 'late', 'ends']) await put(randomUUID(), text);
    await vi.waitFor(async () => {
      const { rows } = await fixture.admin.query(
        'SELECT attempts, unanswered FROM due_work ORDER BY attempts',
      );
      expect(rows).toEqual([
        { attempts: 0, unanswered: 0 },
        { attempts: 1, unanswered: 0 },
        { attempts: 1, unanswered: 0 },
      ]);
    }, 5_000);
  });

  it('is one piece at a time, so that others in hand are not suspected with it', async () => {
    for (let n = 0; n < 3; n += 1) await dies((await put(randomUUID(), 'suspect')).id);
    let inHand = 0;
    let most = 0;
    let done = 0;
    startInstance(
      async () => {
        most = Math.max(most, (inHand += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        inHand -= 1;
        done += 1;
        return undefined;
      },
      { concurrency: 4 },
    );
    await vi.waitFor(() => expect(done).toBe(3), 5_000);
    expect(most).toBe(1);
  });
});

describe('other work', () => {
  it('wakes the instances at its commit where it is due, and nobody where it is not', async () => {
    const listener = await fixture.admin.connect();
    let woken = 0;
    listener.on('notification', () => (woken += 1));
    await listener.query('LISTEN due_work');
    // A notification comes with the answer to the next query.
    const wakings = () => listener.query('SELECT 1').then(() => woken);
    const later = { kind: 'chore', id: randomUUID(), afterSeconds: 60 };
    await within(randomUUID()).transaction((tx) => schedule(tx, later));
    expect(await wakings()).toBe(0);
    await within(randomUUID()).transaction((tx) => schedule(tx, { ...later, afterSeconds: 0 }));
    expect(await wakings()).toBe(1);
    await put(randomUUID());
    expect(await wakings()).toBe(2);
    await listener.query('UNLISTEN *');
    listener.removeAllListeners('notification');
    listener.release();
  });

  it('is done when it is due, and again when it says so; what is scheduled twice is done once', async () => {
    const organizationId = randomUUID();
    const id = randomUUID();
    const done: string[] = [];
    const worker = createDueWork({
      database,
      logger,
      kinds: {
        sweep: {
          async work(item, { tenant }) {
            done.push(`${item.id} in ${tenant.scope.organizationId}`);
            return done.length === 1 ? { againAfterSeconds: 3_600 } : 'done';
          },
        },
      },
    });
    workers.push(worker);
    await schedule(within(organizationId), { kind: 'sweep', id, afterSeconds: 3_600 });
    await schedule(within(organizationId), { kind: 'sweep', id });
    await schedule(within(organizationId), { kind: 'of-another-worker', id });
    worker.start();
    expect(done).toEqual([]);
    for (const times of [1, 2]) {
      await dueNow();
      worker.wake();
      await vi.waitFor(() => expect(done).toHaveLength(times), 5_000);
      // What is left is that of another worker.
      const due = async () => (await dueRows()).filter(({ seconds }) => seconds < 60);
      await vi.waitFor(async () => expect(await due()).toHaveLength(1), 5_000);
    }
    expect(await dueRows()).toHaveLength(1);
    expect(done).toEqual([`${id} in ${organizationId}`, `${id} in ${organizationId}`]);
  });
});
