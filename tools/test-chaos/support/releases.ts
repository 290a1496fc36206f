import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations, databaseService, provisionDatabase, type Postgres } from '@tenantry/dev-database';
import { checkOutCommit, checkoutRoot, copyCheckout } from '../../test/support/checkout.ts';
import type { BackendName, Client } from './deployment.ts';

/** Services and their migrations, in a checkout of their own. */
export interface Release {
  readonly checkout: string;
  remove(): Promise<void>;
}

/** SQL by the name of the migration. */
export type Migrations = Readonly<Record<string, string>>;

/** What the services of the next release say in GET /api/health. */
export const nextVersion = '999.0.0';

/** What is developed here. */
export const thisRelease: Release = { checkout: checkoutRoot, remove: async () => undefined };

/**
 * The release before this one: the commit that UPGRADE_FROM names, by default the one before. Where git does not have
 * that, this release itself, and one line that says so.
 */
export async function previousRelease(): Promise<Release> {
  const { UPGRADE_FROM: named } = process.env;
  const release = await emptyRelease('previous');
  try {
    await checkOutCommit(named ?? 'HEAD^', release.checkout);
    return release;
  } catch (error) {
    await release.remove();
    if (named !== undefined) throw error;
    console.log(
      'Git has no commit before this one: this one is upgraded to itself, with migrations between.',
    );
    return thisRelease;
  }
}

/** The release after this one: the same services under another version. */
export async function nextRelease(services: readonly Client[]): Promise<Release> {
  const release = await emptyRelease('next');
  await copyCheckout(release.checkout);
  for (const service of services) {
    const file = join(release.checkout, 'apps', service, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...manifest, version: nextVersion }));
  }
  return release;
}

/** Gives a release further migrations: its service refuses a database without them. */
export async function addMigrations(
  { checkout }: Release,
  service: BackendName,
  migrations: Migrations,
): Promise<void> {
  for (const [name, sql] of Object.entries(migrations)) {
    const folder = join(databaseService(service, checkout).projectRoot, 'prisma/migrations', name);
    await mkdir(folder);
    await writeFile(join(folder, 'migration.sql'), sql);
  }
}

/** Applies what a release needs, as the operator does before its services start; the names applied. */
export async function migrateTo(
  { checkout }: Release,
  { adminUrl }: Pick<Postgres, 'adminUrl'>,
  service: BackendName,
): Promise<string[]> {
  const { ownerUrl } = await provisionDatabase({ adminUrl, service });
  return applyMigrations({ projectRoot: databaseService(service, checkout).projectRoot, url: ownerUrl });
}

async function emptyRelease(name: string): Promise<Release> {
  const checkout = await mkdtemp(join(tmpdir(), `tenantry-${name}-release-`));
  return { checkout, remove: () => rm(checkout, { recursive: true, force: true }) };
}
