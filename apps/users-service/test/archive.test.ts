import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Archives } from '@tenantry/service/archive';
import {
  openTestFeed,
  readArchive,
  rowsOf,
  startTestService,
  sumsOf,
  type ReadArchive,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usersArchive } from '../src/archive/users-archive.repository.ts';
import { service as definition } from '../src/service.ts';
import { UserRepository } from '../src/users/users.repository.ts';

let feed: TestFeed;
let service: TestService;
beforeAll(async () => {
  feed = await openTestFeed();
  service = await startTestService(definition, { env: feed.env });
});
afterAll(async () => {
  await service.close();
  await feed.close();
});

interface Person {
  readonly user_id: string;
  readonly name: string;
}

it('is of one moment beside six writers: people who are renamed together have the same name in all of it [S-295]', async () => {
  const organizationId = randomUUID();
  const tenant = service.database.within({ organizationId });
  const users = new UserRepository();
  const rename = (ids: readonly string[], name: string) =>
    tenant.transaction(async (tx) => {
      const createdAt = new Date().toISOString();
      for (const userId of ids) {
        const member = { organizationId, userId, email: `${userId}@example.com`, role: 'member' };
        await users.keep(tx, { ...member, name, familyName: null, createdAt });
      }
    });
  const ids = Array.from({ length: 3_000 }, () => randomUUID()).sort();
  await rename(ids, 'Ada 0');
  let isOver = false;
  let written = 0;
  const pairs = Array.from(
    { length: 6 },
    (_, writer) => [ids[writer] ?? '', ids.at(-1 - writer) ?? ''] as const,
  );
  const writers = pairs.map(async (pair) => {
    while (!isOver) {
      written += 1;
      await rename(pair, `Ada ${written}`);
    }
  });
  const archives = new Archives({ ...usersArchive, service: 'users-service', migration: async () => '' });
  const found: ReadArchive[] = [];
  while (found.length < 5 || written < 100)
    found.push(await readArchive(await buffer(archives.begin({ tenant }))));
  isOver = true;
  await Promise.all(writers);
  for (const archive of found) {
    expect(archive.manifest.tables).toEqual(sumsOf(archive));
    const names = new Map(rowsOf<Person>(archive, 'profiles').map(({ user_id: id, name }) => [id, name]));
    expect(names.size).toBe(3_000);
    for (const [first, last] of pairs) expect(names.get(first)).toBe(names.get(last));
    const sheet = String(archive.files.get('csv/people.csv'));
    for (const id of pairs.flat()) expect(sheet).toContain(`${id},${id}@example.com,${names.get(id)},`);
  }
});
