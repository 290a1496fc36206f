import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '@tenantry/envelope';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { acceptStreamOnly, readBytes, type Service, type ServiceOptions } from '@tenantry/service/http';
import { buildFixture, ThingBody } from './fixture.ts';

const tooMuch = new ApiError('PAYLOAD_TOO_LARGE', 'Too much.');
const access = 'public';
const csv = 'text/csv';

/** Routes that answer before a body has ended, each in its way. */
function earlyRoutes(app: Service): void {
  app.post('/parsed', { config: { access }, schema: { body: ThingBody } }, async () => 'done');
  app.post('/denied', { config: { access: 'leads:read' }, schema: { body: ThingBody } }, async () => 'done');
  app.post('/media', { config: { access }, schema: { body: ThingBody } }, async () => 'done');
  app.get('/get', { config: { access } }, async () => 'done');
  app.get('/next', { config: { access } }, async () => 'next');
  void app.register(async (scope) => {
    acceptStreamOnly(scope, csv);
    const config = { access, streams: csv } as const;
    scope.post('/read', { config }, async (request) => readBytes(request, { bytesMax: 500 }));
    scope.post('/unread', { config }, async () => 'done');
    scope.post('/iterated', { config }, async ({ raw }) => {
      for await (const piece of raw) if (String(piece)) throw tooMuch;
    });
    scope.post('/piped', { config }, async ({ raw }) => {
      await pipeline(raw, new Writable({ write: (_piece, _encoding, done) => done(tooMuch) }));
    });
    scope.post('/hijacked', { config }, async ({ raw }, reply) => {
      reply.hijack();
      raw.once('data', () => reply.raw.writeHead(413, ['content-length', '4']).end('much'));
    });
  });
}

