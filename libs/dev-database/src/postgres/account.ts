import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process';
import { statSync } from 'node:fs';
import { ExplainedError } from '../explained-error.ts';

/** Whom PostgreSQL runs as; undefined where it is the current user. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Under root it runs as the system user that packages of PostgreSQL
 * use (`postgres`, `_postgres` on macOS), made when missing; `nobody` is left alone because other programs
 * that run as `nobody` could then read the data. Data that is there already decides by its owner.
 */
export function serverAccount(
  dataDirectory: string,
  names: readonly string[] = ['postgres', '_postgres'],
): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of names) {
    const account = lookUp(name);
    if (account !== undefined) return account;
  }
  return createAccount(names[0] ?? 'postgres');
}

/** The spawn options with which a program runs as the account, with a clean environment and no terminal. */
export function runAs(account: Account | undefined): Pick<SpawnOptions, 'uid' | 'gid' | 'env' | 'cwd'> {
  // LC_ALL=C: messages the launcher can read, and no dependence on locales the machine may lack.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { env, cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) };
}

function lookUp(name: string): Account | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [user, group] = [id('-u'), id('-g')];
  if (user.status !== 0 || group.status !== 0) return undefined;
  return { uid: Number(user.stdout), gid: Number(group.stdout) };
}

function createAccount(name: string): Account {
  try {
    const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    execFileSync('useradd', ['--system', '--user-group', ...home, name], { stdio: 'pipe' });
  } catch {
    // Another start may have created it meanwhile: the look-up below decides.
  }
  const account = lookUp(name);
  if (account !== undefined) return account;
  throw new ExplainedError(
    `PostgreSQL does not run as root and the user "${name}" could not be created: create it (useradd --system ${name}) or run this as an ordinary user.`,
  );
}
