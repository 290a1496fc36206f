import { startTemporaryPostgres } from '@tenantry/dev-database';
import { announcePull, startIfPresent } from './container-image.ts';
import { mayHaveDocker, wantedInfrastructure } from './infrastructure.ts';
import { postgresImage, startContainerPostgres } from './postgres-container.ts';
import type { TestPostgres } from './test-postgres.ts';

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
  const wanted = wantedInfrastructure(environment);
  if (wanted === 'containers') {
    await announcePull(postgresImage);
    return startContainerPostgres();
  }
  if (wanted === undefined && mayHaveDocker(environment)) {
    // The embedded server is the same PostgreSQL.
    const needs = { image: postgresImage, otherwise: 'the PostgreSQL of npm' };
    const container = await startIfPresent(needs, startContainerPostgres);
    if (container) return container;
  }
  const { adminUrl, stop } = await startTemporaryPostgres();
  return { adminUrl, kind: 'embedded', stop };
}

let own: Promise<TestPostgres> | undefined;

/** This process's server, started at the first call; it ends with the process. */
export function testPostgres(): Promise<TestPostgres> {
  return (own ??= startTestPostgres());
}
