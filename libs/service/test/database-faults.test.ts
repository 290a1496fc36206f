import { ApiError, type Failure } from '@tenantry/envelope';
import { databaseFault, isUniqueViolation, retryOnContention } from '@tenantry/service/failures';
import { testPostgres } from '@tenantry/test-kit';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildFixture } from './fixture.ts';

const schema = `faults_${process.pid}`;
let pool: pg.Pool;
beforeAll(async () => {
  const { adminUrl } = await testPostgres();
  pool = new pg.Pool({ connectionString: adminUrl, options: `-c search_path=${schema}`, max: 4 });
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query('CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)');
  await pool.query('INSERT INTO accounts VALUES (1, 0), (2, 0)');
});
afterAll(async () => {
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

async function transaction<Result>(
  begin: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Resolves for all once that many have asked. */
function meeting(size: number): () => Promise<void> {
  let arrived = 0;
  let open = (): void => undefined;
  const everyone = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    if (++arrived >= size) open();
    await everyone;
  };
}

const add = (client: pg.PoolClient, id: number) =>
  client.query('UPDATE accounts SET balance = balance + 1 WHERE id = $1', [id]);
const balances = async () =>
  (await pool.query<{ balance: number }>('SELECT balance FROM accounts ORDER BY id')).rows.map(
    ({ balance }) => balance,
  );

/** Two transactions that each hold what the other wants. */
const deadlock = (run: (work: () => Promise<void>) => Promise<void>) => {
  const bothHoldOne = meeting(2);
  return Promise.allSettled(
    [
      [1, 2],
      [2, 1],
    ].map(([first = 0, second = 0]) =>
      run(() =>
        transaction('BEGIN', async (client) => {
          await client.query("SET LOCAL deadlock_timeout = '50ms'");
          await add(client, first);
          await bothHoldOne();
          await add(client, second);
        }),
      ),
    ),
  );
};

/** Two transactions that each read what the other writes. */
const skew = (run: (work: () => Promise<void>) => Promise<void>) => {
  const bothHaveRead = meeting(2);
  return Promise.allSettled(
    [1, 2].map((id) =>
      run(() =>
        transaction('BEGIN ISOLATION LEVEL SERIALIZABLE', async (client) => {
          await client.query('SELECT sum(balance) FROM accounts');
          await bothHaveRead();
          await add(client, id);
        }),
      ),
    ),
  );
};

const once = (work: () => Promise<void>) => work();
const reasons = (results: readonly PromiseSettledResult<void>[]): unknown[] =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));

describe('transactions that get in each other’s way', () => {
  it.each([
    ['a deadlock', deadlock],
    ['a serialization failure', skew],
  ])('fail as contention without a retry, and take effect with one: %s', async (_case, collide) => {
    const failed = reasons(await collide(once));
    expect(failed.map((error) => databaseFault(error))).toEqual(['contention']);

    const before = await balances();
    expect(reasons(await collide((work) => retryOnContention(work)))).toEqual([]);
    const gained = collide === deadlock ? 2 : 1;
    expect(await balances()).toEqual(before.map((balance) => balance + gained));
  });

  it('are tried four times at most, with growing pauses', async () => {
    const pauses: number[] = [];
    let attempts = 0;
    const always = retryOnContention(
      async () => {
        attempts += 1;
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      },
      { pause: async (ms) => pauses.push(ms), random: () => 1 },
    );
    await expect(always).rejects.toMatchObject({ code: '40P01' });
    expect([attempts, pauses]).toEqual([4, [30, 60, 120]]);
  });

  it.each(['ECONNRESET', '57P01', '57014', '23505'])('are not tried again after %s', async (code) => {
    let attempts = 0;
    const failing = retryOnContention(async () => {
      attempts += 1;
      throw Object.assign(new Error('x'), { code });
    });
    await expect(failing).rejects.toMatchObject({ code });
    expect(attempts).toBe(1);
  });
});

describe('what a client hears of the database', () => {
  const answerTo = async (fail: () => Promise<unknown>) => {
    const { app, logs } = await buildFixture({}, (service) => {
      service.get('/fails', { config: { access: 'public' } }, fail);
    });
    const answer = await app.inject('/fails');
    await app.close();
    const { code } = answer.json<Failure>().error;
    return { status: answer.statusCode, code, retryAfter: answer.headers['retry-after'], logs: logs() };
  };

  it('a statement time-out is 504 and no outage, and is logged as what it is', async () => {
    const slow = () =>
      transaction('BEGIN', async (client) => {
        await client.query("SET LOCAL statement_timeout = '20ms'");
        return client.query('SELECT pg_sleep(5)');
      });
    const answer = await answerTo(slow);
    expect(answer).toMatchObject({ status: 504, code: 'DEADLINE_EXCEEDED', retryAfter: '1' });
    expect(answer.logs).toMatch(/"code":"57014".*statement timeout.*"code":"DEADLINE_EXCEEDED"/);
  });

  it('a row that exists already is 409', async () => {
    const answer = await answerTo(() => pool.query('INSERT INTO accounts VALUES (1, 0)'));
    expect(answer).toMatchObject({ status: 409, code: 'CONFLICT' });
    await expect(pool.query('INSERT INTO accounts VALUES (1, 0)')).rejects.toSatisfy(isUniqueViolation);
  });

  it('contention that no retry has ended is 409, to be tried again', async () => {
    const answer = await answerTo(async () => {
      throw reasons(await deadlock(once))[0];
    });
    expect(answer).toMatchObject({ status: 409, code: 'CONFLICT', retryAfter: '1' });
  });

  it('a server that is away is 503', async () => {
    const unreachable = new pg.Client({ host: '127.0.0.1', port: 1 });
    const answer = await answerTo(() => unreachable.connect());
    expect(answer).toMatchObject({ status: 503, code: 'UPSTREAM_UNAVAILABLE', retryAfter: '1' });
  });

  it('a server that accepts a connection and never answers is 503', async () => {
    const silent = createServer();
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
    const answer = await answerTo(() => client.connect());
    expect(answer).toMatchObject({ status: 503, code: 'UPSTREAM_UNAVAILABLE', retryAfter: '1' });
  });

  it.each(['53000', '53100', '53200', '53300'])(
    'of a server that has run out of a resource, as its disk: %s',
    (code) => {
      expect(databaseFault(Object.assign(new Error('No space left on device'), { code }))).toBe(
        'unavailable',
      );
    },
  );

  it.each([
    ['Unable to start a transaction in the given time.', 'unavailable'],
    ['A query cannot be executed on an expired transaction. The timeout was 8000 ms', 'too-slow'],
    ['Transaction not found.', undefined],
  ])('of a transaction that Prisma ended: %s', (reason, fault) => {
    const error = Object.assign(new Error(`Transaction API error: ${reason}`), { code: 'P2028' });
    expect(databaseFault(error)).toBe(fault);
  });

  it('of a transaction whose time was over before its work was done', () => {
    const error = Object.assign(new Error('The transaction took too long.'), { code: 'TRANSACTION_EXPIRED' });
    expect(databaseFault(error)).toBe('too-slow');
  });

  it('a refusal of ours stays what it is', async () => {
    const cause = Object.assign(new Error('x'), { code: '23505' });
    const answer = await answerTo(async () => {
      throw new ApiError('NOT_FOUND', 'Nothing.', { cause });
    });
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});
