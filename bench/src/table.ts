import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf, type Results } from './figures.ts';

const begin = '<!-- figures: written by npm run bench -- table -->';
const end = '<!-- end of figures -->';

/** Puts the results of a directory into a Markdown file, between the marks. */
export function writeTable(directory: string, file: string): void {
  const text = readFileSync(file, 'utf8');
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${file} has no place for the table: ${begin} … ${end}`);
  const before = text.slice(0, start + begin.length);
  writeFileSync(file, `${before}\n\n${tableOf(readResults(directory))}\n\n${text.slice(stop)}`);
}

function readResults(directory: string): Results[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  if (files.length === 0) throw new Error(`There are no results in ${directory}: npm run bench -- all`);
  return files.sort().map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Results);
}

/** The figures of each bench, under the run that they are of. */
export function tableOf(all: readonly Results[]): string {
  const runs = new Map<string, Results[]>();
  for (const results of all) runs.set(runOf(results), [...(runs.get(runOf(results)) ?? []), results]);
  return [...runs].map(([run, results]) => [`${run}:`, '', ...rowsOf(results)].join('\n')).join('\n\n');
}

function runOf({ date, commit, processor, node, isQuick }: Results): string {
  const warning = isQuick ? ' **With few rounds and little data, to see that it works.**' : '';
  return `${date}, commit ${commit}, ${processor}, Node ${node}.${warning} Measured`;
}

function rowsOf(results: readonly Results[]): string[] {
  const head = ['| bench | what | figure | goal | verdict |', '| --- | --- | --- | --- | --- |'];
  const rows = results.flatMap(({ bench, load, figures }) =>
    figures.map(({ what, value, goal, reached }, index) => {
      const name = index === 0 ? `\`${bench}\` (load ${load})` : '';
      return `| ${name} | ${what} | ${value} | ${goal ?? ''} | ${goal === undefined ? '' : verdictOf(reached)} |`;
    }),
  );
  return [...head, ...rows];
}
