/** The image, in whose place the same Redis runs. */
export const redisImage = { image: 'redis:8', otherwise: 'redis-server on the PATH, if there is one,' };
const redisPort = 6379;

/** Redis in a container, on a port that stays the same over restarts; fails when no Docker engine answers. */
export async function startContainerRedis(port: number) {
  const { GenericContainer, Wait } = await import('testcontainers');
  const start = () =>
    new GenericContainer(redisImage.image)
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
    kind: 'container' as const,
    kill: () => end(0),
    restart: async () => {
      container = await start();
    },
    stop: () => end(1_000),
  };
}
