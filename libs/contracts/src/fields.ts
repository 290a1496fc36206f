import { Type, type Static, type TProperties, type TSchema } from 'typebox';

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });

/** A value, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The type that a schema describes, read-only. */
export type Wire<Schema extends TSchema> = Readonly<Static<Schema>>;

/**
 * The schema by which an entry that is one of several objects is serialized: with those properties of any of them that it has,
 * and no others. Finding out which of them it is would take as long as serializing it.
 */
export function anyOf(...variants: readonly { readonly properties: TProperties }[]) {
  const properties = Object.assign({}, ...variants.map((variant) => variant.properties)) as TProperties;
  return Type.Partial(Type.Object(properties, { additionalProperties: false }));
}
