import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Imports, type ImportedItems } from '@tenantry/service/files';
import type { NewLead } from '../src/leads/lead.ts';
import { startService, type TestService } from './support/service.ts';

/** Called when a request that names itself has been let in. */
const letIn = new Map<string, () => void>();

let service: TestService;
let origin: string;
beforeAll(async () => {
  service = await startService();
  service.app.addHook('preHandler', async ({ id }: FastifyRequest) => letIn.get(id)?.());
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service.close());

it('a file is refused whose session ends while it arrives [S-141]', async () => {
  const { issuer } = service;
  const [sid, organizationId, id] = [randomUUID(), randomUUID(), randomUUID()];
  const { promise: begun, resolve } = deferred();
  letIn.set(id, resolve);
  const { promise: rest, resolve: sendRest } = deferred();
  async function* file() {
    yield Buffer.from('name,email\nAda,ada@example.com\n');
    await rest;
    yield Buffer.from('Bo,bo@example.com\n');
  }
  const token = await issuer.token({ sid, organizationId, role: 'admin' });
  const answer = fetch(`${origin}/api/leads/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'x-request-id': id },
    body: ReadableStream.from(file()),
    duplex: 'half',
  });
  await begun;
  issuer.revoke({ kind: 'session', sid, until: Math.floor(Date.now() / 1_000) + 900 });
  sendRest();
  expect((await answer).status).toBe(401);
  const member = await service.member({ organizationId, role: 'admin' });
  expect((await member.send('GET', '/api/leads')).body.meta.total).toBe(0);
});

it.each([
  ['before the next batch', 1, 1],
  ['before it commits', 3, 2],
])('an import ends %s once its actor may act no more [S-141]', async (_, asked, batches) => {
  const inserted: number[] = [];
  const items: ImportedItems<NewLead> = {
    sameness: { field: 'email', verb: 'has the address of', noun: 'lead' },
    keysOf: ({ email }) => [email],
    insert: async (_tx, leads) => {
      inserted.push(leads.length);
      return [];
    },
    same: async () => [],
    fill: async () => [],
    recordImport: nothing,
  };
  const noted = { begin: nothing, takeTurn: nothing, move: nothing, end: nothing, addPart: nothing };
  const imports = new Imports({ items, imports: noted, scheduleWork: nothing });
  async function* rows() {
    for (let row = 0; row < 500; row += 1) {
      const item = { name: 'Ada', email: `ada-${row}@example.com` };
      yield { cells: [], line: row + 2, item, problems: [], warnings: [] };
    }
  }
  let questions = 0;
  const requireAccess = async () => {
    if (questions === asked) throw new Error('the session has ended');
    questions += 1;
  };
  const tenant = service.database.within({ organizationId: randomUUID() });
  const actor = { kind: 'user', userId: randomUUID(), name: 'Ada' } as const;
  const { signal } = new AbortController();
  const choices = { mode: 'all', duplicates: 'import', fileName: null } as const;
  const options = { ...choices, signal, requireAccess, outside: nothing };
  const running = imports.run({ tenant, actor, now: new Date() }, { names: [], rows: rows() }, options);
  await expect(running).rejects.toThrow('the session has ended');
  expect(inserted).toEqual(Array.from({ length: batches }, () => 250));
});

const nothing = async (): Promise<void> => undefined;

/** A promise, and what resolves it. */
function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
