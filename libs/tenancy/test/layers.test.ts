import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statement, type OrganizationRows, type TenantDatabase } from '@tenantry/tenancy';
import { judgeArguments } from '../src/models/arguments.ts';
import {
  createFixture,
  models,
  newOrganizations,
  writeNotes,
  type Fixture,
  type PrismaClient,
} from './fixture/database.ts';

const ownNotes = statement<{ text: string }>({
  name: 'own-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});

let fixture: Fixture;
let database: TenantDatabase;
let mine: string;
let theirs: string;

beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open({ poolSize: 3 });
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  [mine, theirs] = newOrganizations(2) as [string, string];
  await writeNotes(fixture.admin, [mine, theirs], 2);
});

const myTexts = () => [`${mine} 1`, `${mine} 2`];
const within = (organizationId = mine) => database.within({ organizationId });
const textsOf = async (organizationId: string) => {
  const { rows } = await fixture.admin.query<{ text: string }>(
    'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
    [organizationId],
  );
  return rows.map(({ text }) => text);
};

describe('layer one, the verified organization in every query, with row-level security taken away', () => {
  beforeAll(() => fixture.admin.query('ALTER TABLE notes DISABLE ROW LEVEL SECURITY'));
  afterAll(() => fixture.admin.query('ALTER TABLE notes ENABLE ROW LEVEL SECURITY'));

  it('is alone: the same role sees every row without the filter', async () => {
    const { rows } = (await database.pool.query('SELECT DISTINCT organization_id FROM notes')) as {
      rows: unknown[];
    };
    expect(rows.length).toBeGreaterThan(1);
  });

  it('reads the own rows alone [S-106]', async () => {
    const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text).sort();
    expect(texts(await within().query(ownNotes, []))).toEqual(myTexts());
    expect(texts(await models(within()).note.findMany())).toEqual(myTexts());
    expect(
      texts(
        await models(within()).note.findMany({ where: { OR: [{ text: { contains: '' } }, { text: 'x' }] } }),
      ),
    ).toEqual(myTexts());
    expect(await models(within()).note.count()).toBe(2);
    expect(await models(within()).note.findFirst({ where: { text: `${theirs} 1` } })).toBeNull();
  });

  it('changes and deletes the own rows alone', async () => {
    const untouched = await textsOf(theirs);
    await models(within()).note.updateMany({
      data: { text: 'changed' },
      where: { text: { endsWith: ' 2' } },
    });
    await models(within()).note.deleteMany();
    expect(await textsOf(mine)).toEqual([]);
    expect(await textsOf(theirs)).toEqual(untouched);
  });

  it.each([
    ['create', (p: PrismaClient) => p.note.create({ data: { organizationId: theirs, text: 'x' } })],
    ['createMany', (p: PrismaClient) => p.note.createMany({ data: [{ organizationId: theirs, text: 'x' }] })],
    ['update', (p: PrismaClient) => p.note.updateMany({ data: { organizationId: theirs } })],
    ['filter', (p: PrismaClient) => p.note.findMany({ where: { organizationId: theirs } })],
    [
      'filter of several',
      (p: PrismaClient) => p.note.findMany({ where: { organizationId: { in: [mine, theirs] } } }),
    ],
  ])('refuses another organization named in a %s', async (_, work) => {
    await expect(work(models(within()) as unknown as PrismaClient)).rejects.toMatchObject({
      code: 'SCOPE_MISMATCH',
    });
    expect(await textsOf(theirs)).toHaveLength(2);
  });

  it('writes new rows into the own organization', async () => {
    await models(within()).note.create({ data: { text: 'x' } as never });
    await models(within()).note.createMany({ data: [{ text: 'y' }] as never });
    expect(await textsOf(mine)).toEqual(expect.arrayContaining(['x', 'y']));
  });

  it('refuses a filter with an undefined value, which Prisma takes for no filter [S-106]', async () => {
    const filters = [
      { id: undefined },
      { text: { startsWith: undefined } },
      { OR: [{ text: undefined }] },
      { NOT: { id: undefined } },
    ];
    for (const where of filters) {
      const query = models(within()).note.deleteMany({ where: where as never });
      await expect(query).rejects.toMatchObject({ code: 'FILTER_UNDEFINED' });
    }
    const unscoped = models(within()).country.deleteMany({ where: { code: undefined as never } });
    await expect(unscoped).rejects.toMatchObject({ code: 'FILTER_UNDEFINED' });
  });

  it.each<[string, (p: PrismaClient) => unknown]>([
    ['raw SQL', (p) => p.$queryRaw`SELECT 1`],
    ['raw SQL in a text', (p) => p.$queryRawUnsafe('SELECT 1')],
    ['a raw command', (p) => p.$executeRaw`SELECT 1`],
    ['a raw command in a text', (p) => p.$executeRawUnsafe('SELECT 1')],
    ['a transaction of Prisma', (p) => p.$transaction([])],
    ['an extension', (p) => p.$extends({})],
  ])('refuses %s through Prisma', (_, form) => {
    expect(() => form(models(within()) as unknown as PrismaClient)).toThrow(
      expect.objectContaining({ code: 'OPERATION_REFUSED' }),
    );
  });

  const key = () => ({ organizationId_text: { organizationId: mine, text: `${mine} 1` } });
  const comments = (nested: object) => ({ data: { text: 'x', comments: nested } }) as never;
  it.each<[string, (p: PrismaClient) => Promise<unknown>]>([
    ['findUnique, whose calls Prisma joins across requests', (p) => p.note.findUnique({ where: key() })],
    ['findUniqueOrThrow', (p) => p.note.findUniqueOrThrow({ where: key() })],
    ['findUnique of an unscoped model', (p) => p.country.findUnique({ where: { code: 'SE' } })],
    ['rows of another model that are included', (p) => p.note.findMany({ include: { comments: true } })],
    ['rows of another model that are selected', (p) => p.note.findMany({ select: { comments: true } })],
    ['a count of another model', (p) => p.note.findMany({ select: { _count: true } })],
    ['a filter by another model', (p) => p.note.findMany({ where: { comments: { some: { text: 'x' } } } })],
    [
      'a filter by another model, further in',
      (p) => p.comment.findMany({ where: { OR: [{ NOT: { note: { text: 'x' } } }] } }),
    ],
    [
      'a filter by another model that has the same columns',
      (p) => p.comment.count({ where: { note: { id: mine, text: 'x' } } }),
    ],
    ['an order by another model', (p) => p.note.findMany({ orderBy: [{ comments: { _count: 'desc' } }] })],
    ['a nested creation', (p) => p.note.create(comments({ create: { text: 'x' } }))],
    ['a nested connection', (p) => p.note.create(comments({ connect: { id: 'x' } }))],
    ['a nested deletion', (p) => p.note.updateMany(comments({ deleteMany: {} }))],
    ['a change by a key', (p) => p.note.update({ where: key(), data: { text: 'x' } })],
    ['a deletion by a key', (p) => p.note.delete({ where: key() })],
    [
      'an upsert',
      (p) => p.note.upsert({ where: key(), update: {}, create: { organizationId: mine, text: 'x' } }),
    ],
    ['a filter by a key of several columns', (p) => p.note.deleteMany({ where: key() as never })],
    ['a sum', (p) => p.note.aggregate({ _count: true })],
    ['groups', (p) => p.note.groupBy({ by: ['organizationId'] })],
    ['a cursor', (p) => p.note.findMany({ cursor: key() })],
    ['a join', (p) => p.note.findMany({ relationLoadStrategy: 'join' } as never)],
  ])('refuses %s [S-106]', async (_, query) => {
    await expect(query(models(within()) as unknown as PrismaClient)).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
    });
  });

  it('refuses an operation that a later Prisma may have', () => {
    const call = { model: 'Note', columns: new Set(['text']), args: {} };
    for (const operation of ['findRaw', 'updateEach', 'constructor']) {
      expect(() => judgeArguments({ ...call, operation })).toThrow(`${operation} of Note is refused`);
    }
  });

  it('accepts what it can judge', async () => {
    const { note } = models(within());
    const where = { OR: [{ text: { in: ['x', `${mine} 1`] } }] };
    expect(await note.findFirst({ where, select: { text: true } })).toEqual({ text: `${mine} 1` });
    expect(await note.findMany({ orderBy: [{ text: 'desc' }], take: 1, omit: { id: true } })).toEqual([
      { organizationId: mine, text: `${mine} 2` },
    ]);
    const [changed] = await note.updateManyAndReturn({ where, data: { text: 'new' } });
    expect(changed).toMatchObject({ organizationId: mine, text: 'new' });
  });

  it('keeps the models of a scope in it, wherever they are used', async () => {
    const { note, country } = models(within());
    const inTheirs = await database.pool.within({ organizationId: theirs }, () => note.findMany());
    expect(inTheirs.map(({ organizationId }) => organizationId)).toEqual([mine, mine]);
    expect(await country.findMany()).toEqual([]);
  });
});

