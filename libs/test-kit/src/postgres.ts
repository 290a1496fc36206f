import { startTemporaryPostgres } from '@tenantry/dev-database';
import { startContainer } from './containers.ts';
import { postgresImage, startContainerPostgres } from './postgres-container.ts';

/** A PostgreSQL server on which tests may create databases. */
export interface TestPostgres {
  /** Address of its superuser. */
  adminUrl: string;
  /** Where it came from; `shared` is the one of TEST_DATABASE_ADMIN_URL, which stop() leaves running. */
  kind: 'shared' | 'container' | 'embedded';
  stop: () => Promise<void>;
}

/**
 * A real PostgreSQL: the running one that TEST_DATABASE_ADMIN_URL names; else a container when a Docker engine answers that
 * has the image; else the embedded one. TEST_INFRA=containers or TEST_INFRA=embedded forces one of the last two.
 *
 * @throws when TEST_INFRA=containers and no Docker engine answers, or the image can be neither found nor pulled.
 * @example
 * const postgres = await startTestPostgres();
 * afterAll(() => postgres.stop());
 */
export async function startTestPostgres(environment = process.env): Promise<TestPostgres> {
  const shared = environment['TEST_DATABASE_ADMIN_URL'];
  if (shared) return { adminUrl: shared, kind: 'shared', stop: async () => undefined };
  const container = await startContainer(postgresImage, startContainerPostgres, environment);
  if (container) return container;
  const { adminUrl, stop } = await startTemporaryPostgres();
  return { adminUrl, kind: 'embedded', stop };
}

let own: Promise<TestPostgres> | undefined;

/** This process's server, started at the first call; it ends with the process. */
export function testPostgres(): Promise<TestPostgres> {
  return (own ??= startTestPostgres());
}
