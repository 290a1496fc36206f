import {
  Type,
  type TNumberOptions,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  type TUnsafe,
} from 'typebox';

/** An object that has these fields and no other. */
export const ClosedObject = <Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });

/** The same fields, each of which may be omitted: those of a change, or of a query. */
export const optional = <Fields extends TProperties>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties;

/**
 * One line of text that is kept trimmed, composed (NFC) and free of control characters; blank is refused unless
 * `minLength` is 0.
 *
 * @example name: LineOf(100)
 */
export const LineOf = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, ...options, text: 'line' });

/** Several lines of text, stored like {@link LineOf}, with line breaks and tabs. */
export const LinesOf = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, ...options, text: 'lines' });

/** An e-mail address as it was typed, trimmed; an international domain is kept as A-labels. */
export const EmailAddress = (options: TStringOptions = {}) =>
  Type.String({ examples: ['ada@example.com'], ...options, format: 'email' });

/** A text in a response, with an example for the document. */
export const Text = (example: string, options: TStringOptions = {}) =>
  Type.String({ ...options, examples: [example] });

/** A number in a response, likewise. */
export const Figure = (example: number, options: TNumberOptions = {}) =>
  Type.Number({ ...options, examples: [example] });

/** A value that null clears: in a change, absent and null differ. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Type.Static<Schema> | null> {
  const { type, enum: values } = schema as { readonly type?: unknown; readonly enum?: readonly unknown[] };
  if (typeof type !== 'string') return Type.Unsafe(Type.Union([schema, Type.Null()]));
  return Type.Unsafe({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
}

/** An id. */
export const Uuid = (options: TStringOptions = {}) => Type.String({ ...options, format: 'uuid' });

/** A moment, ISO 8601 UTC. */
export const Timestamp = (options: TStringOptions = {}) => Type.String({ ...options, format: 'date-time' });

/** A date, meaning its end in the organization's time zone, or a date and time. */
export const DateOrTime = (options: TStringOptions = {}) =>
  Type.String({ ...options, format: 'date-or-time' });

/**
 * A number with a bounded number of decimals; more are refused, never rounded.
 *
 * @example unitPrice: DecimalOf(4, { minimum: 0 })
 */
export const DecimalOf = (decimals: number, options: TNumberOptions = {}) =>
  Type.Number({ ...options, decimals });
