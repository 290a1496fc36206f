import { Type, type Static, type TProperties, type TSchema } from 'typebox';

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });

/** A value, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What a schema describes, which neither side changes. */
export type Wire<Schema extends TSchema> = Readonly<Static<Schema>>;

/**
 * How an entry of a page is written that is one of several objects: with whatever it has of the properties of all, and no other.
 * Finding out which of them an entry is would take as long as writing it.
 */
export function anyOf(...variants: readonly { readonly properties: TProperties }[]) {
  const properties = Object.assign({}, ...variants.map((variant) => variant.properties)) as TProperties;
  return Type.Partial(Type.Object(properties, { additionalProperties: false }));
}
