import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedOrigins, allowOrigins } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { buildFixture } from './fixture.ts';

const frontend = 'https://app.example.com';
const origins = allowedOrigins({ NODE_ENV: 'production', FRONTEND_URL: frontend });
let app: Service;

beforeAll(async () => {
  ({ app } = await buildFixture({}, (service) => {
    void service.register(async (scope) => {
      await allowOrigins(scope, origins);
      scope.route({
        method: ['GET', 'OPTIONS'],
        url: '/thing',
        config: { access: 'public' },
        handler: () => 'ok',
      });
    });
  }));
});
afterAll(() => app.close());

const ask = (origin: string, method: 'GET' | 'OPTIONS' = 'GET', headers: Record<string, string> = {}) =>
  app.inject({ method, url: '/thing', headers: { origin, ...headers } });
const asksFirst = { 'access-control-request-method': 'PUT' };

describe('an origin', () => {
  it('on the list may read answers, with credentials', async () => {
    const { headers } = await ask(frontend);
    expect(headers).toMatchObject({
      'access-control-allow-origin': frontend,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });

  it('that only resembles one on the list, or is null, is never named [S-128]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[!-~]{0,20}$/),
        fc.nat(frontend.length),
        async (text, position) => {
          const similar = frontend.slice(0, position) + text + frontend.slice(position);
          fc.pre(similar !== frontend);
          for (const origin of [similar, 'null']) {
            const { headers } = await ask(origin);
            expect(headers['access-control-allow-origin']).toBeUndefined();
            expect(headers['access-control-allow-credentials']).toBeUndefined();
            expect(headers.vary).toBe('Origin');
            expect((await ask(origin, 'OPTIONS', asksFirst)).statusCode).toBe(403);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a preflight', () => {
  it('of a listed origin is answered without a body', async () => {
    const answer = await ask(frontend, 'OPTIONS', asksFirst);
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': frontend,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '600',
    });
  });

  it('is told from any other OPTIONS', async () => {
    const answer = await ask(frontend, 'OPTIONS');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['access-control-allow-methods']).toBeUndefined();
  });
});
