import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';

// The test that compares the files writes them: it has the database with all migrations, and every statement.
const test = 'types every statement as PostgreSQL describes it';
const calls = ['standardServiceTests(', 'statementTypes('];

/** The files of tests that compare, of the named projects or of all. */
function testFiles(names: readonly string[]): string[] {
  return globSync('{apps/*,libs/*,tools/service-template}/test/*.test.ts', { cwd: workspaceRoot })
    .filter((file) => {
      const text = readFileSync(join(workspaceRoot, file), 'utf8');
      const isNamed = names.some((name) => file.includes(`/${name}/`) || text.includes(`'${name}'`));
      return calls.some((call) => text.includes(call)) && (names.length === 0 || isNamed);
    })
    .sort();
}

/** Writes the types of all statements, or of those of the named projects. */
async function writeStatementTypes(names: readonly string[]): Promise<void> {
  const files = testFiles(names);
  if (files.length === 0) throw new Error(`No test compares the statements of ${names.join(', ')}.`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--update', '--reporter=dot', '-t', test, ...files];
  const child = spawn(process.execPath, args, { cwd: workspaceRoot, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('Some statements could not be described: see above.');
}

try {
  await writeStatementTypes(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
