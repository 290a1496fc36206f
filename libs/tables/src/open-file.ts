import { invalidField } from '@tenantry/envelope';
import { columnsMax, type TableRow } from './delimited.ts';
import type { Fields } from './fields.ts';
import type { FileBytes } from './file-bytes.ts';
import {
  propose,
  readAlternatives,
  writeAlternatives,
  type Alternatives,
  type Mapping,
  type WrittenMapping,
} from './mapping.ts';
import { programOf, type Program } from './programs.ts';
import { rowReader, type CheckTexts, type FieldRow } from './row-reader.ts';
import { openTable, type Table, type TableChoices, type TableDoubt } from './table.ts';

/** What a request decides of a file in place of what is found out. */
type FileChoices<Field extends string> = TableChoices &
  WrittenMapping<Field> & {
    /** What becomes of columns of no field. */
    readonly rest?: 'notes' | 'out' | undefined;
  };

/** What the rows of files become in a service. */
export interface FileNoun<Field extends string> {
  readonly fields: Fields<Field>;
  readonly check: CheckTexts;
  /** The columns of the service's own export. */
  readonly exported: readonly string[];
}

/** A file whose rows can be read. */
interface OpenFile<Field extends string, Item> {
  readonly table: Table;
  readonly mapping: Mapping<Field>;
  readonly program: Program | undefined;
  readonly doubts: readonly (TableDoubt | Field)[];
  /** The rows as what they become. @throws VALIDATION_ERROR */
  readonly rows: () => AsyncGenerator<FieldRow<Field, Item>>;
  /** One of the first rows. */
  readonly read: (row: TableRow) => FieldRow<Field, Item>;
}

/**
 * Reads files for a service: what each is found to be, as far as the choices leave it open, and its rows as what they become.
 * Both throw VALIDATION_ERROR for what is no table, or where the choices do not fit.
 */
export const readerOf = <Field extends string, Item>(noun: FileNoun<Field>, describing: Describing) => ({
  describe: async ({ bytes }: GivenFile, choices: FileChoices<Field>) =>
    describeFile(noun, await openFile<Field, Item>(noun, bytes, choices), describing),
  async rowsOf({ bytes }: GivenFile, choices: FileChoices<Field>) {
    const { table, rows } = await openFile<Field, Item>(noun, bytes, choices);
    return { names: table.names, rows: rows() };
  },
});

/** A file that was received. */
interface GivenFile {
  readonly bytes: FileBytes;
}

/** Finds out how the rows of a file are read. */
async function openFile<Field extends string, Item>(
  { fields, check, exported }: FileNoun<Field>,
  bytes: FileBytes,
  choices: FileChoices<Field>,
): Promise<OpenFile<Field, Item>> {
  const table = await openTable(bytes, choices, fields.kindOf);
  const below = table.first.filter(({ line }) => line > table.header);
  const proposal = propose(fields, table.names, below);
  const written: WrittenMapping<Field> = choices;
  const chosen = fields.names.flatMap((field) => {
    const text = written[field];
    return text === undefined ? [] : [[field, alternativesOf(field, text)] as const];
  });
  // A column that was chosen for one field is no proposal for another.
  const taken = new Set(chosen.flatMap(([, alternatives]) => alternatives.flat()));
  const proposed = fields.names.map((field) => {
    const left = proposal.mapping[field].filter((together) => !together.some((column) => taken.has(column)));
    return [field, left] as const;
  });
  const mapping = Object.fromEntries([...proposed, ...chosen]) as unknown as Mapping<Field>;
  const { labels } = proposal;
  const keepsRest = choices.rest === 'notes';
  const read = rowReader<Field, Item>(fields, { names: table.names, mapping, labels, keepsRest }, check);
  return {
    ...{ table, mapping },
    program: table.kind === 'cards' ? 'contactCards' : programOf(table.names, exported),
    doubts: [...table.doubts, ...proposal.unsure.filter((field) => written[field] === undefined)],
    read,
    async *rows() {
      for await (const row of table.rows()) yield read(row);
    },
  };
}

function alternativesOf(field: string, text: string) {
  const alternatives = readAlternatives(text);
  if (alternatives.flat().every((column) => column >= 1 && column <= columnsMax)) return alternatives;
  throw invalidField({ field, rule: 'columns', message: 'names a column that no file has' });
}

/** How a file is described. */
export interface Describing {
  /** What a row becomes, in one word. */
  readonly one: string;
  readonly rowsMax: number;
  /** The error about a file of more rows. */
  readonly tooManyRows: (rowsMax: number) => Error;
}

/** What a file is found to be, for a person who decides about it. */
async function describeFile<Field extends string, Item>(
  { fields }: FileNoun<Field>,
  { table, mapping, program, doubts, read }: OpenFile<Field, Item>,
  { one, rowsMax, tooManyRows }: Describing,
) {
  let rows = 0;
  const below: TableRow[] = [];
  for await (const row of table.rows()) {
    rows += 1;
    if (rows > rowsMax) throw tooManyRows(rowsMax);
    if (below.length < sampleRows) below.push(row);
  }
  const width = Math.max(...table.first.map(({ cells }) => cells.length), table.names.length);
  const fieldOf = new Map(
    fields.names.flatMap((field) => {
      const alternatives: Alternatives = mapping[field];
      return alternatives.flat().map((column) => [column, field] as const);
    }),
  );
  const short = (text: string): string => text.slice(0, shownCharacters);
  return {
    ...{ kind: table.kind, program: program ?? null },
    ...{ encoding: table.encoding, mixedFrom: table.mixedFrom, separator: table.separator },
    ...{ sheet: table.sheet, sheets: [...table.sheets], header: table.header, rows },
    columns: Array.from({ length: width }, (_, n) => ({
      column: n + 1,
      name: short(table.names[n] ?? ''),
      field: fieldOf.get(n + 1) ?? null,
      isLabel: fields.kindOf(table.names[n] ?? '')?.isLabel === true,
    })),
    mapping: Object.fromEntries(fields.names.map((field) => [field, writeAlternatives(mapping[field])])),
    first: table.first.slice(0, firstRows).map(({ line, cells }) => ({ line, cells: cells.map(short) })),
    sample: below.map((row) => {
      const { line, texts, warnings, problems } = read(row);
      return {
        line,
        cells: row.cells.map(short),
        [one]: Object.fromEntries(fields.names.map((field) => [field, texts[field] ?? null])),
        warnings: [...warnings],
        problems: problems.map(({ field, rule, message }) => ({ field, rule, message })),
      };
    }),
    unsure: [...doubts],
  };
}

const sampleRows = 5;
const firstRows = 10;
const shownCharacters = 100;
