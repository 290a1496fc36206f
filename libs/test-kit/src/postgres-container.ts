import { randomBytes } from 'node:crypto';
import type { TestPostgres } from './test-postgres.ts';

/** What the container is made of. */
export const postgresImage = 'postgres:18';
const port = 5432;

/** PostgreSQL in a container, its data in memory; fails when no Docker engine answers. */
export async function startContainerPostgres(): Promise<TestPostgres> {
  // The engine's reaper is one more image, which cannot be pulled everywhere; stop() cleans up instead.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  const { GenericContainer, Wait } = await import('testcontainers');
  const password = randomBytes(24).toString('base64url');
  const container = await new GenericContainer(postgresImage)
    .withEnvironment({
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync',
    })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    .withExposedPorts(port)
    // Its first server serves the initialization alone. A health check would go on asking as long as the container runs.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .start();
  const address = `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    adminUrl: `postgresql://postgres:${password}@${address}/postgres`,
    kind: 'container',
    stop: async () => {
      await container.stop();
    },
  };
}

const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300', 'timezone=UTC'];
