import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { addressAsking } from '@tenantry/fair-shares';
import { expect, it } from 'vitest';
import { buildFixture } from './fixture.ts';

it('a request is answered on behalf of its own client, whichever client used its connection before', async () => {
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const { app } = await buildFixture({ pool, trustProxy: ['127.0.0.1/32'] }, (fixture) => {
    const config = { access: 'public' as const };
    fixture.post('/asking', { config }, async () => ({ address: addressAsking() }));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (client: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': client };
    const sent = request(`${url}/asking`, { agent: proxy, method: 'POST', headers }).end('{}');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return json(answer);
  };
  expect(await ask('192.0.2.1')).toEqual({ address: '192.0.2.1' });
  expect(await ask('2001:db8::1')).toEqual({ address: '2001:db8:0:0::/64' });
  expect(await ask('192.0.2.2')).toEqual({ address: '192.0.2.2' });
  proxy.destroy();
  await app.close();
});
