import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { DatabaseError } from 'pg';
import { ExplainedError } from '../explained-error.ts';
import { scriptOf } from './files.ts';

/**
 * True when PostgreSQL keeps all of a migration or nothing. It runs a script as one transaction unless the script
 * ends that itself, or holds a statement that no transaction may hold.
 */
export function isAtomic(migrations: MigrationList, name: string): boolean {
  return !/\b(COMMIT|CONCURRENTLY|CALL|VACUUM)\b/i.test(scriptOf(migrations, name));
}

/** What to tell when PostgreSQL refuses a migration. */
export function failedMigration(failed: {
  migrations: MigrationList;
  service: string;
  name: string;
  cause: DatabaseError;
}): ExplainedError {
  const { migrations, service, name, cause } = failed;
  const reason = `Migration ${name} of ${service} failed: ${cause.message}${lineOf(migrations, name, cause)}.`;
  const advice = isAtomic(migrations, name)
    ? `Nothing of it was kept. Correct prisma/migrations/${name}/migration.sql, then run: npm run migrate -- ${service}`
    : repairByHand(service, name);
  return new ExplainedError(`${reason} ${missingRole(cause)}${advice}`, { cause });
}

/** What to tell when a migration was cut off and PostgreSQL may have kept a part of it. */
export function interruptedMigration(service: string, name: string): ExplainedError {
  return new ExplainedError(`Migration ${name} of ${service} did not end. ${repairByHand(service, name)}`);
}

const repairByHand = (service: string, name: string) =>
  `It holds statements outside of one transaction, so a part may have been kept. Repair the database by hand, then say how it is now: npm run migrate -- ${service} --rolled-back ${name}, or --applied ${name}`;

function lineOf(migrations: MigrationList, name: string, cause: DatabaseError): string {
  const position = Number(cause.position);
  if (!position) return '';
  const before = scriptOf(migrations, name).slice(0, position);
  return ` (line ${before.split('\n').length})`;
}

const undefinedObject = '42704';

function missingRole(cause: DatabaseError): string {
  return cause.code === undefinedObject && cause.message.startsWith('role ')
    ? 'The roles come from infra/postgres/provision.sh. '
    : '';
}
