import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { DatabaseError } from 'pg';
import { ExplainedError } from '../explained-error.ts';
import { scriptOf } from './files.ts';

/**
 * Whether PostgreSQL applies a migration atomically. It runs a script as one transaction unless the script ends that itself, or
 * is a single statement that commits on its own; beside other statements PostgreSQL refuses those.
 */
export function isAtomic(migrations: MigrationList, name: string): boolean {
  const script = scriptOf(migrations, name);
  const [first = '', ...others] = statementsOf(script);
  if ([first, ...others].some((statement) => endsTransaction.test(statement))) return false;
  return others.length > 0 || !(commitsAlone.test(first) || isCommittingBlock(first, script));
}

const endsTransaction = /^(BEGIN|START TRANSACTION|COMMIT|END|ROLLBACK|ABORT|PREPARE TRANSACTION)\b/i;
const commitsAlone = /^(CALL|VACUUM|REINDEX)\b|\bCONCURRENTLY\b/i;

const isCommittingBlock = (statement: string, script: string) =>
  /^DO\b/i.test(statement) && /\bCOMMIT\b/i.test(script);

// Comments, strings, quoted names and function bodies: they contain no statements of the script.
const notCode = [
  /--.*$/,
  /\/\*[^]*?\*\//,
  /\be'(?:[^'\\]|\\[^]|'')*'/,
  /'(?:[^']|'')*'/,
  /"(?:[^"]|"")*"/,
  /(?<tag>\$\w*\$)[^]*?\k<tag>/,
  /\bBEGIN\s+ATOMIC\b[^]*?\bEND\b/,
];
const notCodeAnywhere = new RegExp(notCode.map(({ source }) => source).join('|'), 'gim');

function statementsOf(script: string): string[] {
  const statements = script.replaceAll(notCodeAnywhere, ' ').split(';');
  return statements.map((statement) => statement.trim().replaceAll(/\s+/g, ' ')).filter(Boolean);
}

/** The message when PostgreSQL refuses a migration. */
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

/** The message when a migration was interrupted and PostgreSQL may have applied a part of it. */
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
