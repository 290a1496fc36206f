import { foldText } from '@tenantry/text';
import type { FilledItem, Filling, ImportedItems } from '@tenantry/service/files';
import type { AccountActor } from '@tenantry/service/resources';
import type { Rows, Transaction } from '../database.ts';
import type { LeadAudit, NewLead } from '../leads/lead.ts';

/** Many leads at once. */
interface LeadBatches {
  /** Creates leads, each with its first status. @returns their ids */
  insert(tx: Transaction, leads: readonly NewLead[], actor: AccountActor): Promise<readonly string[]>;
  /** The earliest live lead with each address, where there is one. */
  byEmail(rows: Rows, emails: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Fills what is empty of leads; each is named once. */
  fill(tx: Transaction, fillings: readonly Filling<NewLead>[]): Promise<readonly FilledItem[]>;
}

/** What the rows of files become: leads, of which two with one address are the same. */
export const leadItems = (leads: LeadBatches, audit: LeadAudit): ImportedItems<NewLead> => ({
  sameness: { field: 'email', verb: 'has the address of', noun: 'lead' },
  keysOf: ({ email }) => [foldText(email)],
  insert: (tx, items, actor) => leads.insert(tx, items, actor),
  same: (rows, items) =>
    leads.byEmail(
      rows,
      items.map(({ email }) => email),
    ),
  fill: (tx, fillings) => leads.fill(tx, fillings),
  recordImport: (tx, actor, counts) =>
    audit.record(tx, { actor, action: 'lead.imported', details: { ...counts } }),
});
