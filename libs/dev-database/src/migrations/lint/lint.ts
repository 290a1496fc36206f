import type { DatabaseService } from '../../services.ts';
import { readMigrations, scriptOf } from '../files.ts';
import { judgeStatement, type Tables } from './judge.ts';
import { olderMigrations } from './older-migrations.ts';
import { readScript } from './script.ts';

/**
 * Lists the statements of a service's migrations that block others on a large table, or break the version that is still
 * running, unless a comment `-- safe: …` on a line of its own before the statement gives the reason. Tables created by the same
 * migration are not in use yet, and exempt.
 *
 * @returns a line for each, with the migration, its line and what to do instead
 */
export async function lintMigrations({ name: service, projectRoot }: DatabaseService): Promise<string[]> {
  const migrations = await readMigrations(projectRoot);
  const required: Tables['required'] = new Map();
  const found: string[] = [];
  for (const { path } of migrations.migrationDirectories) {
    const tables = { made: new Set<string>(), added: new Set<string>(), required };
    for (const { tree, line, isExplained } of await readScript(scriptOf(migrations, path))) {
      const problems = judgeStatement(tree, tables);
      if (isExplained || olderMigrations.has(`${service}/${path}`)) continue;
      found.push(...problems.map((problem) => `${path}, line ${line}: ${problem}`));
    }
  }
  return found;
}
