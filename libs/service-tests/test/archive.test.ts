import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  archiveTurns,
  Archives,
  ArchiveImport,
  OpenedArchive,
  type ArchivedFile,
} from '@tenantry/service/archive';
import {
  dataOf,
  openTestFeed,
  readArchive,
  startTestService,
  sumsOf,
  withFileOf,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import { thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { notesArchive, notesService } from './fixture/notes-service.ts';

const { tables } = notesArchive;
const name = 'notes-service';
const migration = '20260101000000_init';
let feed: TestFeed;
let running: TestService;
beforeAll(async () => {
  feed = await openTestFeed();
  running = await startTestService(notesService({ archive: notesArchive }), { env: feed.env });
  await running.testDatabase.query('ALTER TABLE notes ADD CONSTRAINT notes_text CHECK (length(text) < 100)');
});
afterAll(async () => {
  await running.close();
  await feed.close();
});

const tenantOf = (organizationId: string = randomUUID()) => running.database.within({ organizationId });
type Tenant = ReturnType<typeof tenantOf>;

const archives = () => new Archives({ service: name, migration: async () => migration, tables });
const importing = () => new ArchiveImport({ service: name, migration, tables });

async function addNotes(organizationId: string, texts: readonly string[]): Promise<void> {
  await running.testDatabase.query(
    'INSERT INTO notes (organization_id, text) SELECT $1, text FROM unnest($2::text[]) AS n (text)',
    [organizationId, texts],
  );
}

const exported = async (tenant: Tenant): Promise<Buffer> => buffer(archives().begin({ tenant }));

/** Imports an archive; a limit ends it as a kill would, after so many batches. */
const importInto = (tenant: Tenant, bytes: Uint8Array, killedAfter = Infinity): Promise<void> =>
  withFileOf(bytes, async (path) => {
    const archive = await OpenedArchive.open(path);
    let batches = 0;
    try {
      await importing().run(tenant, archive, () => {
        if ((batches += 1) >= killedAfter) throw new Error('killed');
      });
    } finally {
      await archive.close();
    }
  });

/** An archive of any content. */
async function zipped(
  files: readonly { readonly path: string; readonly content: string | Uint8Array }[],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, content } of files) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** An archive of a note, after changes of its files and its manifest. */
async function changed(
  change: Readonly<Record<string, string | null>>,
  manifest: Readonly<Record<string, unknown>> = {},
): Promise<Buffer> {
  const organizationId = randomUUID();
  await addNotes(organizationId, ['a note']);
  const archive = await readArchive(await exported(tenantOf(organizationId)));
  const said = JSON.stringify({ ...archive.manifest, ...manifest });
  const files = new Map<string, string | Uint8Array | null>(
    Object.entries({ ...Object.fromEntries(archive.files), 'manifest.json': said, ...change }),
  );
  return zipped([...files].flatMap(([path, content]) => (content === null ? [] : [{ path, content }])));
}

const line = (id: string, text: string) => `${JSON.stringify({ id, text })}\n`;

/** A whole archive of these lines. */
async function archiveOf(lines: string): Promise<Buffer> {
  const archive = await readArchive(await exported(tenantOf()));
  const files = new Map([...archive.files, ['data/notes.ndjson', Buffer.from(lines)]]);
  return changed({ 'data/notes.ndjson': lines }, { tables: sumsOf({ ...archive, files }) });
}

describe('an archive', () => {
  it('is the same after an import, whatever the rows are [S-291]', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((one) => {
      return one.length < 60 && !one.includes('\0') && one.isWellFormed();
    });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (texts) => {
        const [from, into] = [randomUUID(), randomUUID()];
        await addNotes(from, texts);
        const bytes = await exported(tenantOf(from));
        await running.testDatabase.query('DELETE FROM notes WHERE organization_id = $1', [from]);
        await importInto(tenantOf(into), bytes);
        const [before, after] = [await readArchive(bytes), await readArchive(await exported(tenantOf(into)))];
        expect(dataOf(after, ['notes'])).toEqual(dataOf(before, ['notes']));
        expect(before.manifest.tables['notes']?.rows).toBe(texts.length);
      }),
      { numRuns: thorough(200, 20) },
    );
  });

  it('is of one moment, however much is written meanwhile [S-295]', async () => {
    const organizationId = randomUUID();
    await addNotes(
      organizationId,
      Array.from({ length: 2_000 }, (_, n) => `note ${n}`),
    );
    let isOver = false;
    const write = async () => {
      while (!isOver) await addNotes(organizationId, ['later', 'and later']);
    };
    const writers = Array.from({ length: 6 }, write);
    const archive = await readArchive(await exported(tenantOf(organizationId)));
    isOver = true;
    await Promise.all(writers);
    expect(archive.manifest.tables).toEqual(sumsOf(archive));
    const texts = String(archive.files.get('data/notes.ndjson'));
    expect(texts.match(/"later"/g)?.length ?? 0).toBe(texts.match(/"and later"/g)?.length ?? 0);
  });

  it('is read from the database no faster than by its reader, and ends with it [S-295]', async () => {
    const organizationId = randomUUID();
    const texts = Array.from({ length: 20_000 }, () => randomBytes(48).toString('base64'));
    await addNotes(organizationId, texts);
    const tenant = tenantOf(organizationId);
    let [rows, isOver] = [0, false];
    const counting = {
      scope: tenant.scope,
      snapshot: (work, options) =>
        tenant
          .snapshot(
            (snapshot) =>
              work({
                scope: snapshot.scope,
                query: (statement, values) => snapshot.query(statement, values),
                async *batches(statement, values, batchOptions) {
                  for await (const batch of snapshot.batches(statement, values, batchOptions)) {
                    rows += batch.length;
                    yield batch;
                  }
                },
              }),
            options,
          )
          .finally(() => (isOver = true)),
    } as Tenant;
    const seen: { readonly bytes: number; readonly rows: number }[] = [];
    let bytes = 0;
    for await (const piece of archives().begin({ tenant: counting })) {
      seen.push({ bytes: (bytes += (piece as Buffer).length), rows });
    }
    const ahead = seen.map((then) => then.rows / texts.length - then.bytes / bytes);
    expect(Math.max(...ahead)).toBeLessThan(1 / 3);

    [rows, isOver] = [0, false];
    const left = archives().begin({ tenant: counting });
    for await (const piece of left) if ((piece as Buffer).length > 0 && rows > 0) break;
    await expect.poll(() => isOver).toBe(true);
    expect(rows).toBeLessThan(texts.length);
    const { pool } = running.database;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  });

  it('has no manifest if it breaks off', async () => {
    const tenant = tenantOf();
    async function* files(): AsyncGenerator<ArchivedFile> {
      yield { path: 'pdf/Q-1.pdf', bytes: Buffer.from('%PDF-') };
      await Promise.reject(new Error('no PDF now'));
    }
    await expect(buffer(archives().begin({ tenant, files }))).rejects.toThrow('no PDF now');
  });

  it('that fails before anyone reads it ends as a stream, and not the process', async () => {
    const failing = {
      scope: { organizationId: randomUUID() },
      snapshot: () => Promise.reject(new Error('no connection')),
    } as unknown as Tenant;
    const archive = archives().begin({ tenant: failing });
    await expect.poll(() => archive.errored?.message).toBe('no connection');
  });

  it('has a turn for an organization, and the next for another [S-295]', async () => {
    const turns = archiveTurns();
    const [mine, other] = [randomUUID(), randomUUID()];
    const [first] = [await turns.take({ organizationId: mine, address: '192.0.2.1' })];
    const second = turns.take({ organizationId: mine, address: '192.0.2.1' });
    const theirs = await turns.take({ organizationId: other, address: '192.0.2.2' });
    let isMine = false;
    void second.then(() => (isMine = true));
    theirs.giveBack();
    await Promise.resolve();
    expect(isMine).toBe(false);
    first.giveBack();
    (await second).giveBack();
  });
});

