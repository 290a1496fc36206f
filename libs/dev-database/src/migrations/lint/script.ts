import { loadModule, parseSync, type Node } from 'libpg-query';

/** A statement of a migration. */
export interface ScriptStatement {
  readonly tree: Node;
  /** Where it begins, from 1. */
  readonly line: number;
  /** Whether a comment before it says why it is safe. */
  readonly isExplained: boolean;
}

/** Splits a script into statements with PostgreSQL's own parser. */
export async function readScript(script: string): Promise<ScriptStatement[]> {
  await loadModule();
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

/** On a line of its own: at the end of a line it would belong to the statement before. */
const explanation = /\n[ \t]*-- safe: \S/;
