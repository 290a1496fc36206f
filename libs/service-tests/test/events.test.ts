import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import type { ApiError } from '@tenantry/envelope';
import { openTestFeed, startTestService, type TestFeed } from '@tenantry/service-tests';
import { EventReader, type Member, type Organization } from '@tenantry/service/events';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { statementProblems } from '@tenantry/sql-check/statements';
import type { OrganizationScope, TenantTransaction } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { models, notesService, notesTables } from './fixture/notes-service.ts';

const tables = ['service/sql/events.sql', 'service/sql/organization-ends.sql', 'tenancy/sql/storage.sql']
  .map((file) => readFileSync(join(workspaceRoot, 'libs', file), 'utf8'))
  .join('');
const grants = `
  GRANT DELETE ON notes TO tenantry_notes_service;
  GRANT SELECT, UPDATE ON event_reader TO tenantry_notes_service;
  GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects, organization_ends, storage_quotas TO tenantry_notes_service;`;
const unscoped = {
  event_reader: 'where a reader stands',
  event_subjects: 'names ids alone',
  organization_ends: 'names ids alone',
  storage_use: 'has ids and numbers alone',
  storage_limits: 'the quotas of the settings',
  storage_quotas: 'has ids and numbers alone',
};
const functions = { 'app.purge_batch': 'deletes rows of the organization of the scope' };

type Running = Awaited<ReturnType<typeof start>>;
const start = () => startTestService(notesService({ sql: `${notesTables}${tables}${grants}` }));

let running: Running;
let admin: pg.Pool;
let feed: TestFeed;
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
  feed = await openTestFeed({ pageMax: 2 });
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

type Transaction = TenantTransaction<OrganizationScope>;
type Doubt = (name: string) => void;

/** Keeps the name of a member, and of an organization, as the text of a note with its id. */
function projectionInto(doubt: Doubt) {
  const keep = async (tx: Transaction, id: string, text: string) => {
    doubt(text);
    await models(tx).note.deleteMany({ where: { id } });
    await models(tx).note.create({ data: { organizationId: tx.scope.organizationId, id, text } });
  };
  const forget = async (tx: Transaction, id = tx.scope.organizationId) => {
    await models(tx).note.deleteMany({ where: { id } });
  };
  return {
    member: { keep: (tx: Transaction, { userId, name }: Member) => keep(tx, userId, name), forget },
    organization: {
      keep: (tx: Transaction, { organizationId, name }: Organization) => keep(tx, organizationId, name),
      forget: (tx: Transaction) => forget(tx),
    },
  };
}

function read(doubt: Doubt = () => undefined, version = 1): EventReader {
  const reader = new EventReader({
    config: feed.config,
    database: running.database,
    logger: running.app.log as never,
    projection: { version, ...projectionInto(doubt) },
  });
  reader.start();
  readers.push(reader);
  return reader;
}

const notes = async () => {
  const { rows } = await admin.query<{ text: string }>('SELECT text FROM notes ORDER BY text');
  return rows.map(({ text }) => text);
};
const become = (expected: readonly string[]) => expect.poll(notes, { interval: 20 }).toEqual(expected);

