import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { LocatedTokens } from '@tenantry/service/tokens';
import { describe, expect, it } from 'vitest';
import { KnownDirectories } from '../src/callers/known-directories.ts';
import { send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './support/upstream.ts';

const tokens = new LocatedTokens('tsc_');
const newToken = (id = randomUUID()) => tokens.make({ ownerId: randomUUID(), id }).token;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const scimPath = '/api/auth/scim/v2/an-organization/a-connection/Users';

interface Call {
  readonly address?: string;
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
}

/** A gateway before a service that takes some tokens of directories, and repeats what it got. */
async function start(settings: Parameters<typeof startGateway>[1] = {}) {
  const taken = new Set<string>();
  const upstream = await startUpstream((request, response) => {
    const token = String(request.headers.authorization).slice('Bearer '.length);
    if (request.url?.endsWith('/Nothing')) response.writeHead(404);
    else if (!taken.has(token))
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    else response.writeHead(200, { 'content-type': 'application/scim+json' });
    void text(request).then((body) =>
      response.end(JSON.stringify({ ...request.headers, body, url: request.url })),
    );
  });
  const routes = [`/api/auth=${upstream.url}`, `/api/leads=${upstream.url}`];
  const gateway = await startGateway(routes, { TRUST_PROXY: ['127.0.0.1'], ...settings });
  const call = (
    token: string,
    { address = '198.51.100.1', path = scimPath, method = 'GET', body }: Call = {},
  ) =>
    send(gateway.port, path, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...bearer(token),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
  return { taken, call };
}

describe('the token of a directory', () => {
  it('goes through to where it provisions, as it is [S-261]', async () => {
    const { taken, call } = await start();
    const token = newToken();
    taken.add(token);
    const answer = await call(token, { method: 'PATCH', body: '{"Operations":[]}' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/scim+json']);
    expect(JSON.parse(answer.text)).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/scim+json',
      body: '{"Operations":[]}',
      url: scimPath,
    });
  });

  it('goes nowhere else, known or not [S-261]', async () => {
    const { taken, call } = await start();
    const token = newToken();
    taken.add(token);
    expect((await call(token)).status).toBe(200);
    for (const one of [token, 'tsc_', 'tsc_short', ` ${token}`]) {
      for (const path of ['/api/leads', '/api/auth/session', '/api/auth/scim', '/api/auth/scim/v2x']) {
        const refused = await call(one, { path });
        expect([path, refused.status]).toEqual([path, 403]);
        expect(refused.text).toContain('USER_REQUIRED');
      }
    }
  });

  it('is refused in the form of SCIM where the gateway refuses it [S-269]', async () => {
    const { call } = await start({ RATE_LIMIT_PER_MINUTE: 1 });
    await call(newToken());
    const limited = await call(newToken());
    expect([
      limited.status,
      limited.headers['content-type'],
      Number(limited.headers['retry-after']) > 0,
    ]).toEqual([429, 'application/scim+json', true]);
    expect(JSON.parse(limited.text)).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '429',
    });
    const key = await send((await startGateway([`/api/auth=http://127.0.0.1:9`])).port, scimPath, {
      headers: bearer('tak_x'),
    });
    expect([key.status, key.headers['content-type']]).toEqual([403, 'application/scim+json']);
  });
});

describe('the requests of a directory [S-269]', () => {
  const perMinute = 5;
  const limited = { RATE_LIMIT_PER_MINUTE: perMinute };

  it('count by its token once it was taken: made-up ones from its address do not hold it up', async () => {
    const { taken, call } = await start(limited);
    const [one, other] = [newToken(), newToken()];
    taken.add(one).add(other);
    for (const token of [one, other]) expect((await call(token)).status).toBe(200);
    const flood = [];
    // A path that is none says nothing of a token.
    for (let n = 0; n < 2 * perMinute; n += 1)
      flood.push((await call(newToken(), { path: `${scimPath}/Nothing` })).status);
    expect(flood.filter((status) => status === 404)).toHaveLength(perMinute - 2);
    expect(flood.at(-1)).toBe(429);
    for (const token of [one, other]) {
      const passed = [];
      for (let n = 0; n < 2 * perMinute; n += 1) passed.push((await call(token)).status);
      expect(passed.filter((status) => status === 200)).toHaveLength(perMinute);
    }
  });

  it('count by its address again once it is refused', async () => {
    const { taken, call } = await start(limited);
    const token = newToken();
    taken.add(token);
    expect((await call(token)).status).toBe(200);
    taken.delete(token);
    const answers = [];
    for (let n = 0; n < 3 * perMinute; n += 1) answers.push((await call(token)).status);
    expect(answers.at(-1)).toBe(429);
    expect(answers).toContain(401);
  });

  it('of one token are never those of another', () => {
    const known = new KnownDirectories();
    const id = randomUUID();
    const [mine, forged] = [known.read(newToken(id))!, known.read(newToken(id))!];
    known.keep(mine);
    expect([known.find(mine)?.sessionId, known.find(forged)]).toEqual([id, undefined]);
    known.drop(forged);
    expect(known.find(mine)?.sessionId).toBe(id);
    expect([known.read('eyJ'), known.read('tak_x'), known.read('tsc_x')?.digest]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
