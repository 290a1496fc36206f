import type { Failure } from '@tenantry/envelope';
import { allowedOrigins, serveBrowsers } from '@tenantry/service/browser';
import { acceptFormsOnly } from '@tenantry/service/http';
import { afterAll, describe, expect, it } from 'vitest';
import { buildFixture } from './fixture.ts';

const origins = allowedOrigins({ NODE_ENV: 'production', FRONTEND_URL: 'https://app.example.com' });
const foreign = { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' };
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
const cookie = '__Host-access=token; __Secure-device=name';

const { app } = await buildFixture({}, (fixture) => {
  void fixture.register(async (all) => {
    await serveBrowsers(all, { origins });
    all.post('/public', { config: { access: 'public' } }, async ({ cookies }) => ({ cookies }));
    await all.register(async (scope) => {
      acceptFormsOnly(scope);
      const config = { access: 'public', foreignForms: true } as const;
      scope.post('/callback', { config }, async ({ body, cookies, headers }) => ({
        ...{ body, cookies, authorization: headers.authorization ?? null },
      }));
    });
  });
});
afterAll(() => app.close());

const post = (url: string, payload: string, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url, payload, headers });

describe('a route of foreign forms', () => {
  it('reads the form that a page of another site posts, of a repeated field the last', async () => {
    const answer = await post('/callback', 'code=a%26b&state=1&state=2&__proto__=x', {
      ...asForm,
      ...foreign,
    });
    expect(answer.statusCode).toBe(200);
    const { body } = answer.json<{ body: Record<string, string> }>();
    expect(Object.entries(body)).toEqual([
      ['code', 'a&b'],
      ['state', '2'],
      ['__proto__', 'x'],
    ]);
  });

  it.each([
    ['of another site', foreign],
    ['of the front end', { origin: 'https://app.example.com' }],
  ])('sees no cookie and no session of a page %s', async (_, from) => {
    const answer = await post('/callback', 'code=a', { ...asForm, ...from, cookie });
    expect(answer.json()).toEqual({ body: { code: 'a' }, cookies: {}, authorization: null });
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is 415 as %s',
    async (type) => {
      const answer = await post('/callback', '{}', { 'content-type': type });
      expect(answer.statusCode).toBe(415);
      expect(answer.json<Failure>().error.message).toBe(
        'Send the form as application/x-www-form-urlencoded.',
      );
    },
  );

  it('is 413 beyond the limit of every body', async () => {
    expect((await post('/callback', `code=${'x'.repeat(65 * 1_024)}`, asForm)).statusCode).toBe(413);
  });

  it('leaves the other routes as they are: no forms, no foreign pages, cookies read', async () => {
    expect((await post('/public', 'code=a', asForm)).statusCode).toBe(415);
    const json = { 'content-type': 'application/json' };
    const refused = await post('/public', '{}', { ...json, ...foreign });
    expect(refused.json<Failure>().error.code).toBe('ORIGIN_NOT_ALLOWED');
    const own = await post('/public', '{}', { ...json, cookie });
    expect(own.json<{ cookies: object }>().cookies).toHaveProperty('__Host-access');
  });
});