const organizationId = randomUUID();
const person = (name: string, userId = randomUUID(), within = organizationId) => ({
  ...{ organizationId: within, userId, name, familyName: null, role: 'member' },
  ...{ email: `${userId}@example.com`, createdAt: '2026-11-21T10:00:00.000Z' },
});
const added = (member: object & { organizationId: string }) => ({ type: 'member.added', ...member });
const removed = ({ organizationId: within, userId }: { organizationId: string; userId: string }) => ({
  type: 'member.removed',
  organizationId: within,
  userId,
});
const founded = (name: string, within = organizationId) => ({
  type: 'organization.created',
  ...{ organizationId: within, name, slug: 'acme', createdAt: '2026-11-21T10:00:00.000Z' },
  settings: { defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
});

/** What a request for this organization gets. */
const asked = (reader: EventReader, id = organizationId) =>
  reader.current(id).then(
    () => 'current',
    (error: unknown) => {
      const { code, headers } = error as ApiError;
      return `${code} ${headers['retry-after'] ?? ''}`;
    },
  );
const refused = 'UPSTREAM_UNAVAILABLE 1';

describe('a request that needs current copies', () => {
  const ready = async (reader: EventReader) => {
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    return reader;
  };

  it('finds everything that was told before it, also when many ask concurrently [S-74, S-170]', async () => {
    feed.tell(founded('Acme'));
    const reader = await ready(read());
    for (let change = 0; change < 3; change += 1) {
      feed.tell(...Array.from({ length: 3 }, (_, n) => founded(`Acme ${change}.${n}`)));
      const answers = await Promise.all(Array.from({ length: 8 }, () => asked(reader)));
      expect(answers).toEqual(Array.from({ length: 8 }, () => 'current'));
      expect(await notes()).toEqual([`Acme ${change}.2`]);
    }
  });

  it('is refused before everything was read once', async () => {
    feed.isAway = true;
    expect(await asked(read())).toBe(refused);
  });

  it('is refused while auth-service is away, where a read goes on with what has been told [S-74]', async () => {
    feed.tell(founded('Acme'));
    const reader = await ready(read());
    feed.isAway = true;
    expect(await asked(reader)).toBe(refused);
    expect(await reader.currentUnlessAway(organizationId)).toBe('away');
    feed.isAway = false;
    expect(await asked(reader)).toBe('current');
  });

  it('finds them unchanged for as long as nothing is told, however often the feed is read', async () => {
    feed.tell(founded('Acme'));
    const reader = await ready(read());
    const cursor = async () => (await admin.query('SELECT cursor FROM event_reader')).rows[0] as object;
    const isRead = async () => {
      const before = await cursor();
      await expect.poll(cursor).not.toEqual(before);
    };
    // What was there at the start may count as a change.
    await isRead();
    await isRead();
    const [unchangedMs, atMs] = [reader.unchangedMs, performance.now()];
    await isRead();
    const passedMs = performance.now() - atMs;
    expect(reader.unchangedMs - unchangedMs).toBeGreaterThanOrEqual(passedMs);
    feed.tell(founded('Acme AB'));
    await expect.poll(() => performance.now() - reader.unchangedMs).toBeGreaterThan(atMs);
  });

  it('is refused where an event cannot be stored [S-74]', async () => {
    const reader = await ready(
      read((name) => {
        if (name === 'Eve') throw new Error('no room');
      }),
    );
    feed.tell(added(person('Eve')));
    expect(await asked(reader)).toBe(refused);
    await expect(reader.currentUnlessAway(organizationId)).rejects.toMatchObject({ statusCode: 503 });
  });

  it('does not wait for the rest of another organization’s events, and is told that its own are missing [S-75]', async () => {
    const reader = await ready(read());
    const big = randomUUID();
    feed.tell(founded('Small'));
    // They come one by one, so that it would take minutes.
    feed.hold(...Array.from({ length: 10_000 }, (_, n) => added(person(`Person ${n}`, randomUUID(), big))));
    expect(await asked(reader)).toBe('current');
    expect(await notes()).toContain('Small');
    expect(await asked(reader, big)).toBe(refused);
  });
});

describe('a projection of the events of auth-service', () => {
  it('holds each member and organization as they were told last, within the organization', async () => {
    const [ada, eve, elsewhere] = [person('Ada'), person('Eve'), randomUUID()];
    feed.tell(founded('Acme'), added(ada), added(eve), added(person('Stranger', randomUUID(), elsewhere)));
    read();
    await become(['Acme', 'Ada', 'Eve', 'Stranger']);
    feed.tell({ ...added(ada), type: 'user.updated', name: 'Ada King' }, removed(eve), {
      type: 'weather',
      organizationId,
    });
    await become(['Acme', 'Ada King', 'Stranger']);
    const { rows } = await admin.query(`SELECT organization_id AS id FROM notes WHERE text = 'Stranger'`);
    expect(rows).toEqual([{ id: elsewhere }]);
  });

  it('forgets everything of an organization that is deleted, and nothing of another', async () => {
    feed.tell(founded('Acme'), added(person('Ada')), added(person('Stranger', randomUUID(), randomUUID())));
    read();
    await become(['Acme', 'Ada', 'Stranger']);
    feed.tell({ type: 'organization.deleted', organizationId });
    await become(['Stranger']);
  });

  describe('where an organization of many members is deleted', () => {
    const members = async () =>
      (await admin.query('SELECT FROM event_subjects WHERE organization_id = $1', [organizationId]))
        .rowCount ?? 0;
    const ended = async () =>
      (await admin.query('SELECT FROM organization_ends WHERE ended_at IS NOT NULL')).rowCount === 1;
    beforeEach(async () => {
      feed.tell(founded('Acme'));
      const reader = read();
      await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
      await admin.query(
        `INSERT INTO event_subjects (organization_id, subject_id, round)
         SELECT $1, gen_random_uuid(), 1 FROM generate_series(1, 500)`,
        [organizationId],
      );
    });

    it('tells others what is theirs, and that it has ended, before its members are forgotten', async () => {
      // None of them can be forgotten before this transaction ends.
      const holding = new pg.Client(running.testDatabase.adminUrl);
      await holding.connect();
      await holding.query('BEGIN; SELECT FROM event_subjects WHERE subject_id <> organization_id FOR UPDATE');
      feed.tell({ type: 'organization.deleted', organizationId });
      feed.tell(added(person('Stranger', randomUUID(), randomUUID())));
      await become(['Stranger']);
      expect(await members()).toBe(501);
      expect(await ended()).toBe(true);
      await holding.end();
      // The organization itself still has events.
      await expect.poll(members).toBe(1);
    });

    it('keeps the members of one that is restored meanwhile', async () => {
      feed.tell({ type: 'organization.deleted', organizationId });
      await expect.poll(ended, { interval: 5 }).toBe(true);
      feed.tell(founded('Acme'), added(person('Ada')), added(person('Eve')));
      await become(['Acme', 'Ada', 'Eve']);
      await Promise.all(readers.map((reader) => reader.close()));
      await become(['Acme', 'Ada', 'Eve']);
      expect(await ended()).toBe(false);
    });
  });

  it('reads a page again that could not be stored as a whole, and stores none of it until then', async () => {
    let fails = true;
    let attempts = 0;
    feed.tell(added(person('Ada')), added(person('Eve')));
    read((name) => {
      if (name !== 'Eve') return;
      attempts += 1;
      if (fails) throw new Error('no room');
    });
    await expect.poll(() => attempts).toBeGreaterThan(1);
    expect(await notes()).toEqual([]);
    fails = false;
    await become(['Ada', 'Eve']);
  });

  describe('where an event cannot be stored [S-76]', () => {
    const [sick, other] = [randomUUID(), randomUUID()];
    const waiting = (reader: EventReader) =>
      reader.measurements.find(({ name }) => name === 'tenantry_event_organizations_waiting')?.read();
    const inSick = (name: string, userId = randomUUID()) => added(person(name, userId, sick));

    it('lets its organization wait, and goes on with others; nothing of it is skipped or out of order', async () => {
      let fails = true;
      const kept: string[] = [];
      const reader = read((name) => {
        if (fails && name === 'Poison') throw new Error('no room');
        kept.push(name);
      });
      await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
      const eve = randomUUID();
      feed.tell(inSick('Poison', eve), founded('Other 1', other), inSick('Bob'));
      await expect.poll(() => asked(reader, other)).toBe('current');
      expect(await notes()).toEqual(['Other 1']);
      expect(await asked(reader, sick)).toBe(refused);
      expect(waiting(reader)).toEqual([{ value: 1 }]);
      feed.tell(founded('Other 2', other), inSick('Eve', eve), inSick('Zoe'));
      expect(await asked(reader, other)).toBe('current');
      expect(await notes()).toEqual(['Other 2']);
      expect(kept.filter((name) => !name.startsWith('Other'))).toEqual([]);

      fails = false;
      await become(['Bob', 'Eve', 'Other 2', 'Zoe']);
      await expect.poll(() => asked(reader, sick)).toBe('current');
      expect(waiting(reader)).toEqual([{ value: 0 }]);
    });

    it('does so for another instance, too, that begins meanwhile', async () => {
      let fails = true;
      const doubt = (name: string) => {
        if (fails && name === 'Poison') throw new Error('no room');
      };
      const first = read(doubt);
      await expect.poll(() => first.unreadyBecause()).toBeUndefined();
      feed.tell(inSick('Poison'), founded('Other 1', other));
      await become(['Other 1']);
      await first.close();
      const second = read(doubt);
      feed.tell(founded('Other 2', other));
      await become(['Other 2']);
      expect(await asked(second, sick)).toBe(refused);
      fails = false;
      await become(['Other 2', 'Poison']);
    });

    it('lets an organization wait whose event cannot be read', async () => {
      const reader = read();
      await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
      feed.tell({ type: 'member.added', organizationId: sick }, founded('Other 1', other));
      await become(['Other 1']);
      expect(await asked(reader, sick)).toBe(refused);
      expect(await asked(reader, other)).toBe('current');
    });
  });

  it('starts over where its cursor is unknown: subjects without a new event are removed, the others stay [S-185]', async () => {
    const [ada, eve] = [person('Ada'), person('Eve')];
    feed.tell(founded('Acme'), added(ada), added(eve), added(person('Stranger', randomUUID(), randomUUID())));
    const seen = new Set<string>();
    read();
    await become(['Acme', 'Ada', 'Eve', 'Stranger']);
    const watching = setInterval(
      () => void notes().then((names) => seen.add(String(names.includes('Ada')))),
      5,
    );
    feed.restart(added(ada), added(person('New')), added(person('Newer')));
    await become(['Ada', 'New', 'Newer']);
    clearInterval(watching);
    expect([...seen]).not.toContain('false');
  });

  it('is the same when two instances read concurrently, one of which ends', async () => {
    const people = Array.from({ length: 40 }, (_, n) => person(`Person ${10 + n}`));
    feed.tell(...people.map(added));
    const kept: string[] = [];
    const [first] = [read((name) => kept.push(name)), read((name) => kept.push(name))];
    await become(people.map(({ name }) => name));
    expect(kept.toSorted()).toEqual(people.map(({ name }) => name));
    await first.close();
    feed.tell(removed(people[0]!));
    await become(people.slice(1).map(({ name }) => name));
  });

  it('continues from its position after a restart, and after auth-service was away', async () => {
    feed.tell(added(person('Ada')));
    const before = read();
    await become(['Ada']);
    await expect.poll(() => before.unreadyBecause()).toBeUndefined();
    await before.close();
    feed.isAway = true;
    const again: string[] = [];
    const reader = read((name) => again.push(name));
    feed.tell(added(person('Eve')));
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    feed.isAway = false;
    await become(['Ada', 'Eve']);
    expect(again).toEqual(['Eve']);
  });
});

describe('a projection of a higher version', () => {
  it('reads everything again, once; existing copies stay, and the service is ready meanwhile', async () => {
    feed.tell(added(person('Ada')), added(person('Eve')));
    const before = read();
    await become(['Ada', 'Eve']);
    await expect.poll(() => before.unreadyBecause()).toBeUndefined();
    await before.close();

    feed.isAway = true;
    const again: string[] = [];
    const reader = read((name) => again.push(name), 2);
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    expect(await notes()).toEqual(['Ada', 'Eve']);
    feed.isAway = false;
    await expect.poll(() => again).toEqual(['Ada', 'Eve']);
    feed.tell(added(person('Zoe')));
    await become(['Ada', 'Eve', 'Zoe']);
    expect(again).toEqual(['Ada', 'Eve', 'Zoe']);
    await reader.close();

    // Nor is it told again after a restart, or to the release before.
    feed.tell(added(person('Zora')));
    read((name) => again.push(name), 1);
    await become(['Ada', 'Eve', 'Zoe', 'Zora']);
    expect(again).toEqual(['Ada', 'Eve', 'Zoe', 'Zora']);
  });

  it.each([
    ['a lower version', undefined],
    ['a release that knows no versions', 'UPDATE event_reader SET projection = 2, projection_cursor = NULL'],
  ])('is told again of what %s has kept beside it', async (_, asLeft) => {
    feed.tell(added(person('Ada')));
    const again: string[] = [];
    const first = read((name) => again.push(name), 2);
    await become(['Ada']);
    await expect.poll(() => first.unreadyBecause()).toBeUndefined();
    await first.close();
    const other = read(undefined, 1);
    feed.tell(added(person('Eve')));
    await become(['Ada', 'Eve']);
    await other.close();
    if (asLeft !== undefined) await admin.query(asLeft);

    read((name) => again.push(name), 2);
    await expect.poll(() => again).toEqual(['Ada', 'Ada', 'Eve']);
  });
});

describe('a service that reads events', () => {
  it('says how far it is behind, also while it starts over', async () => {
    const reader = read();
    const lag = () => reader.measurements[0]?.read()[0] as { value: number };
    await expect.poll(() => lag().value).toBeLessThan(5);
    feed.isAway = true;
    const before = lag().value;
    await expect.poll(() => lag().value - before).toBeGreaterThan(0.3);
    let fails = true;
    const other = read((name) => {
      if (fails && name === 'Eve') throw new Error('no room');
    });
    const otherLag = () => other.measurements[0]?.read()[0] as { value: number };
    feed.restart(added(person('Ada')), added(person('Bob')), added(person('Eve')));
    await reader.close();
    feed.isAway = false;
    await become(['Ada', 'Bob']);
    expect(otherLag()).toEqual({ value: Infinity });
    fails = false;
    await expect.poll(() => otherLag().value).toBeLessThan(5);
  });

  it('is not ready before it has read all of them once, and is from then on', async () => {
    feed.isAway = true;
    const reader = read();
    expect(await reader.unreadyBecause()).toBe('the events of auth-service have not been read yet');
    feed.isAway = false;
    await expect.poll(() => reader.unreadyBecause()).toBeUndefined();
    feed.isAway = true;
    expect(await reader.unreadyBecause()).toBeUndefined();
  });

  it('has no table or statement by which a row could leave its organization', async () => {
    const { pool } = running.database;
    expect(await catalogProblems(pool, { unscoped })).toEqual([]);
    const statements = definedStatements('service');
    expect(
      await statementProblems(pool, { service: 'notes-service', unscoped, functions, statements }),
    ).toEqual([]);
  });
});
