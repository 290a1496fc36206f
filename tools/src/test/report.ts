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

/** Reads what a run of Vitest has left; without files if it left nothing. */
export function readReport({
  workspaceRoot,
  results,
}: Pick<CheckContext, 'workspaceRoot' | 'results'>): Report {
  const path = join(results, 'report.json');
  if (!existsSync(path)) return { files: [] };
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  return {
    files: testResults.map(({ name, status, assertionResults }) => ({
      path: relative(workspaceRoot, name),
      failed: status === 'failed',
      tests: assertionResults.map((test) => ({
        title: test.fullName,
        status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
        seconds: (test.duration ?? 0) / 1_000,
      })),
    })),
  };
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
