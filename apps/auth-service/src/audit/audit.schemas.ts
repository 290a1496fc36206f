import { Type } from 'typebox';
import { pageProperties } from '../ground/index.ts';
import { auditActions } from './audit-actions.ts';

const closed = { additionalProperties: false } as const;
const UuidSchema = Type.String({ format: 'uuid' });
const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const AuditEventSchema = Type.Object(
  {
    id: UuidSchema,
    action: Type.String({ examples: [...auditActions] }),
    actor: Nullable(
      Type.Object(
        {
          userId: UuidSchema,
          name: Nullable(Type.String({ description: 'display text; null once they are no longer a member' })),
        },
        closed,
      ),
    ),
    target: Nullable(Type.Object({ type: Type.String(), id: Type.String() }, closed)),
    ipAddress: Nullable(Type.String()),
    device: Nullable(Type.String({ description: 'what the device calls itself; display text' })),
    details: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Type.String({ format: 'date-time' }),
  },
  closed,
);

export const AuditAnswer = Type.Object({ events: Type.Array(AuditEventSchema), ...pageProperties }, closed);
