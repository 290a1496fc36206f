import type { TestRedis } from './test-redis.ts';

/** What the container is made of. */
export const redisImage = 'redis:8';
const redisPort = 6379;

/** Redis in a container, on a port that stays the same over restarts; fails when no Docker engine answers. */
export async function startContainerRedis(port: number): Promise<TestRedis> {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  const { GenericContainer, Wait } = await import('testcontainers');
  const start = () =>
    new GenericContainer(redisImage)
      .withCommand(['redis-server', '--save', '', '--appendonly', 'no', '--protected-mode', 'no'])
      .withExposedPorts({ container: redisPort, host: port })
      .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
      .start();

  let container = await start();
  const host = container.getHost();
  const end = async (timeout: number) => {
    await container.stop({ timeout });
  };
  return {
    url: `redis://${host}:${port}`,
    port,
    kind: 'container',
    kill: () => end(0),
    restart: async () => {
      container = await start();
    },
    stop: () => end(1_000),
  };
}
