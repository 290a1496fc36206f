import { importTexts, ImportsRepository, type ImportPart, type UndonePart } from '@tenantry/service/files';
import { statement, type Transaction } from '../database.ts';

const texts = importTexts({ imports: 'lead_imports', parts: 'lead_import_parts', ids: 'lead_ids' });

/** The imports of an organization, and what their rows became. */
export const leadImports = new ImportsRepository({
  page: statement({ name: 'lead-import-page', text: texts.page }),
  turn: statement({ name: 'lead-import-turn', text: texts.turn }),
  byId: statement({ name: 'lead-import-by-id', text: texts.byId }),
  lock: statement({ name: 'lead-import-lock', text: texts.lock }),
  begin: statement({ name: 'lead-import-begin', text: texts.begin }),
  move: statement({ name: 'lead-import-move', text: texts.move }),
  end: statement({ name: 'lead-import-end', text: texts.end }),
  insertPart: statement({ name: 'lead-import-part-insert', text: texts.insertPart }),
  nextPart: statement({ name: 'lead-import-part-next', text: texts.nextPart }),
  leftOut: statement({ name: 'lead-import-left-out', text: texts.leftOut }),
  noteUndone: statement({ name: 'lead-import-note-undone', text: texts.noteUndone }),
  purge: statement({ name: 'lead-imports-purge', text: texts.purge }),
});

const undoCreated = statement({
  name: 'lead-import-undo-created',
  text: `
    UPDATE leads SET deleted_at = clock_timestamp()
    WHERE organization_id = $1 AND id = ANY ($2) AND version = 1 AND deleted_at IS NULL RETURNING id`,
});

const undoFilled = statement({
  name: 'lead-import-undo-filled',
  text: `
    UPDATE leads SET phone = CASE WHEN 'phone' = ANY (given.fields) THEN NULL ELSE leads.phone END,
      source = CASE WHEN 'source' = ANY (given.fields) THEN NULL ELSE leads.source END,
      notes = CASE WHEN 'notes' = ANY (given.fields) THEN NULL ELSE leads.notes END
    FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, version int, fields text[])
    WHERE leads.organization_id = $1 AND leads.id = given.id AND leads.version = given.version AND deleted_at IS NULL
    RETURNING leads.id`,
});

const liveLeads = statement({
  name: 'lead-import-live',
  text: `SELECT id, name FROM leads WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id`,
});

/** Takes back what is untouched of a part. @returns how many leads, and those that were touched and are there */
export async function undoLeads(tx: Transaction, { ids, filled }: ImportPart): Promise<UndonePart> {
  const created = ids.length > 0 ? await tx.query(undoCreated, [[...ids]]) : [];
  const emptied = filled.length > 0 ? await tx.query(undoFilled, [JSON.stringify(filled)]) : [];
  const takenBack = new Set([...created, ...emptied].map(({ id }) => id));
  const others = [...ids, ...filled.map(({ id }) => id)].filter((id) => !takenBack.has(id));
  const kept = others.length > 0 ? await tx.query(liveLeads, [others]) : [];
  return { undone: takenBack.size, kept };
}