describe('layer two, forced row-level security, with the filter taken away', () => {
  const raw = (sql: string, values: unknown[] = []) =>
    database.pool.within({ organizationId: mine }, async () => {
      return (await database.pool.query(sql, values)) as { rows: { text: string }[]; rowCount: number };
    });

  it('shows an unfiltered query the own rows alone [S-105]', async () => {
    const { rows } = await raw('SELECT text FROM notes ORDER BY text');
    expect(rows.map(({ text }) => text)).toEqual(myTexts());
  });

  it('finds nothing where the query asks for another organization', async () => {
    expect((await raw('SELECT text FROM notes WHERE organization_id = $1', [theirs])).rows).toEqual([]);
    expect((await raw('UPDATE notes SET text = $2 WHERE organization_id = $1', [theirs, 'x'])).rowCount).toBe(
      0,
    );
    expect((await raw('DELETE FROM notes WHERE organization_id = $1', [theirs])).rowCount).toBe(0);
    expect(await textsOf(theirs)).toHaveLength(2);
  });

  it('refuses a row written into another organization, or moved there', async () => {
    await expect(
      raw('INSERT INTO notes (organization_id, text) VALUES ($1, $2)', [theirs, 'x']),
    ).rejects.toThrow(/row-level security/);
    await expect(raw('UPDATE notes SET organization_id = $1', [theirs])).rejects.toThrow(
      /row-level security/,
    );
  });

  it('raises without a scope [S-105]', async () => {
    await expect(database.pool.query('SELECT text FROM notes') as Promise<unknown>).rejects.toThrow(
      'no organization is set',
    );
  });

  it('holds for the owner of the tables as well', async () => {
    const owner = fixture.runtimeRole.replace(/_service$/, '_owner');
    const client = await fixture.admin.connect();
    await client.query(`SET ROLE ${owner}`);
    await expect(client.query('SELECT text FROM notes')).rejects.toThrow('no organization is set');
    client.release(true);
  });
});

