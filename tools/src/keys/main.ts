import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { keysProgram } from './keys.ts';

try {
  const { args, cwd, env } = await keysProgram(process.argv.slice(2), { workspaceRoot, env: process.env });
  const child = spawn(process.execPath, args, { cwd, env: { ...env }, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
