import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyMigrations,
  connected,
  databaseServices,
  provisionDatabase,
  serviceTemplate,
  startTemporaryPostgres,
  workspaceRoot,
  type Postgres,
} from '@tenantry/dev-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startTemporaryPostgres();
});
afterAll(() => postgres.stop());

const scopeFunctions = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ definition: string }>(
      `SELECT pg_get_functiondef(oid) AS definition FROM pg_proc
       WHERE pronamespace = 'app'::regnamespace AND proname ~ '(current_|scope|^refuse$)' ORDER BY proname`,
    );
    return rows.map(({ definition }) => definition);
  });

it.each([...databaseServices(), serviceTemplate()])(
  'the policies of $name ask by the functions of libs/tenancy',
  async (service) => {
    const { ownerUrl } = await provisionDatabase({ adminUrl: postgres.adminUrl, service: service.name });
    await applyMigrations({ projectRoot: service.projectRoot, url: ownerUrl });
    const migrated = await scopeFunctions(ownerUrl);

    const shared = await readFile(join(workspaceRoot, 'libs/tenancy/sql/tenancy.sql'), 'utf8');
    await connected(ownerUrl, (client) => client.query(`DROP SCHEMA app CASCADE; ${shared}`));
    expect(migrated).toHaveLength(5);
    expect(migrated).toEqual(await scopeFunctions(ownerUrl));
  },
);
