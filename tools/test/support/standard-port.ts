import { once } from 'node:events';
import { createServer } from 'node:net';
import { workspaceRoot } from '@tenantry/dev-database';
import { discoverServices } from '../../src/services.ts';

/**
 * Holds the standard port of one service while tests run, so that every start chooses random ports. Of starts in several files,
 * one would otherwise take a standard port as soon as another has released it, which looks like a port left behind.
 */
export async function setup(): Promise<() => void> {
  const inner = discoverServices(workspaceRoot).find(({ prefix }) => prefix !== undefined);
  const server = createServer().listen(inner?.port, '127.0.0.1');
  // Where another program holds it already, starts choose random ports as well.
  await once(server, 'listening').catch(() => undefined);
  return () => void server.close();
}
