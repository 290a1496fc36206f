import { randomUUID } from 'node:crypto';
import {
  replicaTimeouts,
  statement,
  type BindingMode,
  type Replica,
  type TenantDatabase,
} from '@tenantry/tenancy';
import {
  patient,
  startReplicatedPostgres,
  startTcpLink,
  testPostgres,
  type ReplicatedPostgres,
} from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFixture, newOrganizations, writeNotes, type Fixture } from './fixture/database.ts';
import { makeNotesSearchable, noteSearch } from './fixture/searched-notes.ts';

// A real replica that streams from its primary. The server that answers says whether it is one.

const seconds = 1_000;
const ownNotes = statement<{ organization_id: string; text: string; replica: boolean }>({
  name: 'notes-and-who-answers',
  text: 'SELECT organization_id, text, pg_is_in_recovery() AS replica FROM notes WHERE organization_id = $1',
});
const addNote = statement<{ replica: boolean }, [text: string]>({
  name: 'add-note-where-it-is-possible',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2) RETURNING pg_is_in_recovery() AS replica',
});
/** Takes a minute on a replica, and no time on a primary. */
const slowly = statement<{ replica: boolean }>({
  name: 'notes-slowly',
  text: `SELECT pg_is_in_recovery() AS replica
    FROM notes, pg_sleep(CASE WHEN pg_is_in_recovery() THEN 60 ELSE 0 END) WHERE organization_id = $1`,
});

let postgres: ReplicatedPostgres;
let fixture: Fixture;
let replicaAdmin: pg.Pool;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  fixture = await createFixture(postgres.primary.adminUrl);
  await makeNotesSearchable(fixture);
  replicaAdmin = new pg.Pool({ connectionString: postgres.replica.adminUrl });
  replicaAdmin.on('error', () => undefined);
});
afterAll(async () => {
  await fixture.drop();
  await replicaAdmin.end();
  await postgres.stop();
});

const onReplica = async (text: string) => (await replicaAdmin.query<Record<string, unknown>>(text)).rows[0];

interface Opened {
  readonly database: TenantDatabase;
  readonly replica: Replica;
  /** Why the replica was passed over, and '' where it was not any more. */
  readonly changes: string[];
  /** Has time pass, which stands still otherwise: no replica lags because the machine is slow. */
  readonly pass: (ms: number) => void;
}

/** Opens the database with its replica, which is in use when nothing else is expected. */
async function open(
  binding: BindingMode,
  {
    primary = fixture.runtimeUrl,
    connectionString = postgres.replicaUrlOf(fixture.runtimeUrl),
    timeouts = patient(replicaTimeouts),
  } = {},
): Promise<Opened> {
  const changes: string[] = [];
  let nowMs = 0;
  const database = fixture.open({
    connectionString: primary,
    binding,
    replica: {
      connectionString,
      onChange: (reason) => changes.push(reason?.message ?? ''),
      replicaTimeouts: timeouts,
      now: () => nowMs,
    },
  });
  const replica = database.replica!;
  onTestFinished(() => replica.close());
  await replica.start();
  return { database, replica, changes, pass: (ms) => void (nowMs += ms) };
}

async function organizationWithNotes(): Promise<string> {
  const [organizationId] = newOrganizations(1);
  await writeNotes(fixture.admin, [organizationId!], 3);
  return organizationId!;
}

