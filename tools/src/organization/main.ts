import { parseArgs } from 'node:util';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { ImportRefused } from '@tenantry/service/archive';
import { importArchives } from './import-archives.ts';

const usage = 'npm run organization -- import FILES --into ID';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { into: { type: 'string' } },
  });
  const [command, ...files] = positionals;
  const { into = '' } = values;
  if (command !== 'import' || files.length === 0) throw new ExplainedError(usage);
  if (!uuid.test(into)) throw new ExplainedError(`--into takes the id of an organization: ${usage}`);
  const options = { workspaceRoot, env: process.env, print: console.log };
  await importArchives(files, into.toLowerCase(), options);
} catch (error) {
  const isExplained = error instanceof ExplainedError || error instanceof ImportRefused;
  console.error(isExplained ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
