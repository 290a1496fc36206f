import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { helpFor } from './help.mjs';
import { Obstacle } from './obstacle.mjs';
import { generateClients } from './prisma-clients.mjs';
import { pinnedNode, workspaceRoot } from './workspace.mjs';

/** The programs, by the name they are asked for. */
const tools = {
  start: 'tools/src/start/main.ts',
  test: 'tools/src/test/main.ts',
  slowly: 'tools/src/slowly/main.ts',
  'test:images': 'tools/src/images/main.ts',
  'test:rules': 'tools/src/rules/main.ts',
  migrate: 'tools/src/migrate/main.ts',
  statements: 'tools/src/statements/main.ts',
  keys: 'tools/src/keys/main.ts',
  organization: 'tools/src/organization/main.ts',
  bundle: 'tools/src/bundle/main.ts',
  guarantees: 'tools/src/guarantees/main.ts',
  configuration: 'tools/src/configuration/main.ts',
  client: 'tools/src/client/main.ts',
  'new-service': 'tools/src/new-service/main.ts',
  bench: 'bench/src/main.ts',
  vitest: 'node_modules/vitest/vitest.mjs',
  nx: 'node_modules/nx/dist/bin/nx.js',
};

/** Does what every program needs, and nothing more. */
const preparing = 'generate';

/** Makes the checkout ready, runs the program and ends as it ended. */
export async function runTool([name, ...args]) {
  try {
    const help = helpFor(name, args);
    if (help !== undefined) {
      console.log(help);
      return;
    }
    const program = tools[name];
    if (program === undefined && name !== preparing)
      throw new Obstacle(`Name one of: ${Object.keys(tools).join(', ')}.`);
    await installDependencies();
    // Nx generates the clients itself, as a dependency of the tasks that need them.
    if (name !== 'nx') await generateClients();
    if (program !== undefined) await execute(program, args);
  } catch (error) {
    console.error(error instanceof Obstacle ? error.message : error);
    process.exitCode = 1;
  }
}

async function execute(program, args) {
  const child = spawn(pinnedNode, ['--conditions=@tenantry/source', join(workspaceRoot, program), ...args], {
    cwd: workspaceRoot,
    // The channel tells the program that this process is gone, also when it was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Half of what a service takes to start is compiling the same files as the last time. A checkout may have moved since.
    env: {
      NODE_COMPILE_CACHE: join(workspaceRoot, 'node_modules/.cache/node'),
      NODE_COMPILE_CACHE_PORTABLE: '1',
      ...process.env,
      TENANTRY_SUPERVISED: '1',
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...ending) => resolve(ending));
  });
  process.exit(code ?? 128 + constants.signals[signal]);
}
