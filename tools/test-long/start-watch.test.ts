import { appendFile, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';
import { call } from '../test/support/client.ts';
import { processesOf } from '../test/support/processes.ts';
import { eventually, npmStart, type Tenantry } from '../test/support/tenantry.ts';

describe('npm start -- --watch', () => {
  let root: string;
  let running: Tenantry;

  beforeAll(async () => {
    root = join(await realpath(await mkdtemp(join(tmpdir(), 'tenantry-watch-'))), 'checkout');
    await copyCheckout(root);
    running = await npmStart(root, ['--watch', '--inspect', 'leads-service']);
  });
  afterAll(async () => {
    await running.stop();
    for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
    await rm(join(root, '..'), { recursive: true, force: true });
  });

  /** The process of each service. */
  const pids = async () => {
    const record = await readFile(join(root, '.tenantry/run/services.json'), 'utf8');
    const services = JSON.parse(record) as Record<string, { pid: number }>;
    return new Map(Object.entries(services).map(([name, { pid }]) => [name, pid]));
  };
  const readyAgain = (name: string) => running.output.stdout.split(`"${name} is ready again"`).length - 1;
  /** Makes a change and says which services have been started again for it. */
  async function restartedBy(change: () => Promise<void>, expected: readonly string[]): Promise<string[]> {
    const before = await pids();
    const times = new Map(expected.map((name) => [name, readyAgain(name)]));
    await change();
    await eventually(() => {
      for (const [name, count] of times) expect(readyAgain(name), name).toBeGreaterThan(count);
    });
    const after = await pids();
    return [...after].filter(([name, pid]) => before.get(name) !== pid).map(([name]) => name);
  }

  it('starts a changed service again, and no other, also when it is saved by renaming', async () => {
    const file = join(root, 'apps/leads-service/src/service.ts');
    const saved = async () => {
      await writeFile(`${file}.tmp`, `${await readFile(file, 'utf8')}\n// saved\n`);
      await rename(`${file}.tmp`, file);
    };
    for (let time = 1; time <= 3; time += 1) {
      expect(await restartedBy(saved, ['leads-service'])).toEqual(['leads-service']);
    }
    expect((await call(running.url, 'GET /api/leads')).status).toBe(401);
  });

  it('starts again what uses a changed library', async () => {
    const change = () => appendFile(join(root, 'libs/money/src/index.ts'), '\n// changed\n');
    const users = ['auth-service', 'quotation-service'];
    expect((await restartedBy(change, users)).toSorted()).toEqual(users);
  });

  it('waits for the next change where one does not start', async () => {
    const file = join(root, 'apps/users-service/src/service.ts');
    const good = await readFile(file, 'utf8');
    await writeFile(file, `${good}\nthis is no TypeScript(\n`);
    await eventually(() => expect(running.output.stdout).toContain('users-service did not come up'));
    expect(await restartedBy(() => writeFile(file, good), ['users-service'])).toEqual(['users-service']);
  });

  it('makes the client of a changed schema, and says what to run', async () => {
    const schema = join(root, 'apps/leads-service/prisma/schema.prisma');
    const client = join(root, 'apps/leads-service/src/generated/prisma/internal/class.ts');
    const text = await readFile(schema, 'utf8');
    const changed = text.replace('model Lead {\n', 'model Lead {\n  watchedThing String?\n');
    await restartedBy(() => writeFile(schema, changed), ['leads-service']);
    expect(await readFile(client, 'utf8')).toContain('watchedThing');
    expect(running.output.stdout).toContain('npm run migrate -- leads-service --name what-changed');
  });

  it('prints the address for a debugger, which is the same port after a restart', async () => {
    const addresses = () => [
      ...running.output.stdout.matchAll(/leads-service at (ws:\/\/127\.0\.0\.1:(\d+)\/[\w-]+)/g),
    ];
    const [printed] = addresses();
    expect(running.output.stdout.indexOf(printed![0])).toBeLessThan(running.output.stdout.indexOf('Ready  '));
    expect(new Set(addresses().map(([, , port]) => port)).size).toBe(1);
    const [, latest = ''] = addresses().at(-1)!;
    const { port } = new URL(latest);
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { title: string }[];
    expect(target?.title).toContain('src/main.ts');
  });
});
