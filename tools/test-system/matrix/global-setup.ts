import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import type { TestProject } from 'vitest/node';
import { Api, type Person } from './people.ts';
import { startServicesAfter, type Whereabouts } from './services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    whereabouts: Whereabouts;
    /** Who signed up an hour ago, and has been issued what has expired since. */
    personOfThePast: Person;
  }
}

/** Vitest global setup: the matrix and its neighbours ask the same services. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env['TEST_LOG_DIRECTORY'] = join(workspaceRoot, 'test-results/logs/matrix');
  const services = await startServicesAfter(async (past) => (await Api.of(past)).signUp());
  project.provide('whereabouts', services.whereabouts);
  project.provide('personOfThePast', services.brought);
  return services.stop;
}
