import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '@tenantry/dev-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceDescription } from '../src/services.ts';
import { choosePorts } from '../src/start/ports.ts';

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

  it('are the standard ones where they are free', async () => {
    const [own, inner] = [await freePort(), await freePort()];
    const ports = await choosePorts(
      [service('gateway', own), service('leads', inner, '/api/leads')],
      undefined,
    );
    expect([...ports.values()]).toEqual([own, inner]);
  });

  it('give way behind the gateway, where nobody types them', async () => {
    const ports = await choosePorts([service('leads', taken, '/api/leads')], undefined);
    expect(ports.get('leads')).not.toBe(taken);
    expect(ports.get('leads')).toBeGreaterThan(0);
  });

  it('are asked for at the gateway, which says how to choose another', async () => {
    await expect(choosePorts([service('gateway', taken)], undefined)).rejects.toThrow(
      `Port ${taken} is in use by another program: choose another one, for example PORT=8081 npm start.`,
    );
    const free = await freePort();
    expect((await choosePorts([service('gateway', taken)], String(free))).get('gateway')).toBe(free);
    expect((await choosePorts([service('gateway', taken)], '0')).get('gateway')).not.toBe(taken);
  });

  it.each(['http', '-1', '65536', '80.5'])('are no %s', async (requested) => {
    await expect(choosePorts([service('gateway', taken)], requested)).rejects.toThrow(
      `PORT is "${requested}" and must be a number from 0 to 65535.`,
    );
  });
});
