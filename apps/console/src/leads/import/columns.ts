import { importedFields, type ImportedField } from './lead-rules.ts';

/** What each column of a file is; undefined: left out. */
export type Columns = readonly (ImportedField | undefined)[];

/** What people call these columns, in English and Swedish; without marks and blanks. */
const names: Readonly<Record<ImportedField, readonly string[]>> = {
  name: ['name', 'fullname', 'contact', 'customer', 'company', 'namn', 'kontakt', 'kund', 'foretag'],
  email: ['email', 'mail', 'emailaddress', 'epost', 'epostadress', 'mejl'],
  phone: ['phone', 'phonenumber', 'telephone', 'mobile', 'cell', 'telefon', 'telefonnummer', 'mobil', 'tel'],
  source: ['source', 'origin', 'channel', 'kalla', 'ursprung', 'kanal'],
  notes: ['notes', 'note', 'comment', 'comments', 'anteckningar', 'anteckning', 'kommentar', 'ovrigt'],
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

/** Guesses what the columns of a file are, by its first line; nothing is guessed twice. */
export function guessColumns(header: readonly string[]): Columns {
  const taken = new Set<ImportedField>();
  return header.map((cell) => {
    const field = importedFields.find((each) => names[each].includes(plain(cell)) && !taken.has(each));
    if (field) taken.add(field);
    return field;
  });
}

/** Whether a first line names columns: else it is a row like the others. */
export const isHeader = (header: readonly string[]): boolean =>
  guessColumns(header).some((field) => field !== undefined) && !header.some((cell) => cell.includes('@'));

/** Guesses the columns of a file without names: an address is known by its sign. */
export function guessByContent(row: readonly string[]): Columns {
  const at = row.findIndex((cell) => cell.includes('@'));
  const others = row.map((_, n) => n).filter((n) => n !== at);
  return row.map((_, n) => (n === at ? 'email' : n === others[0] ? 'name' : undefined));
}

/** Makes a column of a file a field; the one that was it before is left out. */
export const withColumn = (columns: Columns, at: number, field: ImportedField | undefined): Columns =>
  columns.map((each, n) => (n === at ? field : each === field ? undefined : each));
