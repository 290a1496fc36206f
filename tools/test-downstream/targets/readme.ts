import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../libs/jwt-verify/README.md');

/** A sample of the library's README: its files by name, and how many lines they have that are not blank. */
export interface Sample {
  readonly files: Readonly<Record<string, string>>;
  readonly lines: number;
}

/** The code below a heading of the README. A first line such as `// access.ts` names the file; otherwise it is service.ts. */
export function sampleUnder(heading: string): Sample {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(`\n### ${heading}\n`);
  if (start === -1) throw new Error(`The README of jwt-verify has no heading ${heading}`);
  const end = text.slice(start + 1).search(/\n##/);
  const section = text.slice(start, start + 1 + end);
  const blocks = [...section.matchAll(/^```ts\n(?:\/\/ (\S+)\n)?([^]+?)^```$/gm)];
  const files = Object.fromEntries(blocks.map(([, name = 'service.ts', code = '']) => [name, code]));
  const lines = Object.values(files)
    .flatMap((code) => code.split('\n'))
    .filter((line) => line.trim() !== '');
  return { files, lines: lines.length };
}

/** The code of a block of the README that is not TypeScript, by what its first line says. */
export function blockNamed(name: string): string {
  const block = new RegExp(`^\`\`\`js\\n// ${name}\\n([^]+?)^\`\`\`$`, 'm').exec(readFileSync(file, 'utf8'));
  if (block?.[1] === undefined) throw new Error(`The README of jwt-verify has no ${name}`);
  return block[1];
}

const tableHeading = '## Where it is tried\n';

/** The table of targets, as the README has it. */
export function tableOfTargets(): string {
  const text = readFileSync(file, 'utf8');
  return /^\|[^]+?\n(?!\|)/m.exec(text.slice(text.indexOf(tableHeading)))?.[0].trim() ?? '';
}

/** Writes the table of targets into the README. */
export function writeTableOfTargets(table: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(tableOfTargets(), table));
}
