import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually, pause, RawClient, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream, stop, unusedPort } from './support/upstream.ts';

type Part = 'healthy' | 'unhealthy' | 'not-configured';

/** A service that answers its health endpoints as every service does. */
function startService(parts: { database: Part; redis: Part }, ready = true) {
  const unhealthy = Object.values(parts).includes('unhealthy');
  const notConfigured = Object.entries(parts).flatMap(([name, state]) =>
    state === 'not-configured' ? [name] : [],
  );
  const shown = (state: Part) => (state === 'unhealthy' ? 'unhealthy' : 'healthy');
  return startUpstream((request, response) => {
    if (request.url === '/api/health/ready') {
      response.writeHead(ready ? 200 : 503).end(JSON.stringify({ status: ready ? 'ready' : 'not_ready' }));
      return;
    }
    const checks = { database: shown(parts.database), redis: shown(parts.redis) };
    const body = {
      status: unhealthy ? 'unhealthy' : 'healthy',
      ...(unhealthy ? { checks } : {}),
      notConfigured,
    };
    response.writeHead(unhealthy ? 503 : 200).end(JSON.stringify(body));
  });
}

const healthOf = async (port: number) => {
  const { status, text } = await send(port, '/api/health');
  return { code: status, ...(JSON.parse(text) as object) };
};

describe('health', () => {
  it('is healthy when all services are, and names unused ones', async () => {
    const a = await startService({ database: 'healthy', redis: 'not-configured' });
    const b = await startService({ database: 'healthy', redis: 'not-configured' });
    const { port } = await startGateway([`/api/leads=${a.url}`, `/api/users=${b.url}`]);
    expect(await healthOf(port)).toEqual({
      code: 200,
      status: 'healthy',
      timestamp: expect.stringMatching(/Z$/) as string,
      version: expect.any(String) as string,
      notConfigured: ['redis'],
    });
  });

  it('does not name what one service uses', async () => {
    const a = await startService({ database: 'healthy', redis: 'healthy' });
    const b = await startService({ database: 'healthy', redis: 'not-configured' });
    const { port } = await startGateway([`/api/leads=${a.url}`, `/api/users=${b.url}`]);
    const health = await healthOf(port);
    expect(health).toMatchObject({ code: 200, status: 'healthy' });
    expect(health).not.toHaveProperty('notConfigured');
  });

  it.each([
    ['database', { database: 'unhealthy', redis: 'healthy' }],
    ['redis', { database: 'healthy', redis: 'unhealthy' }],
  ] as const)('tells that the %s of one service is not healthy', async (_part, parts) => {
    const a = await startService({ database: 'healthy', redis: 'healthy' });
    const b = await startService(parts);
    const { port } = await startGateway([`/api/leads=${a.url}`, `/api/users=${b.url}`]);
    expect(await healthOf(port)).toEqual({
      code: 503,
      status: 'unhealthy',
      timestamp: expect.any(String) as string,
      version: expect.any(String) as string,
      checks: parts,
    });
  });

  it('is unhealthy when a service is away, silent or talks of something else', async () => {
    const silent = await startUpstream(() => undefined);
    const other = await startUpstream((_request, response) => void response.end('<html>'));
    for (const url of [`http://127.0.0.1:${await unusedPort()}`, silent.url, other.url]) {
      const { port } = await startGateway([`/api/leads=${url}`]);
      expect(await healthOf(port)).toMatchObject({ code: 503, checks: { database: 'unhealthy' } });
    }
  });

  it('asks behind once a second, however many ask in front', async () => {
    const service = await startService({ database: 'healthy', redis: 'healthy' });
    const { port } = await startGateway([`/api/leads=${service.url}`]);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => send(port, '/api/health')));
    const seconds = Math.ceil((performance.now() - begun) / 1_000);
    expect(service.requests.length).toBeLessThanOrEqual(1 + seconds);
  });

  it('one healthy instance of a service is enough', async () => {
    const service = await startService({ database: 'healthy', redis: 'healthy' });
    const { port } = await startGateway([`/api/leads=http://127.0.0.1:${await unusedPort()}|${service.url}`]);
    expect(await healthOf(port)).toMatchObject({ code: 200 });
    expect((await send(port, '/api/health/ready')).status).toBe(200);
  });
});

