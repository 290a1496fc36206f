import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import {
  openTestFeed,
  organizationEvent,
  startTestService,
  type TestFeed,
  type TestStanding,
} from '@tenantry/service-tests';
import { EventReader } from '@tenantry/service/events';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { notesService, notesTables } from './fixture/notes-service.ts';

const tables = ['service/sql/events.sql', 'service/sql/organization-ends.sql', 'tenancy/sql/storage.sql']
  .map((file) => readFileSync(join(workspaceRoot, 'libs', file), 'utf8'))
  .join('');
const grants = `
  GRANT DELETE ON notes TO tenantry_notes_service;
  GRANT SELECT, UPDATE ON event_reader TO tenantry_notes_service;
  GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects, organization_ends TO tenantry_notes_service;
  GRANT SELECT, INSERT, UPDATE, DELETE ON storage_use, storage_quotas TO tenantry_notes_service;`;

type Running = Awaited<ReturnType<typeof start>>;
const start = () => startTestService(notesService({ sql: `${notesTables}${tables}${grants}` }));

let running: Running;
let admin: pg.Pool;
let feed: TestFeed;
let organizationId: string;
let readers: EventReader[] = [];
beforeAll(async () => {
  running = await start();
  admin = new pg.Pool({ connectionString: running.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await running.close();
});
beforeEach(async () => {
  feed = await openTestFeed();
  organizationId = randomUUID();
  await admin.query(
    `TRUNCATE notes, event_subjects, organization_ends;
     UPDATE event_reader SET cursor = NULL, is_complete = false, round = 1, projection = 1, projection_cursor = NULL`,
  );
});
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  readers = [];
  await feed.close();
});

function read(): EventReader {
  const { database, app } = running;
  const reader = new EventReader({ config: feed.config, database, logger: app.log as never });
  reader.start();
  readers.push(reader);
  return reader;
}

interface End {
  readonly ended: boolean;
  /** Until auth-service is asked. */
  readonly minutes: number;
  readonly isPurging: boolean;
}
async function end(): Promise<End | undefined> {
  const { rows } = await admin.query<End>(
    `SELECT ended_at IS NOT NULL AS ended, is_purging AS "isPurging",
       round(extract(epoch FROM purge_at - now()) / 60)::int AS minutes
     FROM organization_ends WHERE organization_id = $1`,
    [organizationId],
  );
  return rows[0];
}
const write = (count: number) =>
  admin.query(`INSERT INTO notes (organization_id, text) SELECT $1, 'note' FROM generate_series(1, $2)`, [
    organizationId,
    count,
  ]);
const notes = async () => {
  const { rows } = await admin.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM notes WHERE organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count;
};
const beDue = () =>
  admin.query('UPDATE organization_ends SET purge_at = now() WHERE organization_id = $1', [organizationId]);
const become = (expected: unknown) => expect.poll(end, { interval: 50 }).toEqual(expected);
const day = 24 * 60;
const isEnded = { ended: true, isPurging: false };

