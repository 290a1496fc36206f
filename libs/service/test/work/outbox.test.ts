import { randomUUID } from 'node:crypto';
import type { Deliver } from '@tenantry/service/work';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { statementProblems } from '@tenantry/sql-check/statements';
import { definedStatements } from '@tenantry/tenancy/testing';
import { patience } from '@tenantry/test-kit';
import { describe, expect, it, vi } from 'vitest';
import { openInstances, outbox, recorder, type Letter } from './fixture/instances.ts';

const { opened, within, startInstance, put, dueNow, dueRows } = openInstances();

describe('the tables of the outbox', () => {
  const unscoped = {
    due_work: 'names organizations and rows, for workers that are in no organization yet',
    organization_ends: 'names organizations that were deleted',
  };

  it('keep the payload in its organization, and name nothing else to who is in none [S-119]', async () => {
    expect(await catalogProblems(opened.database.pool, { unscoped })).toEqual([]);
    // Others of this library may be defined in the same process.
    const statements = definedStatements('service').filter(({ name }) => /^(?:due-work|outbox)-/.test(name));
    expect(await statementProblems(opened.database.pool, { unscoped, statements })).toEqual([]);
    const { rows } = await opened.fixture.admin.query<{ name: string }>(
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
    await expect(opened.database.pool.query('SELECT * FROM outbox') as Promise<unknown>).rejects.toThrow(
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
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent).toEqual(
      expect.arrayContaining([
        { id: messages[0]?.id, organizationId: mine, text: 'mine' },
        { id: messages[1]?.id, organizationId: theirs, text: 'theirs' },
      ]),
    );
  });

  it('is never delivered when its transaction is rolled back, even if the worker is woken meanwhile [S-167]', async () => {
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
    await expect.poll(() => sent.map(({ text }) => text)).toEqual(['kept']);
  });

  it('of a hundred is delivered once each, however many instances deliver', async () => {
    const { sent, deliver } = recorder();
    const organizations = Array.from({ length: 10 }, () => randomUUID());
    for (let n = 0; n < 100; n++) await put(organizations[n % 10]!, `letter ${n}`);
    for (let n = 0; n < 3; n++) startInstance(deliver);
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(100);
    await expect.poll(async () => (await dueRows()).every(({ days }) => days > 29)).toBe(true);
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
      await expect.poll(() => attempts).toHaveLength(attempt);
      // Its lease, of 30 s and more, is shortened once it has failed.
      await vi.waitFor(async () => {
        const [due] = await dueRows();
        expect(due?.attempts).toBe(attempt);
        expect(due?.seconds).toBeGreaterThan(pause - 10);
        expect(due?.seconds).toBeLessThanOrEqual(pause);
      }, patience());
      await dueNow();
    }
    const state = async () => (await outbox.list(within(organizationId), { topic: 'letter', subjectId }))[0];
    await expect.poll(() => state()).toMatchObject({ id, state: 'failed', attempts: 3 });
    await expect.poll(async () => (await dueRows())[0]?.days).toBeGreaterThan(29);
    expect(attempts).toEqual([id, id, id]);
  });

  it('that waits is measured by kind: how much is due, and for how long', async () => {
    const organizationId = randomUUID();
    await put(organizationId);
    await put(organizationId);
    await opened.fixture.admin.query("UPDATE due_work SET next_attempt_at = now() - INTERVAL '100 s'");
    const holding = await opened.fixture.admin.connect();
    // What another instance is claiming is still due.
    await holding.query('BEGIN; SELECT 1 FROM due_work FOR UPDATE');
    const { deliver } = recorder();
    const worker = startInstance(deliver);
    const read = (name: string) => worker.measurements.find((one) => one.name === name)?.read();
    await expect.poll(() => read('tenantry_work_due')).toEqual([{ labels: { work: 'outbox' }, value: 2 }]);
    const [lag] = read('tenantry_work_lag_seconds') as { value: number }[];
    expect(lag?.value).toBeGreaterThan(99);
    await holding.query('ROLLBACK');
    holding.release();
    await expect
      .poll(() => read('tenantry_work_total'))
      .toContainEqual({
        labels: { work: 'outbox', outcome: 'done' },
        value: 2,
      });
  });

  it('that waits is counted from the index, in a table of a hundred thousand', async () => {
    await opened.fixture.admin.query(`
      INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
      SELECT gen_random_uuid(), 'outbox', gen_random_uuid(), now() + INTERVAL '1 day' FROM generate_series(1, 100000);
      ANALYZE due_work`);
    const text = definedStatements('service').find(({ name }) => name === 'due-work-backlog')?.text ?? '';
    const client = await opened.fixture.admin.connect();
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE backlog AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE backlog('{outbox}')`);
    await client.query('DEALLOCATE backlog; RESET plan_cache_mode');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('due_work_next');
    expect(plan).not.toContain('Seq Scan');
  });

  it('that an instance took on and did not deliver is delivered by another when the lease is over [S-167]', async () => {
    let giveUp = () => {};
    const held = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)));
    // Has its hands full with it, and does not take it on again.
    startInstance(() => held, { concurrency: 1, timeoutSeconds: 20 });
    const organizationId = randomUUID();
    await put(organizationId);
    await expect.poll(async () => (await dueRows())[0]?.attempts).toBe(1);
    const { sent, deliver } = recorder();
    startInstance(deliver).wake();
    expect(sent).toEqual([]);
    await dueNow();
    await expect.poll(() => sent).toHaveLength(1);
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
    await expect
      .poll(async () => (await list()).map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
    expect((await list())[0]?.endedAt).toBeInstanceOf(Date);
  });

  it('that waits on purpose is not an attempt, and says why and for how long; one that is dropped says why', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    let outcome: Awaited<ReturnType<Deliver<Letter>>> = {
      againAfterSeconds: 3_600,
      reason: 'DAILY_LIMIT',
    };
    startInstance(async () => outcome);
    await put(organizationId, 'hello', subjectId);
    const state = async () => (await outbox.list(within(organizationId), { topic: 'letter', subjectId }))[0];
    await expect
      .poll(state)
      .toMatchObject({ state: 'waiting', attempts: 0, reason: 'DAILY_LIMIT', endedAt: null });
    // The reason is written while it is still in hand.
    await expect.poll(state).toMatchObject({ nextAttemptAt: expect.any(Date) as Date });
    const inMs = ((await state())?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    expect(Math.round(inMs / 100_000)).toBe(36);
    outcome = { droppedBecause: 'OBSOLETE' };
    await dueNow();
    await expect.poll(state).toMatchObject({ state: 'failed', reason: 'OBSOLETE', nextAttemptAt: null });
    expect((await state())?.endedAt).toBeInstanceOf(Date);
  });

  it('that is being delivered is tried next at no time yet: nothing of it has failed', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    let fail: ((error: Error) => void) | undefined;
    startInstance(() => new Promise<never>((_resolve, reject) => (fail = reject)));
    await put(organizationId, 'hello', subjectId);
    const state = async () => (await outbox.list(within(organizationId), { topic: 'letter', subjectId }))[0];
    await expect.poll(() => fail).toBeDefined();
    expect(await state()).toMatchObject({ state: 'waiting', attempts: 1, nextAttemptAt: null });
    fail?.(new Error('mailbox busy'));
    await expect
      .poll(state)
      .toMatchObject({ state: 'waiting', attempts: 1, nextAttemptAt: expect.any(Date) as Date });
  });

  it('that is set aside says so', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    await put(organizationId, 'hello', subjectId);
    await opened.fixture.admin.query(
      `UPDATE due_work SET unanswered = 2, next_attempt_at = now() - INTERVAL '1 s'`,
    );
    expect(await outbox.list(within(organizationId), { topic: 'letter', subjectId })).toMatchObject([
      { state: 'waiting', reason: 'SET_ASIDE', nextAttemptAt: null },
    ]);
  });

  it('is kept for a time after its end, and then forgotten', async () => {
    const { sent, deliver } = recorder();
    startInstance(deliver);
    await put(randomUUID());
    await expect.poll(async () => (await dueRows())[0]?.days).toBeGreaterThan(29);
    expect((await dueRows())[0]?.attempts).toBe(0);
    await dueNow();
    const counted = async () =>
      (
        await opened.fixture.admin.query(
          'SELECT (SELECT count(*)::int FROM due_work) + (SELECT count(*)::int FROM outbox) AS n',
        )
      ).rows[0] as { n: number };
    await expect.poll(async () => (await counted()).n).toBe(0);
    expect(sent).toHaveLength(1);
  });
});
