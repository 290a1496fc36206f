import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutRoot } from '../test/support/checkout.ts';

/** A program that prints what it was given and then waits, or ends with the given code. */
const program = `
const [first] = process.argv.slice(2);
console.log(JSON.stringify({ args: process.argv.slice(2), node: process.version, conditions: process.execArgv }));
if (first === 'wait') {
  const timer = setInterval(() => undefined, 1000);
  process.on('SIGTERM', () => { console.log('told to stop'); clearInterval(timer); process.disconnect(); });
  console.log('waiting');
} else process.exit(Number(first ?? 0));
`;

describe('the bootstrap', () => {
  let root: string;

  beforeEach(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'tenantry bootstrap '));
    root = join(parent, 'a checkout');
    await cp(join(checkoutRoot, 'tools/bootstrap'), join(root, 'tools/bootstrap'), { recursive: true });
    await cp(join(checkoutRoot, 'tools/bootstrap.mjs'), join(root, 'tools/bootstrap.mjs'));
    await mkdir(join(root, 'tools/src/start'), { recursive: true });
    await writeFile(join(root, 'tools/src/start/main.ts'), program);
    await mkdir(join(root, 'apps'));
    await makePackage('node', '24.0.0');
    await mkdir(join(root, 'vendor/node/bin'));
    await symlink(process.execPath, join(root, 'vendor/node/bin/node'));
    await makePackage('left', '1.0.0');
    await makeManifest({ node: 'file:vendor/node', left: 'file:vendor/left' });
  });
  afterEach(() => rm(join(root, '..'), { recursive: true, force: true }));

  const makePackage = async (name: string, version: string) => {
    await mkdir(join(root, 'vendor', name), { recursive: true });
    await writeFile(join(root, 'vendor', name, 'package.json'), JSON.stringify({ name, version }));
  };
  const makeManifest = (dependencies: Record<string, string>) =>
    writeFile(join(root, 'package.json'), JSON.stringify({ name: 'fixture', private: true, dependencies }));
  const run = (...args: string[]) => start(root, args).finished;

  it('installs what is missing, then runs the program on the pinned Node with its arguments', async () => {
    const { code, stdout, stderr } = await run('0', '--flag', 'two words');
    expect(stderr).toContain('Installing (');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout.trim())).toEqual({
      args: ['0', '--flag', 'two words'],
      node: process.version,
      conditions: ['--conditions=@tenantry/source'],
    });
  });

  it('installs nothing when nothing is missing, and passes the exit code on', async () => {
    await run('0');
    const { code, stderr } = await run('7');
    expect(stderr).not.toContain('Installing');
    expect(code).toBe(7);
  });

  it('installs after a package.json has changed, and keeps the lock file in step', async () => {
    await run('0');
    await makePackage('right', '1.0.0');
    await makeManifest({ node: 'file:vendor/node', left: 'file:vendor/left', right: 'file:vendor/right' });
    const { stderr } = await run('0');
    expect(stderr).toContain('Installing (a package.json changed)');
    expect(existsSync(join(root, 'node_modules/right'))).toBe(true);
    expect((await run('0')).stderr).not.toContain('Installing');
  });

  it('installs after a package of the workspace has been added, and keeps the lock file in step', async () => {
    const workspace = { name: 'fixture', private: true, workspaces: ['apps/*', 'libs/*'] };
    const dependencies = { node: 'file:vendor/node', left: 'file:vendor/left' };
    await writeFile(join(root, 'package.json'), JSON.stringify({ ...workspace, dependencies }));
    await run('0');
    await mkdir(join(root, 'apps/added'));
    await writeFile(
      join(root, 'apps/added/package.json'),
      JSON.stringify({ name: 'added', version: '1.0.0' }),
    );
    expect((await run('0')).stderr).toContain('Installing (a package is new)');
    expect(existsSync(join(root, 'node_modules/added/package.json'))).toBe(true);
    expect(await readFile(join(root, 'package-lock.json'), 'utf8')).toContain('"apps/added"');
    expect((await run('0')).stderr).not.toContain('Installing');
  });

  it('repairs an installation that was interrupted or has lost a package', async () => {
    await run('0');
    await unlink(join(root, 'node_modules/left'));
    expect((await run('0')).stderr).toContain('Installing (some packages are gone)');
    await rm(join(root, 'node_modules/.package-lock.json'));
    expect((await run('0')).stderr).toContain('Installing (first time)');
    expect(existsSync(join(root, 'node_modules/left/package.json'))).toBe(true);
  });

  it('installs once when two start at the same time', async () => {
    const both = await Promise.all([run('0'), run('0')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ stderr }) => stderr.includes('Installing ('))).toHaveLength(1);
  });

  it('takes over the lock of a process that was killed', async () => {
    await mkdir(join(root, '.tenantry'));
    await writeFile(
      join(root, '.tenantry/install.lock'),
      JSON.stringify({ pid: process.pid, birth: 'long ago' }),
    );
    expect((await run('0')).code).toBe(0);
    expect(existsSync(join(root, '.tenantry/install.lock'))).toBe(false);
  });

  it('hands a signal to the program and ends as it ends', async () => {
    const { child, finished } = start(root, ['wait']);
    await untilPrinted(child, 'waiting');
    child.kill('SIGTERM');
    const { code, stdout } = await finished;
    expect(stdout).toContain('told to stop');
    expect(code).toBe(0);
  });

  it('names the programs there are', async () => {
    const { code, stderr } = await start(root, [], 'deploy').finished;
    expect(stderr).toMatch(/^Name one of: start, test, .*migrate, .*nx\.\n$/);
    expect(code).toBe(1);
  });
});

function start(root: string, args: readonly string[], tool = 'start') {
  // No terminal, no input, no configuration of the person who runs the tests.
  const env = { PATH: process.env['PATH'], HOME: root, CI: 'true', npm_config_offline: 'true' };
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), tool, ...args], {
    cwd: '/',
    env,
  });
  child.stdin.end();
  return { child, finished: collect(child) };
}

async function collect(child: ChildProcessWithoutNullStreams) {
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

async function untilPrinted(child: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  for await (const [chunk] of on(child.stdout, 'data')) if (String(chunk).includes(text)) return;
}
