import type { AccountActor } from '@tenantry/service/resources';
import { pageOf, type Page, type PageRequest } from '@tenantry/tenancy';
import { models, statement, type Rows, type Transaction } from '../database.ts';
import type { FilledLead } from '../leads/lead.ts';

/** How an import ended. `interrupted`: it said nothing for longer than an import takes, so nothing of it is there. */
export const importStatuses = ['running', 'done', 'failed', 'interrupted'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** The numbers of an import. */
export interface ImportCounts {
  /** Rows that were read. */
  readonly rows: number;
  readonly imported: number;
  /** Leads whose empty fields were filled. */
  readonly filled: number;
  /** Duplicates that were left out. */
  readonly skipped: number;
  readonly rejected: number;
  /** Rows in the file of those that were left out. */
  readonly saved: number;
}

/** An import as a list shows it. Times are ISO 8601 UTC. */
export interface PastImport extends ImportCounts {
  readonly id: string;
  readonly fileName: string | null;
  readonly startedAt: string;
  readonly status: ImportStatus;
  readonly undoneAt: string | null;
  /** Leads that were taken back. */
  readonly undone: number;
}

/** A lead that an import made, and that was changed since. */
export interface TouchedLead {
  readonly id: string;
  readonly name: string;
}

/** What some rows of an import became. */
export interface ImportPart {
  readonly part: number;
  readonly leadIds: readonly string[];
  readonly filled: readonly FilledLead[];
}

/** Longer than an import may take. */
export const silentSecondsMax = 180;

const columns = `id, file_name AS "fileName", started_at AS "startedAt",
  CASE WHEN status = 'running' AND seen_at < (SELECT clock_timestamp() - make_interval(secs => ${silentSecondsMax}))
    THEN 'interrupted' ELSE status END AS status,
  rows, imported, filled, skipped, rejected, saved, undone_at AS "undoneAt", undone`;

const importPage = statement({
  name: 'lead-import-page',
  text: `
    SELECT counted.total, page.*
    FROM (SELECT count(*)::int AS total FROM lead_imports WHERE organization_id = $1) AS counted
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM lead_imports WHERE organization_id = $1
      ORDER BY started_at DESC, id DESC LIMIT $2 OFFSET $3
    ) AS page ON true
    ORDER BY page."startedAt" DESC, page.id DESC`,
});

const importById = statement({
  name: 'lead-import-by-id',
  text: `SELECT ${columns} FROM lead_imports WHERE organization_id = $1 AND id = $2`,
});

const lockImport = statement({
  name: 'lead-import-lock',
  text: `SELECT id FROM lead_imports WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
});

const beginImport = statement({
  name: 'lead-import-begin',
  text: `
    INSERT INTO lead_imports (organization_id, id, actor_kind, actor_user_id, file_name) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING`,
});

const moveImport = statement({
  name: 'lead-import-move',
  text: `
    UPDATE lead_imports SET rows = $3, seen_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
});

const endImport = statement({
  name: 'lead-import-end',
  text: `
    UPDATE lead_imports SET status = $3, rows = $4, imported = $5, filled = $6, skipped = $7, rejected = $8, saved = $9,
      seen_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
});

const insertPart = statement({
  name: 'lead-import-part-insert',
  text: `
    INSERT INTO lead_import_parts (organization_id, import_id, part, lead_ids, filled, left_out)
    VALUES ($1, $2, $3, $4, $5, $6)`,
});

const nextPart = statement({
  name: 'lead-import-part-next',
  text: `
    SELECT part, lead_ids AS "leadIds", filled FROM lead_import_parts
    WHERE organization_id = $1 AND import_id = $2 AND part > $3 AND (lead_ids <> '{}' OR filled <> '[]')
    ORDER BY part LIMIT 1`,
});

const leftOutOfImport = statement({
  name: 'lead-import-left-out',
  text: `
    SELECT part, left_out AS "leftOut" FROM lead_import_parts
    WHERE organization_id = $1 AND import_id = $2 AND part > $3 AND left_out <> '' ORDER BY part LIMIT 1`,
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

const purgeImports = statement({
  name: 'lead-imports-purge',
  text: `
    WITH old AS MATERIALIZED (
      SELECT id FROM lead_imports
      WHERE organization_id = $1 AND started_at < (SELECT clock_timestamp() - make_interval(days => $2))
      ORDER BY started_at, id LIMIT 20 FOR UPDATE SKIP LOCKED
    ), parts AS (
      DELETE FROM lead_import_parts WHERE organization_id = $1 AND import_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM lead_imports WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
});
export const purgeBatch = 20;

/** A new import. */
export interface NewImport {
  readonly id: string;
  readonly actor: AccountActor;
  readonly fileName: string | null;
}

/** The imports of an organization, and what their rows became. */
export class LeadImportRepository {
  /** Notes that an import begins, if that is not known. */
  async begin(rows: Rows, { id, actor, fileName }: NewImport): Promise<void> {
    await rows.query(beginImport, [id, actor.kind, actor.userId, fileName]);
  }

  /** Notes how many rows were read. */
  async move(rows: Rows, id: string, read: number): Promise<void> {
    await rows.query(moveImport, [id, read]);
  }

  async end(rows: Rows, id: string, status: 'done' | 'failed', counts: ImportCounts): Promise<void> {
    const { rows: read, imported, filled, skipped, rejected, saved } = counts;
    await rows.query(endImport, [id, status, read, imported, filled, skipped, rejected, saved]);
  }

  async addPart(
    tx: Transaction,
    id: string,
    { part, leadIds, filled, leftOut }: ImportPart & { readonly leftOut: string },
  ): Promise<void> {
    await tx.query(insertPart, [id, part, [...leadIds], JSON.stringify(filled), leftOut]);
  }

  async page(rows: Rows, { page, pageSize }: PageRequest): Promise<Page<PastImport>> {
    return pageOf(await rows.query(importPage, [pageSize, (page - 1) * pageSize])) as Page<PastImport>;
  }

  async find(rows: Rows, id: string): Promise<PastImport | undefined> {
    return (await rows.query(importById, [id]))[0];
  }

  /** Locks an import until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<void> {
    await tx.query(lockImport, [id]);
  }

  /** The parts with leads, one after the other. */
  async *parts(rows: Rows, id: string): AsyncGenerator<ImportPart> {
    for (let part = -1; ;) {
      const [next] = await rows.query(nextPart, [id, part]);
      if (!next) return;
      ({ part } = next);
      yield { ...next, filled: next.filled as readonly FilledLead[] };
    }
  }

  /** The rows that were left out, as CSV, piece by piece. */
  async *leftOut(rows: Rows, id: string): AsyncGenerator<string> {
    for (let part = -1; ;) {
      const [next] = await rows.query(leftOutOfImport, [id, part]);
      if (!next) return;
      ({ part } = next);
      yield next.leftOut;
    }
  }

  /** Takes back what is untouched of a part. @returns how many leads, and those that were touched and are there */
  async undo(
    tx: Transaction,
    { leadIds, filled }: ImportPart,
  ): Promise<{ readonly undone: number; readonly kept: readonly TouchedLead[] }> {
    const created = leadIds.length > 0 ? await tx.query(undoCreated, [[...leadIds]]) : [];
    const emptied = filled.length > 0 ? await tx.query(undoFilled, [JSON.stringify(filled)]) : [];
    const takenBack = new Set([...created, ...emptied].map(({ id }) => id));
    const others = [...leadIds, ...filled.map(({ id }) => id)].filter((id) => !takenBack.has(id));
    const kept = others.length > 0 ? await tx.query(liveLeads, [others]) : [];
    return { undone: takenBack.size, kept };
  }

  /** Notes that an import was taken back. */
  async noteUndone(tx: Transaction, id: string, undone: number): Promise<void> {
    const { undone: before = 0 } = (await this.find(tx, id)) ?? {};
    const data = { undone: before + undone, undoneAt: new Date() };
    await models(tx).leadImport.updateMany({ where: { id }, data });
  }

  /** Deletes a batch of imports that are so many days old. @returns how many they were */
  async purge(rows: Rows, days: number): Promise<number> {
    return (await rows.query(purgeImports, [days])).length;
  }
}
