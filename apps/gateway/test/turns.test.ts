import { setTimeout as sleep } from 'node:timers/promises';
import { startTestRedis } from '@tenantry/test-kit';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually, RawClient, send } from './support/client.ts';
import { startGateway, type RunningGateway } from './support/gateway.ts';
import { startRelay } from './support/relay.ts';
import { startUpstream } from './support/upstream.ts';

const redis = await startTestRedis();
afterAll(() => redis?.stop());

const trusting = { TRUST_PROXY: ['127.0.0.1'], CONNECTIONS_PER_ADDRESS_MAX: 5_000 };
const headOf = (method: string, client: string, fields = ''): string =>
  `${method} /api/leads HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${client}\r\n${fields}\r\n`;
const honest = '198.51.100.99';

/** Opens connections of several addresses, each of which writes the same and then falls silent. */
function flood(port: number, addresses: number, each: number, fields: string, body = ''): RawClient[] {
  return Array.from({ length: addresses * each }, (_, index) => {
    const client = `198.51.100.${index % addresses}`;
    return new RawClient(port).write(headOf(fields === '' ? 'GET' : 'POST', client, fields) + body);
  });
}

const ask = (port: number, client: string, body?: string) =>
  send(port, '/api/leads', {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-forwarded-for': client },
    ...(body === undefined ? {} : { body }),
  });

/** What is in use of a share, and what waits for it. */
async function shareOf({ app }: RunningGateway, shared: string, state: 'running' | 'waiting') {
  const line = `tenantry_shares{shared="${shared}",state="${state}"} `;
  const text = await app.metrics.metrics();
  return Number(text.split(line)[1]?.split('\n')[0]);
}

/** Waits until a share has come to some figure. */
async function until(figure: () => Promise<number>, holds: (value: number) => boolean): Promise<void> {
  while (!holds(await figure())) await sleep(20);
}

const echo = () =>
  startUpstream((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });

describe('bodies that trickle in [S-154]', () => {
  it('do not occupy a turn at a service while they are small, so that others are answered', async () => {
    const leads = await echo();
    const { port } = await startGateway([`/api/leads=${leads.url}`], trusting);
    flood(port, 2, 515, 'Content-Length: 60000\r\n', '{');
    await sleep(300);
    expect((await ask(port, honest)).status).toBe(200);
    expect((await ask(port, honest, '{}')).status).toBe(200);
    expect((await ask(port, '198.51.100.1')).status).toBe(200);
    expect(leads.requests).toHaveLength(3);
  });

  it.each([
    ['in chunks', 'Transfer-Encoding: chunked\r\n', '1\r\n{\r\n'],
    ['of a large file', 'Content-Length: 9000000\r\n', '{'],
  ])(
    '%s take the turns of uploads of their address alone, and none of other requests',
    async (_how, fields, body) => {
      const leads = await echo();
      const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
      const { port } = gateway;
      flood(port, 2, 515, fields, body);
      await eventually(() => leads.requests.length > 0);
      await sleep(300);
      expect(await shareOf(gateway, 'uploads /api/leads', 'running')).toBeLessThan(120);
      expect((await ask(port, honest, 'x'.repeat(100_000))).status).toBe(200);
      for (const client of [honest, '198.51.100.1']) {
        expect((await ask(port, client)).status).toBe(200);
        expect((await ask(port, client, '{}')).status).toBe(200);
      }
    },
  );
});

