import type { Manifest } from '@tenantry/service';
import type { CatalogOptions } from '@tenantry/tenancy';
import type { StatementProblemsOptions } from '@tenantry/tenancy/testing';
import type { TestService, TestServiceOptions } from '../start.ts';
import type { BeforeBody } from './late-bodies.ts';
import type { Operation } from './operations.ts';

/** What the standard tests look at. */
export interface Standing {
  readonly service: Manifest;
  readonly running: TestService<unknown>;
  readonly beforeBody: BeforeBody;
  /** Everything that the service's document describes, and the two routes of these tests. */
  readonly operations: readonly Operation[];
  readonly catalog: CatalogOptions;
  readonly statements: StatementProblemsOptions;
  readonly librariesInFull: readonly string[];
  /** Starts the service once more, otherwise. */
  readonly start: (options: TestServiceOptions) => Promise<TestService<unknown>>;
}