describe('an import refuses before its first row [S-296]', () => {
  const refusals: Readonly<Record<string, readonly [() => Promise<Buffer>, RegExp]>> = {
    'what is no archive': [async () => Buffer.from('PK, almost'), /not a whole ZIP/],
    'a download that broke off': [
      async () => {
        const bytes = await changed({});
        return bytes.subarray(0, bytes.length - 30);
      },
      /not a whole ZIP/,
    ],
    'one without a manifest': [() => changed({ 'manifest.json': null }), /no manifest/],
    'another format': [() => changed({}, { format: 'tenantry-organization/2' }), /Its format/],
    'another service': [() => changed({}, { service: 'leads-service' }), /It is of leads-service/],
    'a newer migration': [() => changed({}, { migration: '20270101000000_later' }), /newer version/],
    'a wrong digest': [() => changed({ 'data/notes.ndjson': line(randomUUID(), 'other') }), /its digest/],
    'a table that it does not know': [
      () => changed({}, { tables: { secrets: { rows: 0, sha256: '0'.repeat(64) } } }),
      /lacks data\/secrets|in no list/,
    ],
    'an entry that is in no list': [() => changed({ 'data/more.ndjson': '' }), /in no list/],
    'an entry beside the files': [() => changed({ 'bin/run.sh': '' }), /in no list/],
    'an entry that leads out of it': [
      async () => {
        // As no writer of archives writes it.
        const bytes = await changed({ 'csv/aa/bbbbb.csv': '' });
        const text = bytes.toString('latin1').replaceAll('csv/aa/bbbbb.csv', 'csv/../../up.csv');
        return Buffer.from(text, 'latin1');
      },
      /not a whole ZIP archive: invalid relative path/,
    ],
    'what unpacks to more than a hundred times its size': [
      () => changed({ 'csv/notes.csv': '0'.repeat(2 * 1024 * 1024) }),
      /a hundred times/,
    ],
  };

  it.each(Object.keys(refusals))('%s', async (what) => {
    const [make, reason] = refusals[what]!;
    const tenant = tenantOf();
    await expect(importInto(tenant, await make())).rejects.toThrow(reason);
    expect((await readArchive(await exported(tenant))).manifest.tables['notes']?.rows).toBe(0);
  });

  it('an organization that is not empty', async () => {
    const organizationId = randomUUID();
    await addNotes(organizationId, ['mine']);
    await expect(importInto(tenantOf(organizationId), await changed({}))).rejects.toThrow(/not empty: notes/);
  });
});

