import { ActorSchema, Nullable, PageQueryOf, Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { deviceProperties, pageProperties } from '../ground/index.ts';
import { auditActions, ownActions } from './audit-actions.ts';

const closed = { additionalProperties: false } as const;

const AuditEventSchema = Type.Object(
  {
    id: Uuid(),
    action: Type.Enum([...auditActions]),
    actor: Nullable(ActorSchema),
    target: Nullable(
      Type.Object(
        {
          type: Type.String(),
          id: Type.String(),
          name: Nullable(
            Type.String({
              description:
                'display text: of a user as it was then, unless the account was erased; of an invitation its address, while it is open',
            }),
          ),
        },
        closed,
      ),
    ),
    ipAddress: Nullable(Type.String()),
    device: Nullable(Type.String({ description: 'what the device calls itself; display text' })),
    ...deviceProperties,
    details: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Timestamp(),
  },
  { ...closed, title: 'AuditEvent' },
);

export const AuditAnswer = Type.Object({ events: Type.Array(AuditEventSchema), ...pageProperties }, closed);

const period = {
  from: Type.Optional(Timestamp({ description: 'the earliest moment' })),
  to: Type.Optional(Timestamp({ description: 'the moment before which' })),
};

export const OwnAuditQuerySchema = PageQueryOf({
  action: Type.Optional(Type.Enum([...ownActions])),
  ...period,
});

export const AuditQuerySchema = PageQueryOf({
  action: Type.Optional(Type.Enum([...auditActions])),
  actorUserId: Type.Optional(Uuid({ description: 'what this user has done' })),
  targetId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'what was done to this user, session or invitation',
    }),
  ),
  ...period,
});
