import { invalidField } from '@tenantry/envelope';
import { problemsOf, tooManyRows, type RowsToImport } from '@tenantry/service/files';
import type { Check } from '@tenantry/service/validation';
import {
  columnsMax,
  openTable,
  programOf,
  propose,
  readAlternatives,
  writeAlternatives,
  type FileBytes,
  type Mapping,
  type Program,
  type Table,
  type TableChoices,
  type TableDoubt,
  type TableRow,
  type WrittenMapping,
} from '@tenantry/tables';
import type { NewLead } from '../leads/lead.ts';
import { leadTexts, type LeadText } from '../leads/lead-texts.ts';
import { exportedColumns } from './lead-export.ts';
import { leadFields } from './lead-fields.ts';
import { rowReader, type LeadRow } from './mapped-rows.ts';

/** What a request decides of a file in place of what is found out. */
export interface FileChoices extends TableChoices, WrittenMapping<LeadText> {
  /** What becomes of columns of no field. */
  readonly rest?: 'notes' | 'out' | undefined;
}

/** A file whose rows can be read as leads. */
export interface LeadFile {
  readonly table: Table;
  readonly mapping: Mapping<LeadText>;
  readonly program: Program | undefined;
  readonly doubts: readonly (TableDoubt | LeadText)[];
  /** The rows as leads. @throws VALIDATION_ERROR */
  readonly rows: () => AsyncGenerator<LeadRow>;
  /** One of the first rows as a lead. */
  read: ReturnType<typeof rowReader>;
}

/**
 * Finds out how the rows of a file are leads, as far as the choices leave it open.
 *
 * @throws VALIDATION_ERROR for what is no table, or where the choices do not fit
 */
export async function openLeadFile(bytes: FileBytes, choices: FileChoices, check: Check): Promise<LeadFile> {
  const table = await openTable(bytes, choices, leadFields.kindOf);
  const below = table.first.filter(({ line }) => line > table.header);
  const proposal = propose(leadFields, table.names, below);
  const chosen = leadTexts.flatMap((field) => {
    const text = choices[field];
    return text === undefined ? [] : [[field, alternativesOf(field, text)] as const];
  });
  // A column that was chosen for one field is no proposal for another.
  const taken = new Set(chosen.flatMap(([, alternatives]) => alternatives.flat()));
  const proposed = leadTexts.map((field) => {
    const left = proposal.mapping[field].filter((together) => !together.some((column) => taken.has(column)));
    return [field, left] as const;
  });
  const mapping = Object.fromEntries([...proposed, ...chosen]) as unknown as Mapping<LeadText>;
  const { labels } = proposal;
  const read = rowReader({ names: table.names, mapping, labels, keepsRest: choices.rest === 'notes' }, check);
  return {
    table,
    mapping,
    program: table.kind === 'cards' ? 'contactCards' : programOf(table.names, exportedColumns),
    doubts: [...table.doubts, ...proposal.unsure.filter((field) => choices[field] === undefined)],
    read,
    async *rows() {
      for await (const row of table.rows()) yield read(row);
    },
  };
}

/** The rows of a file as leads, for an import. */
export async function mappedRows(
  bytes: FileBytes,
  choices: FileChoices,
  check: Check,
): Promise<RowsToImport<NewLead>> {
  const { table, rows } = await openLeadFile(bytes, choices, check);
  return { names: table.names, rows: rows() };
}

function alternativesOf(field: LeadText, text: string) {
  const alternatives = readAlternatives(text);
  if (alternatives.flat().every((column) => column >= 1 && column <= columnsMax)) return alternatives;
  throw invalidField({ field, rule: 'columns', message: 'names a column that no file has' });
}

/** What a file is found to be, for a person who decides about it. */
export async function describeLeadFile({ table, mapping, program, doubts, read }: LeadFile, rowsMax: number) {
  let rows = 0;
  const below: TableRow[] = [];
  for await (const row of table.rows()) {
    rows += 1;
    if (rows > rowsMax) throw tooManyRows(rowsMax);
    if (below.length < sampleRows) below.push(row);
  }
  const width = Math.max(...table.first.map(({ cells }) => cells.length), table.names.length);
  const fieldOf = new Map(
    leadTexts.flatMap((field) => mapping[field].flat().map((column) => [column, field] as const)),
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
      isLabel: leadFields.kindOf(table.names[n] ?? '')?.isLabel === true,
    })),
    mapping: Object.fromEntries(
      leadTexts.map((field) => [field, writeAlternatives(mapping[field])]),
    ) as Record<LeadText, string>,
    first: table.first.slice(0, firstRows).map(({ line, cells }) => ({ line, cells: cells.map(short) })),
    sample: below.map((row) => {
      const { line, texts, warnings, problems } = read(row);
      const lead = Object.fromEntries(leadTexts.map((field) => [field, texts[field] ?? null]));
      return {
        line,
        cells: row.cells.map(short),
        lead: lead as Record<LeadText, string | null>,
        warnings: [...warnings],
        problems: problemsOf(problems),
      };
    }),
    unsure: [...doubts],
  };
}

const sampleRows = 5;
const firstRows = 10;
const shownCharacters = 100;
