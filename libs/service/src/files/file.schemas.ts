import { SuccessOf } from '@tenantry/envelope';
import { Type, type TSchema } from 'typebox';
import { ClosedObject, LineOf, Nullable, Text } from '../resources/fields.ts';
import { RowProblem, type ImportNoun } from './import.routes.ts';

/** What a reader of files knows, as `@tenantry/tables` exports it. */
export interface FileWords {
  readonly encodings: readonly string[];
  readonly separatorNames: readonly string[];
  readonly programs: readonly string[];
  /** The pattern of the columns of a field: `2+3,7`. */
  readonly writtenAlternatives: string;
}

/** The fields that files are read into. */
export interface FileFields {
  /** Each as a response shows it, in their order. */
  readonly shown: Readonly<Record<string, TSchema>>;
  /** What descriptions call them. */
  readonly called: Readonly<Record<string, string>>;
  /** What may be odd about a row. */
  readonly warnings: readonly string[];
}

const line = Type.Integer({ minimum: 1, description: 'the line of a text, or the row of a sheet' });
const Row = { line, cells: Type.Array(Text('Ada')) };

/** The choices of a query about how a file is read, and the response about what it was found to be. */
export function fileSchemasOf(
  { title, one, many }: ImportNoun,
  { shown, called, warnings }: FileFields,
  { encodings, separatorNames, programs, writtenAlternatives }: FileWords,
) {
  const fields = Object.keys(shown);
  const Columns = (field: string) =>
    Type.Optional(
      Type.String({
        pattern: writtenAlternatives,
        messages: { pattern: 'must be numbers of columns, such as 2+3,7' },
        description: `the columns of ${called[field] ?? field}, from 1: "2+3,7" is columns 2 and 3 together, or column 7 where both are empty; an empty text is none`,
        examples: ['2+3,7'],
      }),
    );
  const choices = {
    encoding: Type.Optional(
      Type.Enum([...encodings], { description: '"mixed" takes each line as UTF-8 or else as Windows-1252' }),
    ),
    separator: Type.Optional(Type.Enum([...separatorNames])),
    sheet: Type.Optional(LineOf(100, { description: 'the sheet of a workbook', examples: ['Customers'] })),
    header: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'the line of the row that names the columns; 0: there is none',
      }),
    ),
    ...Object.fromEntries(fields.map((field) => [field, Columns(field)])),
    ...('notes' in shown && {
      rest: Type.Optional(
        Type.Enum(['notes', 'out'], {
          description: 'whether other columns are kept in the notes as "Column: value"; default: out',
        }),
      ),
    }),
  };
  const Findings = SuccessOf(
    ClosedObject(
      {
        kind: Type.Enum(['text', 'workbook', 'cards']),
        program: Nullable(
          Type.Enum([...programs], { description: 'the program that writes such columns, if it is known' }),
        ),
        encoding: Nullable(Type.Enum([...encodings])),
        mixedFrom: Nullable(
          Type.Integer({ description: 'the first line that is not UTF-8 where others are' }),
        ),
        separator: Nullable(Type.Enum([...separatorNames])),
        sheet: Nullable(Text('Customers')),
        sheets: Type.Array(Text('Customers')),
        header: Type.Integer({
          minimum: 0,
          description: 'the line of the row with the names; 0: there is none',
        }),
        rows: Type.Integer({ minimum: 0, description: 'below the header' }),
        columns: Type.Array(
          ClosedObject({
            column: Type.Integer({ minimum: 1 }),
            name: Text('E-mail 1 - Value'),
            field: Nullable(Type.Enum([...fields])),
            isLabel: Type.Boolean({ description: 'whether it says of what kind another column is' }),
          }),
        ),
        mapping: ClosedObject(Object.fromEntries(fields.map((field) => [field, Text('2+3,7')])), {
          description: 'the columns of each field, as the query takes them',
        }),
        first: Type.Array(ClosedObject(Row), {
          description: 'the first rows of the file, cells of 100 characters at most',
        }),
        sample: Type.Array(
          ClosedObject({
            ...Row,
            [one]: ClosedObject(shown),
            warnings: Type.Array(Type.Enum([...warnings])),
            problems: Type.Array(RowProblem),
          }),
          { description: `the first rows below the header, and the ${many} that they would become` },
        ),
        unsure: Type.Array(
          Type.Enum(['encoding', 'mixedEncoding', 'separator', 'header', 'sheet', ...fields]),
          { description: 'what a person should look at' },
        ),
      },
      { title: `${title}FileFindings` },
    ),
  );
  return { choices, Findings, warnings };
}
