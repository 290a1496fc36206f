import type { InsertLeads } from './lead-batches.ts';
import { statement } from '../database.ts';

const insertMany = statement({
  name: 'lead-insert-many',
  text: `
    WITH lead AS (
      INSERT INTO leads (organization_id, name, email, phone, source, notes)
      SELECT $1, given.name, given.email, given.phone, given.source, given.notes
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        AS given (name, email, phone, source, notes)
      RETURNING id
    )
    INSERT INTO lead_status_changes (organization_id, lead_id, to_status, actor_user_id)
    SELECT $1, lead.id, 'new', $7 FROM lead`,
});

/** Leads into PostgreSQL. */
export const insertLeads: InsertLeads = async (tx, leads, actorUserId) => {
  await tx.query(insertMany, [
    leads.map(({ name }) => name),
    leads.map(({ email }) => email),
    leads.map(({ phone }) => phone ?? null),
    leads.map(({ source }) => source ?? null),
    leads.map(({ notes }) => notes ?? null),
    actorUserId,
  ]);
};
