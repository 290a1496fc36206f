import { createService, acceptStreamOnly, readBytes } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { AddressInfo } from 'node:net';
import { eventually, RawClient, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
const sizes = [1_000, 20_000, 70_000, 600_000];
const bodies = sizes.flatMap((bytes) => [
  { framing: `Content-Length: ${bytes}`, bytes, body: 'x'.repeat(bytes) },
  { framing: 'Transfer-Encoding: chunked', bytes, body: `${chunk(bytes)}0\r\n\r\n` },
]);
const put = (path: string, framing: string, fields = ''): string =>
  `PUT ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/csv\r\n${fields}${framing}\r\n\r\n`;
const get = 'GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const headOf = (received: string): string => received.split('\r\n\r\n', 1)[0] ?? '';
const isAnswered = ({ received }: RawClient): boolean => /\r\n\r\n./.test(received);

/** Sends a whole body whatever comes back, then another request if the answer leaves the connection open. */
async function answersTo(port: number, request: string): Promise<string[]> {
  const client = new RawClient(port).write(request);
  await eventually(() => isAnswered(client));
  const isLast = /\r\nconnection: close(\r\n|$)/i.test(headOf(client.received));
  if (!isLast) client.write(get);
  await client.untilClosed();
  expect(client.error).toBeUndefined();
  const statuses = client.received.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
  expect(statuses).toHaveLength(isLast ? 1 : 2);
  return statuses;
}

describe('a service that answers before the end of a body and does not read on [S-145]', () => {
  // A shorter one of known length arrives together with its head.
  const left = bodies.filter(({ framing }) => framing !== `Content-Length: 1000`);
  it.each(left)('is not asked again on that connection: $bytes bytes, $framing', async (given) => {
    const upstream = await startRawUpstream((socket, text) => {
      const isUpload = text.startsWith('PUT');
      if (isUpload) socket.pause();
      socket.write(`HTTP/1.1 ${isUpload ? 413 : 200} X\r\nContent-Length: 2\r\n\r\nok`);
    });
    const { port } = await startGateway([`/api/leads=${upstream.url}`]);
    const [refused, ...next] = await answersTo(port, put('/api/leads', given.framing) + given.body);
    expect([refused, ...next, (await send(port, '/api/leads')).status].map(Number)).toEqual([
      413,
      ...next.map(() => 200),
      200,
    ]);
  });

  it('fails no request of others, however many uploads it refuses beside them', async () => {
    const upstream = await startUpstream((request, response) => {
      if (request.method === 'GET') return void response.end('ok');
      let bytes = 0;
      request.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > 512 * 1024) request.pause().removeAllListeners('data');
        if (bytes > 512 * 1024) response.writeHead(413).end('much');
      });
    });
    const { port } = await startGateway([`/api/leads=${upstream.url}`]);
    const body = Buffer.alloc(600_000);
    const uploads = Array.from({ length: 12 }, () => send(port, '/api/leads', { method: 'PUT', body }));
    const reads: number[] = [];
    for (let n = 0; n < 12; n += 1) reads.push((await send(port, '/api/leads')).status);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 413));
    for (let n = 0; n < 12; n += 1) reads.push((await send(port, '/api/leads')).status);
    expect(reads).toEqual(reads.map(() => 200));
  });
});

/** A service as ours are, one route of which reads by itself and another of which does not read at all. */
async function startOwnService(): Promise<string> {
  const logger = createLogger({ name: 'leads-service', level: 'trace', destination: testLog() });
  const app = await createService({ name: 'leads-service', version: '1', logger, failures: 'envelope' });
  const config = { access: 'public', streams: 'text/csv' } as const;
  acceptStreamOnly(app, 'text/csv');
  app.get('/api/leads', { config: { access: 'public' } }, async () => 'ok');
  app.put('/api/leads', { config }, async (request) => readBytes(request, { bytesMax: 500 }));
  app.put('/api/leads/unread', { config }, async () => 'ok');
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

describe('a service of ours that answers before the end of a body', () => {
  it('is answered for, directly and through the gateway, and the next request too [S-145]', async () => {
    const url = await startOwnService();
    const { port, app } = await startGateway([`/api/leads=${url}`]);
    for (const at of [Number(new URL(url).port), port]) {
      for (const { framing, body } of bodies) {
        expect((await answersTo(at, put('/api/leads', framing) + body))[0]).toBe('413');
        expect((await answersTo(at, put('/api/leads/unread', framing) + body))[0]).toBe('200');
        expect((await answersTo(at, put('/api/leads/nothing', framing) + body))[0]).toBe('404');
      }
    }
    // Its closing of a connection is no sign that it shuts down.
    expect(await app.metrics.metrics()).toContain(
      'tenantry_upstream_instances{upstream="/api/leads",state="resting"} 0',
    );
  });
});

describe('a refusal of the gateway itself', () => {
  const token = `e30.${Buffer.from('{"sid":"1","csh":"x","bnd":null}').toString('base64url')}.c2ln`;
  const routes = (url: string) => [`/api/leads=${url}`, `/api/gone=http://127.0.0.1:1`];
  test.each([
    ['an unknown path', '/nowhere', '', '404'],
    ['no service', '/api/gone', '', '503'],
    [
      'a foreign origin',
      '/api/leads',
      `Cookie: __Host-access=${token}\r\nOrigin: https://evil.example\r\n`,
      '403',
    ],
    ['an ambiguous request', '/api/leads', 'Host: other\r\n', '400'],
    ['too many requests', '/api/leads', '', '429'],
  ])('for %s is not lost, nor is the next request [S-145]', async (_why, path, fields, status) => {
    const upstream = await startUpstream((_request, response) => void response.end('ok'));
    const settings = status === '429' ? { RATE_LIMIT_PER_MINUTE: 1 } : {};
    const { port } = await startGateway(routes(upstream.url), {
      NODE_ENV: 'production',
      FRONTEND_URL: 'https://app.example',
      ...settings,
    });
    if (status === '429') await send(port, '/api/leads');
    for (const { framing, body } of bodies) {
      expect((await answersTo(port, put(path, framing, fields) + body))[0]).toBe(status);
    }
    expect(upstream.requests.filter(({ method }) => method === 'PUT')).toHaveLength(0);
  });
});
