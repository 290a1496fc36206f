import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratchServer, writeMigration } from '@tenantry/dev-database';
import { discoverServices } from '../services.ts';
import { namesFor, type NewServiceNames } from './names.ts';
import { copyTemplate } from './template.ts';
import { enlist, workspaceFiles } from './workspace-files.ts';

/** What {@link createService} needs. */
export interface NewServiceOptions {
  readonly workspaceRoot: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Makes a service with one example table, its policy, routes and tests, and enlists it in the workspace.
 *
 * @throws ExplainedError for a name that cannot be one; nothing is written then.
 */
export async function createService(
  plural: string | undefined,
  { workspaceRoot, environment }: NewServiceOptions,
): Promise<NewServiceNames> {
  const names = namesFor(plural, discoverServices(workspaceRoot));
  const projectRoot = join(workspaceRoot, 'apps', names.service);
  await copyTemplate(projectRoot, names);
  for (const [path, text] of Object.entries(await workspaceFiles(workspaceRoot, names))) {
    await writeFile(join(projectRoot, path), text);
  }
  await moveMatrixRequests(workspaceRoot, names);
  await withScratchServer(environment, (adminUrl) =>
    writeMigration({ adminUrl, service: { name: names.service, projectRoot }, name: 'init' }),
  );
  await enlist(workspaceRoot, names);
  return names;
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
