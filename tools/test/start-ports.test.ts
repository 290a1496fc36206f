import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort, portObstacle } from '@tenantry/dev-database';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceDescription } from '../src/services.ts';
import { releasePorts, takePorts } from '../src/start/ports.ts';

const service = (name: string, port: number, prefix?: string): ServiceDescription => ({
  name,
  directory: '',
  port,
  prefix,
  secrets: [],
  hasDatabase: false,
});

describe('the ports of the services', () => {
  const stranger = createServer();
  let taken: number;

  beforeEach(async () => {
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    taken = (stranger.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((resolve) => stranger.close(resolve)));

  const take = async (services: readonly ServiceDescription[], requested?: string) => {
    const held = await takePorts(services, { requested });
    onTestFinished(() => releasePorts(held));
    return new Map([...held].map(([name, { port }]) => [name, port]));
  };

  it('are the standard ones where they are free', async () => {
    const [own, inner] = [await freePort(), await freePort()];
    const ports = await take([service('gateway', own), service('leads', inner, '/api/leads')]);
    expect([...ports.values()]).toEqual([own, inner]);
  });

  it('give way behind the gateway, where people do not type them: all of them, since one may be of another start', async () => {
    const inner = await freePort();
    const ports = await take([service('leads', taken, '/api/leads'), service('users', inner, '/api/users')]);
    expect(ports.get('leads')).not.toBe(taken);
    expect(ports.get('users')).not.toBe(inner);
    expect(new Set(ports.values()).size).toBe(2);
  });

  it('are not taken by others from then on, also not by starts at the same moment', async () => {
    const services = [service('gateway', 0), ...[1, 2, 3].map((n) => service(`s${n}`, taken, `/api/${n}`))];
    const starts = await Promise.all(Array.from({ length: 20 }, () => take(services, '0')));
    const ports = starts.flatMap((held) => [...held.values()]);
    expect(new Set(ports).size).toBe(20 * services.length);
    for (const port of ports) expect(await portObstacle(port)).toBe('EADDRINUSE');
  });

  it('are given back when one cannot be had', async () => {
    const inner = await freePort();
    const settled = new Map([
      ['leads', inner],
      ['users', taken],
    ]);
    const services = [service('leads', 0, '/api/leads'), service('users', 0, '/api/users')];
    await expect(takePorts(services, { requested: undefined, settled })).rejects.toThrow('EADDRINUSE');
    expect(await portObstacle(inner)).toBeUndefined();
  });

  it('are asked for at the gateway, which says how to choose another', async () => {
    await expect(take([service('gateway', taken)])).rejects.toThrow(
      `Port ${taken} is in use by another program: choose another one, for example PORT=8081 npm start.`,
    );
    const free = await freePort();
    expect((await take([service('gateway', taken)], String(free))).get('gateway')).toBe(free);
    expect((await take([service('gateway', taken)], '0')).get('gateway')).not.toBe(taken);
  });

  it.each(['http', '-1', '65536', '80.5'])('are no %s', async (requested) => {
    await expect(take([service('gateway', taken)], requested)).rejects.toThrow(
      `PORT is "${requested}" and must be a number from 0 to 65535.`,
    );
  });
});