async function listen(
  whenDone: (close: () => Promise<void>) => void,
  options: Partial<ServiceOptions> = {},
): Promise<number> {
  const { app } = await buildFixture(options, earlyRoutes);
  await app.listen({ host: '127.0.0.1', port: 0 });
  whenDone(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return (app.server.address() as AddressInfo).port;
}

function open(port: number) {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const client = { socket, received: '', error: undefined as Error | undefined };
  socket.on('data', (data) => (client.received += data.toString('latin1')));
  socket.on('error', (error) => (client.error = error));
  onTestFinished(() => void socket.destroy());
  return client;
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const next = 'GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const head = (path: string, framing: string): string =>
  `${methodOf(path)} ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: ${typeOf(path)}\r\n${framing}\r\n\r\n`;
const methodOf = (path: string): 'GET' | 'POST' => (path === '/get' ? 'GET' : 'POST');
const typeOf = (path: string): string => (['/parsed', '/denied'].includes(path) ? 'application/json' : csv);
const inChunks = 'Transfer-Encoding: chunked';
const ofLength = (length: number): string => `Content-Length: ${length}`;
const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
async function* pieces(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= 10_000) yield Buffer.alloc(Math.min(left, 10_000), 'x');
}

const paths = '/parsed /denied /nowhere /get /media /read /unread /iterated /piped /hijacked'.split(' ');
const sizes = [1_000, 600_000];
const framings = [ofLength, () => inChunks];
const cases = paths.flatMap((path) =>
  sizes.flatMap((bytes) => framings.map((framing) => ({ path, bytes, framing: framing(bytes) }))),
);
const bodyOf = (bytes: number, framing: string): string =>
  framing === inChunks ? `${chunk(bytes)}0\r\n\r\n` : 'x'.repeat(bytes);
const isAnswered = (received: string): boolean => /\r\n\r\n./.test(received);
const closes = (received: string): boolean =>
  /\r\nconnection: close\r\n/i.test(received.split('\r\n\r\n', 1)[0] ?? '');

describe('an answer before the end of a body', () => {
  let port: number;
  beforeAll(async () => {
    port = await listen(afterAll);
  });

  it.each(cases)(
    '$path, $bytes bytes, $framing: is not lost, nor is the next request [S-145]',
    async (given) => {
      const client = open(port);
      client.socket.write(head(given.path, given.framing) + bodyOf(given.bytes, given.framing));
      await eventually(() => isAnswered(client.received));
      // A pooling client would send it on this connection, if the answer did not announce its end.
      const isLast = closes(client.received);
      if (!isLast) client.socket.write(next);
      await eventually(() => client.socket.closed);
      expect(client.error).toBeUndefined();
      expect(client.received).toMatch(/^HTTP\/1\.1 (?:200|400|401|404|413|415) /);
      expect(client.received.endsWith('next')).toBe(!isLast);
    },
  );

  it.each(cases)(
    '$path, $bytes bytes, $framing: leaves a pool of one connection usable [S-145]',
    async (given) => {
      const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
      onTestFinished(() => pool.close());
      const headers = { 'content-type': typeOf(given.path) };
      const body =
        given.framing === inChunks ? Readable.from(pieces(given.bytes)) : Buffer.alloc(given.bytes, 'x');
      const refused = pool.request({ path: given.path, method: methodOf(given.path), headers, body });
      const following = pool.request({ path: '/next', method: 'GET' });
      expect([200, 400, 401, 404, 413, 415]).toContain((await refused).statusCode);
      await (await refused).body.dump();
      expect(await (await following).body.text()).toBe('next');
    },
  );

  it.each(['/parsed', '/denied', '/nowhere', '/get'])(
    '%s with a short body keeps the connection',
    async (path) => {
      const client = open(port);
      client.socket.write(head(path, ofLength(60_000)));
      await eventually(() => path === '/parsed' || isAnswered(client.received));
      client.socket.write('x'.repeat(60_000) + next);
      await eventually(() => client.socket.closed);
      expect(client.received.match(/HTTP\/1\.1/g)).toHaveLength(2);
      expect(client.received).toMatch(/next$/);
    },
  );

  it('closes the connection of a body whose end is unknown, even one that was to be continued', async () => {
    for (const framing of [inChunks, ofLength(70_000_000)]) {
      const client = open(port);
      client.socket.write(head('/denied', `${framing}\r\nExpect: 100-continue`));
      await eventually(() => client.received.includes('UNAUTHENTICATED'));
      expect(client.received).toMatch(/HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i);
      client.socket.write(bodyOf(1_200_000, framing));
      await eventually(() => client.socket.closed);
      expect(client.error).toBeUndefined();
    }
  });

  it('is sent after those of requests that came before on the connection', async () => {
    const client = open(port);
    client.socket.write(next.replace('Connection: close\r\n', '') + head('/denied', inChunks));
    client.socket.write(bodyOf(600_000, inChunks) + next);
    await eventually(() => client.socket.closed);
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
    expect(client.error).toBeUndefined();
  });
});

describe('the rest of a body that was refused', () => {
  const totalMs = { file: 60_000, other: 60_000 };
  const bodyPace = { graceMs: 60_000, bytesPerSecondMin: 1, lingerMs: 100, totalMs };

  it.each([
    ['is not sent', '/denied', ofLength(100)],
    ['is not sent', '/denied', ofLength(600_000)],
    ['is not sent', '/iterated', `${inChunks}\r\n\r\n1\r\nx`],
    ['is sent without an end', '/iterated', `${inChunks}\r\n\r\n${chunk(100)}`],
  ])('%s: %s, %j, and the connection ends after a while', async (how, path, framing) => {
    const client = open(await listen(onTestFinished, { bodyPace }));
    client.socket.write(head(path, framing));
    if (how.includes('without')) {
      const writeOn = (): void => {
        while (client.socket.writable && client.socket.write(chunk(10_000)));
      };
      client.socket.on('drain', writeOn);
      writeOn();
    }
    await eventually(() => client.socket.closed);
    expect(client.received).toMatch(/^HTTP\/1\.1 4/);
  });

  it('does not hold the connection of a client that reads nothing [S-145]', async () => {
    const { app } = await buildFixture({ bodyPace }, earlyRoutes);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const accepted: Socket[] = [];
    app.server.on('connection', (socket) => accepted.push(socket));
    const client = open((app.server.address() as AddressInfo).port);
    client.socket.pause().write(head('/denied', inChunks));
    await eventually(() => accepted[0]?.destroyed === true);
    await app.close();
  });
});
