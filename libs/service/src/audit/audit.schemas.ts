import { PageOf } from '@tenantry/envelope';
import { Type } from 'typebox';
import { ActorSchema } from '../resources/actors.ts';
import { AuditDetailsOf } from '../resources/audit-details.ts';
import { ClosedObject, Nullable, Text, Timestamp, Uuid } from '../resources/fields.ts';
import { PageQueryOf } from '../resources/pages.ts';
import type { Audit } from './audit.ts';

/** `lead` of `lead.created`. */
const targetTypeOf = ([action = 'thing.created']: readonly string[]): string => action.replace(/\..*/, '');

const TargetSchemaOf = (type: string) =>
  ClosedObject({
    type: Text(type),
    id: Uuid(),
    name: Nullable(
      Type.String({
        description: 'display text, as it was then; null of what was erased',
        examples: ['Charles Babbage'],
      }),
    ),
  });

type Recorded = Pick<Audit, 'actions' | 'fields' | 'kept'>;

const AuditEventSchemaOf = (name: string, { actions, fields, kept }: Recorded) =>
  ClosedObject(
    {
      id: Uuid(),
      action: Type.Enum([...actions]),
      actor: Nullable(ActorSchema),
      target: Nullable(TargetSchemaOf(targetTypeOf(actions))),
      details: AuditDetailsOf(fields, kept),
      createdAt: Timestamp(),
    },
    { title: `${name}AuditEvent` },
  );

/** The response of the audit trail of a service that records these actions, and changes of these fields. */
export const AuditAnswerOf = (name: string, recorded: Recorded) => PageOf(AuditEventSchemaOf(name, recorded));

/** The query of that trail. */
export const AuditQueryOf = (actions: readonly string[]) =>
  PageQueryOf({
    action: Type.Optional(Type.Enum([...actions])),
    actorUserId: Type.Optional(Uuid({ description: 'entries of actions by this user' })),
    targetId: Type.Optional(Uuid({ description: 'entries about this row' })),
    from: Type.Optional(Timestamp({ description: 'from this time on' })),
    to: Type.Optional(Timestamp({ description: 'before this time' })),
  });
