import { Type, type TSchema } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The schema of {@link RequestMeta}. */
export const RequestMetaSchema = Type.Object(
  { timestamp: Type.String({ format: 'date-time' }), requestId: Type.String() },
  closed,
);

/** The schema of {@link PageMeta}. */
export const PageMetaSchema = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1 }),
  },
  closed,
);

/** The schema of {@link Failure}. */
export const FailureSchema = Type.Object(
  {
    data: Type.Null(),
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, closed)),
      },
      closed,
    ),
    meta: RequestMetaSchema,
  },
  closed,
);

/**
 * The schema of a success about one item.
 *
 * @example response: { 200: SuccessOf(LeadSchema) }
 */
export function SuccessOf<Data extends TSchema>(data: Data) {
  return SuccessWithMeta(data, RequestMetaSchema);
}

/** The schema of a success whose `meta` says more than {@link RequestMetaSchema}. */
export function SuccessWithMeta<Data extends TSchema, Meta extends TSchema>(data: Data, meta: Meta) {
  return Type.Object({ data, error: Type.Null(), meta }, closed);
}

/**
 * The schema of a list of `item`.
 *
 * @example response: { 200: PageOf(LeadListItemSchema) }
 */
export function PageOf<Item extends TSchema>(item: Item) {
  return SuccessWithMeta(Type.Array(item), PageMetaSchema);
}
