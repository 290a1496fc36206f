import { setImmediate } from 'node:timers/promises';
import type { WorkPackage } from './quote.ts';

// A quote of 50,000 lines has up to 16 MB of JSON: in one piece, each step would hold up all other requests.

/** The packages of rows that have one each, as JSON. The row of a quote without packages has none. */
export const packagesOf = (rows: readonly { readonly workPackage: string | null }[]): string[] =>
  rows.flatMap(({ workPackage }) => workPackage ?? []);

/** Packages parsed one by one: other requests run in between. */
export async function packagesInTurns(written: readonly string[]): Promise<WorkPackage[]> {
  const packages: WorkPackage[] = [];
  for (const workPackage of written) {
    packages.push(JSON.parse(workPackage) as WorkPackage);
    await setImmediate();
  }
  return packages;
}

/** The JSON of an answer, written package by package, given it without packages. */
export async function* answerInTurns(
  answer: string,
  workPackages: readonly WorkPackage[],
  write: (workPackage: WorkPackage) => string,
): AsyncGenerator<string, void> {
  // Quotation marks are escaped in texts, so it is there once.
  const [before = '', after = ''] = answer.split('"workPackages":[]');
  yield `${before}"workPackages":[`;
  for (const [index, workPackage] of workPackages.entries()) {
    yield `${index > 0 ? ',' : ''}${write(workPackage)}`;
    await setImmediate();
  }
  yield `]${after}`;
}
