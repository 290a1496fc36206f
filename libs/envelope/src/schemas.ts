import { Type, type TSchema } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The schema of {@link RequestMeta}. */
export const RequestMetaSchema = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time' }),
    requestId: Type.String({ examples: ['0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f'] }),
  },
  { ...closed, title: 'RequestMeta' },
);

/** The schema of {@link PageMeta}. */
export const PageMetaSchema = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'PageMeta' },
);

/** The schema of {@link ErrorDetail}. */
export const ErrorDetailSchema = Type.Object(
  {
    field: Type.String({ description: 'where it is, such as items[3].unitPrice', examples: ['name'] }),
    rule: Type.String({ description: 'the rule that it breaks, such as maxLength', examples: ['maxLength'] }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'what the rule was about, such as limit' }),
    ),
    message: Type.String({
      description: 'the finding in English, to follow the name of the field',
      examples: ['must be at most 100 characters'],
    }),
  },
  { ...closed, title: 'ErrorDetail' },
);

/** The schema of a failure's `reason`. */
export const ReasonSchema = Type.String({
  description: 'refines the code, where a client must tell its causes apart',
  examples: ['TOKEN_EXPIRED'],
});

/** The schema of {@link Failure}. */
export const FailureSchema = Type.Object(
  {
    data: Type.Null(),
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        reason: Type.Optional(ReasonSchema),
        details: Type.Array(ErrorDetailSchema),
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

/** The schema of a success whose `meta` has more than {@link RequestMetaSchema}. */
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
