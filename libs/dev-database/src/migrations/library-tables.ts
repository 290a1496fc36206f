import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { workspaceRoot } from '../services.ts';

/** A Prisma script without the tables that libraries define, and the SQL that defines those. */
export interface Divided {
  readonly script: string;
  readonly sections: readonly string[];
}

/**
 * Removes the tables of libraries, such as `due_work`, from a script: `libs/…/sql` defines them with their triggers, policies
 * and grants.
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

/** The text of each file, after the files that it requires. */
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

/** Prisma's SQL for a table: the table itself, and its indexes. */
function without(script: string, table: string): string {
  return script
    .replace(new RegExp(`-- CreateTable\\nCREATE TABLE "${table}" \\([^]*?\\n\\);\\n\\n?`), '')
    .replaceAll(
      new RegExp(`-- CreateIndex\\nCREATE (?:UNIQUE )?INDEX "\\w+" ON "${table}"\\(.*\\);\\n\\n?`, 'g'),
      '',
    );
}
