import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { OwnPassword } from '../../ground/index.ts';
import { IssuedSessionSchema } from '../../sessions/index.ts';

const SsoRequirementSchema = ClosedObject(
  {
    required: Type.Boolean({
      description:
        'members with an address in a verified domain get in by the connection alone; owners also with two factors of their own',
    }),
    connectionId: Nullable(Uuid({ description: 'the connection that is on' })),
    requirableUntil: Nullable(
      Timestamp({
        description:
          'until when you may require it: an hour from your last sign-in by the connection; null before you have linked your account ' +
          'and signed in by it, and after a change of the connection',
      }),
    ),
    lockedOut: ClosedObject(
      {
        total: Type.Integer({ minimum: 0, examples: [2] }),
        names: Type.Array(Type.String(), { maxItems: 10, examples: [['Ada Lovelace', 'Mia Member']] }),
      },
      {
        title: 'LockedOut',
        description:
          'members in verified domains who have never signed in by the connection: how many, and the first of them by name; owners and ' +
          'guests do not count',
      },
    ),
  },
  { title: 'SsoRequirement' },
);

export const SsoRequirementAnswer = ClosedObject({ requirement: SsoRequirementSchema });

/** With a session if the change has revoked the caller's token. */
export const ChangedSsoRequirementAnswer = ClosedObject({
  ...SsoRequirementAnswer.properties,
  session: Type.Optional(IssuedSessionSchema),
});

export const SsoRequirementBody = ClosedObject(
  { required: Type.Boolean(), password: OwnPassword },
  { examples: [{ required: true }] },
);
