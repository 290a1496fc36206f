import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@tenantry/test-kit';
import { expect, it } from 'vitest';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

it('the standard tests fail for a service that breaks a rule, and name the rule', async () => {
  const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
  const about = 'healthy|OpenAPI|catalog|scope|change no table';
  const config = '--config=test/fixture/careless.config.mjs';
  const args = [vitest, 'run', config, '--reporter=json', `--testNamePattern=${about}`];
  const running = promisify(execFile)(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    maxBuffer: 16 * 1024 * 1024,
    timeout: patience(120_000),
  });
  const { stdout } = (await running.catch((error: unknown) => error)) as { stdout: string };
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    // Without the guarantees that they prove.
    .map(({ ancestorTitles: [variant = ''], title }) => `${variant}: ${title.replace(/ \[S-.*\]$/, '')}`);
  expect(failed.sort()).toEqual([
    'never ready: is healthy, ready and alive on its own database',
    'with a path of another service: describes itself in an OpenAPI 3.1 document under its prefix',
    'with a right too many: has nothing in its catalog by which a row could leave its organization',
    'with a right too many: lets the service change no table, policy or role',
    'without a policy: has nothing in its catalog by which a row could leave its organization',
    'without a policy: shows no row of an organization to a query outside of every scope',
  ]);
});
