import { isThorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import {
  deploy,
  type BackendName,
  type Client,
  type Deployment,
  type Replica,
} from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';
import {
  addMigrations,
  migrateTo,
  nextRelease,
  nextVersion,
  previousRelease,
  thisRelease,
  type Migrations,
  type Release,
} from './support/releases.ts';

/** The services that are upgraded, in this order. */
const services: readonly Client[] = isThorough
  ? ['auth-service', 'leads-service', 'gateway']
  : ['leads-service'];

/** What a release adds to a table under load, step by step as libs/dev-database says; and how a later one takes it away. */
const steps = (table: string, keys: string) => ({
  expand: {
    '20990101000000_add_color': `
      ALTER TABLE ${table} ADD COLUMN color text;
      ALTER TABLE ${table} ADD CONSTRAINT ${table}_color CHECK (length(color) <= 20) NOT VALID;`,
    '20990101000001_index_color': `CREATE INDEX CONCURRENTLY ${table}_by_color ON ${table} (${keys}, color);`,
    '20990101000002_validate_color': `ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_color;`,
  },
  contract: {
    '20990102000000_drop_color': `-- safe: no version that runs knows it
      ALTER TABLE ${table} DROP COLUMN color;`,
  },
});
const migrated: readonly { service: BackendName; expand: Migrations; contract: Migrations }[] = [
  { service: 'auth-service', ...steps('sessions', 'user_id') },
  { service: 'leads-service', ...steps('leads', 'organization_id') },
];

describe('an upgrade under load, with migrations between', () => {
  let postgres: DatabaseServer;
  let previous: Release;
  let next: Release;
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    postgres = await startDatabaseServer();
    previous = isThorough ? await previousRelease() : thisRelease;
    next = await nextRelease(services);
    deployment = await deploy({
      postgres,
      gateways: 2,
      replicas: { 'auth-service': 2, 'leads-service': 2 },
      settings: { all: { SHUTDOWN_GRACE_SECONDS: '1' } },
      checkout: previous.checkout,
    });
    load = await startLoad({ urls: deployment.gateways.map(({ url }) => url), people: 8 });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await postgres.stop();
    await Promise.all([previous.remove(), next.remove()]);
  });

  const versionOf = async ({ url }: Replica) => {
    const health = await fetch(`${url}/api/health`);
    return ((await health.json()) as { version: string }).version;
  };
  const versions = async () =>
    new Set(await Promise.all(services.flatMap((service) => deployment.of(service).map(versionOf))));

  /** Does it under load, and no request of any method fails. */
  async function unnoticed(work: () => Promise<void>): Promise<void> {
    const beganAt = performance.now();
    await load.rounds(1);
    await work();
    await load.rounds(2);
    const answers = load.since(beganAt);
    expect(new Set(answers.map(({ deed }) => deed)).size).toBeGreaterThanOrEqual(5);
    expect(failuresAmong(answers)).toEqual([]);
  }
  async function migrate(service: BackendName, scripts: Migrations): Promise<void> {
    await addMigrations(next, service, scripts);
    const applied = await migrateTo(next, postgres, service);
    expect(applied).toEqual(expect.arrayContaining(Object.keys(scripts)));
  }
  /** Replaces every instance of a service, one after the other. */
  async function roll(service: Client, { checkout }: Release): Promise<void> {
    for (const replica of deployment.of(service)) {
      expect(await replica.terminate()).toBe(0);
      await load.rounds(1);
      await replica.start(checkout);
      await load.rounds(1);
    }
  }

  it.each(migrated)('$service: its migrations fail no request of the version before', ({ service, expand }) =>
    unnoticed(() => migrate(service, expand)),
  );
  it.each(services)('%s: two versions side by side fail no request [S-158]', (service) =>
    unnoticed(() => roll(service, next)),
  );
  it('is through', async () => expect(await versions()).toEqual(new Set([nextVersion])));
  it.skipIf(!isThorough).each(services)('%s: the way back fails no request', (service) =>
    unnoticed(async () => {
      await roll(service, previous);
      await roll(service, next);
    }),
  );
  it.each(migrated)(
    '$service: what no version uses any more is dropped, and no request fails',
    ({ service, contract }) => unnoticed(() => migrate(service, contract)),
  );

  it('loses nothing that was acknowledged, and makes nothing twice', async () => {
    await load.stop();
    await load.expectNothingLost();
  });
});
