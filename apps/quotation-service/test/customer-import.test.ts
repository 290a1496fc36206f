import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mentionsOf } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  answered,
  customersUrl,
  notFound,
  post,
  quoteOf,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

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
  readonly importId: string;
  readonly verdicts: readonly Readonly<Record<string, unknown>>[];
}
interface Row {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly address: string | null;
  readonly vatNumber: string | null;
}
const send = (file: string | Buffer, query: string, by = member) =>
  by.send('POST', `${customersUrl}/import?${query}`, {
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
  });
const reported = (file: string | Buffer, query: string, by = member) =>
  answered<Report>(send(file, query, by));
const get = async (path: string, by = member) => (await by.send('GET', path)).body;
const customers = () =>
  answered<readonly Row[]>(member.send('GET', `${customersUrl}?sort=name&pageSize=100`));
const named = async (name: string): Promise<Row> => {
  const found = (await customers()).find((customer) => customer.name === name);
  if (!found) throw new Error(`no customer is called ${name}`);
  return found;
};
const total = async () => (await get(customersUrl)).meta.total;
const undo = (id: string, by = member) => by.send('POST', `${customersUrl}/imports/${id}/undo`);
const leftOut = async (id: string) =>
  (await member.send('GET', `${customersUrl}/imports/${id}/left-out`)).text;
const create = async (customer: object) => (await post(member, customersUrl, customer)).id;

const file = `Namn;E-post;Adress;Postnr;Ort;VAT-nummer
Näs AB;info@nas.example;Storgatan 1;903 26;Umeå;SE556677889901
Bo Ek;bo@ek.example;;;;
`;

