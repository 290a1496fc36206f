import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createLead, invalid, notFound, refusal, startService, type Caller } from './support/service.ts';

const service = await startService();
afterAll(() => service.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface DescribedOperation {
  readonly 'x-access'?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

type Route = readonly [Method, path: string, body: object | undefined];

/** Every documented route that members work with, with the body that its document shows. */
const routes = await readRoutes();

async function readRoutes(): Promise<readonly Route[]> {
  const { text } = await service.caller().send('GET', '/api/leads/openapi.json');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, DescribedOperation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, ...described }]) => {
      const json = requestBody?.content['application/json'];
      // A file is asked in import.test.ts.
      if (!/^leads:/.test(described['x-access'] ?? '') || (requestBody && !json)) return [];
      const needed = (described.parameters ?? []).filter(
        (one) => one.in === 'query' && one.required === true,
      );
      const query = needed.map(({ name, example = '' }) => `${name}=${example}`).join('&');
      const url = path.replace('{id}', ':id') + (query && `?${query}`);
      const route: Route = [method.toUpperCase() as Method, url, json?.example];
      return [route];
    }),
  );
}

/** What a route is about: a lead, or an import of one. */
async function subjectOf(caller: Caller, path: string): Promise<string> {
  if (!path.includes('/imports/')) return createLead(caller);
  const headers = { 'content-type': 'text/csv' };
  await caller.send('POST', '/api/leads/import', { body: 'name,email\nAda,ada@example.com\n', headers });
  const { body } = await caller.send('GET', '/api/leads/imports');
  return body.data[0]?.id ?? '';
}

const call = (caller: Caller, [method, path, body]: Route, id: string = randomUUID()) =>
  caller.send(method, path.replace(':id', id), body ? { body } : {});

it('every route that touches leads is asked here', () => {
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

describe.each(routes)('%s %s', (...route) => {
  const [method, path] = route;

  it('is open to members, admins and owners; to erase, to the last two', async () => {
    for (const role of method === 'POST' && path.endsWith('/erase')
      ? ['admin', 'owner']
      : ['member', 'admin', 'owner']) {
      const caller = await service.member({ role });
      expect((await call(caller, route, await subjectOf(caller, path))).status).toBeLessThan(300);
    }
  });

  it('is open to keys within their scope and their organization [S-98]', async () => {
    const [mine, theirs] = [await service.member(), await service.member()];
    const { organizationId } = mine;
    const [id, foreign] = [await subjectOf(mine, path), await subjectOf(theirs, path)];
    const permission = path.endsWith('/erase')
      ? 'leads:erase'
      : method === 'GET'
        ? 'leads:read'
        : 'leads:write';
    const key = await service.serviceAccount({ organizationId, base: 'admin', scope: permission });
    expect((await call(key, route, id)).status).toBeLessThan(300);
    if (path.includes(':id')) expect(refusal(await call(key, route, foreign))).toEqual(notFound);
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    const other = permission === 'leads:read' ? 'leads:write' : 'leads:read';
    const scoped = await service.serviceAccount({ organizationId, base: 'admin', scope: other });
    expect(refusal(await call(scoped, route, id))).toMatchObject(forbidden);
    const guest = await service.serviceAccount({ organizationId, base: 'guest', scope: permission });
    expect(refusal(await call(guest, route, id))).toMatchObject(forbidden);
  });

  it('names the organization by the token alone: a header changes nothing, a query is refused [S-104]', async () => {
    const [mine, theirs] = [await service.member({ role: 'admin' }), await service.member()];
    const [id, lead] = [await subjectOf(theirs, path), await createLead(theirs)];
    const headers = { 'x-organization-id': theirs.organizationId, 'x-user-id': randomUUID() };
    const theirPath = path.replace(':id', id);
    const answer = await mine.send(method, theirPath, { body: route[2], headers });
    if (theirPath.includes(id)) expect(refusal(answer)).toEqual(notFound);
    else expect(answer.status).toBeLessThan(300);
    expect((await theirs.send('GET', `/api/leads/${lead}`)).body.data.name).toBe('Ada');
    if (path !== '/api/leads') return;
    const asked = await mine.send(method, `${path}?organizationId=${theirs.organizationId}`, {
      body: route[2],
    });
    if (method === 'GET') expect(refusal(asked)).toEqual(invalid('organizationId'));
  });
});

describe('another organization’s lead', () => {
  it('looks exactly like one that does not exist, and is left as it was', async () => {
    const [mine, theirs] = [await service.member(), await service.member()];
    const id = await createLead(theirs, { name: 'Secret' });
    for (const route of routes.filter(([, path]) => path.endsWith(':id'))) {
      const foreign = await call(mine, route, id);
      const absent = await call(mine, route, randomUUID());
      expect(refusal(foreign)).toEqual(notFound);
      expect(foreign.body.error).toEqual(absent.body.error);
    }
    const kept = await theirs.send('GET', `/api/leads/${id}`);
    expect([kept.body.data.name, kept.headers['etag']]).toEqual(['Secret', '"1"']);
  });

  it('is in no list, search or total', async () => {
    const [mine, theirs] = [await service.member(), await service.member()];
    await createLead(theirs, { name: 'Secret' });
    for (const query of ['', '?search=secret', '?status=new', '?sort=name', '?page=2']) {
      expect((await mine.send('GET', `/api/leads${query}`)).body).toMatchObject({
        data: [],
        meta: { total: 0 },
      });
    }
  });
});

describe.each(['connection', 'transaction'] as const)('bound per %s', (binding) => {
  it('400 interleaved requests of 20 organizations over 3 connections see no foreign lead [S-107]', async () => {
    const small = await startService({ env: { TENANT_BINDING: binding, DATABASE_POOL_SIZE: '3' } });
    try {
      const callers = await Promise.all(Array.from({ length: 20 }, () => small.member()));
      await Promise.all(callers.map((caller) => createLead(caller, { name: caller.organizationId })));
      const answers = await Promise.all(
        Array.from({ length: 400 }, async (_, i) => {
          const caller = callers[(i * 7) % 20]!;
          const query = ['', '?search=-', '?status=new', '?sort=name'][i % 4]!;
          const { body } = await caller.send('GET', `/api/leads${query}`);
          return [body.data.map((lead) => lead.name), body.meta.total, caller.organizationId];
        }),
      );
      for (const [names, total, organizationId] of answers) {
        expect([names, total]).toEqual([[organizationId], 1]);
      }
    } finally {
      await small.close();
    }
  });
});
