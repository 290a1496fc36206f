import { pageOf, suggestionsText, theOne, type Page } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { Lead, LeadListQuery, ListedLead, NewLead } from './lead.ts';
import { queryLeadPage } from './lead-page.repository.ts';
import { furtherMovesOf, movesWith, type LeadMoves } from './lead-status.ts';
import { leadTexts, textValues } from './lead-texts.ts';

/** A lead, and whether it is marked as deleted. */
export interface FoundLead {
  readonly lead: Lead;
  readonly isDeleted: boolean;
}

/** The columns of a {@link Lead}. */
export const leadColumns = `id, ${leadTexts.join(', ')}, status, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const leadById = statement({
  name: 'lead-by-id',
  text: `
    SELECT ${leadColumns},
      (SELECT further_moves FROM lead_settings WHERE organization_id = $1) AS "furtherMoves"
    FROM leads WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
});

/**
 * The condition and order of the earliest lead with an address. By id, which is in the order of creation as well: ordered by time,
 * PostgreSQL reads all leads. Folded in a query of its own: under row-level security no index is asked for what a comparison computes.
 */
export const firstWithEmail = (
  email: string,
): string => `folded_email = (SELECT app.fold_text(${email})) AND deleted_at IS NULL
      ORDER BY folded_email, id LIMIT 1`;

const insertLead = statement({
  name: 'lead-insert',
  text: `
    INSERT INTO leads (organization_id, ${leadTexts.join(', ')})
    VALUES ($1, ${leadTexts.map((_, at) => `$${at + 2}`).join(', ')})
    RETURNING id, (
      SELECT id FROM leads WHERE organization_id = $1 AND ${firstWithEmail(`$${leadTexts.indexOf('email') + 2}`)}
    ) AS "duplicateOf"`,
});

const updateLead = statement({
  name: 'lead-update',
  text: `
    UPDATE leads SET status = $4, ${leadTexts.map((name, at) => `${name} = $${at + 5}`).join(', ')}
    WHERE organization_id = $1 AND id = $2 AND version = $3 AND deleted_at IS NULL
    RETURNING ${leadColumns}`,
});

const markLeadDeleted = statement({
  name: 'lead-mark-deleted',
  text: `
    UPDATE leads SET deleted_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND version = $3 AND deleted_at IS NULL
    RETURNING id`,
});

const leadByIdForUpdate = statement({
  name: 'lead-by-id-for-update',
  text: `
    SELECT ${leadColumns}, deleted_at IS NOT NULL AS "isDeleted" FROM leads
    WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
});

const restoreLead = statement({
  name: 'lead-restore',
  text: `
    UPDATE leads SET deleted_at = NULL WHERE organization_id = $1 AND id = $2 AND version = $3
    RETURNING ${leadColumns}`,
});

const duplicateOfLead = statement({
  name: 'lead-duplicate',
  text: `
    SELECT id FROM leads WHERE organization_id = $1 AND id <> $2 AND ${firstWithEmail('$3')}`,
});

/** Leads whose names begin with a text, in the order of their names. */
export const leadSuggestions = statement({
  name: 'lead-suggestions',
  text: suggestionsText({
    table: 'leads',
    key: 'id',
    text: 'folded_name',
    kept: 'deleted_at IS NULL',
    columns: 'id, name, email',
  }),
});

/** The live leads of an organization. */
export class LeadRepository {
  async list(rows: Rows, query: LeadListQuery): Promise<Page<ListedLead>> {
    return pageOf(await queryLeadPage(rows, query));
  }

  /** A lead, and how leads of the organization may move. */
  async find(rows: Rows, id: string): Promise<{ lead: Lead; moves: LeadMoves } | undefined> {
    const [row] = await rows.query(leadById, [id]);
    if (!row) return undefined;
    const { furtherMoves, ...lead } = row;
    return { lead, moves: movesWith(furtherMovesOf(furtherMoves ?? [])) };
  }

  async insert(rows: Rows, lead: NewLead): Promise<{ id: string; duplicateOf: string | null }> {
    return theOne(await rows.query(insertLead, textValues(lead)));
  }

  /** Writes the lead if its version is still the one that was read; returns it with the new version. */
  async update(tx: Transaction, lead: Lead): Promise<Lead> {
    const { id, version, status } = lead;
    return theOne(await tx.query(updateLead, [id, version, status, ...textValues(lead)]));
  }

  async markDeleted(tx: Transaction, { id, version }: Lead): Promise<void> {
    theOne(await tx.query(markLeadDeleted, [id, version]));
  }

  /** Finds the lead, live or deleted, and locks it until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<FoundLead | undefined> {
    const [row] = await tx.query(leadByIdForUpdate, [id]);
    if (!row) return undefined;
    const { isDeleted, ...lead } = row;
    return { lead, isDeleted };
  }

  /** Restores a deleted lead; returns it with its new version. */
  async restore(tx: Transaction, { id, version }: Lead): Promise<Lead> {
    return theOne(await tx.query(restoreLead, [id, version]));
  }

  /** The earliest other lead with the e-mail address of this one. */
  async duplicateOf(rows: Rows, { id, email }: Lead): Promise<string | null> {
    const [duplicate] = await rows.query(duplicateOfLead, [id, email]);
    return duplicate?.id ?? null;
  }
}
