import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answered,
  invalid,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';
import { workbookOf, zipOf } from './support/workbooks.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  member = await service.member();
});
afterAll(() => service.close());

interface Findings {
  readonly [finding: string]: unknown;
  readonly rows: number;
  readonly header: number;
  readonly unsure: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
  readonly sample: readonly {
    readonly line: number;
    readonly lead: Readonly<Record<string, string | null>>;
    readonly warnings: unknown;
  }[];
}

const fixtures = new URL('fixtures/import/', import.meta.url);
const send = (file: string | Buffer, query = '', contentType = 'application/octet-stream') =>
  member.send('POST', `/api/leads/import/read${query}`, {
    body: file,
    headers: { 'content-type': contentType },
  });
const found = (file: string | Buffer, query = '') => answered<Findings>(send(file, query));

/** What each file of a program is found to be: its first leads, as name, address and phone. */
const programs: readonly (readonly [
  file: string,
  about: object,
  leads: readonly (readonly [name: string | null, email: string | null, phone: string | null])[],
])[] = [
  [
    'hubspot.csv',
    { program: 'hubspot', unsure: [] },
    [
      ['Gaëlle Perrin', 'g.perrin@fromagerie.example', '+33 4 50 11 22 33'],
      ['Claire Durand', 'claire.durand@durand.example', null],
      ['Tom Nomail', null, '0044 20 7946 0000'],
    ],
  ],
  [
    'hubspot-sv.csv',
    { program: 'hubspot', unsure: [] },
    [['Åsa Öberg', 'asa@oberg.example', '070-123 45 67']],
  ],
  [
    'salesforce-report.csv',
    { program: 'salesforce', encoding: 'windows-1252', unsure: ['encoding'] },
    [
      ['Björn af Ugglas', 'bjorn@ugglas.example', '+46 70 555 01 01'],
      ["Mary Jo O'Neil", 'maryjo@neil.example', '(555) 010-7788'],
    ],
  ],
  [
    'salesforce-data-export.csv',
    { program: 'salesforce', unsure: [] },
    [['Eva Lindqvist', 'eva@lindqvist.example', '08-5055 0101']],
  ],
  [
    'pipedrive-people.csv',
    { program: 'pipedrive', unsure: [] },
    [
      ['Jürgen Groß', 'juergen@gross.example', '+49 30 5550101'],
      ['Chen Wei', 'wei@chen.example', null],
    ],
  ],
  [
    'pipedrive-leads.csv',
    { program: 'pipedrive', separator: 'semicolon', unsure: [] },
    [['Ana María Ruiz', 'ana@ruiz.example', '+34 600 55 01 01']],
  ],
  [
    'google.csv',
    { program: 'google', unsure: [] },
    [
      ['Linnéa Marie Sjögren', 'linnea@sjogren.example', '+46 70 111 22 33'],
      ['Bageriet Nord', 'hej@bageriet.example', '090-123 45'],
    ],
  ],
  [
    'google-old.csv',
    { program: 'google', encoding: 'utf-16le', unsure: [] },
    [
      ['Łukasz Żółć', 'lukasz@zolc.example', '+48 601 234 567'],
      ['太郎 山田', 'taro@yamada.example', null],
    ],
  ],
  [
    'outlook-en.csv',
    { program: 'outlook', unsure: [] },
    [
      ['Sean Patrick Byrne', 'sean@byrne.example', '+353 1 555 0101'],
      ['Harbour Cafe', 'cafe@harbour.example', null],
    ],
  ],
  [
    'outlook-sv.csv',
    { program: 'outlook', unsure: ['encoding'] },
    [
      ['Göran Åke Ström', 'goran@strom.example', '08-555 01 01'],
      ['Ulla Ek', 'ulla@ek.example', null],
    ],
  ],
  [
    'outlook-de.csv',
    { program: 'outlook', unsure: ['encoding'] },
    [['Jörg Maria Müller', 'joerg@mueller.example', '+49 89 555 0101']],
  ],
  [
    'outlook-fr.csv',
    { program: 'outlook', separator: 'semicolon', unsure: ['encoding'] },
    [['Zoë Anne Lefèvre', 'zoe@lefevre.example', '+33 1 55 50 10 10']],
  ],
  [
    'outlook-es.csv',
    { program: 'outlook', unsure: ['encoding'] },
    [['Íñigo Núñez Peña', 'inigo@pena.example', '+34 600 55 02 02']],
  ],
  [
    'linkedin.csv',
    { program: 'linkedin', header: 4, unsure: [] },
    [
      ['Priya Natarajan', 'priya@natarajan.example', null],
      ['José da Silva', null, null],
    ],
  ],
  [
    'fortnox-customers.csv',
    { program: 'fortnox', unsure: ['encoding'] },
    [
      ['Åkessons Åkeri AB', 'info@akesson.example', '090-55 01 01'],
      ['Svensson, Lars', 'lars@svensson.example', null],
    ],
  ],
  [
    'visma-customers.csv',
    { program: 'visma', unsure: [] },
    [['Näs Snickeri', 'orjan@nas.example', '0660-55 01 01']],
  ],
  [
    'apple.vcf',
    { program: 'contactCards', kind: 'cards', unsure: [] },
    [
      ['Åsa Maria Nilsson', 'asa@nilsson.example', '+46 70 555 01 01'],
      ['Kafé Hamnen', 'hej@hamnen.example', null],
    ],
  ],
  [
    'own-export.csv',
    { program: 'own', unsure: [] },
    [['Grace Hopper', 'grace@hopper.example', '+1 555 0101']],
  ],
  [
    'excel-unicode-text.txt',
    { encoding: 'utf-16le', separator: 'tab', unsure: [] },
    [
      ['Łukasz Żółć', 'lukasz@zolc.example', '+48 601 234 567'],
      ['山田 太郎', 'taro@yamada.example', '03-1234-5678'],
    ],
  ],
  [
    'excel-utf16be-no-mark.txt',
    { encoding: 'utf-16be', separator: 'tab', unsure: [] },
    [['Ærø Bådeværft', 'post@aero.example', '+45 55 50 10 10']],
  ],
  [
    'excel-sep-line.csv',
    { separator: 'semicolon', header: 2, unsure: [] },
    [['Eva Nilsson', 'eva@nilsson.example', '08-123 456']],
  ],
  [
    'numbers-table-name.csv',
    { header: 2, unsure: [] },
    [['Eva Nilsson', 'eva@numbers.example', '08-123 456']],
  ],
  [
    'header-with-line-breaks.csv',
    { header: 1, unsure: [] },
    [['Eva Nilsson', 'eva@breaks.example', '08-123 456']],
  ],
  ['pipes.txt', { separator: 'pipe', unsure: [] }, [['Eva Nilsson', 'eva@pipes.example', null]]],
  [
    'mixed-encodings.csv',
    { encoding: 'mixed', mixedFrom: 3, unsure: ['mixedEncoding'] },
    [
      ['Zoë Först', 'zoe@mixed.example', null],
      ['Åke Äng', 'ake@mixed.example', null],
    ],
  ],
  [
    'outlook-com.csv',
    { program: 'outlook', unsure: [] },
    [['Nora Lee Hughes', 'nora@hughes.example', '+44 20 7946 0101']],
  ],
  [
    'hubspot-all-properties.csv',
    { program: 'hubspot', unsure: [] },
    [['Ines Moreau', 'ines@moreau.example', '+33 6 55 50 10 10']],
  ],
  [
    'hubspot-de.csv',
    { program: 'hubspot', unsure: [] },
    [['Jürgen Weiß', 'juergen@weiss.example', '+49 30 555 0102']],
  ],
  [
    'facebook-leads.tsv',
    { encoding: 'utf-16le', unsure: [] },
    [['Sigrid Lind', 'sigrid@lind.example', '+46701740605']],
  ],
  [
    'numbers-two-tables.csv',
    { header: 2, rows: 3, unsure: [] },
    [
      ['Eva Nilsson', 'eva@numbers.example', '08-123 456'],
      ['Tabell 2', null, null],
      ['Bo Ek', 'bo@numbers.example', null],
    ],
  ],
  [
    'excel-sep-old-mac.csv',
    { separator: 'semicolon', header: 2, unsure: [] },
    [['Eva Nilsson', 'eva@nilsson.example', null]],
  ],
  [
    'addresses-with-names.csv',
    { unsure: [] },
    [
      ['Eva Ek', 'eva@ek.example', '+46 70 1'],
      ['Bo Ek', 'bo@ek.example', '070-2'],
      ['Cia Ek', 'cia@ek.example', null],
    ],
  ],
  [
    'title-above-header.csv',
    { header: 4, rows: 2, unsure: [] },
    [
      ['Åsa Öst', 'asa@ost.example', '08-1'],
      ['Ulf Öst', 'ulf@ost.example', null],
    ],
  ],
];