describe('an organization', () => {
  it('has ended once its deletion event is read, and is live again once a later event names it', async () => {
    feed.tell(organizationEvent('organization.created', organizationId));
    const reader = read();
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    expect(await end()).toBeUndefined();
    feed.tell({ type: 'organization.deleted', organizationId });
    await become({ ...isEnded, minutes: day });
    feed.tell({ type: 'organization.deleted', organizationId });
    feed.tell(organizationEvent('organization.updated', organizationId));
    await become(undefined);
  });

  it('is purged twenty minutes after the event, however often that is repeated', async () => {
    await write(10);
    feed.tell(
      { type: 'organization.deleted', organizationId },
      { type: 'organization.purged', organizationId },
    );
    read();
    await become({ ...isEnded, minutes: 20 });
    feed.stand(organizationId, { state: 'gone' });
    await beDue();
    await become(undefined);
    expect(await notes()).toBe(0);
    feed.tell({ type: 'organization.purged', organizationId });
    await become({ ...isEnded, minutes: 20 });
  });

  it('is purged with what a transaction commits that began before its end [S-141]', async () => {
    const late = new pg.Client({ connectionString: running.testDatabase.adminUrl });
    await late.connect();
    onTestFinished(() => late.end());
    await late.query('BEGIN');
    await late.query(`INSERT INTO notes (organization_id, text) VALUES ($1, 'late')`, [organizationId]);
    feed.tell(
      { type: 'organization.deleted', organizationId },
      { type: 'organization.purged', organizationId },
    );
    read();
    await become({ ...isEnded, minutes: 20 });
    await late.query('COMMIT');
    expect(await notes()).toBe(1);
    feed.stand(organizationId, { state: 'gone' });
    await beDue();
    await become(undefined);
    expect(await notes()).toBe(0);
  });

  it('is published as deleted to a reader that starts, and is included at the end of its round', async () => {
    feed.tell(organizationEvent('organization.created', organizationId), {
      type: 'organization.deleted',
      organizationId,
    });
    const reader = read();
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    feed.restart({ type: 'organization.deleted', organizationId });
    await expect
      .poll(async () => (await admin.query('SELECT FROM event_subjects WHERE round = 2')).rowCount)
      .toBe(1);
    await become({ ...isEnded, minutes: day });
  });

  it('that auth-service no longer knows cannot act, and keeps its rows for thirty days [S-192]', async () => {
    await write(10);
    feed.tell(organizationEvent('organization.created', organizationId));
    read();
    await expect.poll(async () => (await admin.query('SELECT FROM event_subjects')).rowCount).toBe(1);
    feed.restart(organizationEvent('organization.created', randomUUID()));
    await become({ ...isEnded, minutes: 30 * day });
    expect(await notes()).toBe(10);
    feed.restart(organizationEvent('organization.created', organizationId));
    await become(undefined);
  });

  it('of which nothing was heard yet counts as live, until auth-service is asked', async () => {
    const unheard = () =>
      admin.query(
        `INSERT INTO organization_ends (organization_id, purge_at) VALUES ($1, now() + INTERVAL '30 days')`,
        [organizationId],
      );
    await unheard();
    read();
    await become({ ended: false, isPurging: false, minutes: 30 * day });
    await beDue();
    await become(undefined);
    await unheard();
    feed.tell(organizationEvent('organization.created', organizationId));
    await become(undefined);
  });
});

describe('before it purges, a service asks auth-service', () => {
  beforeEach(async () => {
    await write(10);
    await admin.query(
      'INSERT INTO organization_ends (organization_id, ended_at, purge_at) VALUES ($1, now(), now())',
      [organizationId],
    );
  });

  it('and keeps what lives, whatever it was told [S-192]', async () => {
    read();
    await become(undefined);
    expect(await notes()).toBe(10);
  });

  it('and waits until what can be restored cannot be any more', async () => {
    const purgeAt = new Date(Date.now() + 5 * day * 60_000).toISOString();
    feed.stand(organizationId, { state: 'deleted', purgeAt });
    read();
    await become({ ...isEnded, minutes: 5 * day + 20 });
    feed.stand(organizationId, { state: 'deleted', purgeAt: new Date(Date.now() - 60_000).toISOString() });
    await beDue();
    await become({ ...isEnded, minutes: 19 });
    expect(await notes()).toBe(10);
  });

  it.each<[string, TestStanding | 'away']>([
    ['is away', 'away'],
    ['does not know the question', { state: 'unheard' }],
    ['answers something else', { state: 'burnt' } as unknown as TestStanding],
  ])('and keeps everything while it %s', async (_, standing) => {
    if (standing === 'away') feed.isAway = true;
    else feed.stand(organizationId, standing);
    read();
    await expect
      .poll(
        async () =>
          (await admin.query<{ attempts: number }>('SELECT attempts FROM organization_ends')).rows[0]
            ?.attempts,
      )
      .toBeGreaterThan(0);
    expect(await notes()).toBe(10);
    expect((await end())?.isPurging).toBe(false);
    feed.isAway = false;
    feed.stand(organizationId, { state: 'gone' });
    await beDue();
    await become(undefined);
    expect(await notes()).toBe(0);
  });
});

it('many rows go in batches of a thousand, by two instances as by one [S-192]', async () => {
  await admin.query(`
    CREATE FUNCTION at_most_a_thousand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM gone) > 1000 THEN RAISE 'a batch is too large'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER batches AFTER DELETE ON notes REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION at_most_a_thousand()`);
  await write(50_000);
  await admin.query(`INSERT INTO notes (organization_id, text) VALUES ($1, 'theirs')`, [randomUUID()]);
  feed.stand(organizationId, { state: 'gone' });
  await admin.query(
    'INSERT INTO organization_ends (organization_id, ended_at, purge_at) VALUES ($1, now(), now())',
    [organizationId],
  );
  read();
  read();
  await expect.poll(end, { timeout: patience(60_000), interval: 100 }).toBeUndefined();
  const { rows } = await admin.query<{ text: string }>('SELECT text FROM notes');
  expect(rows).toEqual([{ text: 'theirs' }]);
});
