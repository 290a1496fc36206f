import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@tenantry/dev-database';
import { accepting } from './accepting.ts';
import { announcePull, startIfPresent } from './container-image.ts';
import { endWithProcess } from './end-with-process.ts';
import { mayHaveDocker, wantedInfrastructure } from './infrastructure.ts';
import { redisImage, startContainerRedis } from './redis-container.ts';
import type { TestRedis } from './test-redis.ts';

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
  const wanted = wantedInfrastructure(environment);
  if (wanted === 'containers') {
    await announcePull(redisImage);
    return startContainerRedis(await freePort());
  }
  if (wanted === undefined && mayHaveDocker(environment)) {
    // The binary is the same Redis.
    const needs = { image: redisImage, otherwise: 'redis-server on the PATH, if there is one,' };
    const container = await startIfPresent(needs, async () => startContainerRedis(await freePort()));
    if (container) return container;
  }
  if (spawnSync('redis-server', ['--version']).status === 0) return startBinaryRedis(await freePort());
  process.stderr.write(
    '\nNO REDIS: neither a Docker engine nor redis-server is here, so tests that need it are SKIPPED.\n',
  );
  return undefined;
}

async function startBinaryRedis(port: number): Promise<TestRedis> {
  let server = await runServer(port);
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kind: 'binary',
    kill: () => end('SIGKILL'),
    restart: async () => {
      server = await runServer(port);
    },
    stop: () => end('SIGTERM'),
  };
}

async function runServer(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  // Nothing it holds outlives the tests.
  endWithProcess(server);
  await accepting(port);
  return server;
}
