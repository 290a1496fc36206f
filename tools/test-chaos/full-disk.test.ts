import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';

const seconds = 1_000;
const succeeds = (command: string, args: readonly string[]) => spawnSync(command, args).status === 0;

/** A disk of 400 MB; undefined, and one line, where this user may not mount one. */
async function mountSmallDisk(): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-small-disk-'));
  if (succeeds('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tenantry', directory])) return directory;
  await rm(directory, { recursive: true });
  console.log('Skipped: only root may mount a small disk, so none is filled.');
  return undefined;
}
const disk = isThorough ? await mountSmallDisk() : undefined;

describe.skipIf(disk === undefined)('a full disk under PostgreSQL', () => {
  const directory = disk ?? '';
  const filler = join(directory, 'filler');
  let postgres: DatabaseServer;
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    postgres = await startDatabaseServer(directory);
    deployment = await deploy({ postgres, replicas: { 'auth-service': 1, 'leads-service': 1 } });
    load = await startLoad({ urls: [deployment.url], people: 8 });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await postgres.stop();
    succeeds('umount', [directory]);
    await rm(directory, { recursive: true, force: true });
  });

  it('is 503 for what would write, ends no process of ours, and is over within 5 s of there being room again [S-164]', async () => {
    await load.rounds(2);
    const pids = deployment.all().map(({ process }) => process.pid);
    const beganAt = performance.now();
    // Until there is no room left.
    await writeFile(filler, Buffer.alloc(400 * 1024 ** 2)).catch(() => undefined);
    await sleep(3 * seconds);
    await load.rounds(6);
    const failed = load.since(beganAt).filter(({ status }) => status < 200 || status > 299);
    expect(failed.length).toBeGreaterThan(0);

    await rm(filler);
    if (postgres.hasEnded()) await postgres.restart();
    const roomAt = performance.now();
    await sleep(5 * seconds);
    await load.rounds(2);
    for (const { deed, status, retryAfter, text } of load.since(beganAt)) {
      if (status < 200 || status > 299) expect([deed, status, retryAfter], text).toEqual([deed, 503, '1']);
    }
    expect(failuresAmong(load.since(roomAt + 5 * seconds))).toEqual([]);
    expect(deployment.all().map(({ process }) => process.pid)).toEqual(pids);
  });

  it('loses nothing that was acknowledged, makes nothing twice, and signs no user out', async () => {
    await load.stop();
    await load.expectNothingLost();
    expect(load.answers.filter(({ status }) => status === 401)).toEqual([]);
  });
});
