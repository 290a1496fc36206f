import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { createService } from './new-service.ts';

const helpText = 'npm run new-service -- invoices    a service that keeps invoices';

function read(args: readonly string[]) {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length > 1) throw new Error('Name one service.');
    return { name: positionals[0], isHelp: values.help === true };
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${helpText}`);
  }
}

/**
 * Links the new package, brings references between projects up to date, lists its settings in docs/configuration.md, writes the
 * types of its statements, and formats what was written.
 */
async function settle(service: string): Promise<void> {
  await run('tools/bootstrap.mjs', 'configuration');
  await run('tools/bootstrap.mjs', 'nx', 'sync');
  await run('tools/bootstrap.mjs', 'statements', service);
  const written = [
    `apps/${service}`,
    'infra',
    'libs/contracts/src',
    'tools/test-system/matrix',
    'tsconfig.json',
  ];
  await run('node_modules/oxfmt/bin/oxfmt', ...written);
}

async function run(script: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { cwd: workspaceRoot, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new ExplainedError('The service is written, but something went wrong then: see above.');
}

async function newService(): Promise<void> {
  const { name, isHelp } = read(process.argv.slice(2));
  if (isHelp) {
    console.log(helpText);
    return;
  }
  const made = await createService(name, workspaceRoot);
  const { service, port, prefix, plural } = made;
  await settle(service);
  console.log(`
apps/${service} answers ${prefix}, on port ${port} by itself. Try it: npm test -- ${service}, npm start.
Members have ${plural}:read and ${plural}:write: see libs/contracts/src/services.ts.
Compose, Kubernetes, Prometheus and the README know it. docs/new-service.md leads on from here.
The client does not yet: npm run client adds its operations. The console then asks what to call the permissions.`);
}

try {
  await newService();
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
