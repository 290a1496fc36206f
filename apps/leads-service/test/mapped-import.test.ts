import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  answered,
  createLead,
  invalid,
  notFound,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';
import { workbookOf } from './support/workbooks.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  member = await service.member();
});
afterAll(() => service.close());

interface Report {
  readonly [count: string]: unknown;
  readonly importId: string | null;
  readonly verdicts: readonly Readonly<Record<string, unknown>>[];
}
const send = (file: string | Buffer, query: string, headers: Readonly<Record<string, string>> = {}) =>
  member.send('POST', `/api/leads/import?${query}`, {
    body: file,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
const reported = (file: string | Buffer, query: string) => answered<Report>(send(file, query));
const get = async (path: string) => (await member.send('GET', path)).body;
const leads = async () => (await get('/api/leads?sort=name')).data;
const total = async () => (await get('/api/leads')).meta.total;
const undo = (id: unknown) => member.send('POST', `/api/leads/imports/${String(id)}/undo`);
const past = async (id: unknown) => (await get(`/api/leads/imports/${String(id)}`)).data;

describe('POST /api/leads/import, for files of any program', () => {
  it('imports a file as it is read, and keeps other columns in the notes by choice', async () => {
    const file = readFileSync(new URL('fixtures/import/google.csv', import.meta.url));
    expect(await reported(file, 'mode=rows&rest=notes&file=google.csv')).toMatchObject({
      rows: 2,
      imported: 2,
      rejected: 0,
    });
    const [first, second] = await leads();
    expect([first?.name, second?.name]).toEqual(['Bageriet Nord', 'Linnéa Marie Sjögren']);
    const { data } = await get(`/api/leads/${second?.id ?? ''}`);
    expect(data).toMatchObject({
      phone: '+46 70 111 22 33',
      notes: [
        ...['Home: linnea.privat@sjogren.example', 'Mobile: +46 8 555 01 01', 'Labels: * myContacts'],
        ...['Address 1 - Formatted: Storgatan 1', '111 11 Stockholm', 'Organization Name: Sjögren AB'],
      ].join('\n'),
    });
    const { data: imports, meta } = await get('/api/leads/imports');
    expect(meta.total).toBe(1);
    expect(imports).toMatchObject([
      { file: 'google.csv', status: 'done', rows: 2, imported: 2, undoneAt: null },
    ]);
  });

  it('imports a workbook, with every choice of the query', async () => {
    const file = workbookOf({ A: [['x']], B: [['Ada', 'ada@a.example', 'King']] });
    const query = 'mode=all&sheet=B&header=0&name=1%2B3&email=2';
    expect(await reported(file, query)).toMatchObject({ imported: 1 });
    expect(await leads()).toMatchObject([{ name: 'Ada King', email: 'ada@a.example' }]);
  });

  it('judges each row in a check, and imports none', async () => {
    const id = await createLead(member, { name: 'Eva', email: 'Eva@a.example' });
    const file =
      'Name;Email;Phone\nEva N;eva@A.example;\nBo;bo@b.example;1\n;no;\nBo Ek;BO@b.example;\nC;c@c.example;4,67E+10\n';
    const report = await reported(file, 'mode=check');
    expect(report).toMatchObject({
      rows: 5,
      imported: 4,
      rejected: 1,
      duplicates: 2,
      warned: 1,
      importId: null,
    });
    expect(report.verdicts).toMatchObject(
      [
        { line: 2, as: 'duplicate', duplicateOf: id, duplicateOfLine: null, details: [], warnings: [] },
        { line: 3, as: 'new' },
        {
          line: 4,
          as: 'refused',
          details: [
            { field: 'name', rule: 'required' },
            { field: 'email', rule: 'format' },
          ],
        },
        { line: 5, as: 'duplicate', duplicateOf: null, duplicateOfLine: 3 },
        { line: 6, as: 'new', warnings: ['roundedPhone', 'shortName'] },
      ].toSorted(
        (one, other) =>
          report.verdicts.findIndex((v) => v['line'] === one.line) -
          report.verdicts.findIndex((v) => v['line'] === other.line),
      ),
    );
    expect(await reported(file, 'mode=check&duplicates=skip')).toMatchObject({ imported: 2, skipped: 2 });
    expect([await total(), (await get('/api/leads/imports')).meta.total]).toEqual([1, 0]);
    const left = await send(file, 'mode=check&duplicates=skip', { accept: 'text/csv' });
    expect(
      left.text.split('\r\n').map((line) => line.replace(/,"?(?:name is|email has).*?"?,/, ',…,')),
    ).toHaveLength(5);
    expect(left.text).toContain(
      `\ufeffLine,Reason,Name,Email,Phone\r\n2,email has the address of lead ${id},Eva N,eva@A.example,\r\n`,
    );
  });

  it.each([
    ['skip', { imported: 1, skipped: 2, filled: 0 }, ['Bo', 'Eva'], null],
    ['import', { imported: 3, skipped: 0, filled: 0 }, ['Bo', 'Bo Ek', 'Eva', 'Eva N'], null],
    ['fill', { imported: 1, skipped: 0, filled: 1 }, ['Bo', 'Eva'], '08-1'],
  ])('treats duplicates as was decided: %s', async (choice, counts, names, phone) => {
    const id = await createLead(member, { name: 'Eva', email: 'eva@a.example', notes: 'hers' });
    const file =
      'Name;Email;Phone;Notes\nEva N;EVA@a.example;08-1;other\nBo;bo@b.example;;\nBo Ek;bo@b.example;08-2;\n';
    expect(await reported(file, `mode=rows&duplicates=${choice}`)).toMatchObject(counts);
    expect((await leads()).map(({ name }) => name)).toEqual(names);
    expect((await get(`/api/leads/${id}`)).data).toMatchObject({ name: 'Eva', phone, notes: 'hers' });
    const bo = (await leads()).find(({ name }) => name === 'Bo');
    expect(bo?.phone).toBe(choice === 'fill' ? '08-2' : null);
  });

  it('finds duplicates across batches, of what it has imported itself as well', async () => {
    const rows = Array.from(
      { length: 600 },
      (_, n) => `Lead ${n},lead${n % 400}@a.example,${n >= 400 ? n : ''}`,
    );
    const file = `name,email,phone\n${rows.join('\n')}\n`;
    expect(await reported(file, 'mode=rows&duplicates=fill')).toMatchObject({ rows: 600, imported: 400 });
    expect(await total()).toBe(400);
    expect((await get('/api/leads?search=lead199@')).data).toMatchObject([
      { name: 'Lead 199', phone: '599' },
    ]);
    expect(await reported(file, 'mode=rows&duplicates=skip')).toMatchObject({ imported: 0, skipped: 600 });
  });

  it('keeps the rows that were left out, to be mended and imported again', async () => {
    const file =
      'Förnamn;Efternamn;E-post;Ort\nÅsa;Ek;asa@a.example;Umeå\nBo;Ek;bo-at-b.example;=1+1\n;;c@c.example;\n';
    const report = await reported(file, 'mode=rows');
    expect(report).toMatchObject({ imported: 1, rejected: 2, leftOut: 2 });
    const path = `/api/leads/imports/${String(report.importId)}/left-out`;
    const { text, headers } = await member.send('GET', path);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.split('\r\n')).toEqual([
      '\ufeffLine,Reason,Förnamn,Efternamn,E-post,Ort',
      "3,email must be a valid e-mail address,Bo,Ek,bo-at-b.example,'=1+1",
      '4,name is required,,,c@c.example,',
      '',
    ]);
    expect(await reported(text.replace('-at-', '@'), 'mode=rows&duplicates=skip')).toMatchObject({
      imported: 1,
      rejected: 1,
    });
    expect((await leads()).map(({ name }) => name)).toEqual(
      ['Åsa Ek', 'Bo Ek'].toSorted((a, b) => a.localeCompare(b)),
    );
    member = await service.member();
    expect(refusal(await member.send('GET', path))).toEqual(notFound);
  });

  it('rejects the whole file with mode=all, and says so in the list', async () => {
    const answer = await send('Name;Email\nAda;ada@a.example\nBo;no\n', 'mode=all&duplicates=skip');
    expect(refusal(answer)).toEqual(invalid('email'));
    expect(await total()).toBe(0);
    expect((await get('/api/leads/imports')).data).toMatchObject([
      { status: 'failed', rows: 2, imported: 0 },
    ]);
  });

  it('imports the same file once under an Idempotency-Key [S-166]', async () => {
    const post = () => send('Name;Email\nAda;ada@a.example\n', 'mode=rows', { 'idempotency-key': 'once' });
    const [first, second] = await Promise.all([post(), post()]);
    expect([first.status, second.body]).toEqual([200, first.body]);
    expect([await total(), (await get('/api/leads/imports')).meta.total]).toEqual([1, 1]);
  });
});

describe('POST /api/leads/imports/:id/undo', () => {
  it('takes back what nobody has touched since, and names what stays [S-281]', async () => {
    const eva = await createLead(member, { name: 'Eva', email: 'eva@a.example' });
    const fay = await createLead(member, { name: 'Fay', email: 'fay@a.example' });
    const file =
      'Name;Email;Phone\nEva;eva@a.example;1\nFay;fay@a.example;2\nAda;ada@a.example;\nBo;bo@b.example;\nCy;cy@c.example;\n';
    const { importId } = await reported(file, 'mode=rows&duplicates=fill');
    const bo = (await leads()).find(({ name }) => name === 'Bo')?.id ?? '';
    const cy = (await leads()).find(({ name }) => name === 'Cy')?.id ?? '';
    await member.send('PATCH', `/api/leads/${bo}`, { body: { status: 'contacted' } });
    await member.send('PATCH', `/api/leads/${fay}`, { body: { notes: 'called' } });
    await member.send('DELETE', `/api/leads/${cy}`);
    const { body } = await undo(importId);
    expect(body.data).toEqual({
      undone: 2,
      kept: 2,
      keptLeads: [
        { id: fay, name: 'Fay' },
        { id: bo, name: 'Bo' },
      ],
    });
    expect((await leads()).map(({ name, phone }) => [name, phone])).toEqual([
      ['Bo', null],
      ['Eva', null],
      ['Fay', '2'],
    ]);
    expect((await get(`/api/leads/${eva}`)).data.phone).toBe(null);
    expect(await past(importId)).toMatchObject({
      undone: 2,
      undoneAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await get('/api/leads?deleted=true')).meta.total).toBe(2);
    expect((await undo(importId)).body.data).toMatchObject({ undone: 0 });
    const trail = await service.member({ organizationId: member.organizationId, role: 'admin' });
    const { body: entries } = await trail.send('GET', '/api/leads/audit?action=lead.import-undone');
    expect(entries.data).toMatchObject([{ details: { leads: 2, kept: 2 } }]);
  });

  it('takes back an import of named columns too, and nothing of another organization [S-281]', async () => {
    const file = 'name,email\nAda,ada@a.example\n';
    await member.send('POST', '/api/leads/import', { body: file, headers: { 'content-type': 'text/csv' } });
    const [{ id } = { id: '' }] = (await get('/api/leads/imports')).data;
    const other = await service.member();
    expect(refusal(await other.send('POST', `/api/leads/imports/${id}/undo`))).toEqual(notFound);
    expect(refusal(await undo(randomUUID()))).toEqual(notFound);
    expect((await undo(id)).body.data).toMatchObject({ undone: 1, kept: 0 });
    expect(await total()).toBe(0);
  });

  it('calls an import interrupted that has said nothing for longer than one takes', async () => {
    const id = randomUUID();
    await service.testDatabase.query(
      `INSERT INTO lead_imports (organization_id, id, actor_kind, actor_user_id, seen_at)
       VALUES ($1, $2, 'user', $2, now() - interval '1 hour')`,
      [member.organizationId, id],
    );
    expect(await past(id)).toMatchObject({ status: 'interrupted', imported: 0 });
  });

  it('forgets imports that can no longer be taken back', async () => {
    const { importId } = await reported('Name;Email\nAda;ada@a.example\nBo;no\n', 'mode=rows');
    await service.testDatabase.query(
      `UPDATE lead_imports SET started_at = now() - interval '31 days' WHERE id = $1`,
      [importId],
    );
    await service.testDatabase.query(`DELETE FROM due_work WHERE organization_id = $1`, [
      member.organizationId,
    ]);
    await service.testDatabase.query(
      `INSERT INTO due_work (organization_id, kind, id) VALUES ($1, 'past-imports', $1)`,
      [member.organizationId],
    );
    // Another instance on the same data looks as it starts.
    const other = await startService({ env: { DATABASE_URL: service.testDatabase.runtimeUrl } });
    onTestFinished(() => other.close());
    await other.app.ready();
    await expect.poll(async () => (await get('/api/leads/imports')).meta.total).toBe(0);
    expect(await total()).toBe(1);
  });
});
