import type { api } from '@tenantry/client';

type Found = api.LeadFileFindings | api.CustomerFileFindings;
type Row = Found['sample'][number];

/** What columns may become. */
export type ImportField = keyof api.LeadFileFindings['mapping'] | keyof api.CustomerFileFindings['mapping'];
/** The columns of each field, in their order. */
export type Mapping = Readonly<Partial<Record<ImportField, string>>>;

/** What is found out about a file. */
export interface Findings extends Omit<Found, 'mapping' | 'sample'> {
  readonly mapping: Mapping;
  /** The first rows, as what they would become. */
  readonly sample: readonly (Pick<Row, 'line' | 'cells' | 'warnings'> & {
    readonly item: Readonly<Partial<Record<ImportField, string | null>>>;
  })[];
}
type Query = NonNullable<api.ImportLeadsData['query']>;

/** How a file is read, where a person has decided it. */
export type Reading = Pick<Query, 'encoding' | 'separator' | 'sheet' | 'header'>;
/** What a person has decided about a file in place of what was found out. */
export type Choices = Reading & Mapping & Pick<Query, 'rest'>;
/** And about all duplicates. */
export type ImportChoices = Choices & Pick<Query, 'duplicates'>;

/** What a column is: a field, or the name where the columns before have none. */
export type ColumnUse = ImportField | 'otherName' | '';
export const columnUses = (fields: readonly ImportField[]): readonly ColumnUse[] =>
  fields.flatMap((field): readonly ColumnUse[] => (field === 'name' ? ['name', 'otherName'] : [field]));

const columnsOf = (text = ''): number[][] =>
  text === '' ? [] : text.split(',').map((together) => together.split('+').map(Number));
const textOf = (alternatives: readonly (readonly number[])[]): string =>
  alternatives.map((together) => together.join('+')).join(',');
const fieldsOf = (mapping: Mapping) => Object.keys(mapping) as ImportField[];

/** What a column is by a mapping. */
export function columnUse(mapping: Mapping, column: number): ColumnUse {
  const [whole = []] = columnsOf(mapping.name);
  const field = fieldsOf(mapping).find((each) => columnsOf(mapping[each]).flat().includes(column));
  return field === 'name' && !whole.includes(column) ? 'otherName' : (field ?? '');
}

/** A mapping in which a column is something else: behind those that were it before. */
export function withUse(mapping: Mapping, column: number, use: ColumnUse): Mapping {
  const without = (text?: string) =>
    columnsOf(text)
      .map((together) => together.filter((each) => each !== column))
      .filter((together) => together.length > 0);
  const changed: Partial<Record<ImportField, string>> = { ...mapping };
  for (const field of fieldsOf(mapping)) changed[field] = textOf(without(mapping[field]));
  if (use === '') return changed;
  const field = use === 'otherName' ? 'name' : use;
  const [first, ...others] = columnsOf(changed[field]);
  // Of these several columns are one text.
  const isPart = (use === 'name' || use === 'address') && first !== undefined;
  changed[field] = textOf(
    isPart ? [[...first, column], ...others] : [...(first ? [first] : []), ...others, [column]],
  );
  return changed;
}
