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
    // Events of earlier versions lack the rest.
    timeZone: Type.Optional(Type.String()),
    address: Type.Optional(
      Nullable(
        Type.Object(
          {
            lines: Type.Array(Type.String()),
            postalCode: Type.String(),
            city: Type.String(),
            country: Type.String(),
          },
          closed,
        ),
      ),
    ),
    vatNumber: Type.Optional(Nullable(Type.String())),
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
          emailVerified: Type.Optional(Type.Boolean()),
          name: Type.Optional(Type.String()),
          familyName: Type.Optional(Nullable(Type.String())),
          slug: Type.Optional(Type.String()),
          role: Type.Optional(Type.String()),
          disabled: Type.Optional(Type.Boolean()),
          createdAt: Type.Optional(TimestampSchema),
          settings: Type.Optional(OrganizationSettingsSchema),
          logo: Type.Optional(Nullable(Type.String())),
        },
        closed,
      ),
    ),
  },
  closed,
);
