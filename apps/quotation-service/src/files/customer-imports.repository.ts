import { importTexts, ImportsRepository, type ImportPart, type UndonePart } from '@tenantry/service/files';
import { statement, type Transaction } from '../database.ts';

const texts = importTexts({
  ...{ imports: 'customer_imports', parts: 'customer_import_parts', ids: 'customer_ids' },
});

/** The imports of an organization, and what their rows became. */
export const customerImports = new ImportsRepository({
  page: statement({ name: 'customer-import-page', text: texts.page }),
  turn: statement({ name: 'customer-import-turn', text: texts.turn }),
  byId: statement({ name: 'customer-import-by-id', text: texts.byId }),
  lock: statement({ name: 'customer-import-lock', text: texts.lock }),
  begin: statement({ name: 'customer-import-begin', text: texts.begin }),
  move: statement({ name: 'customer-import-move', text: texts.move }),
  end: statement({ name: 'customer-import-end', text: texts.end }),
  insertPart: statement({ name: 'customer-import-part-insert', text: texts.insertPart }),
  nextPart: statement({ name: 'customer-import-part-next', text: texts.nextPart }),
  leftOut: statement({ name: 'customer-import-left-out', text: texts.leftOut }),
  noteUndone: statement({ name: 'customer-import-note-undone', text: texts.noteUndone }),
  purge: statement({ name: 'customer-imports-purge', text: texts.purge }),
});

// In an order that all have, and before the next statement sees whether a quote is there: a quote locks its customer.
const lockForUndoing = statement({
  name: 'customer-import-undo-lock',
  text: `SELECT id FROM customers WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
});

const undoCreated = statement({
  name: 'customer-import-undo-created',
  text: `
    DELETE FROM customers
    WHERE organization_id = $1 AND id = ANY ($2) AND version = 1 AND erased_at IS NULL
      AND NOT EXISTS (SELECT FROM quotes WHERE organization_id = $1 AND customer_id = customers.id)
    RETURNING id`,
});

const undoFilled = statement({
  name: 'customer-import-undo-filled',
  text: `
    UPDATE customers SET email = CASE WHEN 'email' = ANY (given.fields) THEN NULL ELSE customers.email END,
      address = CASE WHEN 'address' = ANY (given.fields) THEN NULL ELSE customers.address END,
      vat_number = CASE WHEN 'vatNumber' = ANY (given.fields) THEN NULL ELSE customers.vat_number END
    FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, version int, fields text[])
    WHERE customers.organization_id = $1 AND customers.id = given.id AND customers.version = given.version
      AND erased_at IS NULL
    RETURNING customers.id`,
});

const keptCustomers = statement({
  name: 'customer-import-kept',
  text: `
    SELECT id, name FROM customers WHERE organization_id = $1 AND id = ANY ($2) AND erased_at IS NULL ORDER BY id`,
});

/** What takes imports of customers back. */
export interface UndoCustomersOptions {
  /** Updates what drafts show of customers. */
  readonly renameInDrafts: (tx: Transaction, ids: readonly string[]) => Promise<void>;
}

/**
 * Takes back what is untouched of a part: deletes customers that nobody has changed and that have no quote, and empties what was
 * filled. Returns how many they are, and those that stay.
 */
export const undoCustomers =
  ({ renameInDrafts }: UndoCustomersOptions) =>
  async (tx: Transaction, { ids, filled }: ImportPart): Promise<UndonePart> => {
    const all = [...ids, ...filled.map(({ id }) => id)];
    await tx.query(lockForUndoing, [all]);
    const created = ids.length > 0 ? await tx.query(undoCreated, [[...ids]]) : [];
    const emptied = filled.length > 0 ? await tx.query(undoFilled, [JSON.stringify(filled)]) : [];
    if (emptied.length > 0)
      await renameInDrafts(
        tx,
        emptied.map(({ id }) => id),
      );
    const takenBack = new Set([...created, ...emptied].map(({ id }) => id));
    const others = all.filter((id) => !takenBack.has(id));
    const kept = others.length > 0 ? await tx.query(keptCustomers, [others]) : [];
    return { undone: takenBack.size, kept };
  };