describe('POST /api/quotation/customers/import', () => {
  it('imports a file, and says so in the list of imports and in the trail', async () => {
    const { importId, ...report } = await reported(file, 'mode=rows&file=kunder.csv');
    expect(report).toMatchObject({ rows: 2, imported: 2, rejected: 0, skipped: 0, leftOut: 0 });
    expect(await customers()).toMatchObject([
      { name: 'Bo Ek', email: 'bo@ek.example', address: null, vatNumber: null },
      { name: 'Näs AB', address: 'Storgatan 1\n903 26 Umeå', vatNumber: 'SE556677889901' },
    ]);
    expect((await get(`${customersUrl}/imports`)).data).toMatchObject([
      { id: importId, file: 'kunder.csv', status: 'done', rows: 2, imported: 2, undoneAt: null },
    ]);
    const owner = await service.member({ organizationId: member.organizationId, role: 'admin' });
    expect((await get('/api/quotation/audit?action=customer.imported', owner)).data).toMatchObject([
      { details: { imported: 2, rejected: 0 } },
    ]);
  });

  it('judges each row in a check, by e-mail address and VAT number, and imports none', async () => {
    const [byEmail, byNumber] = [
      await create({ name: 'A', email: 'Info@nas.example' }),
      await create({ name: 'B', vatNumber: 'SE 5566778899-01' }),
    ];
    const rows = `name;email;vat number
N;info@NAS.example;
M;;se556677889901
New;new@new.example;FI12345678
Newer;;FI 1234567-8
;x@x.example;
`;
    const report = await reported(rows, 'mode=check');
    expect(report).toMatchObject({ rows: 5, rejected: 1, duplicates: 3 });
    expect(new Map(report.verdicts.map((verdict) => [verdict['line'], verdict]))).toMatchObject(
      new Map<number, object>([
        [2, { as: 'duplicate', duplicateOf: byEmail }],
        [3, { as: 'duplicate', duplicateOf: byNumber }],
        [4, { as: 'new' }],
        [5, { as: 'duplicate', duplicateOfLine: 4 }],
        [6, { as: 'refused', details: [{ field: 'name', rule: 'required' }] }],
      ]),
    );
    expect(await total()).toBe(2);
  });

  it.each([
    ['skip', { imported: 1, skipped: 1, filled: 0 }, ['Bo Ek', 'Näs'], null],
    ['import', { imported: 2, skipped: 0, filled: 0 }, ['Bo Ek', 'Näs', 'Näs AB'], null],
    ['fill', { imported: 1, skipped: 0, filled: 1 }, ['Bo Ek', 'Näs'], 'Storgatan 1\n903 26 Umeå'],
  ])('treats duplicates as was decided: %s', async (choice, counts, names, address) => {
    await create({ name: 'Näs', vatNumber: 'SE556677889901' });
    expect(await reported(file, `mode=rows&duplicates=${choice}`)).toMatchObject(counts);
    expect((await customers()).map(({ name }) => name)).toEqual(names);
    expect((await named('Näs')).address).toBe(address);
  });

  it('fills what drafts show of a customer, and what was sent stays as it was', async () => {
    const id = await create({ name: 'Näs', email: 'info@nas.example' });
    const [draft, sent] = [
      await quoteOf(member, [[[1, 10]]], { customerId: id }),
      await quoteOf(member, [[[1, 10]]], { customerId: id }),
    ];
    await sendQuote(member, sent.id);
    const { importId } = await reported(file, 'mode=rows&duplicates=fill');
    expect(await readQuote(member, draft.id)).toMatchObject({ customerVatNumber: 'SE556677889901' });
    expect(await readQuote(member, sent.id)).toMatchObject({ customerVatNumber: null });
    expect((await undo(importId)).body.data).toMatchObject({ undone: 2, kept: 0 });
    expect(await readQuote(member, draft.id)).toMatchObject({
      customerVatNumber: null,
      customerAddress: null,
    });
  });

  it('has no value lost in silence: what customers have no room for is in the file of left-out rows [S-342]', async () => {
    const rows = `Namn;E-post;E-post 2;VAT-nummer;Adress
Näs AB;info@nas.example;faktura@nas.example;okänt;Storgatan 1
Ek AB;saknas;;;=cmd|' /C calc'!A0
Långt AB;;;;${'x'.repeat(401)}
`;
    const { importId, ...report } = await reported(rows, 'mode=rows');
    expect(report).toMatchObject({ rows: 3, imported: 3, rejected: 0, warned: 3, leftOut: 3 });
    expect(await customers()).toMatchObject([
      { name: 'Ek AB', email: null },
      { name: 'Långt AB', address: null },
      { name: 'Näs AB', email: 'info@nas.example', vatNumber: null },
    ]);
    const text = await leftOut(importId);
    expect(text).toContain('email has no room for ""faktura@nas.example"" (E-post 2)');
    expect(text).toContain('vatNumber has no room for ""okänt"" (VAT-nummer)');
    expect(text).toContain('email has no room for ""saknas"" (E-post)');
    // No cell of it is a formula.
    expect(text).toContain(`'=cmd|`);
    const mended = text.replace('saknas', 'ek@ek.example');
    expect(await reported(mended, 'mode=check')).toMatchObject({ rows: 3, duplicates: 1 });
  });

  it('makes nothing twice of the same file, sent twice at once [S-343]', async () => {
    const reports = await Promise.all([
      reported(file, 'mode=rows&duplicates=skip'),
      reported(file, 'mode=rows&duplicates=skip'),
    ]);
    expect(reports.map(({ imported }) => imported).toSorted()).toEqual([0, 2]);
    expect(await total()).toBe(2);
  });

  it('makes nothing twice of the same file, sent to two instances at once [S-343]', async () => {
    const other = await startService({ env: { DATABASE_URL: service.testDatabase.runtimeUrl } });
    onTestFinished(() => other.close());
    const twin = await other.member({ organizationId: member.organizationId });
    const rows = Array.from({ length: 2_000 }, (_, n) => `Kund ${n},kund${n}@a.example`);
    const many = `name,email\n${rows.join('\n')}\n`;
    const reports = await Promise.all([
      reported(many, 'mode=rows&duplicates=skip'),
      reported(many, 'mode=rows&duplicates=skip', twin),
    ]);
    expect(reports.map(({ imported }) => imported).toSorted()).toEqual([0, 2_000]);
    expect(await total()).toBe(2_000);
  });

  it.each([
    'fortnox.csv',
    'visma.csv',
    'google.csv',
    'outlook-sv.csv',
    'outlook-en.csv',
    'own.csv',
    'cards.vcf',
  ])('imports %s, and nothing of it a second time', async (name) => {
    const bytes = readFileSync(new URL(`fixtures/import/${name}`, import.meta.url));
    const { rows, imported } = await reported(bytes, 'mode=rows&duplicates=skip');
    expect(imported).toBe(rows);
    const again = await reported(bytes, 'mode=rows&duplicates=skip');
    // A customer without address or number is the same as no other.
    expect(Number(again['imported'])).toBeLessThanOrEqual(1);
  });
});