const leadsOf = ({ sample }: Findings) =>
  sample.map(({ lead }) => [lead['name'], lead['email'], lead['phone']]);

describe('POST /api/leads/import/read', () => {
  it.each(programs)('reads %s as it was meant', async (file, about, leads) => {
    const findings = await found(readFileSync(new URL(file, fixtures)));
    expect(findings).toMatchObject(about);
    expect(leadsOf(findings).slice(0, leads.length)).toEqual(leads);
  });

  it('has a fixture for each of these files', () => {
    expect(readdirSync(fixtures).toSorted()).toEqual(programs.map(([file]) => file).toSorted());
  });

  it('lets every guess be overruled', async () => {
    const file = Buffer.from('sep;x\nÅsa,1;asa@a.example;b\nBo;b@example.com;2\n', 'utf8');
    const findings = await found(
      file,
      '?encoding=windows-1252&separator=semicolon&header=0&name=3&email=2&phone=&source=1&notes=1%2B2,3',
    );
    expect(findings).toMatchObject({
      ...{ encoding: 'windows-1252', separator: 'semicolon', header: 0, rows: 3 },
      mapping: { name: '3', email: '2', phone: '', source: '1', notes: '1+2,3' },
    });
    expect(findings.sample[1]).toMatchObject({ lead: { name: 'b', source: 'Ã…sa,1' } });
    // A plus that was not encoded is a blank.
    expect((await found(file, '?name=1+2')).mapping['name']).toBe('1+2');
  });

  it('reads a workbook: the first sheet with rows, shared and inline texts, dates, long numbers, results of formulas', async () => {
    const file = workbookOf({
      Empty: [],
      People: [
        ['Customers 2026'],
        ['Full name', 'E-mail', 'Phone', 'Since', 'Notes'],
        [
          ' Åsa & <Bo>',
          'asa@a.example',
          46_701_234_567,
          { xml: '<c s="1"><v>46000</v></c>' },
          { xml: '<c t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c>' },
        ],
        [
          'Cy',
          { xml: '<c t="str"><f>LOWER("C@B.EXAMPLE")</f><v>c@b.example</v></c>' },
          { xml: '<c r="E4" t="e"><v>#N/A</v></c>' },
        ],
      ],
      More: [['Name'], ['x']],
    });
    const findings = await found(file, '?rest=notes');
    expect(findings).toMatchObject({
      ...{
        kind: 'workbook',
        sheet: 'People',
        sheets: ['Empty', 'People', 'More'],
        header: 2,
        rows: 2,
        unsure: ['sheet'],
      },
      sample: [
        {
          lead: {
            name: 'Åsa & <Bo>',
            email: 'asa@a.example',
            phone: '46701234567',
            notes: 'inline\nSince: 2025-12-09',
          },
        },
        { line: 4, lead: { name: 'Cy', email: 'c@b.example', phone: null, notes: null } },
      ],
    });
    expect(await found(file, '?sheet=More')).toMatchObject({ sheet: 'More', rows: 1 });
    expect(refusal(await send(file, '?sheet=None'))).toEqual(invalid('body'));
  });

  it('warns of what is odd, and keeps in the notes what has no place elsewhere', async () => {
    const file = [
      'Name;E-mail 1 - Value;E-mail 2 - Value;Phone 1 - Label;Phone 1 - Value;Phone 2 - Value;Source;Company;Notes',
      'B;b@example.com;b2@example.com;Work;4,67012E+10;070 1;#N/A;Bo & Co;Hello',
      'ZoÃ«;z@example.com;;;+46 (0)8 123 45 67 ext. 12345;;;;',
      ';;;;;;;;',
      'Al;al@example.com;;Mobile;1 ::: 2 ::: 3',
      `Li;li@example.com;;;;;;;${'n'.repeat(2_010)}`,
    ].join('\n');
    const { sample, rows } = await found(file, '?rest=notes');
    expect(rows).toBe(4);
    expect(sample).toMatchObject([
      {
        lead: {
          ...{ name: 'B', email: 'b@example.com', phone: '4,67012E+10', source: null },
          notes: 'Hello\nE-mail 2 - Value: b2@example.com\nPhone 2 - Value: 070 1\nCompany: Bo & Co',
        },
        warnings: ['spreadsheetError', 'roundedPhone', 'shortName'],
      },
      {
        lead: { phone: null, notes: 'Phone 1 - Value: +46 (0)8 123 45 67 ext. 12345' },
        warnings: ['phoneInNotes', 'readTwice'],
      },
      { lead: { phone: '1', notes: 'Mobile: 2\nMobile: 3' }, warnings: ['moreInNotes'] },
      { warnings: ['notesCut'] },
    ]);
  });

  const wide = Array.from({ length: 16_384 }, (_, n) => `c${n}`);
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100_000)]);
  const encrypted = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
  const sheet = (rows: string) => ({
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });
  it.each<readonly [kind: string, file: Buffer | string]>([
    ['empty', ''],
    ['empty', ';;;\n;;\n'],
    ['empty', workbookOf({ Sheet: [] })],
    ['pdf', '%PDF-1.7\n…'],
    ['document', zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' })],
    [
      'openDocument',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    ],
    ['archive', zipOf({ 'a.csv': 'name,email' })],
    ['archive', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['oldWorkbook', compound],
    ['password', encrypted],
    ['image', Buffer.from('\x89PNG\r\n', 'latin1')],
    ['webPage', '<html><table><tr><td>name'],
    ['json', '[{"name":"Ada"}]'],
    ['binary', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7) % 256))],
    ['damaged', Buffer.from('PK\x03\x04 and nothing else')],
    ['damaged', workbookOf({ Sheet: [['a']] }, sheet('<row><c></row>'))],
    ['damaged', workbookOf({ Sheet: [['a']] }, sheet('<row><c t="str"><v>&lol;</v></c></row>'))],
    ['formulas', workbookOf({ Sheet: [['a'], [{ xml: '<c><f>A1</f></c>' }]] })],
    ['columns', `${wide.join(',')}\n`],
    ['columns', workbookOf({ Sheet: [wide] })],
    ['bomb', workbookOf({ Sheet: [['a']] }, sheet(' '.repeat(30_000_000)))],
    [
      'bomb',
      workbookOf({ Sheet: [['a']] }, { 'xl/sharedStrings.xml': `<sst>${' '.repeat(30_000_000)}</sst>` }),
    ],
    ['rowLength', `name,email\n${'x'.repeat(1_000_000)}\n`],
    ['rowLength', `${'x'.repeat(1_000_000)},email\n`],
    ['rowLength', `name,email\nAda,"a\n${'x\n'.repeat(200_000)}`],
    ['cards', 'BEGIN:VCARD\nVERSION:3.0\nEND:VCAR\n'],
    ['noHeader', 'name,email\nAda,a@example.com\n'],
  ])('refuses what is %s with a sentence [S-280]', async (kind, file) => {
    const answer = await send(file, kind === 'noHeader' ? '?header=7' : '');
    expect(refusal(answer)).toEqual(invalid('body'));
    expect(answer.body.error.details).toMatchObject([{ rule: 'file', params: { kind } }]);
  });

  it('refuses columns that no file has, and what is no mapping', async () => {
    for (const query of ['?name=0', '?name=1001', '?name=a', '?name=1,,2', '?header=-1', '?separator=x']) {
      expect((await send('name,email\n', query)).status).toBe(400);
    }
    expect((await send('name,email\n', '', 'application/json')).status).toBe(415);
  });

  it('reads cards of version 2.1, with letters in hexadecimal', async () => {
    const card =
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Str=C3=B6m;=C3=85sa;;;\nTEL;CELL:070 1\nEMAIL;INTERNET:asa@a.example\nEND:VCARD\n';
    expect(leadsOf(await found(card))).toEqual([['Åsa Ström', 'asa@a.example', '070 1']]);
  });

  it('counts lines as editors do, also with breaks within cells', async () => {
    const { sample, header } = await found(
      'sep=,\r\n"First\r\nname","E-mail\r\n(work)"\r\n"Ada\r\nB",a@a.example\r\nBo,b@b.example\r\n',
    );
    expect([header, ...sample.map(({ line }) => line)]).toEqual([2, 5, 7]);
  });

  it('takes the sheet that names its columns, not the one before it that says what the workbook is', async () => {
    const people = [['', 'My customers'], [], ['', 'Namn', 'E-post'], ['', 'Eva Ek', 'eva@ek.example']];
    const findings = await found(workbookOf({ About: [['Hello'], ['Read this first']], People: people }));
    expect(findings).toMatchObject({ sheet: 'People', header: 3, unsure: ['sheet'] });
    expect(leadsOf(findings)).toEqual([['Eva Ek', 'eva@ek.example', null]]);
  });

  it.each(['@', ';', ',"', ' ', "'", '<@', ':::', 'a@', '\t', '"'])(
    'reads long cells of %j in one pass [S-331]',
    async (part) => {
      const cell = `"x${part.repeat(80_000 / part.length).replaceAll('"', '""')}x"`;
      const row = [cell, cell, cell].join(',').slice(0, 250_000);
      for (const text of [`name,email,phone\n${row}`, `${row}\n${row}`]) {
        expect([200, 400]).toContain((await send(text)).status);
      }
    },
  );

  it('needs no names of columns', async () => {
    const findings = await found('Ada Lovelace\tada@a.example\t070-123 45 67\nBo Ek\tbo@b.example\t\n');
    expect(findings).toMatchObject({
      header: 0,
      mapping: { name: '1', email: '2', phone: '3' },
      unsure: ['header', 'name', 'email', 'phone'],
    });
  });
});