describe('a service that is slow [S-154]', () => {
  it('serves the next address immediately, however much others ask of it', async () => {
    const leads = await startUpstream(() => undefined);
    const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
    flood(gateway.port, 2, 600, '');
    await until(
      () => shareOf(gateway, 'requests /api/leads', 'waiting'),
      (waiting) => waiting > 500,
    );
    const before = leads.requests.length;
    new RawClient(gateway.port).write(headOf('GET', honest));
    await eventually(() => leads.requests.length === before + 1);
    expect(leads.requests.at(-1)?.headers['x-forwarded-for']).toBe(honest);
  });

  it('serves it also when one customer asks from a hundred IPv6 networks', async () => {
    const leads = await startUpstream(() => undefined);
    const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
    for (let index = 0; index < 600; index += 1) {
      new RawClient(gateway.port).write(headOf('GET', `2001:db8:1:${index % 100}::1`));
    }
    await until(
      () => shareOf(gateway, 'requests /api/leads', 'waiting'),
      (waiting) => waiting > 100,
    );
    const before = leads.requests.length;
    new RawClient(gateway.port).write(headOf('GET', '2001:db8:2::1'));
    await eventually(() => leads.requests.length === before + 1);
  });

  it('is asked in turn by those behind one address: none of them is refused', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const leads = await startUpstream((_request, response) => void released.then(() => response.end('ok')));
    const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
    const count = (state: 'running' | 'waiting') => shareOf(gateway, 'requests /api/leads', state);
    const asked: ReturnType<typeof ask>[] = [];
    // Fifty at a time, so that none is cut for sending slowly.
    while (asked.length < 900) {
      for (let n = 0; n < 50; n += 1) asked.push(ask(gateway.port, honest, n % 2 ? '{}' : undefined));
      await until(
        async () => (await count('running')) + (await count('waiting')),
        (arrived) => arrived === asked.length,
      );
    }
    expect(await count('waiting')).toBeGreaterThan(400);
    release();
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

it('bodies take a part of the memory for them alone, so that those of others find room [S-154]', async () => {
  const leads = await startUpstream(() => undefined);
  const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
  const clients = flood(gateway.port, 1, 400, 'Content-Length: 60000\r\n', '{');
  const refused = () => clients.filter(({ received }) => received.startsWith('HTTP/1.1 503'));
  await eventually(() => refused().length > 200);
  expect(refused()[0]?.received).toMatch(/retry-after: 1\r\n[^]*UPSTREAM_UNAVAILABLE/i);
  expect(await shareOf(gateway, 'body-bytes', 'running')).toBeLessThan(10_000_000);
  new RawClient(gateway.port).write(headOf('POST', honest, 'Content-Length: 60000\r\n') + 'x'.repeat(60_000));
  await eventually(() => leads.requests.length === 1);
});

it('an answer that is read slowly holds its turn until it has been read [S-154]', async () => {
  const leads = await startUpstream((_request, response) => void response.end(Buffer.alloc(30_000_000)));
  const gateway = await startGateway([`/api/leads=${leads.url}`], trusting);
  const running = () => shareOf(gateway, 'requests /api/leads', 'running');
  const client = new RawClient(gateway.port);
  client.socket.pause();
  client.write(headOf('GET', honest));
  await eventually(() => leads.requests.length === 1);
  await sleep(300);
  expect(await running()).toBe(1);
  client.socket.resume();
  await until(running, (count) => count === 0);
});

it('unread responses take only a part of their memory, and others are answered [S-154]', async () => {
  // More than the system takes for a client that reads nothing, so that the gateway holds the rest.
  const leads = await startUpstream((request, response) => {
    if (request.headers['x-forwarded-for'] === honest) response.end('ok');
    else response.end(Buffer.alloc(12_000_000));
  });
  const gateway = await startGateway([`/api/leads=${leads.url};timeout=600`], trusting);
  for (const client of flood(gateway.port, 2, 10, '')) client.socket.pause();
  await until(
    () => shareOf(gateway, 'answer-bytes', 'running'),
    (bytes) => bytes > 300_000,
  );
  expect((await ask(gateway.port, honest)).status).toBe(200);
});

describe.skipIf(!redis)('a client that goes away before its turn is asked for', () => {
  it.each([
    ['no body', ''],
    ['a small body', 'Content-Length: 1\r\n'],
    ['a large body', 'Content-Length: 70000\r\n'],
  ])('takes none, with %s', async (_what, body) => {
    const leads = await startUpstream((request, response) => {
      if (request.method === 'GET') response.end('ok');
    });
    const relay = await startRelay(redis!.port);
    const settings = { REDIS_URL: `redis://127.0.0.1:${relay.port}` };
    // The request goes on once the standard time of Redis is over.
    const gateway = await startGateway([`/api/leads=${leads.url}`], settings, {
      redisAnswerMsMax: undefined,
    });
    // Until it is connected, nothing is sent to it.
    do await send(gateway.port, '/api/leads');
    while (!relay.sent().includes('tenantry:rate:'));
    relay.hang();
    const asked = relay.sent().length;
    const client = new RawClient(gateway.port).write(headOf('POST', honest, body));
    await eventually(() => relay.sent().length > asked);
    client.socket.resetAndDestroy();
    await eventually(() => gateway.logs().includes('"complete":false'));
    await sleep(500);
    for (const shared of ['body-bytes', 'answer-bytes', 'requests /api/leads', 'uploads /api/leads']) {
      expect(await shareOf(gateway, shared, 'running')).toBe(0);
    }
  });
});

it('a turn comes back however a request ends, also when its client goes away while it waits [S-154]', async () => {
  const leads = await startUpstream((request, response) => {
    request.resume();
    if (request.url?.endsWith('answer')) response.end('ok');
    else if (request.url?.endsWith('break')) response.socket?.destroy();
  });
  const gateway = await startGateway([`/api/leads=${leads.url};timeout=1`], trusting);
  const request = fc.record({
    path: fc.constantFrom('answer', 'break', 'silence'),
    body: fc.constantFrom(
      'Content-Length: 2\r\n\r\n{}',
      'Content-Length: 2\r\n\r\n{',
      'Content-Length: 70000\r\n\r\n{',
      'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n2\r\n{',
      '\r\n',
    ),
    leavesAfterMs: fc.constantFrom(0, 1, 5, 2_000),
  });
  const requests = fc.sample(fc.array(request, { minLength: 1, maxLength: 4 }), 300);
  await Promise.all(
    requests.map(async (pipelined) => {
      const client = new RawClient(gateway.port);
      for (const { path, body } of pipelined)
        client.write(`POST /api/leads/${path} HTTP/1.1\r\nHost: h\r\n${body}`);
      await sleep(pipelined[0]?.leavesAfterMs);
      client.socket.destroy();
    }),
  );
  for (const shared of ['body-bytes', 'answer-bytes', 'requests /api/leads', 'uploads /api/leads']) {
    for (const state of ['running', 'waiting'] as const) {
      await until(
        () => shareOf(gateway, shared, state),
        (left) => left === 0,
      );
    }
  }
});
