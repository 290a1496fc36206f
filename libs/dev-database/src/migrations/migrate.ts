import { relative } from 'node:path';
import { workspaceRoot, type DatabaseService } from '../services.ts';
import { ExplainedError } from '../explained-error.ts';
import { applyMigrations, resolveMigration } from './apply.ts';
import { helpText, type MigrateCommand } from './arguments.ts';
import { schemaDifference } from './difference.ts';
import { migrationScripts } from './files.ts';
import { withMigratedDatabase, withScratchServer } from './scratch.ts';
import { withTarget } from './target.ts';
import { writeSearchMigrations } from './write-search.ts';
import { writeEmptyMigration, writeMigration } from './write.ts';

export interface MigrateSurroundings {
  environment: NodeJS.ProcessEnv;
  /** Prints a line. */
  print: (line: string) => void;
  /** Where the embedded server keeps its data; .tenantry/postgres when absent. */
  directory?: string;
}

/** Executes the command, reporting its progress. */
export async function migrate(command: MigrateCommand, surroundings: MigrateSurroundings): Promise<void> {
  switch (command.kind) {
    case 'help':
      surroundings.print(helpText);
      return;
    case 'apply':
      return apply(command.services, surroundings);
    case 'check':
      return check(command.services, surroundings);
    case 'write':
      return write(command, surroundings);
    case 'search':
      for (const file of await writeSearchMigrations(command)) {
        surroundings.print(`${command.service.name}: wrote ${relative(workspaceRoot, file)}`);
      }
      return;
    case 'resolve':
      return withTarget({ services: [command.service], ...surroundings }, async (ownerUrl) => {
        const { service, migration, as } = command;
        await resolveMigration({
          projectRoot: service.projectRoot,
          url: await ownerUrl(service),
          migration,
          as,
        });
        surroundings.print(`${service.name}: ${migration} is noted as ${as}`);
      });
  }
}

async function apply(services: readonly DatabaseService[], surroundings: MigrateSurroundings): Promise<void> {
  const { print } = surroundings;
  await withTarget({ services, ...surroundings }, async (ownerUrl) => {
    for (const service of services) {
      const { name, projectRoot } = service;
      const log = (message: string) => print(`${name}: ${message}`);
      const applied = await applyMigrations({ projectRoot, url: await ownerUrl(service), log });
      for (const migration of applied) print(`${name}: applied ${migration}`);
      if (applied.length === 0) print(`${name}: nothing to apply`);
    }
  });
}

async function check(services: readonly DatabaseService[], surroundings: MigrateSurroundings): Promise<void> {
  const { environment, print } = surroundings;
  const complaints = await withScratchServer(environment, async (adminUrl) => {
    const found: string[] = [];
    for (const service of services) {
      found.push(...(await unexplained(service)));
      const difference = await withMigratedDatabase(adminUrl, service, (url) =>
        schemaDifference(service.projectRoot, url),
      );
      print(`${service.name}: schema.prisma and migrations ${difference ? 'disagree' : 'agree'}`);
      if (difference) found.push(`${disagreement(service)}\n\n${difference.summary}`);
    }
    return found;
  });
  if (complaints.length > 0) throw new ExplainedError(complaints.join('\n\n'));
}

async function unexplained(service: DatabaseService): Promise<string[]> {
  const problems = await judge(service);
  if (problems.length === 0) return [];
  return [
    `Migrations of ${service.name} make others wait for a table, or break the version that still runs. Do it in steps, or say why it is safe on a line of its own before the statement (-- safe: at most a hundred rows):\n\n${problems.join('\n')}`,
  ];
}

/** Loaded on demand: production migrates without checking migrations, and without the parser. */
async function judge({ projectRoot }: DatabaseService): Promise<string[]> {
  const { migrationProblems } = await import('@tenantry/sql-check/migrations');
  return migrationProblems(await migrationScripts(projectRoot));
}

const disagreement = ({ name }: DatabaseService) =>
  `The migrations of ${name} do not lead to its schema.prisma. Write the missing one (npm run migrate -- ${name} --name what-it-does) or correct the schema. From the migrations to the schema:`;

async function write(
  { service, name, isEmpty }: Extract<MigrateCommand, { kind: 'write' }>,
  surroundings: MigrateSurroundings,
): Promise<void> {
  const { environment, print } = surroundings;
  if (isEmpty) {
    print(`${service.name}: wrote ${relative(workspaceRoot, await writeEmptyMigration({ service, name }))}`);
    print(`Write its statements, then: npm run migrate -- ${service.name}`);
    return;
  }
  const file = await withScratchServer(environment, (adminUrl) =>
    writeMigration({ adminUrl, service, name }),
  );
  if (file === undefined) {
    print(`${service.name}: schema.prisma and migrations agree, nothing to write`);
    print('For SQL that Prisma does not model, add --empty.');
    return;
  }
  print(`${service.name}: wrote ${relative(workspaceRoot, file)}`);
  print(
    'Read it before you apply it. The policy and the grants of a new table are in it: narrow the grants to what',
  );
  print(
    'the service does. Prisma models no CHECK constraints and no partial or covering indexes: add them here.',
  );
  for (const problem of await judge(service)) print(`Mind ${problem}.`);
  print(`Then: npm run migrate -- ${service.name}`);
}
