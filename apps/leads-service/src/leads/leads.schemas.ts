import { PageOf, RequestMetaSchema, SuccessOf, SuccessWithMeta } from '@tenantry/envelope';
import { Type } from 'typebox';
import { leadOrders } from './lead.ts';
import { leadStatuses, leadTransitions, type LeadStatus } from './lead-status.ts';

const closed = { additionalProperties: false } as const;

const moves = Object.entries(leadTransitions)
  .flatMap(([from, to]) => (to.length > 0 ? [`${from} to ${to.join(' or ')}`] : []))
  .join(', ');

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const optionalText = (maxLength: number) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength });
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const Timestamp = Type.String({ format: 'date-time' });
const statuses = [...leadStatuses];
const Status = Type.Unsafe<LeadStatus>({ type: 'string', enum: statuses });
const Email = Type.String({ format: 'email' });

const fields = {
  name: text(100),
  email: Email,
  phone: Type.Optional(optionalText(20)),
  source: Type.Optional(optionalText(50)),
  notes: Type.Optional(optionalText(2000)),
};

/** The path of a single lead. */
export const LeadPath = Type.Object({ id: Type.String({ format: 'uuid' }) }, closed);

/** The query of the list. */
export const LeadListQuerySchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1, default: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    status: Type.Optional(Type.Enum(statuses)),
    search: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'any part of name or e-mail; case and accents do not matter',
      }),
    ),
    sort: Type.Enum([...leadOrders], { default: '-createdAt' }),
  },
  closed,
);

/** The body of a new lead. */
export const NewLeadSchema = Type.Object(fields, closed);

/** The body of a change: any of the fields; null empties an optional one, what is absent stays. */
export const LeadChangesSchema = Type.Object(
  {
    ...fields,
    name: Type.Optional(fields.name),
    email: Type.Optional(fields.email),
    status: Type.Optional(Type.Enum(statuses, { description: `moves: ${moves}` })),
  },
  { ...closed, minProperties: 1 },
);

const listed = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String(),
  phone: NullableText,
  status: Status,
  source: NullableText,
  createdAt: Timestamp,
};

/** The list's answer. */
export const LeadListAnswer = PageOf(Type.Object(listed, closed));

/** The answer about one whole lead. */
export const LeadAnswer = SuccessOf(
  Type.Object(
    { ...listed, notes: NullableText, updatedAt: Timestamp, allowedTransitions: Type.Array(Status) },
    closed,
  ),
);

/** The answer to a creation; `duplicateOf` names an earlier live lead with the same e-mail address. */
export const LeadCreatedAnswer = SuccessWithMeta(
  Type.Object({ id: Type.String({ format: 'uuid' }) }, closed),
  Type.Object(
    { ...RequestMetaSchema.properties, duplicateOf: Type.Optional(Type.String({ format: 'uuid' })) },
    closed,
  ),
);

/** The answer to a change. */
export const LeadChangedAnswer = SuccessOf(
  Type.Object(
    { id: Type.String({ format: 'uuid' }), name: Type.String(), email: Type.String(), status: Status },
    closed,
  ),
);
