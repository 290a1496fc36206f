import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { generateClient, generatedDirectory } from './generate.ts';

/** Writes what of the client follows from the API. */
const directory = generatedDirectory(workspaceRoot);
await mkdir(directory, { recursive: true });
for (const [name, text] of Object.entries(await generateClient(workspaceRoot))) {
  await writeFile(join(directory, name), text);
}
// The channel to the bootstrap would keep this process for ever.
if (process.connected) process.disconnect();
