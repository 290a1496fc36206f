import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratchServer, writeMigration } from '@tenantry/dev-database';
import { discoverServices } from '../services.ts';
import { deploymentEdits, serviceManifests } from './deployment.ts';
import { applyEdits } from './edits.ts';
import { namesFor, type NewServiceNames } from './names.ts';
import { modelFiles, type Part } from './parts.ts';
import { copyTemplate } from './template.ts';
import { workspaceEdits, workspaceFiles } from './workspace-files.ts';

/** What {@link createService} needs. */
export interface NewServiceOptions {
  readonly workspaceRoot: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What it is made with. */
  readonly parts: readonly Part[];
}

/**
 * Makes a service with one example table, its policy, routes and tests, and makes it known to everything that knows the
 * services.
 *
 * @throws ExplainedError for a name that cannot be one; nothing is written then.
 */
export async function createService(
  plural: string | undefined,
  { workspaceRoot, environment, parts }: NewServiceOptions,
): Promise<NewServiceNames> {
  const names = namesFor(plural, discoverServices(workspaceRoot));
  const { service } = names;
  const projectRoot = join(workspaceRoot, 'apps', service);
  await copyTemplate(projectRoot, names, parts);
  await addLibraryModels(workspaceRoot, projectRoot, parts);
  for (const [path, text] of Object.entries(await workspaceFiles(workspaceRoot, names, parts))) {
    await writeFile(join(projectRoot, path), text);
  }
  await moveMatrixRequests(workspaceRoot, names);
  await writeManifests(workspaceRoot, names, parts);
  await applyEdits(workspaceRoot, [...workspaceEdits(names), ...deploymentEdits(names, parts)]);
  await withScratchServer(environment, (adminUrl) =>
    writeMigration({ adminUrl, service: { name: service, projectRoot }, name: 'init' }),
  );
  return names;
}

/** Models of tables that libraries define, as they give them. */
async function addLibraryModels(root: string, projectRoot: string, parts: readonly Part[]): Promise<void> {
  const schema = join(projectRoot, 'prisma/schema.prisma');
  const texts = [schema, ...modelFiles(parts).map((file) => join(root, file))];
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

async function writeManifests(root: string, names: NewServiceNames, parts: readonly Part[]): Promise<void> {
  const folder = join(root, 'infra/k8s/base/services');
  const [users, quotation] = await Promise.all(
    ['users', 'quotation'].map((name) => readFile(join(folder, `${name}-service.yaml`), 'utf8')),
  );
  const models = { users: users ?? '', quotation: quotation ?? '' };
  await writeFile(join(folder, `${names.service}.yaml`), serviceManifests(models, names, parts));
}
