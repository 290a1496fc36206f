import { proposeAddresses } from './addresses.ts';
import type { ColumnKind } from './column-kinds.ts';
import type { PeopleColumn } from './column-words.ts';
import type { TableRow } from './delimited.ts';
import type { Fields } from './fields.ts';
import { addressForm, valueLengthMax } from './header.ts';

/** Columns, from 1, whose values make one text together. */
export type Together = readonly number[];
/** The first of these that has a value. */
export type Alternatives = readonly Together[];
/** What each field is made of. */
export type Mapping<Field extends string> = Readonly<Record<Field, Alternatives>>;

/** A mapping as a request gives it: `2+3,7` is columns 2 and 3 together, or else column 7. */
export type WrittenMapping<Field extends string> = Readonly<Partial<Record<Field, string>>>;

export const writtenAlternatives = String.raw`^(?:\d{1,4}(?:[+ ]\d{1,4}){0,19}(?:,\d{1,4}(?:[+ ]\d{1,4}){0,19}){0,39})?$`;

/** Reads how a field is made; a plus may arrive as the blank that it is in a query. */
export const readAlternatives = (text: string): Alternatives =>
  text === '' ? [] : text.split(',').map((each) => each.split(/[+ ]/).map(Number));

export const writeAlternatives = (alternatives: Alternatives): string =>
  alternatives.map((together) => together.join('+')).join(',');

/** What the names and first values of the columns suggest. */
export interface Proposal<Field extends string> {
  readonly mapping: Mapping<Field>;
  /** Fields that are not sure. */
  readonly unsure: readonly Field[];
  /** The columns that say of what kind another one's value is, by the number of that one. */
  readonly labels: ReadonlyMap<number, number>;
}

/** A column while it is looked at. */
interface Column extends Partial<ColumnKind<string>> {
  readonly column: number;
  readonly name: string;
  /** How the values of the first rows begin, without empty ones. */
  readonly values: readonly string[];
}

const digits = /(?:\d[\s()./-]*){5,}/;

/**
 * Proposes what each field is made of: `name`, `email`, `phone` and `address` by what people's files have for them, any other
 * field by the names of columns alone.
 */
export function propose<Field extends string>(
  { names: fields, kindOf, notesLength }: Fields<Field>,
  names: readonly string[],
  rows: readonly TableRow[],
): Proposal<Field> {
  const width = Math.max(names.length, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, n): Column => {
    const values = rows
      .map(({ cells }) => (cells[n] ?? '').trim().slice(0, valueLengthMax))
      .filter((value) => value !== '');
    return { column: n + 1, name: names[n] ?? '', values, ...kindOf(names[n] ?? '') };
  });
  const known = columns.filter(({ kind, isLabel }) => kind !== undefined && isLabel !== true);
  const unsure = new Set<string>();
  const ofKind = (kind: PeopleColumn | Field) =>
    known
      .filter((column) => column.kind === kind)
      .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0) || one.column - other.column);

  let emails = ofKind('email').filter(
    ({ values }) => values.length === 0 || values.some((v) => addressForm.test(v)),
  );
  if (emails.length === 0) {
    emails = columns.filter(({ kind, values }) => kind === undefined && mostOf(values, addressForm));
    unsure.add('email');
  }
  let phones = ofKind('phone').filter(
    ({ values }) => values.length === 0 || values.some((v) => /\d/.test(v)),
  );
  if (phones.length === 0 && names.length === 0) {
    phones = columns
      .filter(({ values }) => mostOf(values, digits) && !mostOf(values, addressForm))
      .slice(0, 1);
    if (phones.length > 0) unsure.add('phone');
  }
  const person = proposeName(ofKind, { rows, hasNotes: notesLength > 0 });
  let name = person.alternatives;
  if (person.isGuess) unsure.add('name');
  if (name.length === 0) {
    const rest = columns.filter(
      (each) => each.kind === undefined && ![...emails, ...phones].includes(each) && each.values.some(isWord),
    );
    name = rest.slice(0, 1).map(({ column }) => [column]);
    unsure.add('name');
  }
  const each = (found: readonly Column[]): Alternatives => found.map(({ column }) => [column]);
  const people: Partial<Record<string, Alternatives>> = {
    ...{ name, email: each(emails), phone: each(phones) },
    address: proposeAddresses(known),
  };
  const mapping = Object.fromEntries(
    fields.map((field) => [field, people[field] ?? each(ofKind(field))]),
  ) as unknown as Mapping<Field>;
  return { mapping, unsure: fields.filter((field) => unsure.has(field)), labels: labelsOf(columns) };
}