describe('a scope', () => {
  it('names an organization or a user, by UUID', () => {
    for (const scope of [
      {},
      { organizationId: '' },
      { organizationId: "x'; DROP TABLE notes" },
      { userId: 'me' },
    ]) {
      expect(() => database.within(scope)).toThrow(expect.objectContaining({ code: 'SCOPE_INVALID' }));
    }
  });

  it('of a user reads what is the user’s across organizations, and no row of an organization', async () => {
    const userId = randomUUID();
    await fixture.admin.query(
      `INSERT INTO memberships VALUES ($1, $3, 'owner'), ($2, $3, 'member'), ($1, $4, 'admin')`,
      [mine, theirs, userId, randomUUID()],
    );
    const memberships = await models(database.within({ userId })).membership.findMany();
    expect(memberships).toHaveLength(2);
    const ofUser = database.within({ userId }) as unknown as OrganizationRows;
    await expect(models(ofUser).note.findMany()).rejects.toMatchObject({
      code: 'SCOPE_REQUIRED',
    });
    // @ts-expect-error -- a statement of an organization in the scope of a user
    await expect(database.within({ userId }).query(ownNotes, [])).rejects.toMatchObject({
      code: 'SCOPE_REQUIRED',
    });
  });

  it('ends with its query: interleaved and parallel scopes do not mix', async () => {
    const read = (organizationId: string) => models(within(organizationId)).note.findMany();
    const outer = models(within(mine));
    const inner = await read(theirs);
    expect(inner.every((note) => note.organizationId === theirs)).toBe(true);
    expect((await outer.note.findMany()).every((note) => note.organizationId === mine)).toBe(true);
    const [a, b] = await Promise.all([read(mine), read(theirs)]);
    expect(new Set(a.map((n) => n.organizationId))).toEqual(new Set([mine]));
    expect(new Set(b.map((n) => n.organizationId))).toEqual(new Set([theirs]));
  });
});

it('a pool alone never answers by callback, so that no query slips past its scope', () => {
  expect(() => database.pool.query('SELECT 1', () => undefined) as unknown).toThrow('by promise');
});
