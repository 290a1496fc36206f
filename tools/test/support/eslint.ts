import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { ESLint } from 'eslint';

/** The lint of the workspace. */
export const eslint = new ESLint({ cwd: workspaceRoot });

/** What the lint says of a file of the workspace with one more line on top. */
export async function complaintsAbout(file: string, line: string): Promise<string> {
  const filePath = join(workspaceRoot, file);
  const [result] = await eslint.lintText(`${line}\n${await readFile(filePath, 'utf8')}`, { filePath });
  return result!.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`).join('\n');
}
