import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '@tenantry/dev-database';
import { patience } from './patience.ts';

/** The image, in whose place the same PostgreSQL runs. */
export const postgresImage = { image: 'postgres:18', otherwise: 'the PostgreSQL of npm' };
const port = 5432;

/** PostgreSQL in a container, its data in memory; fails when no Docker engine answers. */
export async function startContainerPostgres() {
  const { GenericContainer, Wait } = await import('testcontainers');
  const password = randomBytes(24).toString('base64url');
  const container = await new GenericContainer(postgresImage.image)
    .withEnvironment({
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync',
    })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    .withExposedPorts(port)
    // Images differ in how often they say it: the first server serves the initialization alone.
    .withWaitStrategy(Wait.forLogMessage('ready to accept connections', 1))
    .start();
  const stop = async (): Promise<void> => {
    await container.stop();
  };
  const address = `${container.getHost()}:${container.getMappedPort(port)}`;
  const adminUrl = `postgresql://postgres:${password}@${address}/postgres`;
  try {
    await answering(adminUrl);
    return { adminUrl, kind: 'container' as const, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server of the initialization listens on no port. A health check would continue asking as long as the container runs. */
async function answering(url: string): Promise<void> {
  const deadline = Date.now() + patience();
  for (;;) {
    try {
      await connected(url, async () => undefined);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300', 'timezone=UTC'];
