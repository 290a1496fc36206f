import { LinesOf, Nullable } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The body of a rejection, which may be absent. */
export const RejectionSchema = Nullable(
  Type.Object(
    { reason: Type.Optional(LinesOf(2000, { examples: ['Too late for this year.'] })) },
    { ...closed, title: 'RejectQuote' },
  ),
);
