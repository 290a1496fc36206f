import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';

const folder = join(workspaceRoot, 'infra/observability');

/** Has promtool check configuration and rules of infra/observability, and run the tests of the rules. */
function testRules(): boolean {
  if (spawnSync('promtool', ['--version']).status !== 0) {
    const required = process.argv.includes('--required');
    console.log(`${required ? 'Failed' : 'Skipped'}: no promtool is here, so the alerts are not tested.`);
    return !required;
  }
  const steps = [
    // The rules that it names are checked with it.
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ];
  return steps.every((args) => spawnSync('promtool', args, { cwd: folder, stdio: 'inherit' }).status === 0);
}

process.exitCode = testRules() ? 0 : 1;
// The channel to the bootstrap would keep this process for ever.
if (process.connected) process.disconnect();
