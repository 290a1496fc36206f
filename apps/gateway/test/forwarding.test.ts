import { describe, expect, it, test } from 'vitest';
import { eventually, exchange, RawClient, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const echo = (name: string) =>
  startUpstream((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, url: request.url, method: request.method, headers: request.headers }),
    );
  });

interface Echoed {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}
const echoed = ({ text }: { text: string }) => JSON.parse(text) as Echoed;

describe('routing', () => {
  it('sends each prefix to its service with the target untouched', async () => {
    const [auth, leads] = await Promise.all([echo('auth'), echo('leads')]);
    const { port } = await startGateway([`/api/auth=${auth.url}`, `/api/leads=${leads.url}`]);
    expect(echoed(await send(port, '/api/auth/session'))).toMatchObject({
      name: 'auth',
      url: '/api/auth/session',
    });
    const target = '/api/leads/1%202?search=a%2Fb&x=../..&&y';
    expect(echoed(await send(port, target))).toMatchObject({ name: 'leads', url: target });
    expect(echoed(await send(port, '/api/leads?page=2'))).toMatchObject({
      name: 'leads',
      url: '/api/leads?page=2',
    });
  });

  it('goes by the longest prefix', async () => {
    const [leads, exports] = await Promise.all([echo('leads'), echo('exports')]);
    const { port } = await startGateway([`/api/leads=${leads.url}`, `/api/leads/exports=${exports.url}`]);
    const served = async (path: string) => echoed(await send(port, path)).name;
    expect(await served('/api/leads/exports/1')).toBe('exports');
    expect(await served('/api/leads/exportsx')).toBe('leads');
  });

  test.each([
    '/',
    '/api',
    '/%61pi/leads',
    '/api/%6Ceads/1',
    '/api/leadsx',
    '/api/lead',
    '/internal',
    '/internal/revocations',
    '/API/leads',
  ])('%s is nowhere: 404 in the envelope', async (path) => {
    const leads = await echo('leads');
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const { status, headers, text } = await send(port, path);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ data: null, error: { code: 'NOT_FOUND' } });
    expect(headers['x-request-id']).toBeTruthy();
    expect(leads.requests).toHaveLength(0);
  });

  test.each([
    '/api/leads/../users',
    '/api/leads/%2e%2e/internal',
    '/api//leads',
    '//internal',
    '/api/leads%2Fx',
    '/api/leads/a\\b',
    '/api/leads/%ff',
    '/%zz',
  ])('%s could be read in two ways: 400, and no service sees it [S-152]', async (path) => {
    const leads = await echo('leads');
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"VALIDATION_ERROR"');
    expect(leads.requests).toHaveLength(0);
  });

  it('refuses the absolute and the asterisk form, and TRACE', async () => {
    const leads = await echo('leads');
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const status = async (line: string) =>
      (await exchange(port, `${line} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`)).slice(9, 12);
    expect(await status('GET http://other/api/leads')).toBe('400');
    expect(await status('OPTIONS *')).toBe('400');
    expect(await status('TRACE /api/leads')).toBe('405');
    expect(leads.requests).toHaveLength(0);
  });
});

