import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  invalid,
  moveLead,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'exports-'));
  service = await startService({ env: { SPOOL_DIRECTORY: directory } });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 2 });
  admin.on('error', () => undefined);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await admin.end();
  await service.close();
  await rm(directory, { recursive: true });
});

async function exported(caller: Caller, query = ''): Promise<Record<string, string>[]> {
  const answer = await caller.send('GET', `/api/leads/export${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return parse(answer.text, { columns: true, bom: true });
}

async function addLeads(organizationId: string, count: number, lengthOfNotes = 200): Promise<void> {
  await admin.query(
    `INSERT INTO leads (organization_id, name, email, notes, created_at)
     SELECT $1, 'Lead ' || n, 'lead' || n || '@example.com', repeat('n', $3), now() - n * interval '1 s'
     FROM generate_series(1, $2) n`,
    [organizationId, count, lengthOfNotes],
  );
}

/** Asks for a file over the wire, so that it is read only as fast as the client takes it. */
async function download(organizationId: string, sid: string = randomUUID()): Promise<IncomingMessage> {
  const { port } = service.app.server.address() as AddressInfo;
  const authorization = `Bearer ${await service.issuer.token({ organizationId, sid })}`;
  const asked = get({ port, path: '/api/leads/export', agent: false, headers: { authorization } });
  asked.on('error', () => undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer.setEncoding('utf8');
}

/** Transactions that are open, also while a statement runs. */
const openTransactions = async (): Promise<number> => {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
       AND backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
};

describe('GET /api/leads/export', () => {
  it('is a file with every field of every live lead of the organization', async () => {
    const caller = await service.member();
    const gone = await createLead(caller);
    await caller.send('DELETE', `/api/leads/${gone}`);
    const lead = { name: 'Åsa "Ö", ltd', email: 'asa@example.com', source: 'web', notes: 'two\nlines' };
    const id = await createLead(caller, lead);
    await createLead(await service.member());
    const answer = await caller.send('GET', '/api/leads/export');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="leads.csv"',
    });
    const { data } = (await caller.send('GET', `/api/leads/${id}`)).body;
    const { createdAt, updatedAt } = data;
    expect(await exported(caller)).toEqual([{ id, ...lead, phone: '', status: 'new', createdAt, updatedAt }]);
  });

  it('of nothing has its header alone', async () => {
    const answer = await (await service.member()).send('GET', '/api/leads/export');
    expect(answer.text).toBe('\ufeffid,name,email,phone,status,source,notes,createdAt,updatedAt\r\n');
  });

  it('has the filters and orders of the list', async () => {
    const caller = await service.member();
    const ids: string[] = [];
    for (const [name, source] of [
      ['Åke', 'web'],
      ['Bo', 'fair'],
      ['Ada', 'Web'],
    ]) {
      ids.push(await createLead(caller, { name, source }));
    }
    await moveLead(caller, ids[1]!, 'contacted');
    const names = async (query: string) => (await exported(caller, query)).map(({ name }) => name);
    expect(await names('?sort=name')).toEqual(['Ada', 'Åke', 'Bo']);
    expect(await names('?sort=-name&source=WEB')).toEqual(['Åke', 'Ada']);
    expect(await names('?status=contacted,won')).toEqual(['Bo']);
    expect(await names('?search=ak&createdFrom=2026-01-01T00:00:00Z')).toEqual(['Åke']);
    expect(refusal(await caller.send('GET', '/api/leads/export?page=2'))).toEqual(invalid('page'));
  });

  it('makes cells harmless that a spreadsheet would run [S-149]', async () => {
    const caller = await service.member();
    await createLead(caller, {
      name: '=HYPERLINK("http://evil.example")',
      phone: '+46 70',
      source: '@SUM(A1)',
      notes: '-1',
    });
    expect(await exported(caller)).toMatchObject([
      { name: `'=HYPERLINK("http://evil.example")`, phone: "'+46 70", source: "'@SUM(A1)", notes: "'-1" },
    ]);
  });

  it('is of one moment: what changes while it is read is not in it', async () => {
    const { organizationId } = await service.member();
    await addLeads(organizationId, 20_000);
    const file = await download(organizationId);
    await admin.query(`UPDATE leads SET name = 'Changed' WHERE organization_id = $1`, [organizationId]);
    let text = '';
    for await (const piece of file) text += String(piece);
    const rows: { name: string }[] = parse(text, { columns: true, bom: true });
    expect(rows).toHaveLength(20_000);
    expect(rows.filter(({ name }) => name === 'Changed')).toEqual([]);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(20_000);
  });

  it('holds a connection only while the leads are read, however slowly its client takes them [S-148]', async () => {
    const { organizationId } = await service.member();
    await addLeads(organizationId, 50_000);
    const slow = await download(organizationId);
    await expect.poll(() => openTransactions()).toBe(0);
    const others = await Promise.all([download(organizationId), download(organizationId)]);
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const textOf = async (answer: IncomingMessage) => {
      let text = '';
      for await (const piece of answer) text += String(piece);
      return text;
    };
    // At once: a client that reads nothing for 20 s is cut off.
    for (const text of await Promise.all([slow, ...others].map(textOf))) {
      expect(text.split('\r\n')).toHaveLength(50_002);
    }
  });

  it('is broken off once the session of its reader has ended, also while nothing is read [S-142]', async () => {
    const { organizationId } = await service.member();
    // More than the buffers of both sockets hold, or all of it would be sent before the session ends.
    await addLeads(organizationId, 20_000, 2_000);
    const sid = randomUUID();
    const connected = once(service.app.server, 'connection') as Promise<[Socket]>;
    const file = await download(organizationId, sid);
    const [connection] = await connected;
    const brokenOff = once(connection, 'close');
    service.issuer.revoke({ kind: 'session', sid, until: Math.floor(Date.now() / 1_000) + 900 });
    // Its reader takes nothing until then: one who reads may have all of it before the service asks again.
    await brokenOff;
    const readAll = async () => {
      for await (const piece of file) void piece;
    };
    await expect(readAll()).rejects.toThrow();
    expect(file.complete).toBe(false);
    await expect.poll(() => openTransactions()).toBe(0);
    await expect.poll(() => service.app.metrics.metrics()).toContain('tenantry_spool_bytes 0');
  });

  it('leaves nothing running, and nothing on the disk, of a client that goes away [S-147]', async () => {
    const { organizationId } = await service.member();
    await addLeads(organizationId, 20_000, 2_000);
    const leaving = await Promise.all([download(organizationId), download(organizationId)]);
    for (const answer of leaving) answer.destroy();
    await expect.poll(() => openTransactions()).toBe(0);
    await expect.poll(() => readdir(directory)).toEqual([]);
    const metrics = () => service.app.metrics.metrics();
    await expect.poll(metrics).toContain('tenantry_shares{shared="lead-files",state="running"} 0');
    await expect.poll(metrics).toContain('tenantry_spool_bytes 0');
  });
});