describe('readiness and liveness', () => {
  it('is ready when it can route, whatever the health of the services: a failing one takes no other down [S-162]', async () => {
    const sick = await startService({ database: 'unhealthy', redis: 'unhealthy' }, false);
    const closed = `http://127.0.0.1:${await unusedPort()}`;
    const { app, port } = await startGateway([`/api/users=${sick.url}`, `/api/leads=${closed}`]);
    expect(await send(port, '/api/health/ready')).toMatchObject({ status: 200 });
    expect(JSON.parse((await send(port, '/api/health/live')).text)).toMatchObject({ status: 'alive' });
    expect(await healthOf(port)).toMatchObject({ code: 503, checks: { database: 'unhealthy' } });

    app.drain();
    const { status, text } = await send(port, '/api/health/ready');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: 'not_ready', reason: 'shutting down' });
  });

  it('another method is 405 and says which are answered', async () => {
    const { port } = await startGateway([`/api/leads=http://127.0.0.1:1`]);
    const { status, headers, text } = await send(port, '/api/health', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.allow).toContain('GET');
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  });
});

describe('draining', () => {
  it('running requests finish, new ones are asked to go elsewhere, and no client sees a reset [S-158]', async () => {
    const service = await startUpstream((request, response) => {
      if (request.url === '/api/health/ready') return void response.end('{}');
      response.write('begun ');
      setTimeout(() => response.end('finished'), request.url?.endsWith('slow') ? 400 : 0);
    });
    const { app, port } = await startGateway([`/api/leads=${service.url}`]);
    const idle = new RawClient(port).write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
    const running = new RawClient(port).write('GET /api/leads/slow HTTP/1.1\r\nHost: h\r\n\r\n');
    await idle.until(/finished/);
    await running.until(/begun/);

    app.drain();
    expect((await send(port, '/api/health/ready')).status).toBe(503);
    const late = await send(port, '/api/leads', { headers: { connection: 'keep-alive' } });
    expect(late).toMatchObject({ status: 200, text: 'begun finished' });
    expect(late.headers.connection).toBe('close');

    await app.close();
    expect(await running.untilClosed()).toMatch(/finished\r\n0\r\n\r\n$/);
    await idle.untilClosed();
    expect([idle.error, running.error]).toEqual([undefined, undefined]);
  });
});

describe('slow clients', () => {
  it('500 of them delay no other client, and are cut [S-144]', async () => {
    const service = await startUpstream((_request, response) => void response.end('ok'));
    const { port } = await startGateway([`/api/leads=${service.url}`]);
    let cut = 0;
    for (let count = 0; count < 500; count++) {
      const socket = connect({ host: '127.0.0.1', port });
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => cut++);
      socket.write('GET /api/leads HTTP/1.1\r\nHost: h\r\nX-Slow: ');
      onTestFinished(() => {
        socket.destroy();
      });
    }
    await pause(100);
    let answered = 0;
    while (answered < 20 && cut === 0) {
      expect((await send(port, '/api/health/live')).status).toBe(200);
      answered++;
    }
    expect(answered).toBeGreaterThan(0);
    await expect.poll(() => cut).toBe(500);
    expect(service.requests).toHaveLength(0);
  });

  it('a small body that does not come is cut, and the service is not asked', async () => {
    const service = await startUpstream(() => undefined);
    const { port } = await startGateway([`/api/leads=${service.url};timeout=1`]);
    const client = new RawClient(port).write(
      'POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf',
    );
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
    expect(service.requests).toEqual([]);
  });

  it('a large body that does not come is cut, with the service told', async () => {
    const service = await startUpstream((request) => void request.resume().on('error', () => undefined));
    const { port } = await startGateway([`/api/leads=${service.url};timeout=1`]);
    const client = new RawClient(port).write(
      'POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\nhalf',
    );
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
    await eventually(() => service.requests[0]?.destroyed === true);
    await stop(service);
  });

  it('headers larger than 16 KiB are 431 [S-144]', async () => {
    const { port } = await startGateway(['/api/leads=http://127.0.0.1:1']);
    const client = new RawClient(port).write(
      `GET /api/leads HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 431 [^]*HEADERS_TOO_LARGE/);
  });
});
