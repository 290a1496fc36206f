import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Obstacle } from './obstacle.mjs';
import { workspaceRoot } from './workspace.mjs';

/** Runs the work while no other process of this checkout runs work of the same name; waits for its turn. */
export async function withLock(name, work) {
  const path = join(ownDirectory(), `${name}.lock`);
  await acquire(path, name);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function ownDirectory() {
  const directory = join(workspaceRoot, '.tenantry');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return directory;
  } catch (error) {
    throw new Obstacle(
      `${directory} cannot be made (${error.code}): run this as the user who owns the checkout.`,
    );
  }
}

async function acquire(path, name) {
  for (let told = false; !create(path);) {
    const holder = read(path);
    if (holder !== undefined && !isAlive(holder)) {
      discard(path, holder);
      continue;
    }
    if (!told) console.error(`Waiting for another ${name} in this checkout …`);
    told = true;
    await sleep(200);
  }
}

// Written to a draft and linked, so that a lock always names its holder when it is read.
function create(path) {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) }), {
      mode: 0o600,
      flush: true,
    });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Obstacle(
      `${path} cannot be written (${error.code}): run this as the user who owns the checkout.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined if it is gone. One that names nobody was cut by a power failure: a lock is made whole. */
function read(path) {
  try {
    const { pid, birth } = JSON.parse(readFileSync(path, 'utf8')) ?? {};
    return { pid, birth };
  } catch (error) {
    return error.code === 'ENOENT' ? undefined : {};
  }
}

const isAlive = ({ pid, birth }) => pid !== undefined && birthOf(pid) === birth;

// Renamed first, so that of two processes that saw the stale lock only one removes it, and never a fresh one.
function discard(path, stale) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    const taken = read(aside);
    if (taken?.pid === stale.pid && taken?.birth === stale.birth) rmSync(aside);
    else renameSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** When a process was born, as text to compare: an id alone may belong to another process by now. */
function birthOf(pid) {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
