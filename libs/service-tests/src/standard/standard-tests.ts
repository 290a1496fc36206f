import { keepsAuditTrail, type BusinessService } from '@tenantry/business-service';
import type { CatalogOptions, PrismaClientLike } from '@tenantry/tenancy';
import type { StatementProblemsOptions } from '@tenantry/tenancy/testing';
import type { TProperties } from 'typebox';
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestService, type TestServiceOptions } from '../start.ts';
import { accessTests } from './access.ts';
import { auditTests } from './audit.ts';
import { databaseTests } from './database.ts';
import { documentTests } from './document.ts';
import { healthTests } from './health.ts';
import { inputTests } from './input.ts';
import { documentOf, operationsOf, probeRoutes } from './operations.ts';
import { tokenTests } from './tokens.ts';
import type { Standing } from './standing.ts';

/** What the tests of a service are told. */
export interface StandardTestsOptions extends Pick<TestServiceOptions, 'env'> {
  /** What the catalog test of this service accepts, each with the reason why. */
  readonly catalog?: CatalogOptions;
  /** What the judge of its statements accepts, likewise; unscoped tables are those of the catalog. */
  readonly statements?: Pick<StatementProblemsOptions, 'functions' | 'accepted'>;
  /** Libraries of which it uses every statement: their types are compared with its database. */
  readonly librariesInFull?: readonly string[];
}

/** What business-service itself calls. */
const functions = {
  'app.purge_batch': 'deletes rows of the organization of the scope, which is to be purged',
};

/**
 * What every business service must hold, whatever it is about: health and readiness, tokens, permissions, input,
 * isolation in the database. Call it once in a test file.
 *
 * @example standardServiceTests(service);
 */
export function standardServiceTests<Client extends PrismaClientLike, Settings extends TProperties>(
  service: BusinessService<Client, Settings>,
  { catalog = {}, statements = {}, librariesInFull = [], ...options }: StandardTestsOptions = {},
): void {
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
      const operations = operationsOf(await documentOf(running.app, service.prefix));
      standing = {
        service,
        running,
        operations,
        catalog,
        start,
        librariesInFull,
        statements: {
          ...statements,
          functions: { ...functions, ...statements.functions },
          unscoped: catalog.unscoped ?? {},
        },
      };
    });
    afterAll(() => standing.running.close());

    for (const tests of [healthTests, tokenTests, accessTests, inputTests, documentTests, databaseTests])
      tests(() => standing);
    if (keepsAuditTrail(service.models)) auditTests(() => standing);
  });
}
