import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isThorough, liveHeap, thorough } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  answered,
  createLead,
  invalid,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const rowsMax = 100_000;

let service: TestService;
let member: Caller;
let admin: pg.Pool;
beforeAll(async () => {
  const quota = { QUOTA_ROWS_UNCONFIRMED: '1000000', QUOTA_BYTES_UNCONFIRMED: '1000000000' };
  service = await startService({ env: quota });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 2 });
  admin.on('error', () => undefined);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  member = await service.member({ role: 'admin' });
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

interface Report {
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
  readonly errors: readonly {
    readonly line: number;
    readonly details: readonly { readonly field: string }[];
  }[];
}

const send = (file: string | Buffer, query = '', contentType = 'text/csv') =>
  member.send('POST', `/api/leads/import${query}`, { body: file, headers: { 'content-type': contentType } });
const imported = (file: string | Buffer, query = '') => answered<Report>(send(file, query));

const list = async (query = '') => (await member.send('GET', `/api/leads${query}`)).body;

describe('POST /api/leads/import', () => {
  it('makes a new lead of each row, with its history, counted and audited', async () => {
    const file =
      'Name,E-mail\n'.replace('E-mail', 'email') + 'Åsa,asa@example.com\n Grace ,grace@example.com\n';
    expect(await imported(file)).toEqual({ rows: 2, imported: 2, rejected: 0, errors: [] });
    const { data, meta } = await list('?sort=name&include=version');
    expect(data).toMatchObject([
      { name: 'Åsa', email: 'asa@example.com', phone: null, source: null, status: 'new', version: 1 },
      { name: 'Grace' },
    ]);
    expect(meta.total).toBe(2);
    const history = await member.send('GET', `/api/leads/${data[0]?.id ?? ''}/history`);
    expect(history.body.data).toMatchObject([{ from: null, to: 'new' }]);
    const trail = await member.send('GET', '/api/leads/audit?action=lead.imported');
    expect(trail.body.data).toMatchObject([{ details: { imported: 2, rejected: 0 } }]);
  });

  it('takes every field, commas or semicolons, a byte order mark, any order and empty lines', async () => {
    const file =
      '\ufeffnotes;phone;EMAIL;name;source\r\n"two\nlines; more";\'+46 70;a@example.com;Ada;fair\r\n\r\n;;b@example.com;Bo;\r\n';
    expect(await imported(file)).toMatchObject({ imported: 2, rejected: 0 });
    expect((await list('?sort=name')).data).toMatchObject([
      { name: 'Ada', phone: '+46 70', source: 'fair' },
      { name: 'Bo', phone: null, source: null },
    ]);
  });

  it('takes an international domain as A-labels, and says what no address may have before the @', async () => {
    const file =
      'name,email\nMax,max@müller-dach.example\nMoritz,max@xn--mller-dach-9db.example\nMäx,mäx@example.com\n';
    const report = await imported(file, '?mode=rows');
    expect(report).toMatchObject({ imported: 2, rejected: 1 });
    expect(report.errors).toMatchObject([{ line: 4, details: [{ field: 'email', rule: 'localPart' }] }]);
    const stored = { email: 'max@xn--mller-dach-9db.example' };
    expect((await list()).data).toMatchObject([stored, stored]);
    const { text } = await member.send('GET', '/api/leads/export');
    expect(text).toContain('max@müller-dach.example');
    member = await service.member();
    expect(await imported(text)).toMatchObject({ imported: 2 });
  });

  it('takes what was exported, and gives the same leads again', async () => {
    const lead = { name: "'=1", email: 'a@example.com', phone: '+1', source: '@x', notes: '-\n"q", r' };
    await createLead(member, lead);
    const { text } = await member.send('GET', '/api/leads/export');
    member = await service.member();
    expect(await imported(text)).toMatchObject({ imported: 1 });
    const [{ id } = { id: '' }] = (await list()).data;
    expect((await member.send('GET', `/api/leads/${id}`)).body.data).toMatchObject(lead);
  });

  const bad =
    'name,email\nAda,ada@example.com\n,nobody\nBo,bo@example.com\nCy,cy@example.com,more\n"D\nd",d\n';

  it('reports as a file of line, column and reason where that is asked for', async () => {
    const ask = (mode: string, file = bad) => {
      const headers = { 'content-type': 'text/csv', accept: 'text/csv, application/json;q=0.5' };
      return member.send('POST', `/api/leads/import?mode=${mode}`, { body: file, headers });
    };
    const lines = [
      '\ufeffline,column,reason',
      '3,name,is required',
      expect.stringMatching(/^3,email,/),
      '"5",row,"has 3 fields, and the first line 2"'.replace('"5"', '5'),
      '6,name,must not contain control characters',
      expect.stringMatching(/^6,email,/),
      '',
    ];
    const refused = await ask('all');
    expect([refused.status, refused.text.split('\r\n')]).toEqual([400, lines]);
    expect((await list()).meta.total).toBe(0);
    const taken = await ask('rows');
    expect([taken.status, taken.text]).toEqual([200, refused.text]);
    expect(taken.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="import-report.csv"',
      vary: expect.stringContaining('Accept') as string,
    });
    expect((await list()).meta.total).toBe(2);
    expect((await ask('all', 'nonsense\n')).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('imports nothing of a file with bad rows, and names each with its line and reason [S-150]', async () => {
    const answer = await send(bad);
    expect(refusal(answer)).toEqual({
      ...invalid('name', 'email', 'row', 'name', 'email'),
    });
    expect(answer.body.error).toMatchObject({
      message: 'Nothing was imported: 3 of 5 rows are not valid.',
    });
    expect(answer.body.error.details).toMatchObject([
      { field: 'name', params: { line: 3 }, message: 'is required (line 3)' },
      { field: 'email', params: { line: 3 } },
      { field: 'row', params: { line: 5 }, message: 'has 3 fields, and the first line 2 (line 5)' },
      { field: 'name', params: { line: 6 }, message: 'must not contain control characters (line 6)' },
      { field: 'email', params: { line: 6 } },
    ]);
    expect((await list()).meta.total).toBe(0);
  });

  it('imports the good rows alone by choice, and names the others', async () => {
    const report = await imported(bad, '?mode=rows');
    expect(report).toMatchObject({ rows: 5, imported: 2, rejected: 3 });
    expect(report.errors.map(({ line, details }) => [line, ...details.map(({ field }) => field)])).toEqual([
      [3, 'name', 'email'],
      [5, 'row'],
      [6, 'name', 'email'],
    ]);
    expect((await list('?sort=name')).data.map(({ name }) => name)).toEqual(['Ada', 'Bo']);
  });

  it.each([
    ['nothing', '', ['body']],
    ['no header', 'Ada,ada@example.com\n', ['Ada', 'ada@example.com', 'name', 'email']],
    ['an unknown column', 'name,email,organizationId\n', ['organizationId']],
    ['a column twice', 'name,email,Name\n', ['name']],
    ['no e-mail addresses', 'name\nAda\n', ['email']],
    ['a quote that is never closed', 'name,email\nAda,a@example.com\n"Bo,b@example.com\n', ['body']],
    ['another encoding', Buffer.from('name,email\n\xc5sa,a@example.com\n', 'latin1'), ['body']],
    ['NUL', 'name,email\nA\0,a@example.com\n', ['name']],
  ])('refuses a file with %s, and imports nothing', async (_, file, fields) => {
    for (const mode of ['all', 'rows']) {
      if (fields[0] === 'name' && mode === 'rows' && _ === 'NUL') continue;
      expect(refusal(await send(file, `?mode=${mode}`))).toEqual(invalid(...fields));
    }
    expect((await list()).meta.total).toBe(0);
  });

  it.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])('is 415 for %s', async (type) => {
    expect(refusal(await send('{}', '', type))).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });

  it('takes as many rows as it may, in memory that does not grow with them [S-147]', async () => {
    const rows = thorough(rowsMax, 10_000);
    const whole = await upload(rows);
    expect([whole.status, whole.text.slice(0, 80)]).toEqual([
      200,
      expect.stringContaining(`"imported":${rows}`),
    ]);
    expect((await list('?search=lead&pageSize=1')).meta.total).toBe(rows);
    // Of 100,000 rows the file is 50 MB.
    expect(whole.heapGrowth).toBeLessThan(20_000_000);
  });

  it.runIf(isThorough)(
    'takes no more than 100,000 rows',
    async () => {
      expect((await upload(rowsMax + 1)).status).toBe(413);
    },
    180_000,
  );

  it.each([
    ['before its end', 1_000, false],
    ['before the answer', 50_000, true],
  ])('imports nothing of a file whose client leaves %s [S-150]', async (_, rows, isWhole) => {
    const request = await beginUpload();
    const lines = Array.from({ length: rows }, (__, row) => `Lead ${row},lead${row}@example.com\n`);
    await new Promise<void>((written) => {
      request.write(`name,email\n${lines.join('')}`, () => written());
    });
    await expect.poll(() => sharesInUse()).toBe(1);
    if (isWhole) {
      request.end();
      await expect.poll(() => transactionsOpen()).toBe(1);
    }
    request.destroy();
    await expect.poll(() => sharesInUse()).toBe(0);
    await expect.poll(() => transactionsOpen()).toBe(0);
    expect((await list()).meta.total).toBe(0);
    expect(await imported('name,email\nAda,ada@example.com\n')).toMatchObject({ imported: 1 });
  });

  it('takes no turn before it is there: however many uploads are slow, others are imported [S-148]', async () => {
    const slow: ClientRequest[] = [];
    for (let organizations = 0; organizations < 3; organizations += 1) {
      member = await service.member();
      for (let uploads = 0; uploads < 4; uploads += 1) slow.push(await beginUpload());
    }
    for (const request of slow) request.write('name,email\nAda,ada@exa');
    await expect.poll(() => sharesInUse()).toBe(12);
    expect(refusal(await send('name,email\nAda,ada@example.com\n'))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    });
    member = await service.member();
    expect(await imported('name,email\nAda,ada@example.com\n')).toMatchObject({ imported: 1 });
    for (const request of slow) request.destroy();
    await expect.poll(() => sharesInUse()).toBe(0);
  });

  it('has one turn for an organization, and the next for another [S-148]', async () => {
    const holding = await admin.connect();
    onTestFinished(() => holding.release());
    await holding.query('BEGIN; LOCK TABLE leads');
    const file = 'name,email\nAda,ada@example.com\n';
    const [first, second] = [send(file), send(file)];
    await expect.poll(() => waiting()).toBe(1);
    member = await service.member();
    const other = send(file);
    await expect.poll(() => sharesInUse()).toBe(2);
    expect(await waiting()).toBe(1);
    await holding.query('COMMIT');
    const answers = await Promise.all([first, second, other]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is done once under an Idempotency-Key, and by another file refused [S-166]', async () => {
    const post = (file: string, query = '') =>
      member.send('POST', `/api/leads/import${query}`, {
        body: file,
        headers: { 'content-type': 'text/csv', 'idempotency-key': 'once' },
      });
    const file = 'name,email\nAda,ada@example.com\n,nobody\n';
    const refused = await post(file);
    expect(refused.status).toBe(400);
    const answers = await Promise.all([1, 2, 3].map(() => post(file, '?mode=rows')));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, answers[0]?.body]),
    );
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(2);
    expect((await list()).meta.total).toBe(1);
    const other = await post(`${file}Bo,bo@example.com\n`, '?mode=rows');
    expect(refusal(other)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('keeps the longest report there is under an Idempotency-Key', async () => {
    const cells = ['n'.repeat(101), 'nobody', 'p'.repeat(21), 's'.repeat(51), 'n'.repeat(2_001)].join(',');
    const file = `name,email,phone,source,notes\n${`${cells}\n`.repeat(1_100)}`;
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'long' };
    const post = () => member.send('POST', '/api/leads/import?mode=rows', { body: file, headers });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(first.body.data).toMatchObject({ rows: 1_100, imported: 0, rejected: 1_100 });
  });

  it('says every few seconds that it is at work', async () => {
    const holding = await admin.connect();
    onTestFinished(() => holding.release());
    await holding.query('BEGIN; LOCK TABLE leads');
    const request = await beginUpload();
    const interim: number[] = [];
    request.on('information', ({ statusCode }) => interim.push(statusCode));
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end('name,email\nAda,ada@example.com\n');
    await expect.poll(() => interim).toEqual([102]);
    await holding.query('COMMIT');
    const [answer] = await answered;
    expect(answer.statusCode).toBe(200);
  });
});

