import { PageOf } from '@tenantry/envelope';
import { Nullable, PageQueryOf, Text, Timestamp, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** `lead` of `lead.created`. */
const targetTypeOf = ([action = 'thing.created']: readonly string[]): string => action.replace(/\..*/, '');

const AuditEventSchemaOf = (name: string, actions: readonly string[]) =>
  Type.Object(
    {
      id: Uuid(),
      action: Type.Enum([...actions]),
      actor: Nullable(Type.Object({ userId: Uuid() }, closed)),
      target: Nullable(Type.Object({ type: Text(targetTypeOf(actions)), id: Uuid() }, closed)),
      details: Type.Record(Type.String(), Type.Unknown()),
      createdAt: Timestamp(),
    },
    { ...closed, title: `${name}AuditEvent` },
  );

/** The answer of the trail of a service that records these actions. */
export const AuditAnswerOf = (name: string, actions: readonly string[]) =>
  PageOf(AuditEventSchemaOf(name, actions));

/** The query of that trail. */
export const AuditQueryOf = (actions: readonly string[]) =>
  PageQueryOf({
    action: Type.Optional(Type.Enum([...actions])),
    actorUserId: Type.Optional(Uuid({ description: 'what this user has done' })),
    targetId: Type.Optional(Uuid({ description: 'what was done to this row' })),
    from: Type.Optional(Timestamp({ description: 'the earliest moment' })),
    to: Type.Optional(Timestamp({ description: 'the moment before which' })),
  });
