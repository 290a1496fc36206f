import Fastify, { type FastifyInstance } from 'fastify';
import fastify4 from 'fastify-4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, type Failure } from '@tenantry/envelope';
import { answerFailures, answerUnknownPath } from '@tenantry/envelope/fastify';

/** As `@tenantry/jwt-verify` throws it: no class of this library. */
const accessError = Object.assign(new Error('The access token has expired.'), {
  code: 'UNAUTHENTICATED',
  statusCode: 401,
  reason: 'TOKEN_EXPIRED',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  expose: true,
});
const body = {
  type: 'object',
  required: ['title', 'lines'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', maxLength: 3 },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { price: { type: 'number', minimum: 0 } } },
    },
  },
};

describe.each([
  ['Fastify 5', Fastify],
  ['Fastify 4', fastify4 as unknown as typeof Fastify],
])('%s', (_version, fastify) => {
  let app: FastifyInstance;
  beforeAll(() => {
    // Without these options of Ajv the first finding is the only one, and unknown fields vanish.
    app = fastify({ bodyLimit: 100, ajv: { customOptions: { allErrors: true, removeAdditional: false } } });
    app.setErrorHandler(answerFailures);
    app.setNotFoundHandler(answerUnknownPath);
    const thrown = {
      access: accessError,
      own: new ApiError('CONFLICT', 'This is taken.', {
        details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
      }),
      'rate-limit': Object.assign(new Error('Rate limit exceeded, retry in 1 minute'), { statusCode: 429 }),
      teapot: Object.assign(new Error('I am a teapot'), { statusCode: 418 }),
      defect: new Error('a secret of the database'),
      upstream: Object.assign(new Error('a secret of another service'), { statusCode: 502 }),
      nothing: undefined,
    };
    for (const [name, error] of Object.entries(thrown))
      app.get(`/${name}`, async () => Promise.reject(error as Error));
    app.post('/things', { schema: { body } }, async () => ({}));
  });
  afterAll(() => app.close());

  const get = async (url: string) => {
    const { statusCode, headers, json } = await app.inject(url);
    return { statusCode, headers, ...json<Failure>() };
  };

  it('answers an error of jwt-verify and one of its own in one shape', async () => {
    const [access, own] = [await get('/access'), await get('/own')];
    expect([access.statusCode, access.error]).toEqual([
      401,
      {
        code: 'UNAUTHENTICATED',
        message: 'The access token has expired.',
        reason: 'TOKEN_EXPIRED',
        details: [],
      },
    ]);
    expect(access.headers['www-authenticate']).toContain('invalid_token');
    expect([own.statusCode, own.error.code, own.error.details[0]?.field]).toEqual([409, 'CONFLICT', 'slug']);
    for (const { data, meta } of [access, own]) {
      expect([data, Object.keys(meta).sort()]).toEqual([null, ['requestId', 'timestamp']]);
    }
  });

  it('names every field that is not valid, and where it is', async () => {
    const payload = { title: 'long', lines: [{ price: 1 }, { price: -1 }], colour: 'red' };
    const { statusCode, json } = await app.inject({ method: 'POST', url: '/things', payload });
    const { code, details } = json<Failure>().error;
    expect([statusCode, code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(details.map(({ field, rule }) => `${field} ${rule}`).sort()).toEqual([
      'colour additionalProperties',
      'lines[1].price minimum',
      'title maxLength',
    ]);
    const missing = await app.inject({ method: 'POST', url: '/things', payload: {} });
    expect(missing.json<Failure>().error.message).toContain('title is required; lines is required');
  });

  it('says what is wrong with a request that Fastify itself refuses', async () => {
    const send = async (payload: string, type = 'application/json') => {
      const headers = { 'content-type': type };
      const { statusCode, json } = await app.inject({ method: 'POST', url: '/things', payload, headers });
      return `${statusCode} ${json<Failure>().error.code}`;
    };
    expect(await send('{')).toBe('400 VALIDATION_ERROR');
    expect(await send('x'.repeat(101))).toBe('413 PAYLOAD_TOO_LARGE');
    expect(await send('<a/>', 'text/xml')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect((await get('/unknown')).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('answers what plugins refuse by its status', async () => {
    expect(await get('/rate-limit')).toMatchObject({ statusCode: 429, error: { code: 'RATE_LIMITED' } });
    expect(await get('/teapot')).toMatchObject({ statusCode: 418, error: { message: 'I am a teapot' } });
  });

  it.each(['/defect', '/upstream', '/nothing'])('says nothing of a defect: %s', async (url) => {
    const { statusCode, error } = await get(url);
    expect([statusCode, error.code]).toEqual([500, 'INTERNAL']);
    expect(error.message).not.toContain('secret');
  });
});
