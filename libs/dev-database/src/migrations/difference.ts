import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SchemaFilter } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { withSchemaEngine, type Session } from './engine.ts';
import { readSchema } from './files.ts';

/** The difference between a migrated database and schema.prisma. */
export interface Difference {
  /** For people: a tree of changes. */
  summary: string;
  /** For the next migration. */
  script: string;
}

/**
 * Compares a database to which all migrations were applied with the service's schema.prisma; undefined when they
 * agree. The database must be a scratch one: what Prisma cannot describe is taken out of it first.
 *
 * Prisma sees no policies, functions, triggers, CHECK constraints, views or other schemas than public, so these never differ.
 * It does see every index and table. An index it cannot express (INCLUDE, WHERE, an expression) lives in its migration alone,
 * unless schema.prisma names it by `map:`. A table that is deliberately not modelled is listed in the service's
 * prisma.config.ts under `tables.external`.
 */
export async function schemaDifference(
  projectRoot: string,
  scratchUrl: string,
): Promise<Difference | undefined> {
  const schema = await readSchema(projectRoot);
  const filters = await externallyManaged(projectRoot);
  return withSchemaEngine({ url: scratchUrl, schema }, async (engine, session) => {
    await leaveOutInexpressible(session, schema.files.map((file) => file.content).join('\n'));
    const diff = async (script: boolean) =>
      engine.diff({
        from: { tag: 'schemaDatasource', ...schema, configDir: projectRoot },
        to: { tag: 'schemaDatamodel', ...schema },
        script,
        exitCode: true,
        filters,
      });
    const { exitCode, stdout } = await diff(true);
    if (exitCode === 0) return undefined;
    return { script: stdout ?? '', summary: tidy((await diff(false)).stdout ?? '') };
  });
}

// The engine ends its description of a changed key with an unmatched bracket.
const tidy = (summary: string) => summary.replace(/\n\)$/gm, '').trim();

async function leaveOutInexpressible(session: Session, schema: string): Promise<void> {
  const { rows } = await session.query<{ name: string; change: string }>({ text: inexpressible });
  for (const { name, change } of rows) {
    if (!schema.includes(`"${name}"`)) await session.query({ text: change });
  }
}

// A key with INCLUDE is replaced by one without it, and so are the foreign keys that depend on it.
const inexpressible = `
  SELECT index.relname AS name,
         coalesce(
           (SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE, ADD CONSTRAINT %I %s',
                          key.conrelid::regclass, key.conname, key.conname,
                          regexp_replace(pg_get_constraintdef(key.oid), ' INCLUDE \\([^)]*\\)', ''))
                   || coalesce((SELECT string_agg(format('; ALTER TABLE %s ADD CONSTRAINT %I %s',
                                         dependent.conrelid::regclass, dependent.conname,
                                         pg_get_constraintdef(dependent.oid)), '')
                                  FROM pg_constraint dependent
                                 WHERE dependent.conindid = index.oid AND dependent.contype = 'f'), '')
              FROM pg_constraint key
             WHERE key.conindid = index.oid AND key.contype IN ('p', 'u')),
           format('DROP INDEX public.%I', index.relname)) AS change
    FROM pg_index definition
    JOIN pg_class index ON index.oid = definition.indexrelid
   WHERE index.relnamespace = 'public'::regnamespace
     AND NOT definition.indisexclusion
     AND (definition.indnatts > definition.indnkeyatts
          OR definition.indpred IS NOT NULL
          OR definition.indexprs IS NOT NULL)`;

async function externallyManaged(projectRoot: string): Promise<SchemaFilter> {
  const file = join(projectRoot, 'prisma.config.ts');
  const { default: config = {} } = existsSync(file)
    ? ((await import(pathToFileURL(file).href)) as { default?: ExternalConfig })
    : {};
  return { externalTables: config.tables?.external ?? [], externalEnums: config.enums?.external ?? [] };
}

/** The part of prisma.config.ts that is used here. */
interface ExternalConfig {
  tables?: { external?: string[] };
  enums?: { external?: string[] };
}
