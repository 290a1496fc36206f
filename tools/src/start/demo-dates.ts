import { connected, databaseNames, withDatabase } from '@tenantry/dev-database';

const weeks = 12;

// As a superuser whose changes fire no trigger: what the services do is dated by the clock, and only a demo has a past.
const withoutTriggers = `SET session_replication_role = replica`;

/** How long ago the first of `n` was made, and the others after it, each at a time of its own. */
const ageOf = (place: string) => `interval '${weeks * 7 - 4} days' * (1 - ${place})`;

// Customers answer within the week, after they have opened the quote.
const quotesSql = `
  WITH ages AS (
    SELECT organization_id, id, ${ageOf('percent_rank() OVER (PARTITION BY organization_id ORDER BY id)')} + interval '1 day' AS age
    FROM quotes WHERE organization_id = ANY ($1::uuid[])
  ), links AS (
    UPDATE quote_links l SET created_at = l.created_at - age, opened_at = l.opened_at - age * 0.97
    FROM ages WHERE l.organization_id = ages.organization_id AND l.quote_id = ages.id
  ), decisions AS (
    UPDATE quote_decisions d SET decided_at = d.decided_at - greatest(age - interval '5 days', interval '1 hour')
    FROM ages WHERE d.organization_id = ages.organization_id AND d.quote_id = ages.id
  )
  UPDATE quotes q SET created_at = q.created_at - age, sent_at = q.sent_at - age,
    updated_at = q.updated_at - CASE WHEN q.status IN ('accepted', 'rejected') THEN greatest(age - interval '5 days', interval '1 hour') ELSE age END
  FROM ages WHERE q.organization_id = ages.organization_id AND q.id = ages.id`;

// A lead takes a step every four days, as long as these have passed.
const leadsSql = `
  WITH ages AS (
    SELECT organization_id, id, ${ageOf('percent_rank() OVER (PARTITION BY organization_id ORDER BY id)')} + interval '1 hour' AS age
    FROM leads WHERE organization_id = ANY ($1::uuid[])
  ), steps AS (
    SELECT c.organization_id, c.id, ages.id AS lead_id, c.to_status,
      least(c.changed_at - age + interval '4 days' * (row_number() OVER (PARTITION BY c.lead_id ORDER BY c.id) - 1), c.changed_at) AS at
    FROM lead_status_changes c JOIN ages ON c.organization_id = ages.organization_id AND c.lead_id = ages.id
  ), changes AS (
    UPDATE lead_status_changes c SET changed_at = at FROM steps
    WHERE c.organization_id = steps.organization_id AND c.id = steps.id
  ), counts AS (
    INSERT INTO lead_entry_counts (organization_id, quarter, status, entered)
    SELECT organization_id, date_bin('15 minutes', at, '2000-01-01 00:00:00+00'), to_status, count(*)
    FROM steps GROUP BY 1, 2, 3
  )
  UPDATE leads l SET created_at = l.created_at - age,
    updated_at = (SELECT max(at) FROM steps WHERE steps.organization_id = l.organization_id AND steps.lead_id = l.id)
  FROM ages WHERE l.organization_id = ages.organization_id AND l.id = ages.id`;

const countsOfToday = `DELETE FROM lead_entry_counts WHERE organization_id = ANY ($1::uuid[])`;

/** Spreads the leads and quotes of organizations that were just made over the last twelve weeks. */
export async function spreadDates(adminUrl: string, organizationIds: readonly string[]): Promise<void> {
  const run = (service: string, statements: readonly string[]) =>
    connected(withDatabase(adminUrl, databaseNames(service).database), async (client) => {
      await client.query('BEGIN');
      await client.query(withoutTriggers);
      for (const text of statements) await client.query(text, [organizationIds]);
      await client.query('COMMIT');
    });
  await run('leads-service', [countsOfToday, leadsSql]);
  await run('quotation-service', [quotesSql]);
}
