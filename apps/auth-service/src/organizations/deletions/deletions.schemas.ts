import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { pageProperties } from '../../ground/index.ts';

/** The response to a deletion. */
export const DeletedAnswer = ClosedObject({
  purgeAt: Type.String({
    format: 'date-time',
    description:
      'when everything that is kept of it is deleted for good; until then the operator can restore it',
  }),
});

/** The organizations that can be restored, or are about to be purged. */
export const DeletedListAnswer = ClosedObject({
  organizations: Type.Array(
    ClosedObject({
      id: Uuid(),
      name: Nullable(Type.String()),
      slug: Nullable(Type.String()),
      deletedBy: Nullable(Uuid()),
      deletedAt: Timestamp(),
      purgeAt: Timestamp(),
    }),
  ),
  ...pageProperties,
});

/** The response to restoring. */
export const RestoredAnswer = ClosedObject({
  organization: ClosedObject({ id: Uuid(), name: Type.String(), slug: Type.String() }),
  members: Type.Integer(),
});
