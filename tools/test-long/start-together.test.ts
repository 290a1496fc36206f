import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '@tenantry/test-kit';
import { freePort } from '@tenantry/dev-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';
import { call, newTenant, signIn } from '../test/support/client.ts';
import { postmaster, processesOf } from '../test/support/processes.ts';
import { expectNothingLeft, npmStart, type Tenantry } from '../test/support/tenantry.ts';

const minutes = 60_000;

describe('npm start, several at the same moment', { timeout: patience(8 * minutes) }, () => {
  let parent: string;
  let roots: string[];

  beforeAll(async () => {
    parent = await realpath(await mkdtemp(join(tmpdir(), 'tenantry-together-')));
    roots = ['one', 'other'].map((name) => join(parent, name));
    for (const root of roots) await copyCheckout(root);
  });
  afterAll(async () => {
    for (const { pid } of processesOf(parent)) process.kill(pid, 'SIGKILL');
    await rm(parent, { recursive: true, force: true });
  });

  /** Starts at once, and gives those that are ready and what the others said. */
  async function startTogether(folders: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const started = await Promise.allSettled(folders.map((root) => npmStart(root, [], env)));
    return {
      ready: started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : [])),
      refusals: started.flatMap((start) =>
        start.status === 'rejected' ? [(start.reason as Error).message] : [],
      ),
    };
  }

  async function expectOneOfItsOwn(tenantry: Tenantry, all: readonly Tenantry[]): Promise<void> {
    const ada = await newTenant(tenantry.url, 'Ada');
    const lead = { name: 'Own', email: 'own@lead.example' };
    expect((await call(tenantry.url, 'POST /api/leads', { token: ada.token, body: lead })).status).toBe(201);
    for (const other of all.filter((one) => one !== tenantry)) {
      // Neither its keys nor its database know her.
      expect((await call(other.url, 'GET /api/leads', ada)).status).toBe(401);
      await expect(signIn(other.url, ada)).rejects.toThrow();
    }
  }

  it('in two checkouts is ready twice, each on its own services and database [S-159]', async () => {
    for (let time = 1; time <= 2; time += 1) {
      const { ready, refusals } = await startTogether(roots);
      expect(refusals).toEqual([]);
      const databases = await Promise.all(roots.map(async (root) => (await postmaster(root)).port));
      const ports = [...ready.flatMap((tenantry) => tenantry.ports()), ...databases];
      expect(new Set(ports).size).toBe(12);
      for (const tenantry of ready) await expectOneOfItsOwn(tenantry, ready);
      await Promise.all(ready.map((tenantry) => tenantry.stop()));
      for (const root of roots) await expectNothingLeft(root, ports);
    }
  });

  it('in one checkout is ready once, and says in a sentence why not twice', async () => {
    const [root = ''] = roots;
    const { ready, refusals } = await startTogether([root, root]);
    await Promise.all(ready.map((tenantry) => tenantry.stop()));
    expect(ready).toHaveLength(1);
    expect(refusals.map(lastLine)).toEqual([
      expect.stringMatching(/^Tenantry is already running here \(process \d+\): stop that one first/),
    ]);
  });

  it('on one port is ready once, and says in a sentence why not twice', async () => {
    const { ready, refusals } = await startTogether(roots, { PORT: String(await freePort()) });
    await Promise.all(ready.map((tenantry) => tenantry.stop()));
    expect(ready).toHaveLength(1);
    expect(refusals.map(lastLine)).toEqual([
      expect.stringMatching(/^Port \d+ is in use by another program: choose another one/),
    ]);
  });
});

const lastLine = (text: string): string | undefined => text.trim().split('\n').at(-1);
