import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { Obstacle } from './obstacle.mjs';
import { pinnedNode, readJson, workspaceRoot } from './workspace.mjs';

/** Installs what package-lock.json names and node_modules does not have; costs milliseconds when nothing is missing. */
export async function installDependencies() {
  if (whatIsStale() === undefined) return;
  await withLock('install', async () => {
    const reason = whatIsStale();
    if (reason === undefined) return;
    console.error(`Installing (${reason}) …`);
    await npm(installArguments(reason));
    if (!existsSync(pinnedNode)) {
      throw new Obstacle(
        'npm ran no install scripts, and the pinned Node comes by one: run "npm rebuild --ignore-scripts=false", then the command again.',
      );
    }
  });
}

const manifestChanged = 'a package.json changed';
const packageNew = 'a package is new';
const lockMissing = 'package-lock.json is missing';

/** Why node_modules is not what the lock file asks for; undefined when it is. */
function whatIsStale() {
  const wanted = readJson('package-lock.json')?.packages;
  if (wanted === undefined) return lockMissing;
  const paths = Object.keys(wanted);
  if (paths.some((path) => !path.includes('node_modules') && manifestDiffers(path, wanted[path]))) {
    return manifestChanged;
  }
  if (newWorkspaces(wanted).length > 0) return packageNew;
  // npm writes this one as the last step of every installation: an interrupted one leaves none, or the old one.
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (installed === undefined) return 'first time';
  if (paths.some((path) => path.includes('node_modules') && differs(wanted[path], installed[path]))) {
    return 'package-lock.json changed';
  }
  const onDisk = (path) => existsSync(join(workspaceRoot, path, 'package.json'));
  if (!existsSync(pinnedNode) || !Object.keys(installed).every(onDisk)) return 'some packages are gone';
  return undefined;
}

/** Packages of the workspace that the lock file does not have. */
function newWorkspaces(wanted) {
  const { workspaces = [] } = readJson('package.json') ?? {};
  return workspaces
    .flatMap((pattern) => (pattern.endsWith('/*') ? pattern.slice(0, -2) : []))
    .filter((folder) => existsSync(join(workspaceRoot, folder)))
    .flatMap((folder) => readdirSync(join(workspaceRoot, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => wanted[path] === undefined && existsSync(join(workspaceRoot, path, 'package.json')));
}

// A package that is optional may be absent: it is for another platform.
function differs(wanted, installed) {
  if (installed === undefined) return !wanted.optional && !wanted.devOptional && !wanted.peer;
  return wanted.link ? wanted.resolved !== installed.resolved : wanted.version !== installed.version;
}

function manifestDiffers(path, locked) {
  const manifest = readJson(join(path, 'package.json'));
  if (manifest === undefined) return true;
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some(
    (kind) => !sameEntries(manifest[kind], locked[kind]),
  );
}

function sameEntries(one = {}, other = {}) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function installArguments(reason) {
  // Written out, because a user's configuration or NODE_ENV=production would leave the tools out.
  const everything = [
    '--include=dev',
    '--include=optional',
    '--package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // The lock file is written only when a package.json asks for it; never by a mere installation.
  const keepLock = ![manifestChanged, packageNew, lockMissing].includes(reason);
  return ['install', ...(keepLock ? ['--no-save'] : []), ...everything];
}

async function npm(args) {
  // npm names itself to the scripts it runs; called by hand, it is the one on the PATH.
  const path = process.env.npm_execpath;
  const [command, prefix] = path?.endsWith('npm-cli.js') ? [process.execPath, [path]] : ['npm', []];
  const child = spawn(command, [...prefix, ...args], {
    cwd: workspaceRoot,
    stdio: ['ignore', 2, 2],
    env: withoutScriptSettings(process.env),
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (status, signal) => resolve(status ?? signal));
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
  if (code === 0) return;
  throw new Obstacle(
    `npm ${args[0]} failed (${code}): see its messages above; the next run continues where it stopped.`,
  );
}

// Inside "npm test -- x" npm hands its own invocation down as npm_config_*, and it would apply to the inner npm.
function withoutScriptSettings(env) {
  const inherited = new Set(['npm_config_workspace', 'npm_config_workspaces', 'npm_config_prefix']);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.has(name)));
}
