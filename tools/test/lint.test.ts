import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import tseslint from 'typescript-eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Finding {
  filename: string;
  /** As `typescript(no-floating-promises)`; a comment that disables nothing has none. */
  code?: string;
  message: string;
}

const refused = [
  [
    'a promise that is not awaited',
    'const work = () => Promise.resolve(1);\nexport const run = () => {\n  work();\n};\n',
    'typescript(no-floating-promises)',
  ],
  [
    'a promise where its value is meant',
    'export const of = (isOld: () => Promise<boolean>) => (isOld() ? 1 : 2);\n',
    'typescript(no-misused-promises)',
  ],
  [
    'an assignment of any',
    "export const parsed: { id: string } = JSON.parse('{}');\n",
    'typescript(no-unsafe-assignment)',
  ],
  [
    'a question that has one answer',
    "export const nameOf = (name: string) => name ?? 'nobody';\n",
    'typescript(no-unnecessary-condition)',
  ],
  ['a line on the console', "console.log('here');\n", 'eslint(no-console)'],
  ['a default export', 'export default 1;\n', 'eslint(no-restricted-exports)'],
  [
    'a comment that disables nothing',
    '// oxlint-disable-next-line typescript/no-explicit-any -- it was needed once\nexport const one = 1;\n',
    'Unused oxlint-disable directive',
  ],
] as const;

const clean = `
export async function firstOf(urls: readonly string[], load: (url: string) => Promise<string>) {
  const [url] = urls;
  return url === undefined ? 'nothing' : await load(url);
}
`;

let folder: string;
let findings: readonly Finding[];

/** What the lint says of a file. */
const complaintsAbout = (name: string) =>
  findings
    .filter(({ filename }) => basename(filename, '.ts') === name)
    .map(({ code, message }) => `${code ?? ''}: ${message}`)
    .join('\n');

function oxlint(...args: readonly string[]): string {
  const script = join(workspaceRoot, 'node_modules/oxlint/bin/oxlint');
  return spawnSync(process.execPath, [script, ...args], { cwd: workspaceRoot, encoding: 'utf8' }).stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-lint-'));
  const extended = join(workspaceRoot, 'tsconfig.base.json');
  const tsconfig = { extends: extended, compilerOptions: { types: [] }, include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const files = [['clean', clean], ...refused];
  await Promise.all(files.map(([name, code]) => writeFile(join(folder, `${name}.ts`), code)));
  findings = (JSON.parse(oxlint('--format=json', folder)) as { diagnostics: Finding[] }).diagnostics;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the lint refuses', () => {
  it.each(refused)('%s', (what, _code, complaint) => {
    expect(complaintsAbout(what)).toContain(complaint);
  });
});

it('what has no fault passes the lint', () => {
  expect(complaintsAbout('clean')).toBe('');
});

it('every strict rule of typescript-eslint is on', () => {
  const { rules } = JSON.parse(oxlint('--print-config')) as { rules: Record<string, unknown> };
  const on = new Set(Object.keys(rules).map((rule) => rule.replace('typescript/', '')));
  const strict = tseslint.configs.strictTypeChecked.flatMap(({ rules: those = {} }) => Object.entries(those));
  const missing = strict
    .filter(([, setting]) => setting !== 'off')
    .map(([rule]) => rule.replace('@typescript-eslint/', ''))
    .filter((rule) => !on.has(rule));
  expect(missing).toEqual([
    // Not among the rules of oxlint.
    'no-unsafe-class-instance-assignment',
    // An asynchronous interface may be kept without waiting.
    'require-await',
  ]);
});
