import { startTestPostgres, type TestPostgres } from './postgres.ts';

let postgres: TestPostgres | undefined;

/** Vitest global setup: one server for all test files of a run. */
export async function setup(): Promise<void> {
  postgres = await startTestPostgres();
  process.env['TEST_DATABASE_ADMIN_URL'] = postgres.adminUrl;
}

/** Ends the server that setup() started. */
export async function teardown(): Promise<void> {
  await postgres?.stop();
}
