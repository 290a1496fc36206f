import type { ServiceDescription } from '../services.ts';

/** What all checks share. */
export interface CheckContext {
  workspaceRoot: string;
  /** The services, for checks that look at each. */
  services: readonly ServiceDescription[];
  /** Folder of the one project asked for, as `apps/leads-service`; undefined for all. */
  project: string | undefined;
  databaseAdminUrl: string;
  /** Folder of the report and the log lines of this run. */
  results: string;
  signal: AbortSignal;
}
