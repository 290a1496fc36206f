import { spawnSync } from 'node:child_process';
import { freePort } from '@tenantry/dev-database';
import { startServer } from './child-processes.ts';
import { startContainer } from './containers.ts';
import { redisImage, startContainerRedis } from './redis-container.ts';

/** A Redis for tests, empty at first. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly kind: 'container' | 'binary';
  /** Ends it as kill -9 does. */
  kill: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * A real Redis: a container when a Docker engine answers that has the image, else the `redis-server` on PATH. `undefined` where there is
 * neither, which is said loudly: tests that need one are then skipped.
 *
 * @throws when TEST_INFRA=containers and no Docker engine answers.
 * @example
 * const redis = await startTestRedis();
 * describe.skipIf(!redis)('with Redis', …);
 */
export async function startTestRedis(environment = process.env): Promise<TestRedis | undefined> {
  const port = await freePort();
  const container = await startContainer(redisImage, () => startContainerRedis(port), environment);
  if (container) return container;
  if (spawnSync('redis-server', ['--version']).status === 0) return startBinaryRedis(port);
  process.stderr.write(
    '\nNO REDIS: neither a Docker engine nor redis-server is here, so tests that need it are SKIPPED.\n',
  );
  return undefined;
}

async function startBinaryRedis(port: number): Promise<TestRedis> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const start = () => startServer(['redis-server', ...options], { port });
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kind: 'binary',
    kill: () => server.end('SIGKILL'),
    restart: async () => {
      server = await start();
    },
    stop: () => server.end('SIGTERM'),
  };
}
