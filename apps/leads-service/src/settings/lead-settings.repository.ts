import { theOne } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { furtherMovesOf } from '../leads/lead-status.ts';
import type { OrganizationLeadSettings } from './organization-lead-settings.ts';

const columns = `further_moves AS "furtherMoves", accepted_quote_moves_lead AS "acceptedQuoteMovesLead", version`;

const settingsOfLeads = statement({
  name: 'lead-settings',
  text: `SELECT ${columns} FROM lead_settings WHERE organization_id = $1`,
});

// Locks the row, or creates the one of the defaults, so that two first changes follow each other.
const lockSettings = statement({
  name: 'lead-settings-lock',
  text: `
    INSERT INTO lead_settings (organization_id) VALUES ($1)
    ON CONFLICT (organization_id) DO UPDATE SET version = lead_settings.version RETURNING ${columns}`,
});

const updateSettings = statement({
  name: 'lead-settings-update',
  text: `
    UPDATE lead_settings SET further_moves = $2, accepted_quote_moves_lead = $3, version = version + 1
    WHERE organization_id = $1 RETURNING ${columns}`,
});

/** Stores the settings of organizations; one without a row has the defaults of the table. */
export class LeadSettingsRepository {
  async find(rows: Rows): Promise<OrganizationLeadSettings | undefined> {
    const [found] = await rows.query(settingsOfLeads, []);
    return found && known(found);
  }

  /** The settings, locked until the transaction ends. */
  async lock(tx: Transaction): Promise<OrganizationLeadSettings> {
    return known(theOne(await tx.query(lockSettings, [])));
  }

  async update(tx: Transaction, settings: OrganizationLeadSettings): Promise<OrganizationLeadSettings> {
    const { furtherMoves, acceptedQuoteMovesLead } = settings;
    return known(theOne(await tx.query(updateSettings, [[...furtherMoves], acceptedQuoteMovesLead])));
  }
}

const known = <Row extends { readonly furtherMoves: readonly string[] }>(row: Row) => ({
  ...row,
  furtherMoves: furtherMovesOf(row.furtherMoves),
});
