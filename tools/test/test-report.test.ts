import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failedTasks } from '../src/test/checks.ts';
import { readCounts, summaryLine } from '../src/test/reports.ts';

describe('the summary of npm test', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenantry-reports-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const writeReport = async (project: string, [passed, failed, skipped]: number[], files: object[] = []) => {
    const path = join(folder, `${project}.json`);
    await mkdir(dirname(path), { recursive: true });
    const report = {
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: skipped,
      numTodoTests: 0,
      testResults: files,
    };
    await writeFile(path, JSON.stringify(report));
  };

  it('adds up the reports of all projects', async () => {
    await writeReport('@tenantry/envelope', [4, 0, 0]);
    await writeReport('@tenantry/tools', [10, 2, 1]);
    expect(summaryLine(readCounts(folder))).toBe('14 passed, 2 failed, 1 skipped');
    expect(summaryLine(readCounts(folder, '@tenantry/envelope'))).toBe('4 passed, 0 failed');
  });

  it('counts a file that failed before its first test', async () => {
    const broken = { status: 'failed', assertionResults: [] };
    const failing = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    await writeReport('@tenantry/tools', [10, 1, 0], [broken, failing]);
    expect(summaryLine(readCounts(folder))).toBe('10 passed, 2 failed');
  });

  it('says so when there is nothing to count', () => {
    expect(summaryLine(readCounts(folder))).toBe('0 passed, 0 failed');
  });
});

describe('the tasks that failed', () => {
  const output = [
    '- not:this',
    '\u001b[31mFailed tasks:\u001b[39m',
    '',
    '- @tenantry/tools:lint',
    '- @tenantry/tenancy:test',
    '',
  ];

  it('are read from what Nx prints at its end', () => {
    expect(failedTasks({ ok: false, lines: output }, 'lint,test')).toEqual([
      '@tenantry/tools:lint',
      '@tenantry/tenancy:test',
    ]);
    expect(failedTasks({ ok: true, lines: output }, 'lint,test')).toEqual([]);
  });

  it('are never empty for a run that failed', () => {
    expect(failedTasks({ ok: false, lines: ['out of memory'] }, 'test')).toEqual([
      'nx run-many --targets test: see above',
    ]);
  });
});
