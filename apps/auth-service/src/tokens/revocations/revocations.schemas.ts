import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const Seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the epoch` });
const UntilSchema = Seconds('when it may be forgotten');
const IssuedBeforeSchema = Seconds('tokens issued before this count no more');
const IdSchema = Type.String({ format: 'uuid' });

/** What libs/jwt-verify reads: an entry has the fields of its kind. */
export const RevocationPageAnswer = Type.Object(
  {
    cursor: Type.String(),
    entries: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(['session', 'member', 'user', 'organization']),
          sid: Type.Optional(IdSchema),
          sub: Type.Optional(IdSchema),
          organizationId: Type.Optional(IdSchema),
          issuedBefore: Type.Optional(IssuedBeforeSchema),
          until: UntilSchema,
        },
        closed,
      ),
    ),
    nowMs: Type.Integer({ description: 'the time by the clock that tokens are issued by' }),
  },
  closed,
);
