import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, cp, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connected, startPostgres } from '@tenantry/dev-database';
import { serverAccount } from '../src/postgres/account.ts';
import { installedBinaries } from '../src/postgres/binaries.ts';
import { settleHome } from '../src/postgres/home.ts';
import { commandLine, hasEnded, isAlive, processBirth } from '../src/postgres/processes.ts';
import { temporaryDirectory } from '../test/fixture/directories.ts';
import { end, launch } from '../test/fixture/launch.ts';

const isRoot = process.getuid?.() === 0;
const answers = async (adminUrl: string) =>
  connected(adminUrl, async (client) => (await client.query('SELECT 1')).rowCount === 1);

/** The shell that ends the server when the launcher is gone. */
function watchdogOf(serverPid: number): number {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  const line = listed
    .split('\n')
    .find((text) => text.includes('kill -INT "$0"') && text.endsWith(` ${serverPid}`));
  return Number.parseInt(line ?? '', 10);
}

describe('a launcher', () => {
  it('that gets SIGTERM leaves no server behind', async () => {
    const { launcher, pid } = await launch({ directory: join(await temporaryDirectory(), 'postgres') });
    await end(launcher, 'SIGTERM');
    expect(isAlive(pid)).toBe(false);
  });

  it('that is killed takes its server with it, and the next one starts on the same data', async () => {
    const directory = join(await temporaryDirectory(), 'postgres');
    const { launcher, pid } = await launch({ directory });
    await end(launcher, 'SIGKILL');
    expect(await hasEnded(pid, 10_000)).toBe(true);
    const next = await launch({ directory });
    expect(await answers(next.adminUrl)).toBe(true);
    await end(next.launcher, 'SIGTERM');
  });

  it('that finds an orphaned server on its data ends that one first', async () => {
    const directory = join(await temporaryDirectory(), 'postgres');
    const orphan = await launch({ directory });
    process.kill(watchdogOf(orphan.pid), 'SIGKILL');
    await end(orphan.launcher, 'SIGKILL');
    expect(isAlive(orphan.pid)).toBe(true);
    const next = await launch({ directory });
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await answers(next.adminUrl)).toBe(true);
    await end(next.launcher, 'SIGTERM');
  });
});

