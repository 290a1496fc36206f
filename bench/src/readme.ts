import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf, type Figure, type Results } from './figures.ts';

const begin = '<!-- figures: written by npm run bench -- record -->';
const end = '<!-- end of figures -->';

/** Puts the results of a directory into a Markdown file, between the marks. */
export function writeFigures(directory: string, file: string): void {
  const text = readFileSync(file, 'utf8');
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${file} has no place for the figures: ${begin} … ${end}`);
  const before = text.slice(0, start + begin.length);
  const sections = readResults(directory).map(sectionOf);
  writeFileSync(file, `${before}\n\n${sections.join('\n\n')}\n\n${text.slice(stop)}`);
}

function readResults(directory: string): Results[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Results);
}

/** What one bench came to, under the conditions that it ran in. */
function sectionOf({ bench, date, commit, processor, node, load, figures }: Results): string {
  const conditions = `${date}, commit ${commit}, ${processor}, Node ${node}, load ${load}:`;
  return [`### ${bench}`, '', conditions, '', ...figures.map(lineOf)].join('\n');
}

function lineOf({ what, value, goal, reached }: Figure): string {
  const verdict = goal === undefined ? '' : ` Goal ${goal}: **${verdictOf(reached)}**.`;
  return `- ${what}: ${value}.${verdict}`;
}
