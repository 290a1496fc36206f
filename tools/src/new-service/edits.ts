import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';

/** A file of the workspace, by its path, and what becomes of it. */
export type Edit = readonly [path: string, change: (text: string) => string];

/**
 * Changes files of the workspace.
 *
 * @throws ExplainedError for a file that a change finds nothing in: it does not look as expected.
 */
export async function applyEdits(root: string, edits: readonly Edit[]): Promise<void> {
  for (const [path, change] of edits) {
    const file = join(root, path);
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    if (changed === text)
      throw new ExplainedError(`${path} does not look as expected: add the service there by hand.`);
    await writeFile(file, changed);
  }
}

/** Puts text after the last match. */
export function afterLast(pattern: RegExp, more: string): (text: string) => string {
  return (text) => {
    const last = [...text.matchAll(new RegExp(pattern, 'gm'))].at(-1);
    if (last === undefined) return text;
    const end = last.index + last[0].length;
    return text.slice(0, end) + more + text.slice(end);
  };
}

/** Puts text after every match. */
export const afterEach =
  (pattern: RegExp, more: string) =>
  (text: string): string =>
    text.replaceAll(new RegExp(pattern, 'gm'), (match) => match + more);
