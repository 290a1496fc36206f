import { beginsWith } from '@tenantry/tenancy';
import { statement } from '../database.ts';

/** Leads whose names begin so, in the order of their names; read from the index of names alone, however many there are. */
export const leadSuggestions = statement({
  name: 'lead-suggestions',
  text: `
    SELECT lead.* FROM (
      SELECT folded_name, id FROM leads
      WHERE organization_id = $1 AND deleted_at IS NULL AND ${beginsWith('folded_name', '(SELECT app.fold_text($2))')}
      ORDER BY folded_name, id LIMIT $3
    ) AS first CROSS JOIN LATERAL (
      SELECT id, name, email FROM leads WHERE organization_id = $1 AND id = first.id LIMIT 1
    ) AS lead
    ORDER BY first.folded_name, first.id`,
});
