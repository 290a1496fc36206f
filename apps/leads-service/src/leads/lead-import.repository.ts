import { statement } from '@tenantry/tenancy';
import type { InsertLeads } from './lead-batches.ts';
import type { NewLead } from './lead.ts';

type Column = readonly (string | null)[];
type Values = [
  names: Column,
  emails: Column,
  phones: Column,
  sources: Column,
  notes: Column,
  actorUserId: string,
];

const insertMany = statement<never, Values>({
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
  const column = (field: keyof NewLead): Column => leads.map((lead) => lead[field] ?? null);
  const columns = [
    column('name'),
    column('email'),
    column('phone'),
    column('source'),
    column('notes'),
  ] as const;
  await tx.query(insertMany, [...columns, actorUserId]);
};
