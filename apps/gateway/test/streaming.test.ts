import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, test, onTestFinished } from 'vitest';
import { eventually, RawClient } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './support/upstream.ts';

const megabyte = 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, 'x');
const pieceCount = (50 * megabyte) / piece.length;

/** Writes 50 MB with respect for back-pressure. */
async function writeLarge(stream: NodeJS.WritableStream): Promise<void> {
  for (let count = 0; count < pieceCount; count++) {
    if (!stream.write(piece)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
}

const largeDigest = createHash('sha256');
for (let count = 0; count < pieceCount; count++) largeDigest.update(piece);
const expectedDigest = largeDigest.digest('hex');

async function digestOf(stream: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256');
  for await (const data of stream) hash.update(data as Buffer);
  return hash.digest('hex');
}

const answerTo = (request: ReturnType<typeof httpRequest>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));

test.each([
  ['of known length', { 'content-length': String(pieceCount * piece.length) }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
])('50 MB %s pass both ways unchanged', async (_how, headers) => {
  const upstream = await startUpstream((request, response) => {
    response.writeHead(200, headers);
    request.pipe(response);
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const request = httpRequest({ host: '127.0.0.1', port, path: '/api/leads', method: 'POST', headers });
  const written = writeLarge(request);
  const response = await answerTo(request);
  expect(await digestOf(response)).toBe(expectedDigest);
  await written;
});

it('answers under way at the same time never mix, however slowly they are read', async () => {
  const upstream = await startUpstream((request, response) => {
    const mark = Number(request.url?.split('/').at(-1));
    for (let count = 0; count < 64; count++) response.write(Buffer.alloc(piece.length, mark));
    response.end();
  });
  const { url } = await startGateway([`/api/leads=${upstream.url}`]);
  const marks = [1, 2, 3, 4, 5, 6, 7, 8];
  const foreignBytes = await Promise.all(
    marks.map(async (mark) => {
      const { body } = await fetch(`${url}/api/leads/${mark}`);
      let foreign = 0;
      let length = 0;
      for await (const data of body as AsyncIterable<Uint8Array>) {
        length += data.length;
        foreign += data.filter((byte) => byte !== mark).length;
        await sleep(1);
      }
      expect(length).toBe(64 * piece.length);
      return foreign;
    }),
  );
  expect(foreignBytes).toEqual(marks.map(() => 0));
});

it('the first byte arrives before the last is sent, both ways', async () => {
  const upstream = await startUpstream((request, response) => {
    response.writeHead(200);
    request.on('data', (data) => response.write(data));
    request.on('end', () => response.end());
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const client = new RawClient(port).write(
    'POST /api/leads HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nfirst\r\n',
  );
  await client.until(/first/);
  client.write('4\r\nlast\r\n0\r\n\r\n');
  expect(await client.untilClosed()).toMatch(/last\r\n0\r\n\r\n$/);
});

it('the head arrives before the first byte of a body that takes its time', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const client = new RawClient(port).write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
  expect(await client.until(/\r\n\r\n/)).toContain('text/event-stream');
});

it('a client that does not read stops the service, and memory stays bounded', async () => {
  let sent = 0;
  const upstream = await startUpstream((_request, response) => {
    const writeOn = () => {
      while (sent < 200 * megabyte) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
    };
    response.on('drain', writeOn).on('error', () => undefined);
    writeOn();
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const socket = connect({ host: '127.0.0.1', port });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.pause();
  socket.write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
  await eventually(() => sent > 0);
  await untilStill(() => sent);
  // What fills the buffers of four sockets, of whatever size a system makes them, and not beyond.
  expect(sent).toBeLessThan(150 * megabyte);
  const stoppedAt = sent;
  socket.resume();
  await eventually(() => sent > stoppedAt + 10 * megabyte);
});

it('a client that stops reading for good is cut after the time of the route, and the service is told', async () => {
  let closed = false;
  const upstream = await startUpstream((_request, response) => {
    const writeOn = () => {
      while (!closed && response.write(piece));
    };
    response.on('drain', writeOn).on('error', () => undefined);
    response.on('close', () => (closed = true));
    writeOn();
  });
  const { port } = await startGateway([`/api/leads=${upstream.url};timeout=1`]);
  const socket = connect({ host: '127.0.0.1', port });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined).pause();
  socket.write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
  await eventually(() => closed);
});

it('a service that does not read stops the client, and memory stays bounded', async () => {
  let goOn = (): void => undefined;
  const upstream = await startUpstream((request, response) => {
    goOn = () => request.resume().on('end', () => response.end('done'));
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const length = 200 * megabyte;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/api/leads',
    method: 'POST',
    headers: { 'content-length': String(length) },
  });
  let sent = 0;
  const writeOn = () => {
    while (sent < length) {
      sent += piece.length;
      if (!request.write(piece)) return;
    }
    request.end();
  };
  request.on('drain', writeOn);
  writeOn();
  await eventually(() => upstream.requests.length === 1);
  await untilStill(() => sent);
  expect(sent).toBeLessThan(150 * megabyte);
  goOn();
  const response = await answerTo(request);
  expect(response.statusCode).toBe(200);
  expect(sent).toBe(length);
  response.resume();
});

it('a client that goes away while it sends or while it waits ends the work behind', async () => {
  let aborted = 0;
  const upstream = await startUpstream((request, response) => {
    request.resume().on('error', () => undefined);
    response.on('close', () => (aborted += response.writableFinished ? 0 : 1));
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const waiting = new RawClient(port).write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
  const sending = new RawClient(port).write(
    'POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\nabc',
  );
  await eventually(() => upstream.requests.length === 2);
  waiting.socket.destroy();
  sending.socket.resetAndDestroy();
  await eventually(() => aborted === 2);
});

it('a client that goes away while it reads ends the work behind', async () => {
  let closed = false;
  const upstream = await startUpstream((_request, response) => {
    const timer = setInterval(() => response.write('tick'), 5);
    response.on('close', () => {
      clearInterval(timer);
      closed = true;
    });
  });
  const { port } = await startGateway([`/api/leads=${upstream.url}`]);
  const client = new RawClient(port).write('GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n');
  await client.until(/tick/);
  client.socket.destroy();
  await eventually(() => closed);
});

/** Waits until a figure no longer changes. */
async function untilStill(figure: () => number): Promise<void> {
  for (let last = -1; last !== figure();) {
    last = figure();
    await sleep(300);
  }
}
