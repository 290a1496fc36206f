import { ClosedObject, LinesOf, Nullable } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';

/** The body of a rejection, which may be absent. */
export const RejectionSchema = Nullable(
  ClosedObject(
    { reason: Type.Optional(LinesOf(2000, { examples: ['Too late for this year.'] })) },
    { title: 'RejectQuote' },
  ),
);
