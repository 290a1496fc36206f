import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { statementTypes } from '@tenantry/sql-check/types';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { statementProblems } from '@tenantry/sql-check/statements';
import { workspaceRoot } from '@tenantry/dev-database';
import { definedStatements, exchangeDifferences } from '@tenantry/tenancy/testing';
import { expect, it } from 'vitest';
import type { Standing } from './standing.ts';
import { tablesOf } from './tables.ts';

const insufficientPrivilege = { code: '42501' };

/** Its own, and those of the libraries that business services are built of. */
const statementsOf = ({ name }: Standing['service']) => definedStatements(name, 'service');

/** The database keeps organizations apart by itself. */
export function databaseTests(standing: () => Standing): void {
  it('has nothing in its catalog by which a row could leave its organization [S-105]', async () => {
    const { running, catalog } = standing();
    expect(await catalogProblems(running.database.pool, catalog)).toEqual([]);
  });

  it('has no statement by which a row could leave its organization', async () => {
    const { service, running, statements } = standing();
    const options = { ...statements, service: service.name, statements: statementsOf(service) };
    expect(await statementProblems(running.database.pool, options)).toEqual([]);
  });

  it('compares no column with what a function of its own computes, for which no index would be asked', () => {
    // Under row-level security PostgreSQL judges each row by it, unless a query of its own computes it first.
    const { service } = standing();
    const judging = statementsOf(service).filter(({ text }) => /[=<>]\s*app\.\w+\(/.test(text));
    expect(judging.map(({ name }) => name)).toEqual([]);
  });

  it('types every statement as PostgreSQL describes it', async () => {
    const { service, running, librariesInFull } = standing();
    const statements = statementsOf(service);
    const sources = new Map(librariesInFull.map((name) => [name, join(workspaceRoot, 'libs', name, 'src')]));
    sources.set(service.name, join(service.migrationsDirectory, '../../src'));
    for (const [project, source] of sources) {
      if (!statements.some(({ described }) => described?.project === project)) continue;
      const types = await statementTypes(running.testDatabase.adminUrl, project, statements);
      await expect(types).toMatchFileSnapshot(join(source, 'statements.types.ts'));
    }
  });

  it('answers every statement as plain pg does', async () => {
    const { service, running } = standing();
    expect(await exchangeDifferences(running.database.pool, statementsOf(service))).toEqual([]);
  });

  it('shows no row of an organization to a query outside of every scope [S-105]', async () => {
    const { running, catalog } = standing();
    const { database, testDatabase } = running;
    for (const [table, owned] of await tablesOf(testDatabase)) {
      if (!owned || table in (catalog.unscoped ?? {})) continue;
      await expect(database.pool.query(`SELECT FROM ${table}`)).rejects.toMatchObject(insufficientPrivilege);
    }
  });

  it('lets the service change no table, policy or role', async () => {
    const { database, testDatabase } = standing().running;
    const tables = [...(await tablesOf(testDatabase)).keys()];
    const forbidden = tables.flatMap((table) => [
      `TRUNCATE ${table}`,
      `DROP TABLE ${table}`,
      `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`,
      `CREATE POLICY open ON ${table} USING (true)`,
    ]);
    for (const sql of [...forbidden, 'CREATE TABLE of_tests ()', 'CREATE ROLE of_tests']) {
      const tried = database.pool.within({ organizationId: randomUUID() }, async () => {
        await database.pool.query(sql);
      });
      await expect(tried, sql).rejects.toMatchObject(insufficientPrivilege);
    }
  });
}