describe('an import', () => {
  it('names table, line and rule of a row that is refused, and undoes its batch [S-297]', async () => {
    const ids = Array.from(
      { length: 300 },
      (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    );
    const lines = ids.map((id, n) => line(id, n === 270 ? 'x'.repeat(200) : 'short')).join('');
    const tenant = tenantOf();
    await expect(importInto(tenant, await archiveOf(lines))).rejects.toThrow(
      'notes, line 271: refused by notes_text (23514). Its batch was undone.',
    );
    const { manifest } = await readArchive(await exported(tenant));
    expect(manifest.tables['notes']?.rows).toBe(250);
  });

  it.each([1, 2, 3])(
    'that was killed after batch %i is finished by a repetition [S-297]',
    async (batches) => {
      const from = randomUUID();
      await addNotes(
        from,
        Array.from({ length: 700 }, (_, n) => `note ${n}`),
      );
      const bytes = await exported(tenantOf(from));
      await running.testDatabase.query('DELETE FROM notes WHERE organization_id = $1', [from]);
      const tenant = tenantOf();
      await expect(importInto(tenant, bytes, batches)).rejects.toThrow('killed');
      await importInto(tenant, bytes);
      await importInto(tenant, bytes);
      const [before, after] = [await readArchive(bytes), await readArchive(await exported(tenant))];
      expect(dataOf(after, ['notes'])).toEqual(dataOf(before, ['notes']));
    },
  );

  it('writes to its organization alone, whatever an archive says [S-297]', async () => {
    const other = randomUUID();
    const stray = `${JSON.stringify({ id: randomUUID(), text: 'stray', organization_id: other })}\n`;
    const tenant = tenantOf();
    await importInto(tenant, await archiveOf(stray));
    const rows = await running.testDatabase.query(
      `SELECT organization_id AS id FROM notes WHERE text = 'stray'`,
    );
    expect(rows).toEqual([{ id: tenant.scope.organizationId }]);
  });
});
