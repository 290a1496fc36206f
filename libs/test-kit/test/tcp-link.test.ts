import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { patience, startTcpLink, type TcpLink } from '../src/index.ts';

let echo: Server;
let link: TcpLink;
let client: Socket;

beforeEach(async () => {
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  link = await startTcpLink((echo.address() as AddressInfo).port);
  client = await connected();
});
afterEach(async () => {
  client.destroy();
  await link.close();
  echo.close();
});

async function connected(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: link.port });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends a text and gives what came back, or `silence` when nothing did for a while. */
async function echoed(text: string, patienceMs = patience()): Promise<string> {
  const answer = once(client, 'data').then(([data]) => String(data));
  client.write(text);
  return Promise.race([answer, sleep(patienceMs, 'silence', { ref: false })]);
}

it('a link carries both directions, and the end of each', async () => {
  expect(await echoed('one')).toBe('one');
  expect(link.connections).toBe(1);
  client.end();
  await once(client, 'close');
  await expect.poll(() => link.connections).toBe(0);
});

it('a frozen link says nothing and closes nothing, and everything arrives when it thaws', async () => {
  await echoed('one');
  link.freeze();
  expect(await echoed('two', 200)).toBe('silence');
  expect(client.destroyed).toBe(false);
  (await connected()).destroy();
  const late = once(client, 'data');
  link.heal();
  expect(String((await late)[0])).toBe('two');
});

it('a link that freezes responses carries requests, and everything when it thaws, however often it was frozen', async () => {
  await echoed('one');
  client.destroy();
  const heard = new Promise<string>((resolve) => {
    echo.once('connection', (socket) => void socket.once('data', (data) => resolve(String(data))));
  });
  client = await connected();
  link.freezeResponses();
  expect(await echoed('two', 200)).toBe('silence');
  expect(await heard).toBe('two');
  const late = once(client, 'data');
  link.freeze();
  link.heal();
  expect(String((await late)[0])).toBe('two');
});

it('a slow link delays each piece, and carries so many bytes a second', async () => {
  link.delay(150);
  const sentAt = performance.now();
  expect(await echoed('one')).toBe('one');
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(299);
  link.heal();
  link.throttle(1_000);
  const throttledAt = performance.now();
  expect((await echoed('x'.repeat(200))).length).toBeGreaterThan(0);
  expect(performance.now() - throttledAt).toBeGreaterThanOrEqual(399);
});

it('a link that is reset breaks its connections, and takes new ones', async () => {
  await echoed('one');
  const broken = once(client, 'error');
  link.reset();
  const [error] = (await broken) as [Error & { code: string }];
  expect(error.code).toBe('ECONNRESET');
  client = await connected();
  expect(await echoed('two')).toBe('two');
});

it('a link that is redirected leads new connections elsewhere', async () => {
  const other = createServer((socket) => socket.on('error', () => undefined).end('elsewhere'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  link.redirect((other.address() as AddressInfo).port);
  expect(await echoed('one')).toBe('one');
  const [data] = (await once(await connected(), 'data')) as [Buffer];
  expect(String(data)).toBe('elsewhere');
  other.close();
});

it('a link to a closed port breaks off', async () => {
  const lost = await startTcpLink(1);
  const socket = connect({ host: '127.0.0.1', port: lost.port });
  const [error] = (await once(socket, 'error')) as [Error & { code: string }];
  expect(error.code).toBe('ECONNRESET');
  await lost.close();
});
