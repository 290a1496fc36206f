import { SuccessOf } from '@tenantry/envelope';
import { RowProblem } from '@tenantry/service/files';
import { ClosedObject, LineOf, Nullable, Text } from '@tenantry/service/resources';
import { encodings, programs, separatorNames, writtenAlternatives } from '@tenantry/tables';
import { Type } from 'typebox';
import { leadTexts, shownTexts } from '../leads/lead-texts.ts';
import { rowWarnings } from './mapped-rows.ts';

const RowWarnings = Type.Array(Type.Enum([...rowWarnings]));

const line = Type.Integer({ minimum: 1, description: 'the line of a text, or the row of a sheet' });
const Columns = (field: string) =>
  Type.Optional(
    Type.String({
      pattern: writtenAlternatives,
      messages: { pattern: 'must be numbers of columns, such as 2+3,7' },
      description: `the columns of ${field}, from 1: "2+3,7" is columns 2 and 3 together, or column 7 where both are empty; an empty text is none`,
      examples: ['2+3,7'],
    }),
  );

/** How a file is read, where its sender knows better. */
export const fileChoices = {
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
  name: Columns('the name'),
  email: Columns('the e-mail address'),
  phone: Columns('the phone number'),
  source: Columns('the source'),
  notes: Columns('the notes'),
  rest: Type.Optional(
    Type.Enum(['notes', 'out'], {
      description: 'whether other columns are kept in the notes as "Column: value"; default: out',
    }),
  ),
};

const Row = { line, cells: Type.Array(Text('Ada')) };
const { phone, source, notes } = shownTexts;

/** The response about a file. */
export const FileFindingsAnswer = SuccessOf(
  ClosedObject(
    {
      kind: Type.Enum(['text', 'workbook', 'cards']),
      program: Nullable(
        Type.Enum([...programs], { description: 'the program that writes such columns, if it is known' }),
      ),
      encoding: Nullable(Type.Enum([...encodings])),
      mixedFrom: Nullable(Type.Integer({ description: 'the first line that is not UTF-8 where others are' })),
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
          field: Nullable(Type.Enum([...leadTexts])),
          isLabel: Type.Boolean({ description: 'whether it says of what kind another column is' }),
        }),
      ),
      mapping: ClosedObject(
        Object.fromEntries(leadTexts.map((field) => [field, Text('2+3,7')])) as Record<
          (typeof leadTexts)[number],
          ReturnType<typeof Text>
        >,
        { description: 'the columns of each field, as the query takes them' },
      ),
      first: Type.Array(ClosedObject(Row), {
        description: 'the first rows of the file, cells of 100 characters at most',
      }),
      sample: Type.Array(
        ClosedObject({
          ...Row,
          lead: ClosedObject({
            name: Nullable(Text('Charles Babbage')),
            email: Nullable(Text('charles@example.com')),
            ...{ phone, source, notes },
          }),
          warnings: RowWarnings,
          problems: Type.Array(RowProblem),
        }),
        { description: 'the first rows below the header, and the leads that they would become' },
      ),
      unsure: Type.Array(
        Type.Enum(['encoding', 'mixedEncoding', 'separator', 'header', 'sheet', ...leadTexts]),
        { description: 'what a person should look at' },
      ),
    },
    { title: 'LeadFileFindings' },
  ),
);
