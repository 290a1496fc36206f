import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { format, resolveConfig } from 'prettier';
import { configurationTable, withConfigurationTable } from './table.ts';

/** Writes the table of configuration into the README. */
const readme = join(workspaceRoot, 'README.md');
const text = withConfigurationTable(await readFile(readme, 'utf8'), await configurationTable(workspaceRoot));
await writeFile(readme, await format(text, { ...(await resolveConfig(readme)), filepath: readme }));
