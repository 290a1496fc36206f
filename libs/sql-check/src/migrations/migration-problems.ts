import { loadModule, parseSync } from 'libpg-query';
import { judgeStatement, type Tables } from './judge.ts';

/** A migration by the name of its folder, and its SQL. */
export interface Migration {
  readonly name: string;
  readonly script: string;
}

/**
 * Lists the statements of a service's migrations that block others on a large table, or break the version that is still
 * running, unless a comment `-- safe: …` on a line of its own before the statement gives the reason. Tables created by the same
 * migration are not in use yet, and exempt.
 *
 * @param migrations all of them, in the order in which they are applied
 * @returns a line for each, with the migration, its line and what to do instead
 */
export async function migrationProblems(migrations: readonly Migration[]): Promise<string[]> {
  await loadModule();
  const required: Tables['required'] = new Map();
  const found: string[] = [];
  for (const { name, script } of migrations) {
    const tables = { made: new Set<string>(), added: new Set<string>(), required };
    for (const { tree, line, isExplained } of statementsOf(script)) {
      const problems = judgeStatement(tree, tables);
      if (isExplained || name < firstJudged) continue;
      found.push(...problems.map((problem) => `${name}, line ${line}: ${problem}`));
    }
  }
  return found;
}

/**
 * The statements of a script by PostgreSQL's own parser, each with the line where it begins, and whether a comment before it
 * gives the reason why it is safe.
 */
function statementsOf(script: string) {
  // The parser counts bytes.
  const bytes = Buffer.from(script);
  const textOf = (from: number, to: number) => bytes.subarray(from, to).toString();
  let end = 0;
  return (parseSync(script).stmts ?? []).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    const between = textOf(end, start);
    const isExplained = explanation.test(end === 0 ? `\n${between}` : between);
    end = length === undefined ? bytes.length : start + length;
    const line = textOf(0, start).split('\n').length;
    return stmt ? [{ tree: stmt, line, isExplained }] : [];
  });
}

/**
 * Older migrations were written before this check, and never change: some would have needed a reason. Do not move it.
 */
const firstJudged = '20261122021001';

/** On a line of its own: at the end of a line it would belong to the statement before. */
const explanation = /\n[ \t]*-- safe: \S/;
