import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many tests ended how. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The parts of Vitest's JSON report that count. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Adds up the reports in a folder, or reads one project's; Nx puts those of cached runs there too. */
export function readCounts(folder: string, projectName = '**/*'): Counts {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const path of globSync(`${projectName}.json`, { cwd: folder })) {
    const report = JSON.parse(readFileSync(join(folder, path), 'utf8')) as VitestReport;
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests + brokenFiles(report);
    total.skipped += report.numPendingTests + report.numTodoTests;
  }
  return total;
}

/** A file that fails before its first test (an import, a beforeAll) has no failed test to count. */
function brokenFiles({ testResults }: VitestReport): number {
  return testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
}

/** `12 passed, 0 failed`, and what was skipped if anything was. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
