import { randomUUID } from 'node:crypto';
import { FailureSchema, type Failure } from '@tenantry/envelope';
import { thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Service } from '@tenantry/service/http';
import { buildFixture, everyoneIsAMember } from './fixture.ts';

let app: Service;
let logs: () => string;

beforeAll(async () => {
  ({ app, logs } = await buildFixture());
});
afterAll(() => app.close());

const post = (payload: unknown, contentType = 'application/json') =>
  app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': contentType },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  });

const detailsOf = (answer: { json: () => unknown }) => (answer.json() as Failure).error.details;
const findingsOf = (answer: { json: () => unknown }) =>
  detailsOf(answer).map(({ field, rule, message }) => [field, rule, message]);

describe('what a route does not ask for is 400 with the field', () => {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  let allowed: Service;
  beforeAll(async () => {
    const access = { ...everyoneIsAMember, requires: () => async () => undefined };
    ({ app: allowed } = await buildFixture({ access }));
  });
  afterAll(() => allowed.close());

  it.each([
    ['a query', 'GET', '/things/id?page=1', undefined, 'page'],
    ['a body', 'DELETE', '/things/id', { id: 'another' }, 'id'],
    ['a query beside a body', 'POST', '/things?dry=1', { name: 'a' }, 'dry'],
  ] as const)('%s', async (_case, method, path, payload, field) => {
    const url = path.replace('/id', `/${randomUUID()}`);
    const answer = await allowed.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    expect(answer.statusCode).toBe(400);
    expect(findingsOf(answer)).toEqual([[field, 'additionalProperties', 'is not a known field']]);
  });

  it.each(['', '{}', 'null'])('but a body of %j is none', async (payload) => {
    const answer = await allowed.inject({
      method: 'DELETE',
      url: `/things/${randomUUID()}`,
      headers,
      payload,
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('a body that is not exactly what the schema says is 400 with the field', () => {
  it.each([
    [
      'an unknown field',
      { name: 'a', role: 'owner' },
      ['role', 'additionalProperties', 'is not a known field'],
    ],
    ['a number for a string', { name: 5 }, ['name', 'type', 'must be a string']],
    ['null for a number', { name: 'a', count: null }, ['count', 'type', 'must be an integer']],
    ['text for a number', { name: 'a', count: '5' }, ['count', 'type', 'must be an integer']],
    ['true for a number', { name: 'a', count: true }, ['count', 'type', 'must be an integer']],
    ['an array for a string', { name: ['a'] }, ['name', 'type', 'must be a string']],
    ['a missing field', {}, ['name', 'required', 'is required']],
    ['too many characters', { name: 'abcdef' }, ['name', 'maxLength', 'must be at most 5 characters']],
    ['nothing', { name: '' }, ['name', 'minLength', 'must not be empty']],
    ['a bad e-mail', { name: 'a', email: 'a@b' }, ['email', 'format', 'must be a valid e-mail address']],
    ['a value off the list', { name: 'a', kind: 'c' }, ['kind', 'enum', 'must be one of a, b']],
    [
      'a nullable text too long',
      { name: 'a', note: 'abcd' },
      ['note', 'maxLength', 'must be at most 3 characters'],
    ],
    ['a nullable text of no such type', { name: 'a', note: 5 }, ['note', 'type', 'must be a string or null']],
    ['an element of another type', { name: 'a', tags: ['x', 1] }, ['tags[1]', 'type', 'must be a string']],
    ['a NUL', { name: 'a\0' }, ['name', 'storable', 'must not contain NUL or lone surrogates']],
    ['a lone surrogate', { name: '\ud800' }, ['name', 'storable', 'must not contain NUL or lone surrogates']],
    ['no object', [1], ['body', 'type', 'must be an object']],
  ])('%s [S-136]', async (_case, payload, finding) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<Failure>().error.code).toBe('VALIDATION_ERROR');
    expect(findingsOf(answer)).toEqual([finding]);
    expect(Value.Check(FailureSchema, answer.json())).toBe(true);
  });

  it('all findings are reported together', async () => {
    const answer = await post({ email: 'x', count: 11, kind: 'z' });
    expect(
      detailsOf(answer)
        .map(({ field }) => field)
        .sort(),
    ).toEqual(['count', 'email', 'kind', 'name']);
  });

  it.each([
    ['broken JSON', '{"name":'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a poisoned prototype', '{"name":"a","__proto__":{"admin":true}}'],
  ])('%s [S-136]', async (_case, payload) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(detailsOf(answer)[0]?.field).toBe('body');
  });

  it('an absent body names the body', async () => {
    const answer = await app.inject({ method: 'POST', url: '/things' });
    expect(answer.statusCode).toBe(400);
    expect(findingsOf(answer)).toEqual([['body', 'type', 'must be an object']]);
  });

  it('4-byte characters, right-to-left marks and combining marks pass unchanged, counted as characters [S-156]', async () => {
    const name = '😀‏é😀';
    expect((await post({ name })).json()).toEqual({ name });
  });
});

describe('media types and sizes', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('%s is 415 [S-127]', async (contentType) => {
    const answer = await post('a=1', contentType);
    expect(answer.statusCode).toBe(415);
    expect(answer.json<Failure>().error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('QUERY without a media type is 415, wherever it is sent', async () => {
    for (const url of ['/things', '/nothing']) {
      const answer = await app.inject({ method: 'QUERY' as 'GET', url });
      expect(answer.statusCode).toBe(415);
      expect(answer.json<Failure>().error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('a body over 64 KiB is 413 [S-144]', async () => {
    const answer = await post({ name: 'a'.repeat(65_537) });
    expect(answer.statusCode).toBe(413);
    expect(answer.json<Failure>().error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('a body that is refused before it is read leaves the connection open, whichever part answers', async () => {
    const { app: pages } = await buildFixture({}, (service) => {
      void service.register(async (scope) => {
        scope.setErrorHandler((_error, _request, reply) =>
          reply.code(413).type('text/html').send('Too large'),
        );
        scope.post('/pages', { config: { access: 'public' } }, async () => '');
      });
    });
    onTestFinished(() => pages.close());
    const body = { name: 'a'.repeat(65_537) };
    for (const answer of [await post(body), await pages.inject({ method: 'POST', url: '/pages', body })]) {
      expect([answer.statusCode, answer.headers.connection === 'close']).toEqual([413, false]);
    }
  });
});

describe('query and path', () => {
  it('reads plain digits as a number and applies the default', async () => {
    expect((await app.inject('/things?page=12')).json()).toEqual({ page: 12 });
    expect((await app.inject('/things')).json()).toEqual({ page: 1 });
  });

  it.each(['1e3', '0x10', '+1', '%201', '1.5', '', 'true', '99999999999999999999', '0', '-1'])(
    'page=%s is 400',
    async (page) => {
      const answer = await app.inject(`/things?page=${page}`);
      expect(answer.statusCode).toBe(400);
      expect(detailsOf(answer)[0]?.field).toBe('page');
    },
  );

  it('a repeated key and an unknown key are 400 with the field [S-136]', async () => {
    expect(findingsOf(await app.inject('/things?search=a&search=b'))).toEqual([
      ['search', 'type', 'must be a string'],
    ]);
    expect(findingsOf(await app.inject('/things?organizationId=x'))).toEqual([
      ['organizationId', 'additionalProperties', 'is not a known field'],
    ]);
  });

  it.each(['x', '%00', 'a'.repeat(600), '00000000-0000-0000-0000-00000000000g'])(
    'an id that is no UUID is 400: %s',
    async (id) => {
      const answer = await app.inject({ url: `/things/${id}`, headers: { authorization: 'Bearer x' } });
      expect(answer.statusCode).toBe(400);
      expect(detailsOf(answer)).toEqual([
        { field: 'id', rule: 'format', params: { format: 'uuid' }, message: 'must be a UUID' },
      ]);
    },
  );

  it('a path that is not validly encoded is 400 in the envelope', async () => {
    const answer = await app.inject('/things/%E0%A4%A');
    expect(answer.statusCode).toBe(400);
    expect(Value.Check(FailureSchema, answer.json())).toBe(true);
  });
});

describe('refusals', () => {
  it('a path of its own is 405 under a method that only the pattern around it has', async () => {
    const { app } = await buildFixture({}, (fixture) => {
      const route = { config: { access: 'public' as const }, handler: async () => ({}) };
      fixture.route({ method: 'GET', url: '/things/all', ...route });
      fixture.route({ method: ['GET', 'PUT'], url: '/things/:id', ...route });
    });
    const answer = await app.inject({ method: 'PUT', url: '/things/all?x=1' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD');
    for (const url of ['/things/one', '/things/:id']) {
      expect((await app.inject({ method: 'PUT', url })).statusCode).toBe(200);
    }
    expect((await app.inject({ method: 'GET', url: '/things/all' })).statusCode).toBe(200);
  });

  it('an unknown path is 404, a known path under another method 405 with Allow', async () => {
    expect((await app.inject('/nothing')).statusCode).toBe(404);
    const answer = await app.inject({ method: 'PUT', url: '/things' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    expect(answer.json<Failure>().error.code).toBe('METHOD_NOT_ALLOWED');
  });

  it('a defect is INTERNAL with the request id, says nothing internal, and is logged once [S-139]', async () => {
    const answer = await app.inject({ url: '/defect', headers: { 'x-request-id': 'req-42' } });
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['x-request-id']).toBe('req-42');
    expect(answer.json<Failure>().error.code).toBe('INTERNAL');
    expect(answer.json<Failure>().meta.requestId).toBe('req-42');
    expect(answer.body).not.toContain('postgres');
    const lines = logs().split('\n');
    const ofRequest = lines.filter((line) => line.includes('"requestId":"req-42"'));
    expect(ofRequest.filter((line) => line.includes('request failed'))).toHaveLength(1);
  });

  it('an address in the message of an error is logged without its password [S-177]', async () => {
    await app.inject('/defect');
    expect(logs()).toContain('connect to postgres://db failed');
    expect(logs()).not.toContain('hunter2');
  });

  it('a part that is away is 503 with Retry-After, however deep the cause', async () => {
    const answer = await app.inject('/away');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json<Failure>().error.code).toBe('UPSTREAM_UNAVAILABLE');
  });

  it('every answer carries a request id, security headers and no-store [S-135]', async () => {
    for (const url of ['/things', '/nothing', '/api/health/live', '/things?page=x']) {
      const { headers } = await app.inject(url);
      expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });

  it('a request id that could break a log line is replaced [S-177]', async () => {
    const answer = await app.inject({ url: '/things', headers: { 'x-request-id': 'a b{' } });
    expect(answer.headers['x-request-id']).not.toBe('a b{');
  });

  it('the query string is not logged [S-177]', async () => {
    const headers = { 'x-request-id': 'with-a-query' };
    await app.inject({ url: '/things?search=canary-7f3a', headers });
    expect(logs()).toMatch(/"requestId":"with-a-query".*"path":"\/things"/);
    expect(logs()).not.toContain('canary');
  });
});

describe('arbitrary input', () => {
  it('never becomes a 5xx [S-155]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string({ unit: 'binary' }),
          fc.jsonValue().map((v) => JSON.stringify({ name: v })),
        ),
        async (payload) => {
          expect((await post(payload)).statusCode).toBeLessThan(500);
        },
      ),
      { numRuns: thorough(2_000, 100) },
    );
  });
});
