import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratchServer, writeMigration } from '@tenantry/dev-database';
import { discoverServices } from '../services.ts';
import { deploymentEdits, serviceManifests } from './deployment.ts';
import { applyEdits } from './edits.ts';
import { namesFor, type NewServiceNames } from './names.ts';
import { copyTemplate } from './template.ts';
import { workspaceEdits, workspaceFiles } from './workspace-files.ts';

/** What {@link createService} needs. */
export interface NewServiceOptions {
  readonly workspaceRoot: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Makes a service with one example table, its policy, routes and tests, and makes it known to everything that knows the
 * services.
 *
 * @throws ExplainedError for a name that cannot be one; nothing is written then.
 */
export async function createService(
  plural: string | undefined,
  { workspaceRoot, environment }: NewServiceOptions,
): Promise<NewServiceNames> {
  const names = namesFor(plural, discoverServices(workspaceRoot));
  const { service } = names;
  const projectRoot = join(workspaceRoot, 'apps', service);
  await copyTemplate(projectRoot, names);
  await addLibraryModels(workspaceRoot, projectRoot);
  for (const [path, text] of Object.entries(await workspaceFiles(workspaceRoot, names))) {
    await writeFile(join(projectRoot, path), text);
  }
  await moveMatrixRequests(workspaceRoot, names);
  await writeManifests(workspaceRoot, names);
  await applyEdits(workspaceRoot, [...workspaceEdits(names), ...deploymentEdits(names)]);
  await withScratchServer(environment, (adminUrl) =>
    writeMigration({ adminUrl, service: { name: service, projectRoot }, name: 'init' }),
  );
  return names;
}

/** The models of tables that libraries define, in the files of those libraries. */
const libraryModels = [
  'libs/service/sql/events.prisma',
  'libs/service/sql/organization-ends.prisma',
  'libs/tenancy/sql/storage.prisma',
  'libs/service/sql/due-work.prisma',
  'libs/service/sql/outbox.prisma',
  'libs/service/sql/audit.prisma',
  'libs/service/sql/idempotency.prisma',
];

async function addLibraryModels(root: string, projectRoot: string): Promise<void> {
  const schema = join(projectRoot, 'prisma/schema.prisma');
  const texts = [schema, ...libraryModels.map((file) => join(root, file))];
  const read = await Promise.all(texts.map((file) => readFile(file, 'utf8')));
  await writeFile(schema, `${read.map((text) => text.trim()).join('\n\n')}\n`);
}

/** How its operations are asked for is known to the matrix, which asks those of all services. */
async function moveMatrixRequests(workspaceRoot: string, { service }: NewServiceNames): Promise<void> {
  const [from, to] = [
    join(workspaceRoot, 'apps', service, 'matrix'),
    join(workspaceRoot, 'tools/test-system/matrix/requests'),
  ];
  await mkdir(to, { recursive: true });
  await rename(join(from, `${service}.ts`), join(to, `${service}.ts`));
  await rm(from, { recursive: true });
}

async function writeManifests(root: string, names: NewServiceNames): Promise<void> {
  const folder = join(root, 'infra/k8s/base/services');
  const [users, quotation] = await Promise.all(
    ['users', 'quotation'].map((name) => readFile(join(folder, `${name}-service.yaml`), 'utf8')),
  );
  const models = { users: users ?? '', quotation: quotation ?? '' };
  await writeFile(join(folder, `${names.service}.yaml`), serviceManifests(models, names));
}