describe.each<BindingMode>(['connection', 'transaction'])(
  'a replica beside a pool bound per %s',
  (binding) => {
    let opened: Opened;
    let organizationId: string;
    beforeEach(async () => {
      organizationId = await organizationWithNotes();
      opened = await open(binding);
      await answeredByReplica();
    });

    const read = async (token?: string) =>
      opened.database.recent({ organizationId }, token).query(ownNotes, []);
    const isRead = async (token?: string) => (await read(token)).map(({ replica }) => replica);
    const byReplica = [true, true, true];
    const byPrimary = [false, false, false];
    const answeredByReplica = () => expect.poll(() => isRead()).toEqual(byReplica);

    it('answers what may be recent, and nothing else', async () => {
      const { database, replica } = opened;
      const rows = database.recent({ organizationId });
      const isIt = async (asked: Promise<{ replica: boolean }[]>) => (await asked)[0]?.replica;
      expect(await isIt(rows.query(ownNotes, []))).toBe(true);
      expect(await isIt(database.within({ organizationId }).query(ownNotes, []))).toBe(false);
      expect(await isIt(rows.transaction((tx) => tx.query(ownNotes, [])))).toBe(false);
      await expect(rows.transaction(() => rows.query(ownNotes, []))).rejects.toMatchObject({
        code: 'TRANSACTION_BYPASSED',
      });
      for await (const batch of rows.batches(ownNotes, [], { rows: 10 }))
        expect(batch[0]?.replica).toBe(false);
      expect(replica.outcomes).toMatchObject({ failed: 0 });
      expect(replica.lagMs).toBeLessThan(1 * seconds);
    });

    it('finds rare terms by their index, as the role of searches [S-112]', async () => {
      const [busy = ''] = newOrganizations(1);
      await fixture.admin.query(
        `INSERT INTO notes (organization_id, text) SELECT $1, 'note' || n || '.' FROM generate_series(1, 6000) n`,
        [busy],
      );
      const token = await opened.replica.token();
      await expect.poll(() => isRead(token)).toEqual(byReplica);
      const rows = opened.database.recent({ organizationId: busy }, token);
      const role = fixture.runtimeRole.replace(/service$/, 'search');
      for (const n of [17, 42]) {
        const text = `note${n}.`;
        expect(await rows.search(noteSearch, text, [text])).toEqual([{ text, role, replica: true }]);
        expect(await isRead(token)).toEqual(byReplica);
      }
      expect(opened.replica.outcomes).toMatchObject({ failed: 0 });
    });

    it('shows no row of another organization, nor any without one [S-110]', async () => {
      const organizations = newOrganizations(10);
      await writeNotes(fixture.admin, organizations, 3);
      const token = await opened.replica.token();
      await expect.poll(() => isRead(token)).toEqual(byReplica);
      const answered = opened.replica.outcomes.answered;
      const readers = Array.from({ length: 5 }, async (_, reader) => {
        for (let i = 0; i < 40; i += 1) {
          const tenant = organizations[(i * 7 + reader) % 10]!;
          const rows = await opened.database.recent({ organizationId: tenant }, token).query(ownNotes, []);
          expect(rows.map((row) => row.organization_id)).toEqual([tenant, tenant, tenant]);
        }
      });
      await Promise.all(readers);
      expect(opened.replica.outcomes.answered).toBeGreaterThan(answered + 100);

      const { pool } = opened.replica;
      const run = (text: string) => pool.query(text) as Promise<pg.QueryResult<{ organization_id: string }>>;
      await expect(run('SELECT * FROM notes')).rejects.toThrow('no organization is set');
      // Past the first layer, whatever comes out is what the replica lets this connection see.
      const { rows } = await pool.within({ organizationId }, () => run('SELECT * FROM notes'));
      expect(rows.map((row) => row.organization_id)).toEqual(byReplica.map(() => organizationId));
      const writing = pool.within({ organizationId }, () => run('DELETE FROM notes'));
      await expect(writing).rejects.toMatchObject({ code: '25006' });
    });

    it('is skipped immediately for a writer whose write it has not replayed, and for all after a second [S-110]', async () => {
      const { database, replica } = opened;
      await answeredByReplica();
      await onReplica('SELECT pg_wal_replay_pause()');
      try {
        await database.within({ organizationId }).query(addNote, [randomUUID()]);
        // Others may see it a little later.
        expect(await isRead()).toEqual(byReplica);
        const token = await replica.token();
        expect(await read(token)).toHaveLength(4);
        expect(await isRead()).toEqual(byReplica);
        opened.pass(1 * seconds + 1);
        await expect.poll(() => isRead()).toEqual([...byPrimary, false]);
        const { lagging } = replica.outcomes;
        await read();
        expect(replica.outcomes.lagging).toBe(lagging + 1);
        expect(replica.lagMs).toBeGreaterThan(1 * seconds);
      } finally {
        await onReplica('SELECT pg_wal_replay_resume()');
      }
      await expect.poll(() => isRead()).toEqual([...byReplica, true]);
    });

    it('serves a token as soon as it has replayed the write that the token names', async () => {
      await opened.database.within({ organizationId }).query(addNote, [randomUUID()]);
      const token = await opened.replica.token();
      expect(await read(token)).toHaveLength(4);
      await expect.poll(() => isRead(token)).toEqual([...byReplica, true]);
    });

    it('is passed over with a token of another history, or what is none', async () => {
      const [, lsn] = (await opened.replica.token()).split('.');
      for (const token of [`AAAAAAAAAAA.${lsn}`, 'AAAAAAAAAAA.0', 'primary', '', '0'.repeat(10_000)]) {
        expect(await isRead(token)).toEqual(byPrimary);
      }
      expect(opened.replica.outcomes.behind).toBe(5);
      expect(await isRead()).toEqual(byReplica);
    });

    it('has the primary write, and answer what the replica cancels', async () => {
      const { database, replica } = opened;
      expect(await database.recent({ organizationId }).query(addNote, [randomUUID()])).toEqual([
        { replica: false },
      ]);
      const before = replica.outcomes.failed;
      const slow = database.recent({ organizationId }).query(slowly, []);
      const cancel = `SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity
         WHERE state = 'active' AND query LIKE '%pg_sleep(CASE%' AND pid <> pg_backend_pid()`;
      await expect.poll(() => onReplica(cancel), { interval: 20 }).toEqual({ done: true });
      expect((await slow)[0]).toEqual({ replica: false });
      expect(replica.outcomes.failed).toBe(before + 1);
      expect(await read()).toContainEqual(expect.objectContaining({ replica: true }));
    });

    it.runIf(binding === 'connection')(
      'fails no read when it is killed under load, and is read again when it is back',
      async () => {
        const until = { done: false };
        const isAway = () => opened.changes.length === 1;
        const answers: { readonly rows: number; readonly wasAway: boolean; readonly byReplica: boolean }[] =
          [];
        const readers = Array.from({ length: 8 }, async () => {
          while (!until.done) {
            const wasAway = isAway();
            const rows = await read();
            answers.push({ rows: rows.length, wasAway, byReplica: rows.some(({ replica }) => replica) });
          }
        });
        const moreAnswers = async (wasAway: boolean) => {
          const count = () => answers.filter((answer) => answer.wasAway === wasAway).length;
          const before = count();
          await expect.poll(count).toBeGreaterThan(before + 50);
        };
        let restarting: Promise<void> | undefined;
        const restart = () => (restarting ??= postgres.startReplica());
        // Whatever fails here, the next test has its replica.
        onTestFinished(async () => {
          until.done = true;
          await Promise.all([restart(), ...readers]);
        });
        await moreAnswers(false);
        await postgres.killReplica();
        // Processes of the server that are left may answer for a moment.
        await expect.poll(isAway).toBe(true);
        await moreAnswers(true);
        const away = answers.filter(({ wasAway }) => wasAway);
        expect(away.filter(({ byReplica }) => byReplica)).toEqual([]);
        await restart();
        await answeredByReplica();
        until.done = true;
        await Promise.all(readers);
        expect(answers.filter(({ rows }) => rows !== 3)).toEqual([]);
        expect(opened.changes).toEqual([expect.stringMatching(/./), '']);
      },
    );

    it.runIf(binding === 'transaction')('does not hold up reads when it hangs without a word', async () => {
      const link = await startTcpLink(postgres.replica.port);
      onTestFinished(() => link.close());
      const connectionString = Object.assign(new URL(fixture.runtimeUrl), { port: link.port }).href;
      opened = await open(binding, { connectionString, timeouts: replicaTimeouts });
      await answeredByReplica();
      link.freeze();
      expect(await isRead()).toEqual(byPrimary);
      const { failed } = opened.replica.outcomes;
      // It is not asked again meanwhile.
      expect(await isRead()).toEqual(byPrimary);
      expect(opened.replica.outcomes.failed).toBe(failed);
      link.heal();
      await expect.poll(() => isRead()).toEqual(byReplica);
    });

    it('is judged by the server that answers, where several are behind one address', async () => {
      const link = await startTcpLink(postgres.replica.port);
      onTestFinished(() => link.close());
      const connectionString = Object.assign(new URL(fixture.runtimeUrl), { port: link.port }).href;
      opened = await open(binding, { connectionString });
      // The watch has its connection; those of the pool now lead to a server that is no replica.
      link.redirect(postgres.primary.port);
      expect(await isRead()).toEqual(byPrimary);
      expect(opened.replica.outcomes).toMatchObject({ answered: 0, failed: 1 });
    });

    it('is no replica where the address leads to a primary', async () => {
      const { database, replica, changes } = await open(binding, { connectionString: fixture.runtimeUrl });
      const rows = await database.recent({ organizationId }).query(ownNotes, []);
      expect(rows.map((row) => row.replica)).toEqual(byPrimary);
      expect(replica.outcomes).toMatchObject({ answered: 0, away: 1 });
      expect(changes).toEqual(['it is no replica, or one that was promoted']);
    });
  },
);

