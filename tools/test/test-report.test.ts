import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  countTests,
  failedFiles,
  readReport,
  reportNames,
  slowestTests,
  summaryLine,
  unsteadyTests,
} from '../src/test/report.ts';

describe('the summary of npm test', () => {
  let results: string;

  beforeEach(async () => {
    results = await mkdtemp(join(tmpdir(), 'tenantry-report-'));
  });
  afterEach(() => rm(results, { recursive: true }));

  type Test = [title: string, status: string, duration?: number];
  type Files = Record<string, { status: string; tests: Test[] }>;
  const reportOf = async (files: Files, run: keyof typeof reportNames = 'first') => {
    const testResults = Object.entries(files).map(([path, { status, tests }]) => ({
      name: `/checkout/${path}`,
      status,
      assertionResults: tests.map(([fullName, status, duration]) => ({ fullName, status, duration })),
    }));
    await writeFile(join(results, reportNames[run]), JSON.stringify({ testResults }));
    return readReport({ workspaceRoot: '/checkout', results });
  };

  it('adds up the tests of all files, and names the files that failed', async () => {
    const report = await reportOf({
      'libs/envelope/test/a.test.ts': { status: 'passed', tests: [['one', 'passed']] },
      'tools/test/b.test.ts': {
        status: 'failed',
        tests: [
          ['two', 'passed'],
          ['three', 'failed'],
          ['four', 'pending'],
          ['five', 'todo'],
        ],
      },
    });
    expect(summaryLine(countTests(report))).toBe('2 passed, 1 failed, 2 skipped');
    expect(failedFiles(report)).toEqual(['tools/test/b.test.ts']);
  });

  it('counts a file that failed before its first test', async () => {
    const report = await reportOf({ 'tools/test/broken.test.ts': { status: 'failed', tests: [] } });
    expect(summaryLine(countTests(report))).toBe('0 passed, 1 failed');
  });

  it('shows the slowest tests first', async () => {
    const report = await reportOf({
      'tools/test/a.test.ts': {
        status: 'passed',
        tests: [
          ['is quick', 'passed', 20],
          ['is slow', 'passed', 12_340],
          ['is skipped', 'pending'],
        ],
      },
    });
    expect(slowestTests(report, 2)).toEqual([
      '  12.3 s  tools/test/a.test.ts: is slow',
      '   0.0 s  tools/test/a.test.ts: is quick',
    ]);
  });

  it('counts a file that was run once more as it ended, and names what failed at first', async () => {
    const files = (status: string): Files => ({
      'libs/envelope/test/a.test.ts': {
        status,
        tests: [
          ['one', 'passed'],
          ['two', status],
        ],
      },
      'tools/test/broken.test.ts': { status, tests: status === 'failed' ? [] : [['three', 'passed']] },
    });
    await reportOf({
      ...files('failed'),
      'tools/test/b.test.ts': { status: 'passed', tests: [['four', 'passed']] },
    });
    const again = await reportOf(files('passed'), 'second');
    expect(summaryLine(countTests(again))).toBe('4 passed, 0 failed');
    expect(unsteadyTests({ workspaceRoot: '/checkout', results })).toEqual([
      'libs/envelope/test/a.test.ts: two',
      'tools/test/broken.test.ts: before its first test',
    ]);

    const failedAgain = await reportOf(files('failed'), 'second');
    expect(summaryLine(countTests(failedAgain))).toBe('2 passed, 2 failed');
    expect(unsteadyTests({ workspaceRoot: '/checkout', results })).toEqual([]);
  });

  it('says so when there is nothing to count', () => {
    const report = readReport({ workspaceRoot: '/checkout', results });
    expect(summaryLine(countTests(report))).toBe('0 passed, 0 failed');
  });
});
