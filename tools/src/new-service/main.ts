import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { createService } from './new-service.ts';

/** Formats what was written, links the new package, generates its client and lists its settings in docs/configuration.md. */
async function settle(service: string): Promise<void> {
  const written = [`apps/${service}`, `tools/test-system/matrix/requests/${service}.ts`, 'tsconfig.json'];
  await run('node_modules/oxfmt/bin/oxfmt', ...written);
  await run('tools/bootstrap.mjs', 'configuration');
}

async function run(script: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { cwd: workspaceRoot, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new ExplainedError('The service is written, but something went wrong then: see above.');
}

try {
  const environment = process.env;
  const { service, port, prefix, plural } = await createService(process.argv[2], {
    workspaceRoot,
    environment,
  });
  await settle(service);
  console.log(`
apps/${service} answers ${prefix}, on port ${port} by itself. Try it: npm test -- ${service}, npm start.
Members have ${plural}:read and ${plural}:write: see libs/jwt-verify/src/permissions.ts.
Add a line for it to README.md, under What is where, and the service to docker-compose.yml and infra/k8s:
npm test says what they lack.`);
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
