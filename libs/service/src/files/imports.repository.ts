import type {
  OrganizationRows as Rows,
  OrganizationTransaction as Transaction,
  Page,
  PageRequest,
  Statement,
} from '@tenantry/tenancy';
import { pageOf } from '@tenantry/tenancy';
import type { AccountActor } from '../resources/actors.ts';

/** How an import ended. `interrupted`: it said nothing for longer than an import takes, so nothing of it is there. */
export const importStatuses = ['running', 'done', 'failed', 'interrupted'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** The numbers of an import. */
export interface ImportCounts {
  /** Rows that were read. */
  readonly rows: number;
  readonly imported: number;
  /** Those whose empty fields were filled. */
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
  /** How many were taken back. */
  readonly undone: number;
}

/** What an import made, and somebody has changed since. */
export interface TouchedItem {
  readonly id: string;
  readonly name: string;
}

/** Something whose empty fields were filled, with its version since. */
export interface FilledItem {
  readonly id: string;
  readonly version: number;
  readonly fields: readonly string[];
}

/** What some rows of an import became. */
export interface ImportPart {
  readonly part: number;
  readonly ids: readonly string[];
  readonly filled: readonly FilledItem[];
}

/** What was taken back of a part, and what stays because it was touched. */
export interface UndonePart {
  readonly undone: number;
  readonly kept: readonly TouchedItem[];
}

/** Longer than an import may take. */
export const silentSecondsMax = 180;
/** How many imports are forgotten at once. */
export const importsForgottenAtOnce = 20;

const columns = `id, file_name AS "fileName", started_at AS "startedAt",
  CASE WHEN status = 'running' AND seen_at < (SELECT clock_timestamp() - make_interval(secs => ${silentSecondsMax}))
    THEN 'interrupted' ELSE status END AS status,
  rows, imported, filled, skipped, rejected, saved, undone_at AS "undoneAt", undone`;

/** The tables of a service's imports, and the column with the ids of what the rows of a part became. */
export interface ImportTables {
  readonly imports: string;
  readonly parts: string;
  readonly ids: string;
}

/** The texts of {@link ImportStatements}, which a service defines as its own, so that it describes and judges them. */
export const importTexts = ({ imports, parts, ids }: ImportTables) => ({
  page: `
    SELECT counted.total, page.*
    FROM (SELECT count(*)::int AS total FROM ${imports} WHERE organization_id = $1) AS counted
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM ${imports} WHERE organization_id = $1
      ORDER BY started_at DESC, id DESC LIMIT $2 OFFSET $3
    ) AS page ON true
    ORDER BY page."startedAt" DESC, page.id DESC`,
  // One import of an organization after the other, whichever instances they are at, so that each sees what is there.
  turn: `
    SELECT id FROM (SELECT pg_advisory_xact_lock(hashtextextended(concat('${imports}', $1::uuid), 0))) AS lock, ${imports}
    WHERE organization_id = $1 AND id = $2`,
  byId: `SELECT ${columns} FROM ${imports} WHERE organization_id = $1 AND id = $2`,
  lock: `SELECT id FROM ${imports} WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
  begin: `
    INSERT INTO ${imports} (organization_id, id, actor_kind, actor_user_id, file_name) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING`,
  move: `
    UPDATE ${imports} SET rows = $3, seen_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
  end: `
    UPDATE ${imports} SET status = $3, rows = $4, imported = $5, filled = $6, skipped = $7, rejected = $8, saved = $9,
      seen_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
  insertPart: `
    INSERT INTO ${parts} (organization_id, import_id, part, ${ids}, filled, left_out)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  nextPart: `
    SELECT part, ${ids} AS ids, filled FROM ${parts}
    WHERE organization_id = $1 AND import_id = $2 AND part > $3 AND (${ids} <> '{}' OR filled <> '[]')
    ORDER BY part LIMIT 1`,
  leftOut: `
    SELECT part, left_out AS "leftOut" FROM ${parts}
    WHERE organization_id = $1 AND import_id = $2 AND part > $3 AND left_out <> '' ORDER BY part LIMIT 1`,
  noteUndone: `
    UPDATE ${imports} SET undone = undone + $3, undone_at = clock_timestamp() WHERE organization_id = $1 AND id = $2`,
  purge: `
    WITH old AS MATERIALIZED (
      SELECT id FROM ${imports}
      WHERE organization_id = $1 AND started_at < (SELECT clock_timestamp() - make_interval(days => $2))
      ORDER BY started_at, id LIMIT ${importsForgottenAtOnce} FOR UPDATE SKIP LOCKED
    ), parts AS (
      DELETE FROM ${parts} WHERE organization_id = $1 AND import_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM ${imports} WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
});

type Owned<Row, Values extends readonly unknown[]> = Statement<Row, Values, 'organization'>;
type FoundImport = Omit<PastImport, 'status'> & { readonly status: string };
type Counted = [
  id: string,
  status: 'done' | 'failed',
  ...counts: [number, number, number, number, number, number],
];

/** The statements of a service's imports, by the names of {@link importTexts}. */
export interface ImportStatements {
  readonly page: Owned<
    { readonly total: number } & { readonly [Name in keyof FoundImport]: FoundImport[Name] | null },
    [number, number]
  >;
  readonly turn: Owned<unknown, [string]>;
  readonly byId: Owned<FoundImport, [string]>;
  readonly lock: Owned<unknown, [string]>;
  readonly begin: Owned<unknown, [string, AccountActor['kind'], string, string | null]>;
  readonly move: Owned<unknown, [string, number]>;
  readonly end: Owned<unknown, Counted>;
  readonly insertPart: Owned<unknown, [string, number, string[], unknown, string]>;
  readonly nextPart: Owned<
    { readonly part: number; readonly ids: readonly string[]; readonly filled: unknown },
    [string, number]
  >;
  readonly leftOut: Owned<{ readonly part: number; readonly leftOut: string }, [string, number]>;
  readonly noteUndone: Owned<unknown, [string, number]>;
  readonly purge: Owned<unknown, [number]>;
}

/** A new import. */
export interface NewImport {
  readonly id: string;
  readonly actor: AccountActor;
  readonly fileName: string | null;
}

/** The imports of an organization, and what their rows became. */
export class ImportsRepository {
  readonly #statements: ImportStatements;

  constructor(statements: ImportStatements) {
    this.#statements = statements;
  }

  /** Notes that an import begins, if that is not known. */
  async begin(rows: Rows, { id, actor, fileName }: NewImport): Promise<void> {
    await rows.query(this.#statements.begin, [id, actor.kind, actor.userId, fileName]);
  }

  /** Notes how many rows were read. */
  async move(rows: Rows, id: string, read: number): Promise<void> {
    await rows.query(this.#statements.move, [id, read]);
  }

  /** Waits until no other import of the organization is under way, and keeps others waiting until the transaction ends. */
  async takeTurn(tx: Transaction, id: string): Promise<void> {
    await tx.query(this.#statements.turn, [id]);
  }

  async end(rows: Rows, id: string, status: 'done' | 'failed', counts: ImportCounts): Promise<void> {
    const { rows: read, imported, filled, skipped, rejected, saved } = counts;
    await rows.query(this.#statements.end, [id, status, read, imported, filled, skipped, rejected, saved]);
  }

  async addPart(
    tx: Transaction,
    id: string,
    { part, ids, filled, leftOut }: ImportPart & { readonly leftOut: string },
  ): Promise<void> {
    await tx.query(this.#statements.insertPart, [id, part, [...ids], JSON.stringify(filled), leftOut]);
  }

  async page(rows: Rows, { page, pageSize }: PageRequest): Promise<Page<PastImport>> {
    const found = await rows.query(this.#statements.page, [pageSize, (page - 1) * pageSize]);
    return pageOf(found) as Page<PastImport>;
  }

  async find(rows: Rows, id: string): Promise<PastImport | undefined> {
    return (await rows.query(this.#statements.byId, [id]))[0] as PastImport | undefined;
  }

  /** Locks an import until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<void> {
    await tx.query(this.#statements.lock, [id]);
  }

  /** The parts that made or filled something, one after the other. */
  async *parts(rows: Rows, id: string): AsyncGenerator<ImportPart> {
    for (let part = -1; ;) {
      const [next] = await rows.query(this.#statements.nextPart, [id, part]);
      if (!next) return;
      ({ part } = next);
      yield { ...next, filled: next.filled as readonly FilledItem[] };
    }
  }

  /** The rows that were left out, as CSV, piece by piece. */
  async *leftOut(rows: Rows, id: string): AsyncGenerator<string> {
    for (let part = -1; ;) {
      const [next] = await rows.query(this.#statements.leftOut, [id, part]);
      if (!next) return;
      ({ part } = next);
      yield next.leftOut;
    }
  }

  /** Notes that an import was taken back. */
  async noteUndone(tx: Transaction, id: string, undone: number): Promise<void> {
    await tx.query(this.#statements.noteUndone, [id, undone]);
  }

  /** Deletes a batch of imports that are so many days old. @returns how many they were */
  async purge(rows: Rows, days: number): Promise<number> {
    return (await rows.query(this.#statements.purge, [days])).length;
  }
}
