import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const version = '20.19';

/** The oldest Node.js that the published libraries support, as npm has it; undefined where it has none for this machine. */
async function olderNode(): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-node-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  const name = `node-${process.platform}-${process.arch}`;
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, `${name}@${version}`], { cwd: directory }).catch(() => undefined);
  const program = join(directory, 'node_modules', name, 'bin/node');
  return existsSync(program) ? program : undefined;
}

it(`the client keeps its guarantees on Node.js ${version}`, async ({ skip }) => {
  const node = await olderNode();
  if (node === undefined) return skip(`npm has no Node.js ${version} for this machine`);
  const { stdout: found } = await run(node, ['--version']);
  expect(found).toMatch(/^v20\.19\./);
  const vitest = join(workspaceRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'vitest.older-node.config.mjs', '--reporter=json'];
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { stdout } = await run(node, args, { cwd: join(workspaceRoot, 'libs/client'), env });
  const report = JSON.parse(stdout) as { numPassedTests: number; numFailedTests: number };
  expect(report.numFailedTests).toBe(0);
  expect(report.numPassedTests).toBeGreaterThan(50);
});
