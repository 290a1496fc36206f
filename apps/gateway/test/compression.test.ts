import { gunzipSync } from 'node:zlib';
import { patience } from '@tenantry/test-kit';
import { describe, expect, it } from 'vitest';
import { acceptsCoding } from '../src/proxy/compression.ts';
import { RawClient, send, type Answer } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';

const leads = Array.from({ length: 100 }, (_, n) => ({
  id: `0191d7a4-${n}`,
  name: `Ada ${n}`,
  status: 'new',
}));
const page = JSON.stringify({ data: leads });
const json = { 'content-type': 'application/json; charset=utf-8' };

/** What a service answers, as a client that accepts gzip gets it. */
async function passed(
  headers: OutgoingHttpHeaders,
  { body = page, status = 200, prefix = '/api/leads', accepts = 'gzip, deflate, br', method = 'GET' } = {},
): Promise<Answer & { bytes: Buffer }> {
  const service = await startUpstream((_request, response) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
  });
  const { port } = await startGateway([`${prefix}=${service.url}`]);
  return ask(port, prefix, { 'accept-encoding': accepts }, method);
}

function ask(port: number, path: string, headers: OutgoingHttpHeaders, method = 'GET') {
  return new Promise<Answer & { bytes: Buffer }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, text: bytes.toString(), bytes });
      });
    });
    request.on('error', reject).end();
  });
}

describe('a page of JSON', () => {
  it('is compressed for a client that accepts it, and is the same when unpacked', async () => {
    const { headers, bytes } = await passed(json);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', ...json });
    expect(headers.vary).toMatch(/Origin.*Accept-Encoding|Accept-Encoding.*Origin/);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(bytes.length).toBeLessThan(page.length / 3);
    expect(gunzipSync(bytes).toString()).toBe(page);
  });

  it('goes as it is to any other client, and caches are told that it varies', async () => {
    const { headers, text } = await passed(json, { accepts: 'identity' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toContain('Accept-Encoding');
    expect(text).toBe(page);
  });

  it('varies by what the service says as well', async () => {
    const { headers } = await passed({ ...json, vary: 'Accept' });
    expect(headers.vary).toBe('Accept, Origin, Accept-Encoding');
  });

  it('that breaks off before it is whole is 502, for nothing of it has been sent', async () => {
    const service = await startRawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"half`);
      setTimeout(() => socket.destroy(), 20);
    });
    const { port } = await startGateway([`/api/leads=${service.url}`]);
    const headers = { 'accept-encoding': 'gzip' };
    expect(await send(port, '/api/leads', { headers })).toMatchObject({ status: 502 });
    expect(service.received).toHaveLength(1);
  });
});

describe('an answer is left as it is', () => {
  it.each([
    ['that is small', json, { body: '{}' }],
    ['with a strong entity tag, which If-Match must find again', { ...json, etag: '"7"' }, {}],
    ['that sets a cookie', { ...json, 'set-cookie': 'a=1' }, {}],
    ['that is encoded already', { ...json, 'content-encoding': 'br' }, {}],
    ['that is a part', { ...json, 'content-range': 'bytes 0-1/2' }, { status: 206 }],
    ['of which parts can be had', { ...json, 'accept-ranges': 'bytes' }, {}],
    ['that is digested', { ...json, 'content-digest': 'sha-256=:x:' }, {}],
    ['that is not to be transformed', { ...json, 'cache-control': 'no-store, no-transform' }, {}],
    ['that is no text', { 'content-type': 'application/pdf' }, {}],
    ['that is too large to be held', json, { body: `"${'x'.repeat(300_000)}"` }],
    ['to HEAD', json, { method: 'HEAD' }],
    ['of the auth service, whose answers hold secrets', json, { prefix: '/api/auth' }],
    ['of another status', json, { status: 422 }],
  ])('%s [S-124]', async (_what, headers, more) => {
    const answer = await passed(headers, more);
    expect(answer.headers['content-encoding']).toBe((headers as OutgoingHttpHeaders)['content-encoding']);
    expect(answer.headers['content-length']).toBe(
      String(Buffer.byteLength((more as { body?: string }).body ?? page)),
    );
  });

  it('that is streamed: its first line does not wait for its last', async () => {
    let finish = (): void => undefined;
    const service = await startUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('first line\n');
      finish = () => response.end('last line\n');
    });
    const { port } = await startGateway([`/api/leads=${service.url}`]);
    const client = new RawClient(port).write(
      'GET /api/leads HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n',
    );
    await client.until(/first line/);
    finish();
    expect(await client.untilClosed()).toMatch(/last line/);
  });
});

it.each([
  ['gzip', true],
  ['br, gzip;q=0.5', true],
  ['GZIP ; q=1.0', true],
  ['*', true],
  ['*;q=0, gzip', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip;q=x', false],
  ['gzip;q=0.000, br', false],
  ['br', false],
  ['xgzip', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j takes gzip: %s', (header, accepts) => {
  expect(acceptsCoding('gzip', header)).toBe(accepts);
});

it('reads a hostile Accept-Encoding in linear time [S-151]', { timeout: patience(10_000) }, () => {
  // The square of it would be half a minute.
  expect(acceptsCoding('gzip', `gzip${' '.repeat(150_000)}x`)).toBe(false);
});
