import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';
import { call, newTenant, signIn } from '../test/support/client.ts';
import { scriptsOf } from '../test/support/documents.ts';
import { processesOf } from '../test/support/processes.ts';
import { npmStart } from '../test/support/tenantry.ts';

describe('the data of npm start, backed up as docs/operations.md says', () => {
  let parent: string;
  let root: string;

  beforeAll(async () => {
    parent = await realpath(await mkdtemp(join(tmpdir(), 'tenantry-start-backup-')));
    root = join(parent, 'checkout');
    await copyCheckout(root);
    await mkdir(join(parent, 'backup'));
  });
  afterAll(async () => {
    for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
    await rm(parent, { recursive: true, force: true });
  });

  it('is what it was, sign-ins included, and nothing of what came after', async () => {
    const [take = '', restore = ''] = scriptsOf(
      await readFile(join(root, 'docs/operations.md'), 'utf8'),
      'With npm start',
    );
    const run = (script: string) =>
      promisify(execFile)('bash', ['-euc', script], {
        cwd: root,
        env: { ...process.env, BACKUP: join(parent, 'backup') },
      });
    const lead = (name: string) => ({ name, email: `${name}@lead.example` });

    const first = await npmStart(root);
    const ada = await newTenant(first.url, 'Ada');
    await call(first.url, 'POST /api/leads', { token: ada.token, body: lead('before') });
    await first.stop();
    await run(take);
    const second = await npmStart(root);
    const again = await signIn(second.url, ada);
    await call(second.url, 'POST /api/leads', { token: again.token, body: lead('after') });
    await second.stop();

    await run(restore);
    const third = await npmStart(root);
    const leads = await call(third.url, 'GET /api/leads', await signIn(third.url, ada));
    expect(leads.body).toMatchObject({ data: [{ name: 'before' }], meta: { total: 1 } });
    await third.stop();
  });
});
