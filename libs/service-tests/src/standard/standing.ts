import type { Manifest } from '@tenantry/service';
import type { BusinessService } from '@tenantry/service/business';
import type { CatalogOptions } from '@tenantry/sql-check/catalog';
import type { StatementProblemsOptions } from '@tenantry/sql-check/statements';
import type { TestService, TestServiceOptions } from '../start.ts';
import type { Operation } from './operations.ts';

/** What happens to a request, by its id, when it has been let in and before its body is read. */
export type BeforeBody = Map<string, () => void>;

/** What the standard tests look at. */
export interface Standing {
  readonly service: Manifest & Pick<BusinessService, 'archive'>;
  readonly running: TestService;
  readonly beforeBody: BeforeBody;
  /** Everything that the service's document describes, and the two routes of these tests. */
  readonly operations: readonly Operation[];
  readonly catalog: CatalogOptions;
  readonly statements: Omit<StatementProblemsOptions, 'statements'>;
  readonly librariesInFull: readonly string[];
  /** Starts the service once more, otherwise. */
  readonly start: (options: TestServiceOptions) => Promise<TestService>;
}
