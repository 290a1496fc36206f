import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { Gauge } from '@prometheus-io/client';
import type { FastifyRequest } from 'fastify';
import { testLogOf } from '@tenantry/test-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildFixture, everyoneIsAMember } from './fixture.ts';

describe('the metrics of a service', () => {
  it('count requests by method, route pattern and status, and never by what a client sends', async () => {
    const { app } = await buildFixture({}, (service) => {
      service.get('/things/:id', { config: { access: 'public' } }, async () => ({ ok: true }));
    });
    onTestFinished(() => app.close());
    await app.inject('/things/6f1c7a8e-secret?token=hidden');
    await app.inject('/things/another');
    await app.inject('/nowhere/at-all');

    const text = await app.metrics.metrics();
    expect(text).toContain(
      'tenantry_http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2',
    );
    expect(text).toContain(
      'tenantry_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
    );
    expect(text).not.toMatch(/secret|hidden|another|nowhere/);
    expect(text).toContain('tenantry_build_info{service="fixture-service",version="1.2.3"} 1');
  });

  it('tell how many requests are in flight', async () => {
    let during = '';
    const { app } = await buildFixture({}, (service) => {
      service.get('/busy', { config: { access: 'public' } }, async () => {
        during = await service.metrics.metrics();
        return { ok: true };
      });
    });
    onTestFinished(() => app.close());
    await app.inject('/busy');

    expect(during).toContain('tenantry_http_requests_in_flight 1');
    expect(await app.metrics.metrics()).toContain('tenantry_http_requests_in_flight 0');
  });

  it('tell how the connections to the database are used', async () => {
    const { app } = await buildFixture({ pool: { totalCount: 7, idleCount: 3, waitingCount: 2 } });
    onTestFinished(() => app.close());

    const text = await app.metrics.metrics();
    expect(text).toContain('tenantry_database_connections{state="idle"} 3');
    expect(text).toContain('tenantry_database_connections{state="in_use"} 4');
    expect(text).toContain('tenantry_database_waiting 2');
  });

  it('take what a feature registers', async () => {
    const { app } = await buildFixture();
    onTestFinished(() => app.close());
    new Gauge({ name: 'tenantry_letters', help: 'Letters that wait', registers: [app.metrics] }).set(5);

    expect(await app.metrics.metrics()).toContain('tenantry_letters 5');
  });

  it('are served on a port of their own and nowhere on the public one', async () => {
    const metricsPort = await freePort();
    const main = new URL('fixture-main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--conditions=@tenantry/source', main], {
      env: { ...process.env, LOG_LEVEL: 'info', METRICS_PORT: String(metricsPort) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const log = testLogOf(child);
    await expect.poll(log.text, { timeout: 20_000 }).toContain('Server listening');
    const port = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log.text())?.[1];

    const served = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(served.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await served.text();
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_gc_duration_seconds',
    ]) {
      expect(text).toContain(name);
    }
    expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
  });
});

describe('the line of a request', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

  it('names the trace that a trusted proxy began, and none that a client made up', async () => {
    const lineOf = async (trustProxy: string[]) => {
      const { app, logs } = await buildFixture({ trustProxy });
      await app.inject({ url: '/api/health/nowhere', headers: { traceparent } });
      await app.close();
      return logs();
    };
    expect(await lineOf(['127.0.0.1/32'])).toContain(`"traceId":"${trace}"`);
    expect(await lineOf([])).not.toContain('traceId');
  });

  it('names the user and the organization whose token let it in', async () => {
    const access = {
      ...everyoneIsAMember,
      signedIn: async (request: FastifyRequest) => {
        request.identity = {
          userId: 'user-1',
          organizationId: 'organization-1',
        } as FastifyRequest['identity'];
      },
    };
    const { app, logs } = await buildFixture({ access }, (service) => {
      service.get('/mine', { config: { access: 'signed-in' } }, async () => ({ ok: true }));
      service.get('/open', { config: { access: 'public' } }, async () => ({ ok: true }));
    });
    onTestFinished(() => app.close());
    await app.inject('/mine');
    await app.inject('/open');

    const lines = logs()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    expect(lines[0]).toContain('"userId":"user-1","organizationId":"organization-1"');
    expect(lines[1]).not.toMatch(/userId|organizationId/);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
