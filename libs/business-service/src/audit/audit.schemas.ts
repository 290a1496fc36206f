import { PageOf } from '@tenantry/envelope';
import { Nullable, PageQueryOf, Timestamp, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

const AuditEventSchema = Type.Object(
  {
    id: Uuid(),
    action: Type.String(),
    actor: Nullable(Type.Object({ userId: Uuid() }, closed)),
    target: Nullable(Type.Object({ type: Type.String(), id: Uuid() }, closed)),
    details: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Timestamp(),
  },
  { ...closed, title: 'AuditEvent' },
);

/** The answer of the trail. */
export const AuditAnswer = PageOf(AuditEventSchema);

/** The query of the trail of a service that records these actions. */
export const AuditQueryOf = (actions: readonly string[]) =>
  PageQueryOf({
    action: Type.Optional(Type.Enum([...actions])),
    actorUserId: Type.Optional(Uuid({ description: 'what this user has done' })),
    targetId: Type.Optional(Uuid({ description: 'what was done to this row' })),
    from: Type.Optional(Timestamp({ description: 'the earliest moment' })),
    to: Type.Optional(Timestamp({ description: 'the moment before which' })),
  });
