import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CheckContext } from './check-context.ts';

/** How many tests ended how. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The parts of Vitest's JSON report that count. */
export interface Report {
  readonly files: readonly ReportedFile[];
}

/** One test file and its tests. */
export interface ReportedFile {
  /** Below the checkout. */
  readonly path: string;
  /** Also when the file failed before its first test (an import, a beforeAll). */
  readonly failed: boolean;
  readonly tests: readonly ReportedTest[];
}

/** One test. */
export interface ReportedTest {
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
    }[];
  }[];
}

type Results = Pick<CheckContext, 'workspaceRoot' | 'results'>;

/** What Vitest leaves of a run, and of the second run of files that failed. */
export const reportNames = { first: 'report.json', second: 'report-second.json' } as const;

/** Reads the results of all tests; without files if Vitest left no report. For a file that was run twice, the second run counts. */
export function readReport(results: Results): Report {
  const second = readRun(results, 'second');
  const isRepeated = pathsOf(second);
  return { files: [...readRun(results, 'first').filter(({ path }) => !isRepeated.has(path)), ...second] };
}

/** The tests that failed and then passed, as lines: either the test or the code has a defect that shows rarely. */
export function unsteadyTests(results: Results): string[] {
  const second = readRun(results, 'second');
  const [repeated, failedAgain] = [pathsOf(second), new Set(failedFiles({ files: second }))];
  return readRun(results, 'first')
    .filter(({ path, failed }) => failed && repeated.has(path) && !failedAgain.has(path))
    .flatMap(({ path, tests }) => {
      const titles = tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
      return (titles.length > 0 ? titles : ['before its first test']).map((title) => `${path}: ${title}`);
    });
}

const pathsOf = (files: readonly ReportedFile[]) => new Set(files.map(({ path }) => path));

function readRun({ workspaceRoot, results }: Results, run: keyof typeof reportNames): ReportedFile[] {
  const path = join(results, reportNames[run]);
  if (!existsSync(path)) return [];
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  return testResults.map(({ name, status, assertionResults }) => ({
    path: relative(workspaceRoot, name),
    failed: status === 'failed',
    tests: assertionResults.map((test) => ({
      title: test.fullName,
      status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      seconds: (test.duration ?? 0) / 1_000,
    })),
  }));
}

/** Adds up; a file that failed before its first test counts as one failed test. */
export function countTests({ files }: Report): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { failed, tests } of files) {
    for (const { status } of tests) counts[status] += 1;
    if (failed && !tests.some(({ status }) => status === 'failed')) counts.failed += 1;
  }
  return counts;
}

/** The files with a failed test, or that failed as a whole. */
export function failedFiles({ files }: Report): string[] {
  return [...new Set(files.filter(({ failed }) => failed).map(({ path }) => path))];
}

/** The tests that took longest, as lines. */
export function slowestTests({ files }: Report, count: number): string[] {
  return files
    .flatMap(({ path, tests }) => tests.map((test) => ({ path, ...test })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ path, title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}: ${title}`);
}

/** `12 passed, 0 failed`, and what was skipped if anything was. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
