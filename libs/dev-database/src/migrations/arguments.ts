import { parseArgs } from 'node:util';
import { checkedServices, databaseService, databaseServices, type DatabaseService } from '../services.ts';
import { ExplainedError } from '../explained-error.ts';

/** The parsed arguments of `npm run migrate`. */
export type MigrateCommand =
  | { kind: 'help' }
  | { kind: 'apply'; services: DatabaseService[] }
  | { kind: 'check'; services: DatabaseService[] }
  | { kind: 'write'; service: DatabaseService; name: string; isEmpty: boolean }
  | { kind: 'search'; service: DatabaseService; table: string; text: string; where?: string | undefined }
  | { kind: 'resolve'; service: DatabaseService; migration: string; as: 'applied' | 'rolled-back' };

export const helpText = `npm run migrate                                  apply what is pending, every service
npm run migrate -- leads-service                 apply what is pending, one service
npm run migrate -- leads-service --name add-x    write a migration from what changed in schema.prisma
npm run migrate -- leads-service --empty --name validate-company
                                                 write one to be filled by hand, with SQL that Prisma does not model
npm run migrate -- leads-service --search leads --text "folded_name" [--where "deleted_at IS NULL"]
                                                 write those by which a folded text is searched by an index
npm run migrate -- --check [leads-service]       fail when schema.prisma and the migrations disagree,
                                                 or a migration is unsafe and does not say why
npm run migrate -- leads-service --rolled-back M nothing of the failed migration M is in the database: try it again
npm run migrate -- leads-service --applied M     all of the failed migration M is in the database, by hand

Environment:
  LEADS_SERVICE_MIGRATION_DATABASE_URL   the database's owner (any service, named like this), or
  MIGRATION_DATABASE_URL                 the same when one service is named; else the embedded database of npm start
  TEST_DATABASE_ADMIN_URL                the server --name and --check try things on; else an embedded one`;

/** @throws ExplainedError for arguments that make no sense together, and for an unknown service. */
export function readMigrateCommand(args: readonly string[], root?: string): MigrateCommand {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  if (positionals.length > 1) throw new ExplainedError(`Name one service, or none for all.\n\n${helpText}`);
  const service = positionals[0] === undefined ? undefined : databaseService(positionals[0], root);
  const services = service ? [service] : databaseServices(root);
  const asked = [values.check, values.name, values.applied, values['rolled-back'], values.search];
  if (asked.filter((option) => option !== undefined).length > 1) {
    throw new ExplainedError(`Ask for one thing at a time.\n\n${helpText}`);
  }
  if (values.empty && values.name === undefined) {
    throw new ExplainedError(`Say what the migration does, by --name.\n\n${helpText}`);
  }
  if ((values.search === undefined) !== (values.text === undefined)) {
    throw new ExplainedError(
      `Say which table is searched, by --search, and what text of it, by --text.\n\n${helpText}`,
    );
  }
  if (values.check) return { kind: 'check', services: service ? [service] : checkedServices(root) };
  const migration = values.applied ?? values['rolled-back'];
  const { name, search: table, text, where } = values;
  if ([name, migration, table].every((option) => option === undefined)) return { kind: 'apply', services };
  if (service === undefined) throw new ExplainedError(`Say which service.\n\n${helpText}`);
  if (table !== undefined && text !== undefined) return { kind: 'search', service, table, text, where };
  if (values.name !== undefined) {
    return { kind: 'write', service, name: values.name, isEmpty: values.empty === true };
  }
  const as = values.applied === undefined ? 'rolled-back' : 'applied';
  return { kind: 'resolve', service, migration: migration ?? '', as };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    check: flag,
    help: { ...flag, short: 'h' },
    name: text,
    empty: flag,
    search: text,
    text,
    where: text,
    applied: text,
    'rolled-back': text,
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${helpText}`);
  }
}
