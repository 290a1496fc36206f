import type { BusinessService } from '@tenantry/service/business';
import type { ServiceDescription } from '../services.ts';
import type { Environment } from '../start/environment.ts';

/** The import of one archive. */
export interface OneImport {
  /** Everything that is known before the first row. @throws {ImportRefused} */
  readonly check: () => Promise<void>;
  /** Writes what is not there yet, and says what that is, by how many. */
  readonly write: () => Promise<ReadonlyMap<string, number>>;
  readonly close?: () => Promise<void>;
}

/** What an import is made with. */
export interface ImportSurroundings {
  readonly described: ServiceDescription;
  readonly service: BusinessService;
  readonly env: Environment;
  readonly directory: string;
  readonly organizationId: string;
}
