import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  connected,
  freePort,
  startTemporaryPostgres,
  workspaceRoot,
  type Postgres,
} from '@tenantry/dev-database';
import { dataOf, readArchive } from '@tenantry/service-tests';
import { canarySecret } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, signIn, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';

// An organization moves to another one while programs are killed: its files, its rows, and who is invited.

const leads = 8_000;
const rowsAtOnce = 250;
const imported = ['leads', 'lead_status_changes', 'audit_events'];

describe('an export and an import that are killed', () => {
  let directory: string;
  let postgres: Postgres;
  let auth: Instance;
  let exporting: Instance;
  let startLeads: () => Promise<Instance>;
  let admin: string;
  let env: Record<string, string>;
  let from: Tenant;
  let into: Tenant;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-archives-'));
    postgres = await startTemporaryPostgres();
    const [authUrl, leadsUrl] = [
      await migratedDatabase(postgres, 'auth-service'),
      await migratedDatabase(postgres, 'leads-service'),
    ];
    admin = String(Object.assign(new URL(postgres.adminUrl), { pathname: new URL(leadsUrl).pathname }));
    const [port, leadsPort] = [String(await freePort()), String(await freePort())];
    const AUTH_INTERNAL_URL = `http://127.0.0.1:${port}`;
    const peers = {
      INTERNAL_API_KEY: canarySecret(),
      AUTH_URL: `${AUTH_INTERNAL_URL}/api/auth`,
      AUTH_INTERNAL_URL,
    };
    auth = await startInstance('auth-service', {
      ...peers,
      ...{ PORT: port, DATABASE_URL: authUrl, AUTH_SECRET: canarySecret(), BCRYPT_COST: '4' },
      ...{ MAIL_DIRECTORY: join(directory, 'mail'), RATE_LIMIT_EXPORTS_PER_HOUR: '1000' },
    });
    startLeads = () =>
      startInstance('leads-service', {
        ...peers,
        ...{ PORT: leadsPort, DATABASE_URL: leadsUrl },
        AUTH_JWKS_URL: `${AUTH_INTERNAL_URL}/api/auth/jwks`,
        AUTH_REVOCATIONS_URL: `${AUTH_INTERNAL_URL}/internal/revocations`,
      });
    exporting = await startLeads();
    env = { ...peers, LEADS_SERVICE_DATABASE_URL: leadsUrl };
    [from, into] = [await newTenant(auth.url, 'From'), await newTenant(auth.url, 'Into')];
    await connected(admin, async (client) => {
      await client.query('UPDATE storage_limits SET rows = 1000000, rows_unconfirmed = 1000000');
      // Notes that are compressed to half at most, so that no buffer holds the archive.
      await client.query(
        `INSERT INTO leads (organization_id, name, email, notes, created_at)
         SELECT $1, 'Lead ' || n, 'lead' || n || '@example.com', (
           SELECT string_agg(md5(n || ' ' || m), '') FROM generate_series(1, 60) m), now()
         FROM generate_series(1, $2::int) n`,
        [from.organizationId, leads],
      );
    });
  });
  afterAll(async () => {
    await Promise.all([auth.kill(), exporting.kill()]);
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Exports a part; `onPiece` is told how many pieces have arrived. */
  async function exportTo(
    file: string,
    url: string,
    tenant: Tenant,
    onPiece?: (count: number) => Promise<void>,
  ) {
    const { token } = await signIn(auth.url, tenant);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        pieces.push(piece);
        await onPiece?.(pieces.length);
      }
    } finally {
      await writeFile(file, Buffer.concat(pieces));
    }
    return Buffer.concat(pieces);
  }
  const leadsExport = () => `${exporting.url}/api/leads/export/organization`;

  const rowsIn = ({ organizationId }: Tenant): Promise<number> =>
    connected(admin, async (client) => {
      const text = 'SELECT count(*)::int AS count FROM leads WHERE organization_id = $1';
      return ((await client.query<{ count: number }>(text, [organizationId])).rows[0] ?? { count: 0 }).count;
    });

  /** Runs the command of the operator, and kills it once `isTime`. */
  async function importFiles(
    files: readonly string[],
    isTime?: (printed: string) => boolean | Promise<boolean>,
  ) {
    const args = ['--conditions=@tenantry/source', 'tools/src/organization/main.ts', 'import', ...files];
    const child = spawn(process.execPath, [...args, '--into', into.organizationId], {
      cwd: workspaceRoot,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)));
    const closed = once(child, 'close') as Promise<[number | null, string | null]>;
    while (isTime && child.exitCode === null) {
      if (await isTime(printed)) child.kill('SIGKILL');
      await setTimeout(5);
      if (child.killed) break;
    }
    const [code, signal] = await closed;
    return { code, signal, printed };
  }

  const invitations = async () => {
    const { token } = await signIn(auth.url, into);
    const path = `GET /api/auth/organization/${into.organizationId}/invitations` as const;
    return (await call<{ invitations: object[] }>(auth.url, path, { token })).body.invitations;
  };

  it.each([1, 3])(
    'a download that broke off after piece %i is refused, and is whole when it is repeated [S-339]',
    async (n) => {
      const file = join(directory, 'broken.zip');
      const broken = exportTo(file, leadsExport(), from, async (piece) => {
        if (piece === n) await exporting.kill();
      });
      await expect(broken).rejects.toThrow('terminated');
      const refused = await importFiles([file]);
      expect(refused.code).toBe(1);
      expect(refused.printed).toContain(`${file}: It is not a whole ZIP archive`);
      expect(await rowsIn(into)).toBe(0);
      exporting = await startLeads();
      const { manifest } = await readArchive(await exportTo(file, leadsExport(), from));
      expect(manifest.tables['leads']?.rows).toBe(leads);
    },
  );

  it('an import that is killed at every step is finished by a repetition [S-297, S-338, S-339]', async () => {
    const files = ['leads-service.zip', 'auth-service.zip'].map((name) => join(directory, name));
    const [leadsFile = '', authFile = ''] = files;
    const whole = await readArchive(await exportTo(leadsFile, leadsExport(), from));
    await exportTo(authFile, `${auth.url}/api/auth/organization/${from.organizationId}/export`, from);
    const steps: readonly ((printed: string) => boolean | Promise<boolean>)[] = [
      (printed) => printed.includes(basename(leadsFile)),
      async () => (await rowsIn(into)) > 0,
      async () => (await rowsIn(into)) > leads / 4,
      async () => (await rowsIn(into)) > leads / 2,
    ];
    let before = 0;
    for (const isTime of steps) {
      expect((await importFiles(files, isTime)).signal).toBe('SIGKILL');
      const there = await rowsIn(into);
      expect(there % rowsAtOnce).toBe(0);
      expect(there).toBeGreaterThanOrEqual(before);
      before = there;
    }
    expect(before).toBeGreaterThan(0);
    expect(await invitations()).toEqual([]);
    await importFiles(files, (printed) => printed.includes(basename(authFile)));
    for (const repetition of [1, 2]) {
      const { code, printed } = await importFiles(files);
      expect([code, repetition], printed).toEqual([0, repetition]);
    }
    expect(await invitations()).toMatchObject([{ email: from.email, role: 'owner', isSent: false }]);
    const again = await readArchive(await exportTo(join(directory, 'again.zip'), leadsExport(), into));
    expect(dataOf(again, imported)).toEqual(dataOf(whole, imported));
  });
});