describe('POST /api/quotation/customers/imports/{id}/undo', () => {
  it('deletes customers that nobody has changed and that have no quote, and names the others [S-344]', async () => {
    const rows = 'name,email\nFree,free@a.example\nChanged,changed@a.example\nQuoted,quoted@a.example\n';
    const { importId } = await reported(rows, 'mode=rows');
    const [changed, quoted] = [await named('Changed'), await named('Quoted')];
    await member.send('PATCH', `${customersUrl}/${changed.id}`, { body: { address: 'Storgatan 1' } });
    const { id } = await quoteOf(member, [[[1, 10]]], { customerId: quoted.id });
    // A quote that was deleted keeps its number, and its customer.
    await member.send('DELETE', `${quotesUrl}/${id}`);
    expect((await undo(importId)).body.data).toEqual({
      undone: 1,
      kept: 2,
      keptCustomers: [
        { id: changed.id, name: 'Changed' },
        { id: quoted.id, name: 'Quoted' },
      ],
    });
    expect((await customers()).map(({ name }) => name)).toEqual(['Changed', 'Quoted']);
    expect((await undo(importId)).body.data).toMatchObject({ undone: 0, kept: 2 });
    const owner = await service.member({ organizationId: member.organizationId, role: 'admin' });
    expect((await get('/api/quotation/audit?action=customer.import-undone', owner)).data).toMatchObject([
      { details: { customers: 1, kept: 2 } },
    ]);
  });

  it('is for who may create customers, a key as well; who may only read sees what was imported [S-344]', async () => {
    const { organizationId } = member;
    const writer = await service.serviceAccount({ organizationId, scope: 'quotes:read quotes:write' });
    const { importId } = await reported(file, 'mode=rows', writer);
    const reader = await service.serviceAccount({ organizationId, scope: 'quotes:read' });
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    expect(refusal(await send(file, 'mode=rows', reader))).toMatchObject(forbidden);
    expect(refusal(await send(file, 'mode=check', reader))).toMatchObject(forbidden);
    expect(refusal(await undo(importId, reader))).toMatchObject(forbidden);
    expect((await get(`${customersUrl}/imports`, reader)).meta.total).toBe(1);
    expect((await undo(importId, writer)).body.data).toMatchObject({ undone: 2 });
  });

  it('takes nothing back of another organization [S-344]', async () => {
    const { importId } = await reported(file, 'mode=rows');
    const stranger = await service.member();
    expect(refusal(await undo(importId, stranger))).toEqual(notFound);
    for (const path of ['', '/left-out'])
      expect(refusal(await stranger.send('GET', `${customersUrl}/imports/${importId}${path}`))).toEqual(
        notFound,
      );
    expect((await get(`${customersUrl}/imports`, stranger)).meta.total).toBe(0);
    expect(refusal(await undo(randomUUID()))).toEqual(notFound);
    expect(await total()).toBe(2);
  });

  it('meets a new quote for a customer in either order, and never an internal error [S-344]', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `Kund ${n},kund${n}@a.example`);
    const { importId } = await reported(`name,email\n${rows.join('\n')}\n`, 'mode=rows');
    const all = await customers();
    const [answer, ...quotes] = await Promise.all([
      undo(importId),
      ...all.map(({ id }) => member.send('POST', quotesUrl, { body: { customerId: id, title: 'Roof' } })),
    ]);
    expect(answer.status).toBe(200);
    expect(quotes.map(({ status }) => status)).toEqual(quotes.map(() => 201));
    // Each quote has its customer, whichever came first.
    const orphans = await service.testDatabase.query(
      `SELECT q.id FROM quotes q LEFT JOIN customers c ON (c.organization_id, c.id) = (q.organization_id, q.customer_id)
       WHERE q.organization_id = $1 AND c.id IS NULL`,
      [member.organizationId],
    );
    expect(orphans).toEqual([]);
    expect(await total()).toBe(20);
  });

  it('waits for a quote that is being made, and leaves its customer [S-344]', async () => {
    const { importId } = await reported('name,email\nNäs,info@nas.example\n', 'mode=rows');
    const { id } = await named('Näs');
    const client = new pg.Client({ connectionString: service.testDatabase.adminUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.organization_id', $1, true)`, [member.organizationId]);
    await client.query('SELECT id FROM customers WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      ...[member.organizationId, id],
    ]);
    const undoing = undo(importId);
    await expect
      .poll(() =>
        service.testDatabase.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%' AND datname = current_database()`,
        ),
      )
      .toHaveLength(1);
    await client.query(
      `INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, title, description,
         currency, vat_rate, valid_until)
       VALUES ($1, 'Q-1', 2026, 1, $2, 'Näs', 'Roof', '', 'SEK', 25, now())`,
      [member.organizationId, id],
    );
    await client.query('COMMIT');
    expect((await undoing).body.data).toMatchObject({ undone: 0, kept: 1 });
    expect(await total()).toBe(1);
  });
});

describe('a customer of an import who is erased', () => {
  it('is in no row that was left out, stays erased when it is taken back, and is not named [S-345]', async () => {
    const owner = await service.member({ organizationId: member.organizationId, role: 'admin' });
    const mark = `x${randomUUID().replaceAll('-', '')}`;
    const rows = `Namn;E-post;E-post 2;VAT-nummer
Karin ${mark};karin@${mark}.example;;SE 556677-8899 01
Bo;bo@b.example;bosse@b.example;
Karin igen;KARIN@${mark}.example;;
Firman;;;SE556677889901
`;
    const first = await reported(rows, 'mode=rows&duplicates=skip');
    expect(first).toMatchObject({ imported: 2, skipped: 2, leftOut: 3 });
    const again = await reported(rows, 'mode=rows&duplicates=skip');
    expect(again).toMatchObject({ imported: 0, skipped: 4, leftOut: 4 });
    const { id } = await named(`Karin ${mark}`);
    expect((await owner.send('POST', `${customersUrl}/${id}/erase`)).status).toBe(204);
    expect(Object.keys(await mentionsOf(service.testDatabase.adminUrl, mark))).toEqual([]);
    for (const { importId } of [first, again]) {
      const text = await leftOut(importId);
      expect(text).toContain('bosse@b.example');
      expect(text).not.toMatch(/karin|SE556677889901/i);
      expect((await get(`${customersUrl}/imports/${importId}`)).data).toMatchObject({ leftOut: 1 });
    }
    const { data } = (await undo(first.importId)).body;
    expect(data).toMatchObject({ undone: 1, kept: 0, keptCustomers: [] });
    expect(await total()).toBe(0);
  });
});
