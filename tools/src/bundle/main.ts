import { join, relative } from 'node:path';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { bundle } from './bundle.ts';
import { bundleable, describeBundle } from './contents.ts';

try {
  const named = process.argv.slice(2);
  const revision = process.env['REVISION'] || undefined;
  for (const name of named.length > 0 ? named : bundleable(workspaceRoot)) {
    const contents = describeBundle(name, { workspaceRoot, revision });
    const directory = join(workspaceRoot, 'dist/bundle', name);
    await bundle(contents, { workspaceRoot, directory });
    console.log(`${name} ${contents.manifest.version} is in ${relative(process.cwd(), directory) || '.'}`);
  }
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
