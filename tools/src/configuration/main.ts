import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { configurationList, withConfigurationList } from './list.ts';

/** Writes the settings of all services into docs/configuration.md. */
const path = join(workspaceRoot, 'docs/configuration.md');
const text = withConfigurationList(await readFile(path, 'utf8'), await configurationList(workspaceRoot));
await writeFile(path, text);
