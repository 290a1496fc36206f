import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildFixture } from './fixture.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const none = () => undefined;

describe('health', () => {
  it('answers healthy, ready and alive, naming what is not configured', async () => {
    const { app } = await buildFixture({ checks: { database: async () => undefined } }, none);
    expect((await app.inject('/api/health')).json()).toEqual({
      status: 'healthy',
      timestamp,
      version: '1.2.3',
      notConfigured: ['redis'],
    });
    expect((await app.inject('/api/health/ready')).json()).toEqual({ status: 'ready', timestamp });
    expect((await app.inject('/api/health/live')).json()).toEqual({ status: 'alive', timestamp });
    await app.close();
  });

  it('a database that is away is 503 with the checks and the reason, and stays alive', async () => {
    const database = async () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3'));
    const { app } = await buildFixture({ checks: { database } }, none);
    const health = await app.inject('/api/health');
    expect(health.statusCode).toBe(503);
    expect(health.json()).toMatchObject({
      status: 'unhealthy',
      version: '1.2.3',
      checks: { database: 'unhealthy', redis: 'healthy' },
    });
    const ready = await app.inject('/api/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ status: 'not_ready', timestamp, reason: 'the database is not reachable' });
    expect(ready.body).not.toContain('10.1.2.3');
    expect((await app.inject('/api/health/live')).statusCode).toBe(200);
    await app.close();
  });

  it('a check that hangs is unhealthy, not a hanging probe', async () => {
    const { app } = await buildFixture({ checks: { database: () => new Promise(none) } }, none);
    expect((await app.inject('/api/health')).statusCode).toBe(503);
    await app.close();
  });

  it('many probes share one run of the checks', async () => {
    // A report is shared for half a second.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let runs = 0;
    const { app } = await buildFixture({ checks: { database: async () => (runs += 1) } }, none);
    await Promise.all(Array.from({ length: 50 }, () => app.inject('/api/health')));
    expect(runs).toBe(1);
    await app.close();
  });

  it('draining says not ready and asks clients to close their connections', async () => {
    const { app } = await buildFixture({}, none);
    app.drain();
    const ready = await app.inject('/api/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json<{ reason: string }>().reason).toBe('shutting down');
    expect(ready.headers['connection']).toBe('close');
    await app.close();
  });
});
