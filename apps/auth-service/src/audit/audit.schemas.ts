import {
  ActorSchema,
  AuditDetailsOf,
  ClosedObject,
  Nullable,
  PageQueryOf,
  Timestamp,
  Uuid,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { deviceProperties, pageProperties } from '../ground/index.ts';
import { auditActions, auditedFields, keptFields, ownActions } from './audit-actions.ts';

const AuditEventSchema = ClosedObject(
  {
    id: Uuid(),
    action: Type.Enum([...auditActions]),
    actor: Nullable(ActorSchema),
    target: Nullable(
      ClosedObject({
        type: Type.String(),
        id: Type.String(),
        name: Nullable(
          Type.String({
            description:
              'display text: of a user, service account, key or domain as it was then, unless the user was erased; of an invitation its address, while it is open',
          }),
        ),
      }),
    ),
    ipAddress: Nullable(Type.String()),
    device: Nullable(Type.String({ description: 'what the device calls itself; display text' })),
    ...deviceProperties,
    details: AuditDetailsOf(auditedFields, keptFields),
    createdAt: Timestamp(),
  },
  { title: 'AuditEvent' },
);

export const AuditAnswer = ClosedObject({ events: Type.Array(AuditEventSchema), ...pageProperties });

const period = {
  from: Type.Optional(Timestamp({ description: 'from this time on' })),
  to: Type.Optional(Timestamp({ description: 'before this time' })),
};

export const OwnAuditQuerySchema = PageQueryOf({
  action: Type.Optional(Type.Enum([...ownActions])),
  ...period,
});

export const AuditQuerySchema = PageQueryOf({
  action: Type.Optional(Type.Enum([...auditActions])),
  actorUserId: Type.Optional(Uuid({ description: 'entries of actions by this user' })),
  targetId: Type.Optional(
    Uuid({ description: 'entries about this user, session, invitation, service account, key or domain' }),
  ),
  ...period,
});
