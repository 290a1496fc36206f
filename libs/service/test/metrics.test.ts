import { spawn } from 'node:child_process';
import { connect, type AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { AddressedShares } from '@tenantry/fair-shares';
import type { Measurement } from '@tenantry/service/metrics';
import { freePort, testLogOf } from '@tenantry/test-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildFixture, everyoneIsAMember } from './fixture.ts';

describe('the metrics of a service', () => {
  it('count requests by method, route pattern and status, and never by what a client sends [S-175]', async () => {
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

  it('have no label that a client could make up [S-179]', async () => {
    const { app } = await buildFixture();
    await app.listen({ port: 0 });
    onTestFinished(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const lawful = [
      'GET /things?page=1',
      'POST /things',
      'OPTIONS /things',
      'GET /nowhere',
      'DELETE /things/1',
    ];
    const ask = async (line: string, ...headers: string[]) =>
      answerTo(port, [`${line} HTTP/1.1`, ...headers]);
    for (const line of lawful) await ask(line);
    const before = labelsIn(await app.metrics.metrics());

    for (let n = 0; n < 20; n += 1) {
      const marker = `hostile-${n}`;
      await ask(
        `GET /things/${marker}?${marker}=1`,
        `authorization: Bearer ${marker}`,
        `x-request-id: ${marker}`,
      );
      await ask(`GET /${marker}/%2e%2e/${marker}`, `x-forwarded-for: ${marker}`, `user-agent: ${marker}`);
      await ask(`HOSTILE${n} /things`);
      await ask(
        `OPTIONS /${marker}`,
        `origin: http://${marker}.example`,
        `access-control-request-method: ${marker}`,
      );
      await ask(`POST /things`, `content-type: application/${marker}`, 'content-length: 0');
    }
    const text = await app.metrics.metrics();
    expect(text).not.toMatch(/hostile/i);
    const made = labelsIn(text).filter((label) => !before.includes(label) && !/^(le|status)=/.test(label));
    expect(made).toEqual([]);
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
    const timings = {
      connect: { bounds: [0.01], counts: [8, 1], sum: 0.5 },
      statements: new Map([['lead-by-id', { count: 3, sum: 0.006 }]]),
    };
    const shares = new AddressedShares({ name: 'connections', runningMax: 4, waitingMax: 8 });
    await shares.take({ organizationId: 'a' });
    const pool = { totalCount: 7, idleCount: 3, waitingCount: 2, timings, shares };
    const { app } = await buildFixture({ pool });
    onTestFinished(() => app.close());

    const text = await app.metrics.metrics();
    expect(text).toContain('tenantry_shares{shared="connections",state="running"} 1');
    expect(text).toContain('tenantry_database_connections{state="idle"} 3');
    expect(text).toContain('tenantry_database_connections{state="in_use"} 4');
    expect(text).toContain('tenantry_database_waiting 0');
    expect(text).toContain('tenantry_database_connect_seconds_bucket{le="+Inf"} 9');
    expect(text).toContain('tenantry_database_statement_seconds_count{statement="lead-by-id"} 3');
  });

  it('take what a feature registers', async () => {
    const { app } = await buildFixture();
    onTestFinished(() => app.close());
    const letters = (kind: string, value: number): Measurement => ({
      name: 'tenantry_letters',
      help: 'Letters that wait',
      type: 'gauge',
      read: () => [{ labels: { kind }, value }],
    });
    app.measure([letters('reset', 5)]);
    app.measure([letters('invitation', 2)]);

    const text = await app.metrics.metrics();
    expect(text).toContain('tenantry_letters{kind="reset"} 5\ntenantry_letters{kind="invitation"} 2');
    expect(text.match(/# TYPE tenantry_letters gauge/g)).toHaveLength(1);
    expect(() => app.measure([{ ...letters('reset', 5), type: 'counter' } as Measurement])).toThrow(
      'tenantry_letters is measured as a counter and as something else',
    );
  });

  it('give durations as Prometheus wants them, each bucket with those below it', async () => {
    const { app } = await buildFixture();
    onTestFinished(() => app.close());
    app.measure([
      {
        name: 'tenantry_wait_seconds',
        help: 'A wait',
        type: 'histogram',
        read: () => [{ labels: { of: 'ada' }, bounds: [0.1, 1], counts: [4, 2, 1], sum: 7.5 }],
      },
      {
        name: 'tenantry_work_seconds',
        help: 'Work',
        type: 'summary',
        read: () => [{ count: 3, sum: 0.25 }],
      },
    ]);

    const text = await app.metrics.metrics();
    expect(text).toContain(
      [
        '# HELP tenantry_wait_seconds A wait',
        '# TYPE tenantry_wait_seconds histogram',
        'tenantry_wait_seconds_bucket{of="ada",le="0.1"} 4',
        'tenantry_wait_seconds_bucket{of="ada",le="1"} 6',
        'tenantry_wait_seconds_bucket{of="ada",le="+Inf"} 7',
        'tenantry_wait_seconds_sum{of="ada"} 7.5',
        'tenantry_wait_seconds_count{of="ada"} 7',
      ].join('\n'),
    );
    expect(text).toContain('tenantry_work_seconds_sum 0.25\ntenantry_work_seconds_count 3');
  });

  it('are served on a port of their own and nowhere on the public one [S-175]', async () => {
    const metricsPort = await freePort();
    const main = new URL('fixture-main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--conditions=@tenantry/source', main], {
      env: { ...process.env, LOG_LEVEL: 'info', METRICS_PORT: String(metricsPort) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const log = testLogOf(child);
    await expect.poll(log.text).toContain('Server listening');
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
          kind: 'user',
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

/** Every label with its value, once. */
const labelsIn = (text: string) => [...new Set(text.match(/\w+="[^"]*"(?=[,}])/g))];

/** Sends a request head as it is, valid or not, and returns what comes back until the connection ends. */
async function answerTo(port: number, head: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${[...head, 'host: localhost', 'connection: close'].join('\r\n')}\r\n\r\n`);
  return textOf(socket);
}
