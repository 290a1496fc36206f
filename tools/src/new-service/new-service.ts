import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discoverServices } from '../services.ts';
import { deploymentEdits, serviceManifests } from './deployment.ts';
import { applyEdits } from './edits.ts';
import { namesFor, type NewServiceNames } from './names.ts';
import { copyTemplate } from './template.ts';
import { workspaceEdits } from './workspace-edits.ts';

/**
 * Makes a service with one example table, its policy, routes and tests, and makes it known to everything that knows the
 * services.
 *
 * @throws ExplainedError for a name that cannot be one; nothing is written then.
 */
export async function createService(plural: string | undefined, root: string): Promise<NewServiceNames> {
  const names = namesFor(plural, discoverServices(root));
  await copyTemplate(root, names);
  await writeManifests(root, names);
  await applyEdits(root, [...workspaceEdits(names), ...deploymentEdits(names)]);
  return names;
}

async function writeManifests(root: string, names: NewServiceNames): Promise<void> {
  const folder = join(root, 'infra/k8s/base/services');
  const [users, quotation] = await Promise.all(
    ['users', 'quotation'].map((name) => readFile(join(folder, `${name}-service.yaml`), 'utf8')),
  );
  const models = { users: users ?? '', quotation: quotation ?? '' };
  await writeFile(join(folder, `${names.service}.yaml`), serviceManifests(models, names));
}
