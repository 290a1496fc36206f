import { expect, it } from 'vitest';
import type { Address } from '../src/routing/route-table.ts';
import { Upstream } from '../src/upstream/upstream.ts';
import { pause, eventually } from './support/client.ts';
import { afterTest } from './support/gateway.ts';
import { startUpstream, unusedPort } from './support/upstream.ts';

const addressOf = (port: number): Address => ({ host: '127.0.0.1', port, authority: `127.0.0.1:${port}` });

it('an address that could not be reached rests for a moment, however busy the other is, and is then asked again', async () => {
  const alive = await startUpstream(() => undefined);
  const away = addressOf(await unusedPort());
  const upstream = new Upstream({ addresses: [away, addressOf(alive.port)], timeoutMs: 5_000 });
  const take = () => {
    const taken = upstream.take({ except: undefined, fresh: false });
    if (!taken) throw new Error('no address was free');
    afterTest(() => {
      taken.connection.abort();
    });
    return taken;
  };

  const failed = take();
  expect(failed.address).toBe(away);
  await eventually(() => !failed.connection.isUsable);
  expect(Array.from({ length: 6 }, () => take().address.port)).toEqual(Array(6).fill(alive.port));

  await pause(1_100);
  expect(take().address).toBe(away);
});
