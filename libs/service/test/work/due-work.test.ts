import { randomUUID } from 'node:crypto';
import { DueWork, scheduleWork as schedule, type Deliver } from '@tenantry/service/work';
import { definedStatements } from '@tenantry/tenancy/testing';
import { patience } from '@tenantry/test-kit';
import { describe, expect, it, vi } from 'vitest';
import { logger, openInstances, recorder, type Letter } from './fixture/instances.ts';

const { opened, within, ending, startInstance, put, dueNow, dueRows } = openInstances();

describe('work of several organizations', () => {
  /** What an instance does, in the order in which it begins, and how much of one organization is in hand at most. */
  function inOrder({ concurrency, until }: { concurrency: number; until?: Promise<void> }) {
    const begun: string[] = [];
    const inHand = new Map<string, number>();
    let most = 0;
    const deliver: Deliver<Letter> = async ({ payload: { text } }) => {
      begun.push(text);
      const now = (inHand.get(text) ?? 0) + 1;
      inHand.set(text, now);
      most = Math.max(most, now);
      await (until ?? new Promise((resolve) => setTimeout(resolve, 5)));
      inHand.set(text, (inHand.get(text) ?? 0) - 1);
      return undefined;
    };
    const start = () => startInstance(deliver, { concurrency });
    return { begun, start, most: () => most };
  }

  it('is done in turn: no organization waits for more than one piece of work of each other [S-174]', async () => {
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
    await expect.poll(() => begun).toHaveLength(23);
    expect(begun.slice(0, 3).toSorted()).toEqual(['flooding', 'one', 'two']);
    expect(begun.slice(3, 5).toSorted()).toEqual(['flooding', 'two']);
  });

  it('is in turn also for what comes while the others work, whatever their ids', async () => {
    const { begun, start } = inOrder({ concurrency: 2 });
    for (const flooding of ['00000000-0000-7000-8000-000000000001', 'ffffffff-ffff-7fff-bfff-fffffffffffe']) {
      for (let n = 0; n < 40; n += 1) await put(flooding, flooding);
    }
    start();
    await expect.poll(() => begun.length).toBeGreaterThan(5);
    await put(randomUUID(), 'new');
    const before = begun.length;
    await expect.poll(() => begun).toContain('new');
    expect(begun.indexOf('new') - before).toBeLessThanOrEqual(4);
    await expect.poll(() => begun).toHaveLength(81);
  });

  it('leaves one of them half of what an instance does at a time, alone as well [S-174]', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const { begun, start, most } = inOrder({ concurrency: 4, until });
    const organizationId = randomUUID();
    for (let n = 0; n < 30; n += 1) await put(organizationId, 'only');
    start();
    await expect.poll(() => begun).toHaveLength(2);
    release();
    await expect.poll(() => begun).toHaveLength(30);
    expect(most()).toBe(2);
  });

  it('finds the next piece in the index, however much one of them has waiting', async () => {
    await opened.fixture.admin.query(`
      INSERT INTO due_work (organization_id, kind, id, is_ready, next_attempt_at)
      SELECT '00000000-0000-7000-8000-000000000001', 'outbox', gen_random_uuid(), true, now() - INTERVAL '1 s'
      FROM generate_series(1, 50000);
      INSERT INTO due_work (organization_id, kind, id, is_ready, next_attempt_at)
      SELECT gen_random_uuid(), 'outbox', gen_random_uuid(), true, now() - INTERVAL '1 s' FROM generate_series(1, 50000);
      ANALYZE due_work`);
    const text = definedStatements('service').find(({ name }) => name === 'due-work-claim')?.text ?? '';
    const client = await opened.fixture.admin.connect();
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
    opened.fixture.admin.query(
      `UPDATE due_work SET attempts = attempts + 1, unanswered = unanswered + 1, is_ready = false,
         next_attempt_at = now() - INTERVAL '1 s' WHERE id = $1`,
      [id],
    );
  const read = (worker: Pick<DueWork, 'measurements'>, name: string) =>
    worker.measurements.find((one) => one.name === name)?.read();

  it('is begun again once, and told that it was not finished', async () => {
    const { id } = await put(randomUUID());
    await dies(id);
    const unfinished: number[] = [];
    const worker = new DueWork({
      database: opened.fixture.open(),
      logger,
      pollSeconds: 0.2,
      kinds: { outbox: { work: async (item) => (unfinished.push(item.unfinished), 'done') } },
    });
    ending(worker);
    worker.start();
    await expect.poll(() => unfinished).toEqual([1]);
  });

  it('twice is set aside and measured, delays no other work, and is begun when an operator brings it back [S-174]', async () => {
    const poison = await put(randomUUID(), 'poison');
    await dies(poison.id);
    await dies(poison.id);
    await opened.fixture.admin.query(`UPDATE due_work SET next_attempt_at = now() - INTERVAL '1 h'`);
    await put(randomUUID(), 'innocent');
    const { sent, deliver } = recorder();
    const worker = startInstance(deliver);
    await expect
      .poll(() => read(worker, 'tenantry_work_set_aside'))
      .toEqual([{ labels: { work: 'outbox' }, value: 1 }]);
    await expect.poll(() => sent.map(({ text }) => text)).toEqual(['innocent']);
    const [lag] = read(worker, 'tenantry_work_lag_seconds') as { value: number }[];
    expect(lag?.value).toBeLessThan(60);
    worker.wake();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toHaveLength(1);
    await opened.fixture.admin.query('UPDATE due_work SET unanswered = 0 WHERE unanswered >= 2');
    await expect.poll(() => sent.map(({ text }) => text)).toEqual(['innocent', 'poison']);
  });

  it('is not what failed, was late, or ended well: each is answered for', async () => {
    startInstance(
      async ({ payload: { text } }) => {
        if (text === 'fails') throw new Error('no');
        if (text === 'late') await new Promise(() => undefined);
        return undefined;
      },
      // What has failed is not tried again meanwhile.
      { timeoutSeconds: 3, retrySeconds: 3_600, concurrency: 4 },
    );
    for (const text of ['fails', 'late', 'ends']) await put(randomUUID(), text);
    await vi.waitFor(async () => {
      const { rows } = await opened.fixture.admin.query(
        'SELECT attempts, unanswered FROM due_work ORDER BY attempts',
      );
      expect(rows).toEqual([
        { attempts: 0, unanswered: 0 },
        { attempts: 1, unanswered: 0 },
        { attempts: 1, unanswered: 0 },
      ]);
    }, patience());
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
    await expect.poll(() => done).toBe(3);
    expect(most).toBe(1);
  });
});

describe('other work', () => {
  it('wakes the instances at its commit where it is due, and none where it is not', async () => {
    const listener = await opened.fixture.admin.connect();
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
    const worker = new DueWork({
      database: opened.database,
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
    ending(worker);
    await schedule(within(organizationId), { kind: 'sweep', id, afterSeconds: 3_600 });
    await schedule(within(organizationId), { kind: 'sweep', id });
    await schedule(within(organizationId), { kind: 'of-another-worker', id });
    worker.start();
    expect(done).toEqual([]);
    for (const times of [1, 2]) {
      await dueNow();
      worker.wake();
      await expect.poll(() => done).toHaveLength(times);
      // What is left is that of another worker.
      const due = async () => (await dueRows()).filter(({ seconds }) => seconds < 60);
      await expect.poll(() => due()).toHaveLength(1);
    }
    expect(await dueRows()).toHaveLength(1);
    expect(done).toEqual([`${id} in ${organizationId}`, `${id} in ${organizationId}`]);
  });

  it.each(['committed', 'committed once the attempt has ended'])(
    'is done once more where it is scheduled during an attempt, %s',
    async (when) => {
      const [organizationId, id] = [randomUUID(), randomUUID()];
      const attempts: (() => void)[] = [];
      const worker = new DueWork({
        database: opened.fixture.open(),
        logger,
        pollSeconds: 0.2,
        kinds: {
          fetch: { work: () => new Promise((resolve) => attempts.push(() => resolve('done'))) },
        },
      });
      ending(worker);
      await schedule(within(organizationId), { kind: 'fetch', id });
      worker.start();
      await expect.poll(() => attempts).toHaveLength(1);
      await within(organizationId).transaction(async (tx) => {
        await schedule(tx, { kind: 'fetch', id });
        if (when === 'committed') return;
        attempts[0]?.();
        // The attempt removes its work, and waits for this transaction.
        await expect
          .poll(async () => {
            const waiting = await opened.fixture.admin.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            );
            return waiting.rowCount;
          })
          .toBe(1);
      });
      attempts[0]?.();
      await expect.poll(() => attempts).toHaveLength(2);
      attempts[1]?.();
      await expect.poll(() => dueRows()).toEqual([]);
      expect(attempts).toHaveLength(2);
    },
  );
});
