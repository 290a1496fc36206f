import {
  FileTurns,
  importedRowsMax,
  Imports,
  PastImports,
  spoolOf,
  tooManyRows,
  Uploads,
  type ImportRoutesOptions,
} from '@tenantry/service/files';
import { scheduleWork } from '@tenantry/service/work';
import { readerOf } from '@tenantry/tables';
import type { QuotationAudit } from '../audit/quotation-actions.ts';
import type { NewCustomer } from '../customers/customer.ts';
import type { Transaction } from '../database.ts';
import { customerFiles, type CustomerFileField } from './customer-fields.ts';
import { customerImports, undoCustomers } from './customer-imports.repository.ts';
import { customerItems, type CustomerBatches } from './customer-items.ts';

interface CustomerFilesOptions {
  readonly audit: QuotationAudit;
  readonly customers: CustomerBatches;
  /** Updates what drafts show of customers. */
  readonly renameInDrafts: (tx: Transaction, ids: readonly string[]) => Promise<void>;
}

type Reading = Pick<ImportRoutesOptions<NewCustomer>, 'describe' | 'rowsOf'>;

/** Files that become customers: how they are received, read and imported, and taken back. */
export function customerFilesOf(
  config: Parameters<typeof spoolOf>[0],
  { audit, customers, renameInDrafts }: CustomerFilesOptions,
) {
  const spool = spoolOf(config);
  const turns = new FileTurns('customer');
  const items = customerItems({ customers, renameInDrafts, audit });
  const describing = { one: 'customer', rowsMax: importedRowsMax, tooManyRows };
  const reading: Reading = readerOf<CustomerFileField, NewCustomer>(customerFiles, describing);
  return {
    ...{ ...reading, spool, turns },
    uploads: new Uploads({ ...spool, turns }),
    imports: new Imports({ items, imports: customerImports, scheduleWork }),
    pastImports: new PastImports({
      imports: customerImports,
      undo: undoCustomers({ renameInDrafts }),
      recordUndoing: (tx, actor, { undone, kept }) =>
        audit.record(tx, { actor, action: 'customer.import-undone', details: { customers: undone, kept } }),
    }),
  };
}
