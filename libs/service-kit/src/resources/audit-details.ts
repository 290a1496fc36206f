import { Type } from 'typebox';

/**
 * What else an audit entry says, beside the fields whose changes a trail records.
 *
 * @example { fields: ['name', 'status'], from: 'new', to: 'contacted' }
 */
export const AuditDetailsOf = (fields: readonly string[]) =>
  Type.Object(
    {
      fields: Type.Optional(
        Type.Array(Type.Enum([...fields]), { description: 'which fields a change has changed' }),
      ),
    },
    { additionalProperties: true },
  );
