import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseNames } from '../databases.ts';
import { workspaceRoot, type DatabaseService } from '../services.ts';
import { readMigrations, scriptOf } from './files.ts';
import { saveMigration } from './write.ts';

/** The text of a table to be searched by an index. */
export interface NewSearch {
  readonly service: DatabaseService;
  readonly table: string;
  /** An expression of the table's columns: folded text. */
  readonly text: string;
  /** Which rows are listed; default: all. */
  readonly where?: string | undefined;
  readonly now?: Date;
}

/**
 * Writes the migrations that let the role of searches find a text: its policy and grants, and, in one of its own since it is
 * built concurrently, the index. Returns their paths.
 */
export async function writeSearchMigrations({
  service,
  table,
  text,
  where,
  now = new Date(),
}: NewSearch): Promise<string[]> {
  const { search } = databaseNames(service.name);
  const pattern = 'app.search_pattern';
  const existing = await readMigrations(service.projectRoot);
  const isFirst = !existing.migrationDirectories.some(({ path }) =>
    scriptOf(existing, path).includes(pattern),
  );
  const functions = isFirst ? `${await tenancySql('folding')}\n${await tenancySql('search')}\n` : '';
  const policy = `-- The role of searches, which the service takes on for the time of one, reads ${table}, and no more of them than hold the term.
CREATE POLICY search ON ${table} AS RESTRICTIVE FOR SELECT TO ${search}
  USING ((${text}) LIKE (SELECT ${pattern}()));
GRANT USAGE ON SCHEMA app, public TO ${search};
GRANT SELECT ON ${table} TO ${search};
`;
  const index = `-- What is inserted waits in a list, which each search reads as well; who fills it up to its limit empties it.
CREATE INDEX CONCURRENTLY ${table}_by_trigrams ON ${table}
  USING gin (organization_id, (${text}) gin_trgm_ops)
  WITH (gin_pending_list_limit = 1024)${where === undefined ? '' : ` WHERE ${where}`};
`;
  return [
    await saveMigration({ service, name: `search ${table}`, now, script: functions + policy }),
    await saveMigration({
      service,
      name: `${table} by trigrams`,
      now: new Date(now.getTime() + 1_000),
      script: index,
    }),
  ];
}

const tenancySql = (file: string): Promise<string> =>
  readFile(join(workspaceRoot, `libs/tenancy/sql/${file}.sql`), 'utf8');
