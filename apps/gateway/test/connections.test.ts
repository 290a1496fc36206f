import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createService, paceWithin } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { patience, testLog } from '@tenantry/test-kit';
import { Type } from 'typebox';
import { eventually, RawClient, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './support/upstream.ts';

const get = 'GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n';
const answering = () => startUpstream((_request, response) => void response.end('ok'));

it('one connection too many of an address is closed immediately, and others are served [S-153]', async () => {
  const leads = await answering();
  const gateway = await startGateway([`/api/leads=${leads.url}`], { CONNECTIONS_PER_ADDRESS_MAX: 3 });
  const { port, logs, app } = gateway;
  const held = [new RawClient(port), new RawClient(port), new RawClient(port)];
  for (const client of held) await client.write(get).until(/ok$/);
  const refused = new RawClient(port).write(get);
  await refused.untilClosed();
  expect(refused.received).toBe('');
  expect(logs()).toContain('connections refused');
  const measured = await app.metrics.metrics();
  expect(measured).toContain('tenantry_client_connections_refused_total 1');
  expect(measured).toMatch(/^tenantry_client_connections 3$/m);

  held[0]?.socket.destroy();
  const isServed = async (): Promise<boolean> => {
    const next = new RawClient(port).write(get);
    await eventually(() => next.closed || next.received.endsWith('ok'));
    return next.received.endsWith('ok');
  };
  while (!(await isServed())) await sleep(5);
});

it('connections of a trusted proxy, which forwards for many clients, are not counted by address', async () => {
  const leads = await answering();
  const settings = { CONNECTIONS_PER_ADDRESS_MAX: 1, TRUST_PROXY: ['127.0.0.1'] };
  const { port } = await startGateway([`/api/leads=${leads.url}`], settings);
  for (const client of [new RawClient(port), new RawClient(port)]) await client.write(get).until(/ok$/);
});

it('there is a ceiling on all connections together [S-153]', async () => {
  const leads = await answering();
  const settings = { CONNECTIONS_MAX: 2, TRUST_PROXY: ['127.0.0.1'] };
  const { port } = await startGateway([`/api/leads=${leads.url}`], settings);
  for (const client of [new RawClient(port), new RawClient(port)]) await client.write(get).until(/ok$/);
  expect(await new RawClient(port).write(get).untilClosed()).toBe('');
});

it('when all are taken, the address with the most gives one up that is idle, and never one with a request [S-153]', async () => {
  const leads = await startUpstream((request, response) => {
    if (request.url === '/api/leads') response.end('ok');
  });
  const settings = { CONNECTIONS_MAX: 4, CONNECTIONS_PER_ADDRESS_MAX: 4 };
  const { port } = await startGateway([`/api/leads=${leads.url}`], settings);
  const openFrom = (localAddress: string) => new RawClient(port, localAddress);
  const slow = get.replace('/api/leads', '/api/leads/slow');
  const held = [openFrom('127.0.0.2').write(slow), openFrom('127.0.0.2').write(slow)];
  await eventually(() => leads.requests.length === 2);
  const idle = openFrom('127.0.0.2').write(get);
  const silent = openFrom('127.0.0.2');
  await idle.until(/ok$/);

  for (const victim of [idle, silent]) {
    await openFrom('127.0.0.3').write(get).until(/ok$/);
    await victim.untilClosed();
  }
  // By now it has as many as the other one.
  expect(await openFrom('127.0.0.3').write(get).untilClosed()).toBe('');
  expect(held.map(({ closed }) => closed)).toEqual([false, false]);
});

it('when all are taken, the next larger address gives one up where the largest has none that is idle', async () => {
  const leads = await startUpstream((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  const settings = { CONNECTIONS_MAX: 5, CONNECTIONS_PER_ADDRESS_MAX: 4 };
  const { port } = await startGateway([`/api/leads=${leads.url}`], settings);
  const dripping = Array.from({ length: 3 }, () =>
    new RawClient(port, '127.0.0.2').write(
      'POST /api/leads HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
    ),
  );
  await eventually(() => leads.requests.length === 3);
  const idle = [new RawClient(port, '127.0.0.3'), new RawClient(port, '127.0.0.3')];
  for (const client of idle) await client.write(get).until(/ok$/);
  const newcomers = ['127.0.0.4', '127.0.0.5'].map((address) => new RawClient(port, address).write(get));
  for (const client of newcomers) await client.until(/ok$/);
  expect(idle.filter(({ closed }) => closed)).toHaveLength(1);
  // By now only the bodies that never end are left of an address with more than the others.
  await eventually(() => dripping.filter(({ closed }) => closed).length === 1);
});

it('an idle connection is kept for as long as is configured', async () => {
  const leads = await answering();
  const { app, port } = await startGateway([`/api/leads=${leads.url}`], { KEEP_ALIVE_SECONDS: 650 });
  expect(app.server.keepAliveTimeout).toBe(650_000);
  expect(
    (await send(port, '/api/leads', { headers: { connection: 'keep-alive' } })).headers['keep-alive'],
  ).toBe('timeout=650');
});

it('what is not HTTP does not break into an answer that is under way [S-161]', async () => {
  let finish = (): void => undefined;
  const leads = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('first');
    finish = () => response.end(' last');
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const client = new RawClient(port).write(get);
  await client.until(/first/);
  client.write('hello\r\n\r\n');
  await sleep(50);
  finish();
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nfirst last$/);
});

/** A service as ours are, with one route that takes a body. */
async function startOwnService(): Promise<string> {
  const logger = createLogger({ name: 'leads-service', level: 'trace', destination: testLog() });
  // The rest of a body is read for as long as it takes here to arrive.
  const pace = paceWithin({ BODY_TIMEOUT_SECONDS: 60, FILE_TIMEOUT_SECONDS: 900 });
  const bodyPace = { ...pace, lingerMs: patience() };
  const app = await createService({
    name: 'leads-service',
    version: '1',
    logger,
    failures: 'envelope',
    bodyPace,
  });
  const body = Type.Object({ name: Type.String() }, { additionalProperties: false });
  app.post('/api/leads', { config: { access: 'public' }, schema: { body } }, async () => 'done');
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

it('a body that is too large for its service is 413 through the gateway as it is directly', async () => {
  const url = await startOwnService();
  const { port } = await startGateway([`/api/leads=${url}`]);
  const answers = [];
  for (const bytes of [70_000, 300_000, 2_000_000, 20_000_000]) {
    for (let attempt = 0; attempt < 5; attempt++) {
      const headers = { 'content-type': 'application/json' };
      answers.push(await send(port, '/api/leads', { method: 'POST', headers, body: 'x'.repeat(bytes) }));
    }
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 413));
  expect(answers[0]?.text).toContain('PAYLOAD_TOO_LARGE');
});

it('an upload that takes longer than ten seconds arrives at a service of ours', async () => {
  const url = await startOwnService();
  const { port } = await startGateway([`/api/leads=${url}`], { UPSTREAM_TIMEOUT_SECONDS: 10 });
  const body = '{"name":"x"}'.padEnd(11_000);
  const client = new RawClient(port).write(
    `POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += 1_000) {
    client.write(body.slice(at, at + 1_000));
    await sleep(1_000);
  }
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 [^]*done/);
});
