import { createVerifier } from '@tenantry/jwt-verify';
import { expect, it, onTestFinished } from 'vitest';
import { refusal } from '../callers.ts';
import { documentOf } from './operations.ts';
import type { Standing } from './standing.ts';

/** The discard port of this machine, where nothing listens. */
const nowhere = '127.0.0.1:9';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Health, readiness and description. */
export function healthTests(standing: () => Standing): void {
  const get = async ({ running }: Pick<Standing, 'running'>, url: string) => {
    const { statusCode, body } = await running.app.inject(url);
    return [statusCode, JSON.parse(body)] as const;
  };

  it('is healthy, ready and alive on its own database', async () => {
    const { version } = standing().service;
    // What the service reads in the background may take a moment, and so may its database.
    await expect
      .poll(() => get(standing(), '/api/health'))
      .toMatchObject([200, { status: 'healthy', version }]);
    await expect.poll(() => get(standing(), '/api/health/ready')).toMatchObject([200, { status: 'ready' }]);
    expect(await get(standing(), '/api/health/live')).toMatchObject([200, { status: 'alive' }]);
  });

  it('is alive but not ready without its database, and refuses in time', async () => {
    const running = await standing().start({
      env: { DATABASE_URL: `postgresql://nobody:none@${nowhere}/none` },
    });
    onTestFinished(() => running.close());
    expect(await get({ running }, '/api/health/live')).toMatchObject([200, { status: 'alive' }]);
    expect(await get({ running }, '/api/health/ready')).toMatchObject([503, { status: 'not_ready' }]);
    expect(await get({ running }, '/api/health')).toMatchObject([503, { checks: { database: 'unhealthy' } }]);
  });

  it('is not ready before it has heard which sessions were revoked', async () => {
    const { issuer } = standing().running;
    const verifier = createVerifier({
      issuer: issuer.issuer,
      jwks: issuer.jwks,
      revocations: `http://${nowhere}/internal/revocations`,
    });
    const running = await standing().start({ verifier });
    onTestFinished(() => running.close());
    expect(await get({ running }, '/api/health/ready')).toMatchObject([503, { status: 'not_ready' }]);
    expect(await running.app.metrics.metrics()).toContain('tenantry_revocations_age_seconds +Inf');
  });

  it('is not ready any more once it drains', async () => {
    const running = await standing().start({});
    onTestFinished(() => running.close());
    running.app.drain();
    expect(await get({ running }, '/api/health/ready')).toMatchObject([503, { reason: 'shutting down' }]);
  });

  it('describes itself in an OpenAPI 3.1 document under its prefix', async () => {
    const { running, service, operations } = standing();
    expect((await documentOf(running.app, service.prefix)).openapi).toBe('3.1.0');
    for (const { url } of operations)
      expect(url).toMatch(new RegExp(`^(${service.prefix}|/api/health)(/|$)`));
  });

  it('answers an unknown path or method in the envelope, and says which methods there are', async () => {
    const { running, service, operations } = standing();
    const unknown = await running.caller().send('GET', `${service.prefix}/nothing/of/the/kind`);
    expect(refusal(unknown)).toMatchObject({ status: 404, data: null, code: 'NOT_FOUND' });
    for (const { path, url } of operations) {
      const known = operations.filter((other) => other.path === path).map(({ method }) => method);
      for (const method of methods.filter((name) => !known.includes(name))) {
        const answer = await running.caller().send(method, url);
        expect(refusal(answer), `${method} ${path}`).toMatchObject({
          status: 405,
          code: 'METHOD_NOT_ALLOWED',
        });
        for (const name of known) expect(answer.headers['allow']).toContain(name);
      }
    }
  });
}