describe('with a primary of another history', () => {
  it('is passed over while its timeline or its system is not that of the primary, and has no token of it', async () => {
    const organizationId = await organizationWithNotes();
    const { database, replica } = await open('connection');
    const rows = () => database.recent({ organizationId }).query(ownNotes, []);
    const replicas = async () => (await rows()).map((row) => row.replica);
    await expect.poll(replicas).toEqual([true, true, true]);
    const [history] = (await replica.token()).split('.');

    // Another cluster, with a role and a database of the same names.
    const { adminUrl } = await testPostgres();
    const { username, password, pathname } = new URL(fixture.runtimeUrl);
    const other = Object.assign(new URL(adminUrl), { username, password, pathname });
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    await admin.query(`CREATE ROLE ${username} LOGIN PASSWORD '${password}'`);
    await admin.query(`CREATE DATABASE ${pathname.slice(1)}`);
    onTestFinished(async () => {
      await admin.query(`DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`);
      await admin.query(`DROP ROLE ${username}`);
      await admin.end();
    });
    const elsewhere = await open('connection', { primary: other.href });
    expect(elsewhere.changes).toEqual(['it follows another history than the primary']);
    expect((await elsewhere.replica.token()).split('.')[0]).not.toBe(history);

    await onReplica('SELECT pg_promote()');
    await expect.poll(replicas).toEqual([false, false, false]);
    const promoted = await open('connection', { primary: postgres.replicaUrlOf(fixture.runtimeUrl) });
    const [timeline] = (await promoted.replica.token()).split('.');
    expect(timeline).not.toBe(history);
    // What the promoted one has written stays its own.
    await promoted.database.within({ organizationId }).query(addNote, [randomUUID()]);
    expect(await rows()).toHaveLength(3);
  });
});
