import type { api } from '@tenantry/client';
import { limits } from '@tenantry/money';
import type { Language } from '../../design/language.ts';
import { decimalsOf, parseDecimal } from '../../design/decimals.ts';
import { tidy, type Draft, type DraftLine, type DraftPackage, type LineField } from './draft.ts';

/** What is wrong with a text: a rule of the API, with its limit. */
export interface Problem {
  readonly rule: api.ErrorDetail['rule'];
  readonly params: { readonly limit?: number };
}

/** What a text means, or what is wrong with it. */
type Read<Value> = { readonly value: Value } | { readonly problem: Problem };

const problem = (rule: Problem['rule'], limit?: number): { readonly problem: Problem } => ({
  problem: { rule, params: limit === undefined ? {} : { limit } },
});

/** Characters, as the API counts them. */
const lengthOf = (text: string): number => Array.from(text).length;

function readText(text: string, [min, max]: readonly [number, number]): Read<string> {
  const value = tidy(text);
  if (lengthOf(value) < min) return problem('required');
  return lengthOf(value) > max ? problem('maxLength', max) : { value };
}

interface DecimalLimits {
  readonly decimals: number;
  readonly maximum: number;
  readonly isPositive?: boolean;
}

function readDecimal(text: string, language: Language, allowed: DecimalLimits): Read<number> {
  if (tidy(text) === '') return problem('required');
  const value = parseDecimal(text, language);
  if (value === undefined) return problem('type');
  if (value < 0) return problem('minimum', 0);
  if (value === 0 && allowed.isPositive) return problem('exclusiveMinimum', 0);
  if (value > allowed.maximum) return problem('maximum', allowed.maximum);
  return decimalsOf(value) > allowed.decimals ? problem('decimals', allowed.decimals) : { value };
}

const readsOfLine = (line: DraftLine, language: Language) => ({
  articleNumber: readText(line.articleNumber, [0, 50]),
  description: readText(line.description, [1, 5000]),
  quantity: readDecimal(line.quantity, language, { ...limits.quantity, isPositive: true }),
  unit: readText(line.unit, [1, 20]),
  unitPrice: readDecimal(line.unitPrice, language, limits.unitPrice),
});

/** A line as the API takes it. */
export type LineBody = Required<api.NewLineItem>;

/** A line as the API takes it; undefined while something is missing or wrong. */
export function readLine(line: DraftLine, language: Language): LineBody | undefined {
  return valuesOf(readsOfLine(line, language)) as LineBody | undefined;
}

/** What is wrong with a line, by field. */
export function problemsOfLine(
  line: DraftLine,
  language: Language,
): Readonly<Partial<Record<LineField, Problem>>> {
  return problemsIn(readsOfLine(line, language));
}

const readsOfPackage = ({ name, description }: Pick<DraftPackage, 'name' | 'description'>) => ({
  name: readText(name, [1, 200]),
  description: readText(description, [0, 5000]),
});

/** A package as the API takes it; undefined while something is missing or wrong. */
export function readPackage(workPackage: DraftPackage): Required<api.NewWorkPackage> | undefined {
  return valuesOf(readsOfPackage(workPackage)) as Required<api.NewWorkPackage> | undefined;
}

/** What is wrong with a package, by field. */
export const problemsOfPackage = (workPackage: DraftPackage) => problemsIn(readsOfPackage(workPackage));

const day = /^\d{4}-\d{2}-\d{2}$/;

const readsOfHead = (draft: Draft, language: Language) => ({
  title: readText(draft.title, [1, 200]),
  description: readText(draft.description, [0, 5000]),
  validUntil: day.test(draft.validUntil) ? { value: draft.validUntil } : problem('required'),
  currency: { value: draft.currency },
  vatRate: readDecimal(draft.vatRate, language, limits.vatRate),
  vatExemptionReason: readExemption(draft, language),
});

/** A reason is one for a rate of 0 alone. */
function readExemption(draft: Draft, language: Language): Read<string | null> {
  if (parseDecimal(draft.vatRate, language) !== 0) return { value: null };
  const read = readText(draft.vatExemptionReason, [0, 200]);
  return 'value' in read ? { value: read.value === '' ? null : read.value } : read;
}

/** What is right at the head of a quote. */
export function readHead(draft: Draft, language: Language): Omit<api.QuoteChanges, 'customerId'> {
  const reads = Object.entries(readsOfHead(draft, language));
  return Object.fromEntries(reads.flatMap(([name, read]) => ('value' in read ? [[name, read.value]] : [])));
}

/** What is wrong at the head of a quote, by field. */
export const problemsOfHead = (draft: Draft, language: Language) => problemsIn(readsOfHead(draft, language));

type Reads = Readonly<Record<string, Read<unknown>>>;

function valuesOf(reads: Reads): object | undefined {
  const entries = Object.entries(reads);
  if (entries.some(([, read]) => 'problem' in read)) return undefined;
  return Object.fromEntries(entries.map(([name, read]) => [name, 'value' in read && read.value]));
}

function problemsIn<Name extends string>(
  reads: Readonly<Record<Name, Read<unknown>>>,
): Readonly<Partial<Record<Name, Problem>>> {
  const found = Object.entries(reads as Reads).flatMap(([name, read]) =>
    'problem' in read ? [[name, read.problem] as const] : [],
  );
  return Object.fromEntries(found) as Readonly<Partial<Record<Name, Problem>>>;
}
