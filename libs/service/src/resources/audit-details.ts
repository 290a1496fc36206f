import { Type } from 'typebox';

/**
 * What else an audit entry says, beside the fields whose changes a trail records.
 *
 * @example { fields: ['name', 'status'], from: 'new', to: 'contacted' }
 */
export function AuditDetailsOf(fields: readonly string[]) {
  const changed = Type.Array(Type.Enum([...fields]), { description: 'which fields a change has changed' });
  // An enum of nothing is no schema.
  return Type.Object(fields.length === 0 ? {} : { fields: Type.Optional(changed) }, {
    additionalProperties: true,
  });
}
