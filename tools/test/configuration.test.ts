import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { configurationTable, withConfigurationTable } from '../src/configuration/table.ts';

it('the README’s table of configuration is what the services parse (npm run configuration writes it)', async () => {
  const readme = join(workspaceRoot, 'README.md');
  const text = await readFile(readme, 'utf8');
  const current = withConfigurationTable(text, await configurationTable(workspaceRoot));
  expect(text).toBe(await format(current, { ...(await resolveConfig(readme)), filepath: readme }));
});

it('every setting of every service says what it means', async () => {
  const rows = (await configurationTable(workspaceRoot)).split('\n').slice(2, -1);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row).toMatch(/\| (?:[^|]|\\\|){10,} \|$/);
});
