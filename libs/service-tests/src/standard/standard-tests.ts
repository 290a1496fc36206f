import { keepsAuditTrail } from '@tenantry/service/audit';
import { countsStorage, type BusinessService } from '@tenantry/service/business';
import type { CatalogOptions } from '@tenantry/sql-check/catalog';
import type { StatementProblemsOptions } from '@tenantry/sql-check/statements';
import type { TProperties } from 'typebox';
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestService, type TestServiceOptions } from '../start.ts';
import { accessTests } from './access.ts';
import { archiveTests } from './archive.ts';
import { auditTests } from './audit.ts';
import { databaseTests } from './database.ts';
import { documentTests } from './document.ts';
import { healthTests } from './health.ts';
import { inputTests } from './input.ts';
import { interruptBodies, lateBodyTests } from './late-bodies.ts';
import { documentOf, operationsOf, probeRoutes } from './operations.ts';
import { storageTests } from './storage.ts';
import { tokenTests } from './tokens.ts';
import type { Standing } from './standing.ts';

/** What the tests of a service are told. */
export interface StandardTestsOptions extends Pick<TestServiceOptions, 'env'> {
  /** What the catalog test of this service accepts, each with the reason why. */
  readonly catalog?: CatalogOptions;
  /** What the judge of its statements accepts, likewise; unscoped tables are those of the catalog. */
  readonly statements?: Pick<StatementProblemsOptions, 'functions' | 'accepted'>;
  /** Tables whose rows do not count towards the quota of an organization, each with the reason why. */
  readonly uncounted?: Readonly<Record<string, string>>;
  /** Libraries of which it uses every statement: their types are compared with its database. */
  readonly librariesInFull?: readonly string[];
}

/** The tables of tenancy's sql/storage.sql. */
const storageTables = {
  storage_use: 'has ids and numbers alone: a transaction may change what several organizations store',
  storage_limits: 'the quotas of the settings, in one row',
  storage_quotas: 'has ids and numbers alone, for a reader that is in no organization yet',
};

/** What libs/service itself calls. */
const functions = {
  'app.purge_batch': 'deletes rows of the organization of the scope, which is to be purged',
  row_to_json: 'writes a row as text',
  jsonb_populate_recordset: 'reads rows from what it is given',
};

/**
 * What every business service must hold, whatever it is about: health and readiness, tokens, permissions, input,
 * isolation in the database. Call it once in a test file.
 *
 * @example standardServiceTests(service);
 */
export function standardServiceTests<Settings extends TProperties>(
  service: BusinessService<Settings>,
  { statements = {}, uncounted = {}, librariesInFull = [], ...options }: StandardTestsOptions = {},
): void {
  const storage = countsStorage(service.models) ? storageTables : {};
  const catalog = { ...options.catalog, unscoped: { ...storage, ...options.catalog?.unscoped } };
  const probed = {
    ...service,
    features(parts: Parameters<typeof service.features>[0]) {
      const features = service.features(parts);
      return { ...features, routes: [...(features.routes ?? []), probeRoutes(service.prefix)] };
    },
  };
  const start = (more: TestServiceOptions = {}) =>
    startTestService(probed, { ...options, ...more, env: { ...options.env, ...more.env } });
  let standing: Standing;

  describe(`${service.name}, like every business service,`, () => {
    beforeAll(async () => {
      const running = await start();
      const beforeBody = interruptBodies(running.app);
      const operations = operationsOf(await documentOf(running.app, service.prefix));
      standing = {
        service,
        running,
        beforeBody,
        operations,
        catalog,
        start,
        librariesInFull,
        statements: {
          ...statements,
          functions: { ...functions, ...statements.functions },
          unscoped: catalog.unscoped,
        },
      };
    });
    afterAll(() => standing.running.close());

    const all = [
      healthTests,
      tokenTests,
      accessTests,
      lateBodyTests,
      inputTests,
      documentTests,
      databaseTests,
    ];
    for (const tests of all) tests(() => standing);
    archiveTests(() => ({ tables: service.archive?.tables, database: standing.running.testDatabase }));
    if (keepsAuditTrail(service.models)) auditTests(() => standing);
    if (countsStorage(service.models)) storageTests(() => standing, uncounted);
  });
}