describe('headers on the way in', () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  it('replaces what clients say of identity and origin [S-104]', async () => {
    const leads = await echo('leads');
    const { port, logs } = await startGateway([`/api/leads=${leads.url}`]);
    const { headers } = echoed(
      await send(port, '/api/leads', {
        headers: {
          host: 'api.example.com',
          authorization: 'Bearer t',
          'x-user-id': '1',
          'x-organization-id': '2',
          'x-forwarded-for': '9.9.9.9',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'evil',
          forwarded: 'for=9.9.9.9',
          traceparent: trace,
          tracestate: 'a=1',
          'x-real-ip': '9.9.9.9',
          connection: 'keep-alive, x-hop',
          'x-hop': '1',
          upgrade: 'h2c',
        },
      }),
    );
    expect(headers).toMatchObject({
      host: new URL(leads.url).host,
      authorization: 'Bearer t',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'api.example.com',
      via: '1.1 tenantry',
    });
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    expect(headers['traceparent']).not.toContain(trace.slice(0, 35));
    await expect.poll(logs).toContain(`"traceId":"${headers['traceparent']?.toString().slice(3, 35)}"`);
    for (const name of [
      'tracestate',
      'x-user-id',
      'x-organization-id',
      'forwarded',
      'x-real-ip',
      'x-hop',
      'upgrade',
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('trusts a proxy about the client address, and no client or proxy about identity', async () => {
    const leads = await echo('leads');
    const { port } = await startGateway([`/api/leads=${leads.url}`], { TRUST_PROXY: ['127.0.0.0/8'] });
    const { headers } = echoed(
      await send(port, '/api/leads', {
        headers: {
          'x-forwarded-for': '6.6.6.6, 5.5.5.5:4711',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'api.example.com',
          'x-user-id': '1',
          traceparent: trace,
          tracestate: 'a=1',
        },
      }),
    );
    expect(headers).toMatchObject({
      'x-forwarded-for': '5.5.5.5',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example.com',
      traceparent: trace,
      tracestate: 'a=1',
    });
    expect(headers).not.toHaveProperty('x-user-id');
  });

  it('gives the same request id to the service, the client and the log', async () => {
    const leads = await echo('leads');
    const { port, logs } = await startGateway([`/api/leads=${leads.url}`]);
    const kept = await send(port, '/api/leads?token=canary', { headers: { 'x-request-id': 'client-1' } });
    expect(kept.headers['x-request-id']).toBe('client-1');
    expect(echoed(kept).headers['x-request-id']).toBe('client-1');
    await eventually(() => logs().includes('"requestId":"client-1"'));
    expect(logs()).toMatch(/"path":"\/api\/leads","ip":"127\.0\.0\.1","status":200,"complete":true/);
    expect(logs()).not.toContain('canary');

    const renewed = await send(port, '/api/leads', { headers: { 'x-request-id': 'not "harmless"' } });
    expect(renewed.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(echoed(renewed).headers['x-request-id']).toBe(renewed.headers['x-request-id']);
  });

  it('names the client behind a trusted proxy in the log, not the proxy', async () => {
    const leads = await echo('leads');
    const { port, logs } = await startGateway([`/api/leads=${leads.url}`], { TRUST_PROXY: ['127.0.0.1'] });
    await send(port, '/api/leads', { headers: { 'x-forwarded-for': '5.5.5.5:4711' } });
    await eventually(() => logs().includes('"ip":"5.5.5.5"'));
    expect(logs()).not.toContain('"ip":"127.0.0.1"');
  });

  it('answers Expect: 100-continue itself and refuses other expectations', async () => {
    const leads = await startUpstream((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const client = new RawClient(port).write(
      'POST /api/leads HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n',
    );
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    const answer = await client.write('{}').untilClosed();
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(answer).not.toContain('"expect"');
    const refused = await exchange(
      port,
      'POST /api/leads HTTP/1.1\r\nHost: h\r\nExpect: x\r\nConnection: close\r\n\r\n',
    );
    expect(refused).toMatch(/^HTTP\/1\.1 417 /);
  });

  it('never upgrades a connection', async () => {
    const leads = await echo('leads');
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const answer = await exchange(
      port,
      'GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(leads.requests[0]?.headers).not.toHaveProperty('upgrade');
    const tunnel = await exchange(port, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(tunnel).not.toMatch(/^HTTP\/1\.1 2/);
  });
});

describe('answers', () => {
  it('pass with status, repeated headers and bytes as they are', async () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const leads = await startUpstream((_request, response) => {
      response.writeHead(207, {
        'set-cookie': ['a=1', 'b=2'],
        etag: '"x"',
        'content-type': 'application/x-any',
      });
      response.end(body);
    });
    const { url } = await startGateway([`/api/leads=${leads.url}`]);
    const response = await fetch(`${url}/api/leads`);
    expect(response.status).toBe(207);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('etag')).toBe('"x"');
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
  });

  it('lose what belongs to the connection behind', async () => {
    const leads = await startRawUpstream((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=1\r\nTrailer: X-T\r\n' +
          'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n',
      ),
    );
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const answer = await exchange(port, 'GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/\r\n\r\n2\r\nok\r\n0\r\n\r\n$/);
    expect(answer).not.toMatch(/x-hop|timeout=1|trailer|x-t:/i);
  });

  it('to HEAD, of 204 and of 304 have no body, and the connection carries the next request', async () => {
    const leads = await startUpstream((request, response) => {
      if (request.url?.endsWith('204')) response.writeHead(204).end();
      else if (request.url?.endsWith('304')) response.writeHead(304, { etag: '"1"' }).end();
      else response.writeHead(200, { 'content-length': 4 }).end('body');
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const client = new RawClient(port);
    client.write('HEAD /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 [^]*content-length: 4\r\n/i);
    client.received = '';
    client.write('GET /api/leads/204 HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await client.until(/\r\n\r\n/)).not.toMatch(/content-length|transfer-encoding/i);
    client.received = '';
    client.write('GET /api/leads/304 HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 304 [^]*etag: "1"/i);
    client.received = '';
    client.write('GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(await client.untilClosed()).toMatch(/\r\n\r\nbody$/);
    expect(leads.connections).toBe(1);
  });

  it('follow interim ones, which end at the gateway, and may end with their connection', async () => {
    const leads = await startRawUpstream((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nX-Final: 1\r\n\r\nuntil the end',
      ),
    );
    const { url } = await startGateway([`/api/leads=${leads.url}`]);
    const response = await fetch(`${url}/api/leads`);
    expect(response.headers.get('x-final')).toBe('1');
    expect(response.headers.get('link')).toBeNull();
    expect(await response.text()).toBe('until the end');
  });

  it('carry one request id, though the service says it too', async () => {
    const leads = await startUpstream((request, response) => {
      response.setHeader('x-request-id', request.headers['x-request-id'] ?? '').end();
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const { headers } = await send(port, '/api/leads', { headers: { 'x-request-id': 'client-1' } });
    expect(headers['x-request-id']).toBe('client-1');
  });

  it('to an HTTP/1.0 client are not chunked', async () => {
    const leads = await startUpstream((_request, response) => {
      response.write('a');
      response.end('b');
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const answer = await exchange(port, 'GET /api/leads HTTP/1.0\r\n\r\n');
    expect(answer).toMatch(/\r\n\r\nab$/);
    expect(answer).not.toMatch(/transfer-encoding/i);
  });

  it('of every method and body reach the service whole', async () => {
    const leads = await startUpstream((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => response.end(`${request.method ?? ''}:${text}`));
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await send(port, '/api/leads', { method })).text).toBe(`${method}:`);
      expect(
        (await send(port, '/api/leads', { method, body: 'x', headers: { 'content-length': '1' } })).text,
      ).toBe(`${method}:x`);
      const chunked = await exchange(
        port,
        `${method} /api/leads HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
          '3\r\nabc\r\n1;e=1\r\nd\r\n0\r\nX-Trailer: 1\r\n\r\n',
      );
      expect(chunked).toContain(`${method}:abcd`);
    }
    expect(leads.requests.every(({ trailers }) => Object.keys(trailers).length === 0)).toBe(true);
    // A body that streams is the last one on its connection; any other keeps it.
    expect(leads.connections).toBe(5);
  });
});
