import type { FilledItem, Filling } from '@tenantry/service/files';
import type { AccountActor } from '@tenantry/service/resources';
import { statementFamily } from '@tenantry/tenancy';
import { statement, type Rows, type Tenant, type Transaction } from '../database.ts';
import { everyFilterValue, filterConditions } from './lead-filters.repository.ts';
import { orderByClause } from './lead-page.repository.ts';
import { leadOrders, type Lead, type NewLead, type SortedLeads } from './lead.ts';
import { leadTexts, requiredTexts, textLists } from './lead-texts.ts';
import { firstWithEmail, leadColumns } from './leads.repository.ts';

const batchRows = 500;
const everything = Number.MAX_SAFE_INTEGER;

// The conditions of a filter count from $4 on, behind the limit and the offset of a page.
const exports = statementFamily(leadOrders, (order) =>
  statement({
    name: `lead-export-${order}`,
    like: 'lead-export',
    text: `
      SELECT ${leadColumns} FROM leads
      WHERE organization_id = $1 AND deleted_at IS NULL ${filterConditions.dated}
      ORDER BY ${orderByClause(order)} LIMIT $2 OFFSET $3`,
  }),
);

const insertMany = statement({
  name: 'lead-insert-many',
  text: `
    WITH lead AS (
      INSERT INTO leads (organization_id, ${leadTexts.join(', ')})
      SELECT $1, ${leadTexts.map((name) => `given.${name}`).join(', ')}
      FROM unnest(${leadTexts.map((_, at) => `$${at + 4}::text[]`).join(', ')})
        AS given (${leadTexts.join(', ')})
      RETURNING id
    )
    INSERT INTO lead_status_changes (organization_id, lead_id, to_status, actor_kind, actor_user_id)
    SELECT $1, lead.id, 'new', $2, $3 FROM lead RETURNING lead_id AS id`,
});

const leadsByEmail = statement({
  name: 'leads-by-email',
  text: `
    SELECT given.place::int AS place, lead.id
    FROM unnest($2::text[]) WITH ORDINALITY AS given (email, place)
    CROSS JOIN LATERAL (
      SELECT id FROM leads WHERE organization_id = $1 AND ${firstWithEmail('given.email')}
    ) AS lead`,
});

const filledTexts = leadTexts.filter((name) => !requiredTexts.includes(name));

const fillMany = statement({
  name: 'lead-fill-many',
  text: `
    UPDATE leads SET ${filledTexts.map((name) => `${name} = coalesce(leads.${name}, given.${name})`).join(', ')}
    FROM unnest($2::uuid[], ${filledTexts.map((_, at) => `$${at + 3}::text[]`).join(', ')})
      AS given (id, ${filledTexts.join(', ')})
    WHERE leads.organization_id = $1 AND leads.id = given.id AND leads.deleted_at IS NULL
      AND (${filledTexts.map((name) => `(leads.${name} IS NULL AND given.${name} IS NOT NULL)`).join(' OR ')})
    RETURNING leads.id, new.version, ${filledTexts.map((name) => `old.${name} IS DISTINCT FROM new.${name} AS ${name}`).join(', ')}`,
});

/** Many leads at once. */
export class LeadBatchRepository {
  /** Reads all leads of a query with all fields, by a cursor: in batches of one snapshot. */
  async *read(tenant: Tenant, { sort, ...filters }: SortedLeads): AsyncGenerator<Lead[]> {
    const values = [everything, 0, ...everyFilterValue(filters)] as const;
    yield* tenant.batches(exports[sort], values, { rows: batchRows });
  }

  /** Creates leads in one statement, each with its first status. */
  async insert(
    tx: Transaction,
    leads: readonly NewLead[],
    { kind, userId }: AccountActor,
  ): Promise<readonly string[]> {
    return (await tx.query(insertMany, [kind, userId, ...textLists(leads)])).map(({ id }) => id);
  }

  /** The earliest live lead with each address, where there is one. */
  async byEmail(rows: Rows, emails: readonly string[]): Promise<readonly (string | undefined)[]> {
    if (emails.length === 0) return [];
    const found = await rows.query(leadsByEmail, [[...emails]]);
    const byPlace = new Map(found.map(({ place, id }) => [place, id]));
    return emails.map((_, n) => byPlace.get(n + 1));
  }

  /** Fills what is empty of leads; each is named once. @returns those that had something empty */
  async fill(tx: Transaction, fillings: readonly Filling<NewLead>[]): Promise<readonly FilledItem[]> {
    if (fillings.length === 0) return [];
    const lists = filledTexts.map((name) => fillings.map(({ item }) => item[name] ?? null));
    // What PostgreSQL is given may be null, though it cannot say so.
    const [phones = [], sources = [], notes = []] = lists as string[][];
    const filled = await tx.query(fillMany, [fillings.map(({ id }) => id), phones, sources, notes]);
    return filled.map(({ id, version, ...isFilled }) => ({
      ...{ id, version },
      fields: filledTexts.filter((name) => isFilled[name as keyof typeof isFilled]),
    }));
  }
}
