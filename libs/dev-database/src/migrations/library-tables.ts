import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { workspaceRoot } from '../services.ts';

/** A script of Prisma without the tables that libraries define, and the SQL that defines them. */
export interface Divided {
  readonly script: string;
  readonly sections: readonly string[];
}

/**
 * Takes the tables of libraries, such as `due_work`, out of a script: with triggers and policies of their own they are
 * defined in `libs/…/sql`, grants included.
 */
export async function divideLibraryTables(script: string, runtime: string): Promise<Divided> {
  const sections: string[] = [];
  let rest = script;
  for (const sql of await libraryFiles()) {
    const tables = [...sql.matchAll(/^CREATE TABLE (\w+) \(/gm)].map(([, table = '']) => table);
    if (!tables.some((table) => script.includes(`CREATE TABLE "${table}" (`))) continue;
    sections.push(sql.replaceAll(/^-- (GRANT .*) TO runtime;$/gm, `$1 TO ${runtime};`));
    for (const table of tables) rest = without(rest, table);
  }
  return { script: rest, sections };
}

/** The text of each file, after those that it says it needs. */
async function libraryFiles(): Promise<readonly string[]> {
  const paths = globSync('libs/*/sql/*.sql', { cwd: workspaceRoot }).sort();
  const texts = new Map(
    await Promise.all(
      paths.map(async (path) => [basename(path), await readFile(join(workspaceRoot, path), 'utf8')] as const),
    ),
  );
  const ordered = new Set<string>();
  const add = (text: string): void => {
    const [, needs = ''] = /^-- .*\bNeeds (.*)$/m.exec(text) ?? [];
    for (const [name] of needs.matchAll(/[\w-]+\.sql/g)) add(texts.get(name) ?? '');
    ordered.add(text);
  };
  texts.forEach(add);
  return [...ordered];
}

/** What Prisma writes for a table: the table itself, and its indexes. */
function without(script: string, table: string): string {
  return script
    .replace(new RegExp(`-- CreateTable\\nCREATE TABLE "${table}" \\([^]*?\\n\\);\\n\\n?`), '')
    .replaceAll(
      new RegExp(`-- CreateIndex\\nCREATE (?:UNIQUE )?INDEX "\\w+" ON "${table}"\\(.*\\);\\n\\n?`, 'g'),
      '',
    );
}
