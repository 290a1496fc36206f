import { statement, type TenantScope, type TenantTransaction } from '@tenantry/tenancy';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Lead, LeadChanges, LeadListItem, LeadListQuery, LeadPage, NewLead } from './lead.ts';
import { leadPage, type LeadPageRow } from './lead-page.repository.ts';

/** A lead as PostgreSQL answers it. */
interface LeadRow extends Omit<LeadListItem, 'createdAt'> {
  readonly notes: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const leadColumns = `id, name, email, phone, status, source, notes, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const leadById = statement<LeadRow, [id: string]>({
  name: 'lead-by-id',
  text: `SELECT ${leadColumns} FROM leads WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
});

/** The lead, kept from changing until the transaction ends. */
const lockedLeadById = statement<LeadRow, [id: string]>({
  name: 'locked-lead-by-id',
  text: `${leadById.text} FOR NO KEY UPDATE`,
});

type Text = string | null;
type NewLeadValues = [name: string, email: string, phone: Text, source: Text, notes: Text];

const insertLead = statement<{ id: string; duplicateOf: string | null }, NewLeadValues>({
  name: 'insert-lead',
  text: `
    INSERT INTO leads (organization_id, name, email, phone, source, notes) VALUES ($1, $2, $3, $4, $5, $6)
    RETURNING id, (
      SELECT id FROM leads WHERE organization_id = $1 AND lower(email) = lower($3) AND deleted_at IS NULL
      ORDER BY created_at, id LIMIT 1
    ) AS "duplicateOf"`,
});

const newLeadValues = ({ name, email, phone, source, notes }: NewLead): NewLeadValues => [
  name,
  email,
  phone ?? null,
  source ?? null,
  notes ?? null,
];

/** An organization's database, as its leads need it. */
export type LeadsTenant = TenantScope<PrismaClient, { readonly organizationId: string }>;

/** The live leads of one organization. */
export class LeadRepository {
  readonly #tenant: LeadsTenant;

  constructor(tenant: LeadsTenant) {
    this.#tenant = tenant;
  }

  async list(query: LeadListQuery): Promise<LeadPage> {
    const { statement, values } = leadPage(query);
    const rows = await this.#tenant.query(statement, values);
    return { items: rows.flatMap(toListItem), total: rows[0]?.total ?? 0 };
  }

  async find(id: string): Promise<Lead | undefined> {
    const [row] = await this.#tenant.query(leadById, [id]);
    return row && toLead(row);
  }

  async create(lead: NewLead): Promise<{ id: string; duplicateOf: string | null }> {
    const [created] = await this.#tenant.query(insertLead, newLeadValues(lead));
    if (!created) throw new Error('INSERT … RETURNING answered no row');
    return created;
  }

  /** Runs `work` on leads that nobody else changes meanwhile; all of it takes effect, or nothing. */
  async transaction<Result>(work: (locked: LockedLeads) => Promise<Result>): Promise<Result> {
    const { organizationId } = this.#tenant.scope;
    return this.#tenant.transaction((transaction) => work(new LockedLeads(organizationId, transaction)));
  }
}

/** The same leads inside a transaction: what is read here stays as it is until the transaction ends. */
export class LockedLeads {
  readonly #organizationId: string;
  readonly #transaction: TenantTransaction<PrismaClient>;

  constructor(organizationId: string, transaction: TenantTransaction<PrismaClient>) {
    this.#organizationId = organizationId;
    this.#transaction = transaction;
  }

  async find(id: string): Promise<Lead | undefined> {
    const [row] = await this.#transaction.query(lockedLeadById, [id]);
    return row && toLead(row);
  }

  /** Writes the changes, provided that the status is still the one that was read. */
  async save(lead: Lead, changes: LeadChanges): Promise<Lead> {
    return toLead(await this.#update(lead, changes));
  }

  async markDeleted(lead: Lead, deletedAt: Date): Promise<void> {
    await this.#update(lead, { deletedAt });
  }

  #update({ id, status }: Lead, data: LeadChanges | { readonly deletedAt: Date }): Promise<LeadRow> {
    const where = {
      organizationId_id: { organizationId: this.#organizationId, id },
      status,
      deletedAt: null,
    };
    return this.#transaction.prisma.lead.update({ where, data }) as Promise<LeadRow>;
  }
}

function toLead(row: LeadRow): Lead {
  const { id, name, email, phone, status, source, notes, version, createdAt, updatedAt } = row;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id, name, email, phone, status, source, notes, version, ...times };
}

function toListItem(row: LeadPageRow): LeadListItem | [] {
  if (row.id === null) return [];
  const { id, name, email, phone, status, source, createdAt } = row;
  return { id, name, email, phone, status, source, createdAt: createdAt.toISOString() };
}
