import { PageOf } from '@tenantry/envelope';
import { Nullable, PageQueryOf, Text, Timestamp, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

const AuditEventSchemaOf = ([action = 'thing.created']: readonly string[]) =>
  Type.Object(
    {
      id: Uuid(),
      action: Text(action),
      actor: Nullable(Type.Object({ userId: Uuid() }, closed)),
      target: Nullable(Type.Object({ type: Text(action.replace(/\..*/, '')), id: Uuid() }, closed)),
      details: Type.Record(Type.String(), Type.Unknown()),
      createdAt: Timestamp(),
    },
    { ...closed, title: 'AuditEvent' },
  );

/** The answer of the trail of a service that records these actions. */
export const AuditAnswerOf = (actions: readonly string[]) => PageOf(AuditEventSchemaOf(actions));

/** The query of that trail. */
export const AuditQueryOf = (actions: readonly string[]) =>
  PageQueryOf({
    action: Type.Optional(Type.Enum([...actions])),
    actorUserId: Type.Optional(Uuid({ description: 'what this user has done' })),
    targetId: Type.Optional(Uuid({ description: 'what was done to this row' })),
    from: Type.Optional(Timestamp({ description: 'the earliest moment' })),
    to: Type.Optional(Timestamp({ description: 'the moment before which' })),
  });