const isWord = (value: string): boolean => /\p{L}{2}/u.test(value);
const mostOf = (values: readonly string[], pattern: RegExp): boolean =>
  values.length > 0 && values.filter((value) => pattern.test(value)).length > values.length / 2;

/**
 * The whole name from its parts or from one column, otherwise a customer or company. In some languages one word is the whole name,
 * and beside a first name the last one.
 */
function proposeName(
  ofKind: (kind: PeopleColumn) => readonly Column[],
  { rows, hasNotes }: { readonly rows: readonly TableRow[]; readonly hasNotes: boolean },
): { readonly alternatives: Alternatives; readonly isGuess: boolean } {
  const [[first], [middle], [last], [suffix]] = [
    ofKind('first'),
    ofKind('middle'),
    ofKind('last'),
    ofKind('suffix'),
  ];
  const wholes = ofKind('name');
  const companies = [...ofKind('customer'), ...ofKind('company').slice(0, 1)];
  // Customers, which have no notes, may be companies. Who is to be asked for at a customer would be in each row what has no place.
  const isOfPerson = hasNotes || [first, last, ...wholes, ...companies].every((one) => one === undefined);
  const others = [
    ...ofKind('customer'),
    ...(isOfPerson ? ofKind('contact').slice(0, 1) : []),
    ...ofKind('company').slice(0, 1),
  ].map(({ column }) => [column]);
  const [whole] = wholes;
  const numbers = (...parts: readonly (Column | undefined)[]) =>
    parts.flatMap((part) => (part ? [part.column] : []));
  const part = first ?? last;
  const isOtherPart =
    whole !== undefined && part !== undefined && !(first && last) && !isContained(part, whole, rows);
  const parts = isOtherPart
    ? numbers(first ?? whole, middle, last ?? whole, suffix)
    : numbers(first, middle, last, suffix);
  const hasParts = first !== undefined || last !== undefined;
  const single = (isOtherPart ? wholes.slice(1) : wholes).map(({ column }) => [column]);
  // One part alone is less than a column with the whole name.
  const isPartial = hasParts && !isOtherPart && !(first && last);
  const persons = !hasParts ? single : isPartial ? [...single, parts] : [parts, ...single];
  return {
    alternatives: [...persons, ...others],
    isGuess: persons.length === 0 && (hasNotes ? ofKind('customer') : companies).length === 0,
  };
}

/** Whether the values of one column are within those of another. */
function isContained(part: Column, whole: Column, rows: readonly TableRow[]): boolean {
  const both = rows
    .map(
      ({ cells }) => [(cells[part.column - 1] ?? '').trim(), (cells[whole.column - 1] ?? '').trim()] as const,
    )
    .filter(([one, other]) => one !== '' && other !== '');
  return both.length > 0 && both.every(([one, other]) => other.toLowerCase().includes(one.toLowerCase()));
}

/** "Phone 1 - Label" says of what kind "Phone 1 - Value" is. */
function labelsOf(columns: readonly Column[]): ReadonlyMap<number, number> {
  const labels = new Map<number, number>();
  for (const { column, kind, number, isLabel } of columns) {
    if (isLabel !== true) continue;
    const value = columns.find(
      (each) => each.kind === kind && each.number === number && each.isLabel !== true,
    );
    if (value) labels.set(value.column, column);
  }
  return labels;
}