describe.runIf(isRoot)('under root', () => {
  it('the server runs as another user', async () => {
    const { launcher, pid } = await launch({ directory: join(await temporaryDirectory(), 'postgres') });
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
    await end(launcher, 'SIGTERM');
  });

  it('a missing user is created', () => {
    const name = `tenantry-${randomBytes(4).toString('hex')}`;
    onTestFinished(() => void spawnSync('userdel', [name]));
    const account = serverAccount('/nonexistent', [name]);
    expect(account?.uid).toBe(Number(execFileSync('id', ['-u', name], { encoding: 'utf8' })));
    expect(serverAccount('/nonexistent', [name])).toEqual(account);
  });

  it('data is kept elsewhere when others cannot enter the checkout, and found again', async () => {
    const { directory, fallbackDirectory } = await lockedCheckout();
    const first = await startPostgres({ directory, fallbackDirectory, durable: false });
    await connected(first.adminUrl, (client) => client.query('CREATE TABLE kept ()'));
    await first.stop();
    const [home = ''] = await readdir(fallbackDirectory);
    expect(await readFile(join(fallbackDirectory, home, 'origin'), 'utf8')).toBe(directory);
    expect((await stat(join(fallbackDirectory, home))).mode & 0o777).toBe(0o700);
    expect(await readdir(directory)).not.toContain('data');

    const second = await startPostgres({ directory, fallbackDirectory, durable: false });
    await connected(second.adminUrl, (client) => client.query('TABLE kept'));
    await second.stop();
  });

  it('removing the directory starts over and clears the data kept elsewhere, its server included', async () => {
    const { directory, fallbackDirectory } = await lockedCheckout();
    const orphan = await launch({ directory, fallbackDirectory });
    process.kill(watchdogOf(orphan.pid), 'SIGKILL');
    await end(orphan.launcher, 'SIGKILL');
    const before = await readdir(fallbackDirectory);
    await rm(directory, { recursive: true });

    const { adminUrl, stop } = await startPostgres({ directory, fallbackDirectory, durable: false });
    onTestFinished(stop);
    expect(isAlive(orphan.pid)).toBe(false);
    expect(adminUrl).not.toBe(orphan.adminUrl);
    const after = await readdir(fallbackDirectory);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it('a copied checkout gets data of its own', async () => {
    const { directory, fallbackDirectory } = await lockedCheckout();
    await (await startPostgres({ directory, fallbackDirectory, durable: false })).stop();
    const copy = `${directory}-copy`;
    await cp(directory, copy, { recursive: true });
    await (await startPostgres({ directory: copy, fallbackDirectory, durable: false })).stop();
    expect(await readdir(fallbackDirectory)).toHaveLength(2);
  });

  it('programs are copied to where the other user can run them', async () => {
    const { directory, fallbackDirectory } = await lockedCheckout();
    const locked = await copyPrograms(join(directory, 'native'));
    const { binaries, account } = await settleHome(directory, locked, fallbackDirectory);
    expect(binaries.directory).toBe(join(fallbackDirectory, `postgresql-${locked.version}`));
    const said = spawnSync(join(binaries.directory, 'bin', 'postgres'), ['--version'], {
      ...account,
      encoding: 'utf8',
    });
    expect(said.stdout).toContain('PostgreSQL) 18');
  });

  it('programs that another start has copied meanwhile, and may use by now, are not replaced', async () => {
    const { directory, fallbackDirectory } = await lockedCheckout();
    const locked = await copyPrograms(join(directory, 'native'));
    const ofAnother = (await copyPrograms(join(fallbackDirectory, 'of-another'))).directory;
    const { ino } = await stat(ofAnother);
    const name = `postgresql-${locked.version}`;

    const settled = settleHome(directory, locked, fallbackDirectory);
    await expect.poll(async () => (await readdir(fallbackDirectory)).join()).toContain(`${name}.`);
    await rename(ofAnother, join(fallbackDirectory, name));
    const { binaries } = await settled;

    expect((await stat(binaries.directory)).ino).toBe(ino);
    expect((await readdir(fallbackDirectory)).join()).not.toContain(`${name}.`);
  });

  it('a directory of another user is refused in one sentence', async (context) => {
    const otherUser = { uid: 65534, gid: 65534 };
    if (spawnSync(process.execPath, ['-e', ''], otherUser).status !== 0)
      context.skip('others cannot enter this checkout');
    const directory = join(await temporaryDirectory(), 'postgres');
    await mkdir(directory, { mode: 0o755 });
    await expect(launch({ directory }, otherUser)).rejects.toThrow(
      /cannot be written \(EACCES\): run this as the user it belongs to/,
    );
  });

  it('an ordinary user starts a server as themself, and root continues with their data', async (context) => {
    const otherUser = { uid: 65534, gid: 65534 };
    if (spawnSync(process.execPath, ['-e', ''], otherUser).status !== 0)
      context.skip('others cannot enter this checkout');
    const parent = await temporaryDirectory();
    await chown(parent, otherUser.uid, otherUser.gid);
    const directory = join(parent, 'postgres');
    const own = await launch({ directory }, otherUser);
    expect((await stat(`/proc/${own.pid}`)).uid).toBe(otherUser.uid);
    await end(own.launcher, 'SIGTERM');

    const roots = await launch({ directory });
    expect((await stat(`/proc/${roots.pid}`)).uid).toBe(otherUser.uid);
    await end(roots.launcher, 'SIGTERM');

    const again = await launch({ directory }, otherUser);
    await end(again.launcher, 'SIGTERM');
  });

  /** PostgreSQL's programs once more, in another folder. */
  async function copyPrograms(folder: string) {
    const { directory, version } = installedBinaries();
    await cp(directory, folder, { recursive: true, verbatimSymlinks: true });
    return { directory: folder, version };
  }

  /** A directory below one of mode 0700 that belongs to root, and another place the server's user can reach. */
  async function lockedCheckout() {
    const [parent, fallbackDirectory] = [
      await temporaryDirectory({ mode: 0o700 }),
      await temporaryDirectory(),
    ];
    const directory = join(parent, 'postgres');
    await mkdir(directory);
    return { directory, fallbackDirectory };
  }
});

describe('a process', () => {
  it('is known by its birth, not by its number alone', () => {
    expect(processBirth(process.pid)).toBe(processBirth(process.pid));
    expect(processBirth(process.pid)).not.toBe(processBirth(process.ppid));
    expect(commandLine(process.pid)).toContain('node');
  });
});
