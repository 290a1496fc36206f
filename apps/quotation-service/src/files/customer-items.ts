import type { FilledItem, Filling, ImportedItems } from '@tenantry/service/files';
import { foldText } from '@tenantry/text';
import type { QuotationAudit } from '../audit/quotation-actions.ts';
import type { NewCustomer } from '../customers/customer.ts';
import type { Rows, Transaction } from '../database.ts';

/** Many customers at once. */
export interface CustomerBatches {
  /** Creates customers. @returns their ids */
  insert(tx: Transaction, customers: readonly NewCustomer[]): Promise<readonly string[]>;
  /** The earliest customer with the e-mail address of each, or else with its VAT number, where there is one. */
  same(rows: Rows, customers: readonly NewCustomer[]): Promise<readonly (string | undefined)[]>;
  /** Fills what is empty of customers; each is named once. @returns those that had something empty */
  fill(tx: Transaction, fillings: readonly Filling<NewCustomer>[]): Promise<readonly FilledItem[]>;
}

export interface CustomerItemsOptions {
  readonly customers: CustomerBatches;
  /** Updates what drafts show of customers. */
  readonly renameInDrafts: (tx: Transaction, ids: readonly string[]) => Promise<void>;
  readonly audit: QuotationAudit;
}

/** What the rows of files become: customers, of which two with one e-mail address or VAT number are the same. */
export const customerItems = ({
  customers,
  renameInDrafts,
  audit,
}: CustomerItemsOptions): ImportedItems<NewCustomer> => ({
  sameness: { field: 'row', verb: 'has the e-mail address or VAT number of', noun: 'customer' },
  keysOf: ({ email, vatNumber }) => [
    ...(email ? [`email ${foldText(email)}`] : []),
    ...(vatNumber ? [`vatNumber ${vatNumber}`] : []),
  ],
  insert: (tx, items) => customers.insert(tx, items),
  same: (rows, items) => customers.same(rows, items),
  async fill(tx, fillings) {
    const filled = await customers.fill(tx, fillings);
    if (filled.length > 0)
      await renameInDrafts(
        tx,
        filled.map(({ id }) => id),
      );
    return filled;
  },
  recordImport: (tx, actor, counts) =>
    audit.record(tx, { actor, action: 'customer.imported', details: { ...counts } }),
});
