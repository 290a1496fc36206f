import { Nullable } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const IdSchema = Type.String({ format: 'uuid' });
const TimestampSchema = Type.String({ format: 'date-time' });

const OrganizationSettingsSchema = Type.Object(
  {
    defaultCurrency: Type.String(),
    vatRate: Type.Number(),
    quoteNumberPrefix: Type.String(),
    requireTwoFactor: Type.Boolean(),
  },
  closed,
);

/** An event has the fields of its type. */
export const EventPageAnswer = Type.Object(
  {
    cursor: Type.String(),
    entries: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'a number as text: later events have greater ones' }),
          type: Type.String({ examples: ['member.added'] }),
          occurredAt: TimestampSchema,
          userId: Type.Optional(IdSchema),
          organizationId: IdSchema,
          email: Type.Optional(Type.String()),
          name: Type.Optional(Type.String()),
          familyName: Type.Optional(Nullable(Type.String())),
          slug: Type.Optional(Type.String()),
          role: Type.Optional(Type.String()),
          createdAt: Type.Optional(TimestampSchema),
          settings: Type.Optional(OrganizationSettingsSchema),
        },
        closed,
      ),
    ),
  },
  closed,
);
