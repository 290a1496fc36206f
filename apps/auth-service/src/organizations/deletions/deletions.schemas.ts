import { Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { pageProperties } from '../../ground/index.ts';

const closed = { additionalProperties: false } as const;
const nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** The answer to a deletion. */
export const DeletedAnswer = Type.Object(
  {
    purgeAt: Type.String({
      format: 'date-time',
      description:
        'when everything that is kept of it is deleted for good; until then the operator can restore it',
    }),
  },
  closed,
);

/** The organizations that can be restored, or are about to be purged. */
export const DeletedListAnswer = Type.Object(
  {
    organizations: Type.Array(
      Type.Object(
        {
          id: Uuid(),
          name: nullable(Type.String()),
          slug: nullable(Type.String()),
          deletedBy: nullable(Uuid()),
          deletedAt: Timestamp(),
          purgeAt: Timestamp(),
        },
        closed,
      ),
    ),
    ...pageProperties,
  },
  closed,
);

/** The answer to restoring. */
export const RestoredAnswer = Type.Object(
  {
    organization: Type.Object({ id: Uuid(), name: Type.String(), slug: Type.String() }, closed),
    members: Type.Integer(),
  },
  closed,
);
