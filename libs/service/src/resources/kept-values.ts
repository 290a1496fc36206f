import { Type } from 'typebox';
import { ClosedObject, Nullable, Text } from './fields.ts';

/**
 * The kind of a field whose values a trail keeps: one of a few words, a number, a switch, a moment (ISO 8601) or a code such as a
 * currency or a time zone. No kind is a text that somebody writes: a trail outlives what is erased from the row.
 */
export type KeptKind = readonly string[] | 'number' | 'switch' | 'moment' | 'code';

/** The fields of a trail whose values it keeps. It has only the names of all others. */
export type KeptFields<Field extends string = string> = Readonly<Partial<Record<Field, KeptKind>>>;

/** A value of such a field. */
export type KeptValue = string | number | boolean | null;

/** A field before and after a change. */
export interface KeptChange {
  readonly from: KeptValue;
  readonly to: KeptValue;
}

/** A code or a moment that is longer is kept by the name of its field alone. */
const keptLengthMax = 64;

/**
 * What an entry says of a change: which fields differ and, of those that it may keep, the values. The one place that judges it: a
 * value that is not of the kind of its field is left out.
 *
 * @example changeDetails(['status', 'name'], { kept: { status: ['new', 'won'] }, before, after })
 *   // { fields: ['status', 'name'], values: { status: { from: 'new', to: 'won' } } }
 */
export function changeDetails<Field extends string, Subject extends object>(
  fields: readonly Field[],
  { kept, before, after }: { readonly kept: KeptFields; readonly before: Subject; readonly after: Subject },
): { readonly fields: readonly Field[]; readonly values?: Readonly<Record<string, KeptChange>> } {
  const [was, is] = [before, after] as readonly Readonly<Record<string, unknown>>[];
  const changes = fields.map((field) => [field, { from: was?.[field], to: is?.[field] }] as const);
  return { fields, ...keptOf(changes, kept) };
}

/**
 * Details of an entry as they are shown. A row that an import has brought, or another version has written, may have others than
 * the trail records: they are left out.
 */
export function shownDetails(
  { fields, values, ...others }: Readonly<Record<string, unknown>>,
  kept: KeptFields,
): Readonly<Record<string, unknown>> {
  const changes = Object.entries(typeof values === 'object' && values !== null ? values : {}) as Changes;
  return {
    ...others,
    ...(Array.isArray(fields) && { fields: fields.filter((field) => typeof field === 'string') }),
    ...keptOf(changes, kept),
  };
}

type Changes = readonly (readonly [string, { readonly from?: unknown; readonly to?: unknown } | null])[];

function keptOf(
  changes: Changes,
  kept: KeptFields,
): { readonly values?: Readonly<Record<string, KeptChange>> } {
  const values = changes.flatMap(([field, change]) => {
    const kind = Object.hasOwn(kept, field) ? kept[field] : undefined;
    const { from, to } = change ?? {};
    return kind && isOfKind(kind, from) && isOfKind(kind, to) ? [[field, { from, to }] as const] : [];
  });
  return values.length > 0 ? { values: Object.fromEntries(values) } : {};
}

function isOfKind(kind: KeptKind, value: unknown): value is KeptValue {
  if (value === null) return true;
  if (kind === 'number') return Number.isFinite(value);
  if (kind === 'switch') return typeof value === 'boolean';
  if (typeof value !== 'string' || value.length > keptLengthMax) return false;
  if (kind === 'moment') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);
  return kind === 'code' ? /^[A-Za-z0-9][A-Za-z0-9_+/-]*$/.test(value) : kind.includes(value);
}

/** The schema of the values before and after changes. */
export function KeptValuesOf(kept: KeptFields) {
  const changes = Object.entries(kept).map(([field, kind]) => {
    const value = Nullable(schemaOf(kind));
    return [field, Type.Optional(ClosedObject({ from: value, to: value }))] as const;
  });
  return ClosedObject(Object.fromEntries(changes), {
    description: 'values before and after the change; of other fields only the names are kept',
  });
}

function schemaOf(kind: KeptKind | undefined) {
  if (kind === 'number') return Type.Number();
  if (kind === 'switch') return Type.Boolean();
  if (kind === 'moment') return Text('2026-11-24T12:00:00.000Z');
  return Text(typeof kind === 'object' ? (kind[0] ?? '') : 'SEK');
}
