import type { api } from '@tenantry/client';
import { leadTexts, type LeadText } from '../lead-texts.ts';

/** What is found out about a file. */
export type Findings = api.LeadFileFindings;
type Query = NonNullable<api.ImportLeadsData['query']>;

/** How a file is read, where a person has decided it. */
export type Reading = Pick<Query, 'encoding' | 'separator' | 'sheet' | 'header'>;
/** What the fields are made of, likewise. */
export type ChosenMapping = Pick<Query, LeadText>;
/** What a person has decided about a file in place of what was found out. */
export type Choices = Reading & ChosenMapping & Pick<Query, 'rest'>;
/** And about all duplicates. */
export type ImportChoices = Choices & Pick<Query, 'duplicates'>;

/** What a column is: a field, or the name where the columns before have none. */
export type ColumnUse = LeadText | 'otherName' | '';
export const columnUses: readonly ColumnUse[] = ['name', 'otherName', ...leadTexts.slice(1)];

const columnsOf = (text: string): number[][] =>
  text === '' ? [] : text.split(',').map((together) => together.split('+').map(Number));
const textOf = (alternatives: readonly (readonly number[])[]): string =>
  alternatives.map((together) => together.join('+')).join(',');

/** What a column is by a mapping. */
export function columnUse(mapping: Findings['mapping'], column: number): ColumnUse {
  const [whole = []] = columnsOf(mapping.name);
  const field = leadTexts.find((each) => columnsOf(mapping[each]).flat().includes(column));
  return field === 'name' && !whole.includes(column) ? 'otherName' : (field ?? '');
}

/** A mapping in which a column is something else: behind those that were it before. */
export function withUse(mapping: Findings['mapping'], column: number, use: ColumnUse): Findings['mapping'] {
  const without = (text: string) =>
    columnsOf(text)
      .map((together) => together.filter((each) => each !== column))
      .filter((together) => together.length > 0);
  const changed = { ...mapping };
  for (const field of leadTexts) changed[field] = textOf(without(mapping[field]));
  if (use === '') return changed;
  const field = use === 'otherName' ? 'name' : use;
  const [first, ...others] = columnsOf(changed[field]);
  const isPart = use === 'name' && first !== undefined;
  changed[field] = textOf(
    isPart ? [[...first, column], ...others] : [...(first ? [first] : []), ...others, [column]],
  );
  return changed;
}
