import { once } from 'node:events';
import { createServer } from 'node:http';
import { errors } from 'undici';
import { expect, it, test, onTestFinished } from 'vitest';
import { failureOf } from '../src/upstream/failure.ts';
import { Upstream } from '../src/upstream/upstream.ts';
import { eventually, holdClock, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream, stop, unusedPort } from './support/upstream.ts';

it('an address that could not be reached rests for a moment, however busy the other is, and is then asked again', async () => {
  const alive = await startUpstream(() => undefined);
  const awayPort = await unusedPort();
  const { port } = await startGateway([`/api/leads=http://127.0.0.1:${awayPort}|${alive.url}`]);
  const request = () => void send(port, '/api/leads').catch(() => undefined);
  const { pass } = holdClock();

  request();
  await eventually(() => alive.requests.length === 1);
  const back = await startUpstream(() => undefined, awayPort);
  for (let count = 0; count < 6; count++) request();
  await eventually(() => alive.requests.length === 7);
  expect(back.requests).toHaveLength(0);

  pass(1_000);
  request();
  await eventually(() => back.requests.length === 1);
  expect(alive.requests).toHaveLength(7);
});

it('an address has so many connections and no request waits for one: what is too much is refused', () => {
  const upstream = new Upstream({
    addresses: [{ origin: 'http://127.0.0.1:1' }],
    timeoutMs: 1_000,
    connectionsPerAddressMax: 2,
  });
  const handler = { onRequestStart: () => undefined, onResponseError: () => undefined };
  const complete = { ...handler, onResponseStart() {}, onResponseData() {}, onResponseEnd() {} };
  const choice = { except: undefined, repeatable: true };
  const begin = () => upstream.choose(choice)?.dispatch({ path: '/', method: 'GET' }, complete);
  begin();
  begin();
  expect(upstream.choose(choice)).toBeUndefined();
});

it('an idle connection is closed from our side before the service closes it', async () => {
  const ended: string[] = [];
  const server = createServer({ keepAliveTimeout: 3_000 }, (_request, response) => response.end('ok'));
  server.on('connection', (socket) => {
    socket.on('end', () => ended.push('gateway'));
    socket.on('timeout', () => ended.push('service'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => stop({ server }));
  const address = server.address() as { port: number };
  const { port } = await startGateway([`/api/leads=http://127.0.0.1:${address.port}`]);
  expect((await send(port, '/api/leads')).status).toBe(200);
  await eventually(() => ended.length > 0);
  expect(ended).toEqual(['gateway']);
});

test.each([
  ['a refused connection', Object.assign(new Error(), { syscall: 'connect' }), false, 'unreachable'],
  ['a connection that took too long', new errors.ConnectTimeoutError(), false, 'unreachable'],
  ['an idle connection found dead', Object.assign(new Error(), { syscall: 'read' }), false, 'broken'],
  ['a request that undici does not take', new errors.InvalidArgumentError(), false, 'broken'],
  ['a connection lost under way', Object.assign(new Error(), { syscall: 'read' }), true, 'broken'],
  ['no head in time', new errors.HeadersTimeoutError(), true, 'silent'],
  ['no more of the body in time', new errors.BodyTimeoutError(), true, 'silent'],
])('%s is told from other failures', (_what, cause, sent, kind) => {
  expect(failureOf(cause, sent).kind).toBe(kind);
});
