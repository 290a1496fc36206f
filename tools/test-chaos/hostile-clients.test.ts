import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough } from '@tenantry/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/tenantry.ts';
import { deploy, type Deployment, type Replica } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';
import { filesMax, liveBytes, residentBytes, tellsLiveMemory } from './support/process.ts';

const seconds = 1_000;
const megabyte = 1024 ** 2;
const slowSockets = 500;
/** As many as this process may open, beside the files of the tests. */
const idleSockets = Math.min(10_000, filesMax() - 1_000);
if (isThorough && idleSockets < 10_000)
  console.log(`This process may open ${idleSockets} sockets, not 10,000.`);
/** An address has 28,000 ports to connect from, and the last ones rest for a minute. */
const addressesOnLinux = 20;
/** A head is complete after 9 s, or cut at the next look, each 2 s. */
const headMsMax = 11 * seconds;

describe.skipIf(!isThorough)('hostile clients beside honest ones', () => {
  let deployment: Deployment;
  let gateway: Replica;
  let leads: Replica;
  let load: Load;
  let sockets: Socket[] = [];

  beforeAll(async () => {
    deployment = await deploy({
      replicas: { 'auth-service': 1, 'leads-service': 1 },
      settings: { gateway: { CONNECTIONS_MAX: '20000', ...tellsLiveMemory } },
    });
    [gateway, leads] = [deployment.gateways[0]!, deployment.of('leads-service')[0]!];
    load = await startLoad({ urls: [deployment.url], people: 4 });
    await load.rounds(10);
  });
  afterEach(async () => {
    closeAll();
    await load.rounds(1);
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
  });

  function closeAll(): void {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  }
  /** Opens so many connections to the gateway, a few hundred at a time. */
  async function open(count: number): Promise<void> {
    const { port } = new URL(deployment.url);
    for (let left = count; left > 0; left -= 200) {
      const some = Array.from({ length: Math.min(200, left) }, (_, index) => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), ...sourceOf(index) });
        socket.on('error', () => undefined);
        socket.resume();
        return socket;
      });
      sockets.push(...some);
      await Promise.all(some.map((socket) => once(socket, 'connect')));
    }
  }
  const sourceOf = (index: number) =>
    process.platform === 'linux' ? { localAddress: `127.0.1.${1 + (index % addressesOnLinux)}` } : {};
  const openNow = () => sockets.filter(({ closed }) => !closed).length;
  const write = (text: string) => {
    for (const socket of sockets) if (socket.writable) socket.write(text);
  };

  /** Health, on connections of its own. */
  async function expectHealthAnswers(): Promise<void> {
    const took: number[] = [];
    for (let time = 0; time < 9; time += 1) {
      const askedAt = performance.now();
      const response = await fetch(`${deployment.url}/api/health`, { headers: { connection: 'close' } });
      expect(response.status, await response.text()).toBe(200);
      took.push(performance.now() - askedAt);
    }
    expect(took.toSorted((a, b) => a - b)[4]).toBeLessThan(200);
  }
  const gatewayBytes = () => residentBytes(gateway.process.pid);

  it('500 sockets that send a byte a second are cut, and delay no honest client', async () => {
    const beganAt = performance.now();
    await open(slowSockets);
    write('GET /api/leads HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await expectHealthAnswers();
    while (openNow() > 0 && performance.now() - beganAt < 2 * headMsMax) {
      write('x');
      await sleep(1 * seconds);
    }
    expect(openNow()).toBe(0);
    expect(failuresAmong(load.since(beganAt))).toEqual([]);
  });

  it(`${idleSockets} silent sockets are cut, and delay no honest client`, async () => {
    const beganAt = performance.now();
    await open(idleSockets);
    await expectHealthAnswers();
    await load.rounds(1);
    await eventually(() => expect(openNow()).toBe(0), 2 * headMsMax);
    expect(failuresAmong(load.since(beganAt))).toEqual([]);
  });

  it(`${idleSockets} connections that are kept alive delay no honest client, and leave nothing behind`, async () => {
    const beganAt = performance.now();
    const liveBefore = await liveBytes(gateway.process);
    const sizes: number[] = [];
    for (let wave = 1; wave <= 3; wave += 1) {
      await open(idleSockets);
      write('GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      const answered = () => sockets.filter(({ bytesRead }) => bytesRead > 0).length;
      await eventually(() => expect(answered()).toBe(idleSockets), 30 * seconds);
      await expectHealthAnswers();
      await load.rounds(1);
      expect(openNow()).toBe(idleSockets);
      closeAll();
      await load.rounds(3);
      sizes.push(gatewayBytes());
    }
    // Half a kilobyte for each connection that was there.
    expect((await liveBytes(gateway.process)) - liveBefore).toBeLessThan(16 * megabyte);
    // Of what a wave has made the process take, the next one is served.
    expect(sizes[2]! - sizes[0]!).toBeLessThan(idleSockets * 16 * 1_024);
    expect(failuresAmong(load.since(beganAt))).toEqual([]);
  });

  it('heads of 64 KiB are refused with 431', async () => {
    const beganAt = performance.now();
    const head = `GET /api/leads HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(64 * 1024)}\r\n\r\n`;
    await open(100);
    const answers = sockets.map((socket) => once(socket, 'data').then(([data]) => String(data).slice(9, 12)));
    write(head);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['431']));
    await expectHealthAnswers();
    expect(failuresAmong(load.since(beganAt))).toEqual([]);
  });

  it('uploads without end to a service that has stopped reading are ended, and fill no memory', async () => {
    const uploads = 100;
    const beforeBytes = gatewayBytes();
    process.kill(leads.process.pid, 'SIGSTOP');
    try {
      await open(uploads);
      write(
        'POST /api/leads/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 1000000000\r\n\r\n',
      );
      const piece = Buffer.alloc(megabyte, 'x');
      let largest = 0;
      const beganAt = performance.now();
      while (openNow() > 0 && performance.now() - beganAt < 40 * seconds) {
        for (const socket of sockets) if (socket.writable && socket.writableLength === 0) socket.write(piece);
        largest = Math.max(largest, gatewayBytes() - beforeBytes);
        await sleep(100);
      }
      expect(largest).toBeLessThan((uploads + 64) * megabyte);
      expect(openNow()).toBe(0);
      expect((await fetch(`${deployment.url}/api/health/live`)).status).toBe(200);
    } finally {
      process.kill(leads.process.pid, 'SIGCONT');
    }
    const healedAt = performance.now();
    await load.rounds(3);
    expect(failuresAmong(load.since(healedAt + 1 * seconds))).toEqual([]);
  });
});
