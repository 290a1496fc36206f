import type { api } from '@tenantry/client';
import type { Language } from '../../design/language.ts';
import { dayIn } from '../days.ts';
import { unitPriceFormat } from '../unit-price.ts';
import { formatDecimal, parseDecimal } from '../../design/decimals.ts';

/** Whom a quote is for. */
export interface DraftCustomer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The API has to be told their name. */
  readonly isNew?: boolean | undefined;
}

/** A line as it is typed: numbers are text, in the language of whoever types. */
export interface DraftLine {
  /** Its own while the page is open, before and after it is saved. */
  readonly key: string;
  /** Undefined until it is saved. */
  readonly id?: string | undefined;
  readonly articleNumber: string;
  readonly description: string;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string;
}

/** A package as it is typed. */
export interface DraftPackage {
  readonly key: string;
  readonly id?: string | undefined;
  readonly name: string;
  readonly description: string;
  /** Has the proposed name: it is saved with its first line. */
  readonly isProposed?: boolean | undefined;
  /** The last one is blank, to be typed into. */
  readonly lines: readonly DraftLine[];
}

/** What is said at the head of a quote, and below its lines. */
export interface DraftHead {
  readonly customer: DraftCustomer;
  readonly title: string;
  readonly description: string;
  /** The last day, as 2027-01-31. */
  readonly validUntil: string;
  readonly currency: string;
  readonly vatRate: string;
  readonly vatExemptionReason: string;
}

/** A quote as it is typed. */
export interface Draft extends DraftHead {
  readonly packages: readonly DraftPackage[];
}

/** The fields of a line, in the order in which they are read. */
export const lineFields = ['description', 'quantity', 'unit', 'unitPrice', 'articleNumber'] as const;
export type LineField = (typeof lineFields)[number];

/** The fields of a package. */
export const packageFields = ['name', 'description'] as const;
export type PackageField = (typeof packageFields)[number];

/** The fields of the head, but for the customer. */
export const headFields = [
  'title',
  'description',
  'validUntil',
  'currency',
  'vatRate',
  'vatExemptionReason',
] as const;
export type HeadField = (typeof headFields)[number];

const decimalFields: ReadonlySet<string> = new Set(['quantity', 'unitPrice', 'vatRate']);

/** Text as the API keeps it. */
export const tidy = (text: string): string => text.trim().normalize('NFC');

/** Whether two texts of a field mean the same to the API. */
export type IsSame = (field: string, one: string, other: string) => boolean;

/** That in a language. */
export const sameIn =
  (language: Language): IsSame =>
  (field, one, other) => {
    if (tidy(one) === tidy(other)) return true;
    if (!decimalFields.has(field)) return false;
    const value = parseDecimal(one, language);
    return value !== undefined && value === parseDecimal(other, language);
  };

/** Whether nothing was typed into a line yet; a unit is proposed. */
export const isBlank = ({ id, articleNumber, description, quantity, unitPrice }: DraftLine): boolean =>
  id === undefined && [articleNumber, description, quantity, unitPrice].every((text) => text.trim() === '');

/** Whether a package is there to be typed into, and no more. */
export const isUnused = ({ id, isProposed = false, lines }: DraftPackage): boolean =>
  id === undefined && isProposed && lines.every(isBlank);

let keys = 0;
/** A key that no other line or package has while this page is open. */
export const newKey = (): string => `new-${(keys += 1)}`;

/** A line to type into, with the unit of the line above it. */
export const blankLine = (unit = ''): DraftLine => ({
  key: newKey(),
  articleNumber: '',
  description: '',
  quantity: '',
  unit,
  unitPrice: '',
});

/** A package to type into. */
export const blankPackage = (name: string): DraftPackage => ({
  key: newKey(),
  name,
  description: '',
  isProposed: true,
  lines: [blankLine()],
});

/** Has the package end with a blank line, which is not there twice and has the unit of the line above it. */
export function endingBlank(lines: readonly DraftLine[]): readonly DraftLine[] {
  const last = lines.at(-1);
  if (!last || !isBlank(last)) return [...lines, blankLine(last?.unit)];
  const unit = lines.at(-2)?.unit ?? last.unit;
  return unit === last.unit ? lines : [...lines.slice(0, -1), { ...last, unit }];
}

/** How somebody reads a quote. */
export interface DraftReading {
  readonly language: Language;
  /** That of the organization, in which days end. */
  readonly timeZone: string;
}

/** A quote as it is typed, from what the API says of it. */
export function draftOf(quote: api.Quote, { language, timeZone }: DraftReading): Draft {
  const { customerId, customerName, customerEmail, validUntil, vatRate, vatExemptionReason } = quote;
  return {
    customer: { id: customerId, name: customerName, email: customerEmail ?? '' },
    title: quote.title,
    description: quote.description,
    validUntil: dayIn(timeZone, validUntil),
    currency: quote.currency,
    vatRate: formatDecimal(vatRate, language),
    vatExemptionReason: vatExemptionReason ?? '',
    packages: quote.workPackages.map(({ id, name, description, items }) => ({
      key: id,
      id,
      name,
      description,
      lines: endingBlank(items.map((item) => lineOf(item, { language, currency: quote.currency }))),
    })),
  };
}

const lineOf = (
  { id, articleNumber, description, quantity, unit, unitPrice }: api.LineItem,
  { language, currency }: { readonly language: Language; readonly currency: string },
): DraftLine => ({
  key: id,
  id,
  articleNumber,
  description,
  unit,
  quantity: formatDecimal(quantity, language),
  unitPrice: unitPriceFormat(language, currency)(unitPrice),
});