/** Begins to send a file, by a connection of its own. */
async function beginUpload(): Promise<ClientRequest> {
  const { port } = service.app.server.address() as AddressInfo;
  const authorization = `Bearer ${await service.issuer.token({ organizationId: member.organizationId })}`;
  const request = httpRequest({
    ...{ port, path: '/api/leads/import?mode=rows', method: 'POST', agent: false },
    headers: { authorization, 'content-type': 'text/csv' },
  });
  request.on('error', () => undefined);
  return request;
}

async function shares(state: 'running' | 'waiting'): Promise<number> {
  const metrics = await service.app.metrics.metrics();
  const found = [...metrics.matchAll(/^tenantry_shares\{shared="lead-([^"]+)",state="(\w+)"\} (\d+)$/gm)];
  // What runs is in the line of its address as well.
  const isCounted = (name = '', of = '') =>
    of === state && (of === 'waiting' || !name.endsWith('-addresses'));
  return found.reduce((sum, [, name, of, count]) => sum + (isCounted(name, of) ? Number(count) : 0), 0);
}

/** How many uploads are under way, and files in work. */
const sharesInUse = () => shares('running');
const waiting = () => shares('waiting');

/** Sends a file of so many rows as a client does that writes it while it goes. */
async function upload(rows: number): Promise<{ status: number; text: string; heapGrowth: number }> {
  const { port } = service.app.server.address() as AddressInfo;
  const authorization = `Bearer ${await service.issuer.token({ organizationId: member.organizationId, role: 'admin' })}`;
  return new Promise<{ status: number; text: string; heapGrowth: number }>((resolve, reject) => {
    const heapBefore = liveHeap();
    let heapMax = 0;
    const request = httpRequest(
      {
        port,
        path: '/api/leads/import',
        method: 'POST',
        headers: { authorization, 'content-type': 'text/csv' },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text, heapGrowth: heapMax - heapBefore });
        });
      },
    );
    request.on('error', reject);
    request.write('name,email,notes\n');
    let row = 0;
    const write = (): void => {
      while (row < rows) {
        row += 1;
        if (row % 2_000 === 0) heapMax = Math.max(heapMax, liveHeap());
        if (!request.write(`Lead ${row},lead${row}@example.com,${'n'.repeat(500)}\n`)) {
          request.once('drain', write);
          return;
        }
      }
      request.end();
    };
    write();
  });
}

async function transactionsOpen(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
       AND backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
}
