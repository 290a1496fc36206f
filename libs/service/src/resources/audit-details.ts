import { Type } from 'typebox';
import { KeptValuesOf, type KeptFields } from './kept-values.ts';

/**
 * What else an audit entry says, beside the fields whose changes a trail records, and the values of some of them.
 *
 * @example { fields: ['name', 'status'], values: { status: { from: 'new', to: 'contacted' } } }
 */
export function AuditDetailsOf(fields: readonly string[], kept: KeptFields = {}) {
  const changed = Type.Array(Type.Enum([...fields]), { description: 'which fields a change has changed' });
  const values = Object.keys(kept).length > 0 && { values: Type.Optional(KeptValuesOf(kept)) };
  // An enum of nothing is no schema.
  return Type.Object(fields.length === 0 ? {} : { fields: Type.Optional(changed), ...values }, {
    additionalProperties: true,
  });
}
