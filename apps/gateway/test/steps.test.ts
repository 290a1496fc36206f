import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '@tenantry/envelope';
import { createLogger } from '@tenantry/service-kit';
import { testLog } from '@tenantry/test-kit';
import { expect, it } from 'vitest';
import { createBrowserGate } from '../src/browser/browser-gate.ts';
import { Proxy, type IncomingRequest, type ProxyStep } from '../src/proxy/proxy.ts';
import { parseRouteTable } from '../src/routing/route-table.ts';
import { send } from './support/client.ts';
import { afterTest } from './support/gateway.ts';
import { startUpstream } from './support/upstream.ts';

async function startProxy(steps: readonly ProxyStep[], service: string): Promise<number> {
  const routes = parseRouteTable([`/api/leads=${service}`], 10);
  const logger = createLogger({ name: 'gateway', level: 'trace', destination: testLog() });
  const browsers = createBrowserGate({ origins: new Set(), routes, logger });
  const proxy = new Proxy({ routes, trustProxy: [], logger, production: true, browsers, steps });
  const server = createServer((request, response) => void proxy.take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    server.closeAllConnections();
    server.close();
    proxy.close();
  });
  return (server.address() as AddressInfo).port;
}

it('steps see the request in their order before any service does', async () => {
  const leads = await startUpstream((_request, response) => void response.end('ok'));
  const seen: [string, IncomingRequest][] = [];
  const step = (name: string) => async (request: IncomingRequest) => {
    expect(leads.requests).toHaveLength(0);
    await Promise.resolve();
    seen.push([name, request]);
  };
  const port = await startProxy([step('first'), step('second')], leads.url);
  const { status } = await send(port, '/api/leads/1?x=1', {
    method: 'DELETE',
    headers: { 'x-request-id': 'id-1' },
  });
  expect(status).toBe(200);
  expect(seen.map(([name]) => name)).toEqual(['first', 'second']);
  expect(seen[0]?.[1]).toMatchObject({
    method: 'DELETE',
    path: '/api/leads/1',
    requestId: 'id-1',
    origin: { address: '127.0.0.1' },
    route: { prefix: '/api/leads' },
  });
});

it('what a step refuses reaches no service, and what goes wrong in it is not told', async () => {
  const leads = await startUpstream((_request, response) => void response.end('ok'));
  const refusing = await startProxy(
    [
      () => {
        throw new ApiError('RATE_LIMITED', 'Too many requests.', { headers: { 'retry-after': '7' } });
      },
    ],
    leads.url,
  );
  const refused = await send(refusing, '/api/leads', { method: 'POST', body: '{}' });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
  expect(refused.headers['strict-transport-security']).toContain('max-age');

  const failing = await startProxy([() => Promise.reject(new Error('canary'))], leads.url);
  const failed = await send(failing, '/api/leads');
  expect(failed.status).toBe(500);
  expect(failed.text).not.toContain('canary');
  expect(leads.requests).toHaveLength(0);
});
