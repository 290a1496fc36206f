import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answered,
  invalid,
  refusal,
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

interface Sample {
  readonly customer: Readonly<Record<string, string | null>>;
  readonly warnings: readonly string[];
}
interface Findings {
  readonly [finding: string]: unknown;
  readonly mapping: Readonly<Record<string, string>>;
  readonly sample: readonly Sample[];
  readonly columns: readonly { readonly name: string; readonly field: string | null }[];
}

const send = (file: string | Buffer, query = '') =>
  member.send('POST', `/api/quotation/customers/import/read${query}`, {
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
  });
const found = (file: string | Buffer, query = '') => answered<Findings>(send(file, query));
const fixture = (name: string) => readFileSync(new URL(`fixtures/import/${name}`, import.meta.url));

type Row = readonly [name: string, email: string | null, address: string | null, vatNumber: string | null];

/** What each file of a program is found to be: its first customers, with what is odd about each. */
const programs: readonly (readonly [
  file: string,
  about: object,
  customers: readonly (readonly [Row, ...string[]])[],
])[] = [
  [
    'fortnox.csv',
    { program: 'fortnox', encoding: 'windows-1252', unsure: ['encoding'] },
    [
      [
        [
          'Åkessons Åkeri AB',
          'info@akesson.example',
          'Storgatan 2\nc/o Åkesson\n903 26 Umeå\nSverige',
          'SE556000000101',
        ],
        'moreLeftOut',
      ],
      [['Svensson, Lars', 'lars@svensson.example', 'Box 12\n114 55 Stockholm', null]],
      [['Brf Örnen', null, null, null], 'emailLeftOut'],
    ],
  ],
  [
    'visma.csv',
    { program: 'visma', unsure: [] },
    [
      [['Näs Snickeri HB', 'orjan@nas.example', 'Näsvägen 4\n872 40 Näs', 'SE969600000201']],
      [
        [
          'Möller & Søn ApS',
          'soren@moller.example',
          'Havnegade 3\n2. sal\n8000 Aarhus C\nDanmark',
          'DK12345678',
        ],
      ],
    ],
  ],
  [
    'google.csv',
    { program: 'google', unsure: [] },
    [
      [
        ['Linnéa Marie Sjögren', 'linnea@sjogren.example', 'Storgatan 1\n111 11 Stockholm\nSverige', null],
        'moreLeftOut',
      ],
      [['Bageriet Nord', 'hej@bageriet.example', null, null]],
      [
        [
          'John Q Public',
          'john@public.example',
          '1 Main St\nApt 2\nSpringfield IL 62701\nUnited States',
          null,
        ],
      ],
    ],
  ],
  [
    'outlook-sv.csv',
    { program: 'outlook' },
    [
      [
        [
          'Göran Åke Ström',
          'goran@strom.example',
          'Verkstadsgatan 7\nUppgång B\n352 46 Växjö\nSverige',
          null,
        ],
        'moreLeftOut',
      ],
      [['Ulla Ek', 'ulla@ek.example', 'Ekvägen 1\n372 30 Ronneby', null]],
    ],
  ],
  [
    'outlook-en.csv',
    { program: 'outlook' },
    [
      [['Sean Patrick Byrne', 'sean@byrne.example', '1 Quay St\nGalway H91 AB12\nIreland', null]],
      [['Harbour Cafe', 'cafe@harbour.example', '2 Pier Rd\nCork\nIreland', null]],
    ],
  ],
  [
    'own.csv',
    { program: 'own', unsure: [] },
    [
      [['Byggnads AB Åström', 'karin@astrom.example', 'Storgatan 5\n415 02 Göteborg', 'SE556677889901']],
      [['=Lika med AB', null, null, null]],
    ],
  ],
  [
    'cards.vcf',
    { program: 'contactCards', kind: 'cards' },
    [[['Åsa Öberg', 'asa@oberg.example', 'Storgatan 3\n972 31 Luleå\nSverige', null]]],
  ],
];

describe('POST /api/quotation/customers/import/read', () => {
  it.each(programs)(
    'reads every name whole, and every address as on an envelope: %s',
    async (file, about, rows) => {
      const findings = await found(fixture(file));
      expect(findings).toMatchObject(about);
      expect(
        findings.sample.map(({ customer: { name, email, address, vatNumber }, warnings }) => [
          [name, email, address, vatNumber],
          ...warnings,
        ]),
      ).toEqual(rows);
    },
  );

  it.each([
    [
      'Företag;Kontaktperson;Adress1;Adress2;Postnr och ort\nNäs AB;Anna;Box 1;Storgatan 2;903 26 Umeå\n',
      'Box 1\nStorgatan 2\n903 26 Umeå',
    ],
    [
      'Namn;Faktureringsadress;Faktureringspostnummer;Faktureringsort\nNäs AB;Box 1;903 26;Umeå\n',
      'Box 1\n903 26 Umeå',
    ],
    [
      'Kundnamn;Besöksadress;Postadress;Postnummer;Postort;Land\nNäs AB;Hamnen 3;Box 1;903 26;Umeå;Sverige\n',
      'Box 1\n903 26 Umeå\nSverige',
    ],
    [
      'Account Name,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Billing Country,Shipping Street\nNäs AB,1 Main St,Springfield,IL,62701,United States,2 Dock Rd\n',
      '1 Main St\nSpringfield IL 62701\nUnited States',
    ],
    [
      'Firma;Straße;PLZ;Ort;Land\nNäs AB;Hauptstr. 1;10115;Berlin;Deutschland\n',
      'Hauptstr. 1\n10115 Berlin\nDeutschland',
    ],
  ])('makes an address of the parts that a file has: %s', async (text, address) => {
    const { sample, unsure } = await found(text);
    expect([sample[0]?.customer, unsure]).toMatchObject([{ name: 'Näs AB', address }, ['email']]);
  });

  it('takes each of its choices, and forgets what it proposed for a column that was chosen', async () => {
    const file = 'Företag;Ort;Gata;Postnr\nNäs AB;Umeå;Storgatan 1;903 26\n';
    const { mapping, sample } = await found(file, '?name=1&address=3%2B4%2B2');
    expect(mapping).toMatchObject({ name: '1', address: '3+4+2' });
    expect(sample[0]?.customer['address']).toBe('Storgatan 1\n903 26 Umeå');
    const bare = await found('Näs AB;Storgatan 1;903 26;Umeå\n', '?header=0&name=1&address=2%2B3%2B4');
    expect(bare.sample[0]?.customer['address']).toBe('Storgatan 1\n903 26 Umeå');
  });

  it('says which columns customers have no field for', async () => {
    const { columns } = await found(fixture('fortnox.csv'));
    expect(columns.filter(({ field }) => field === null).map(({ name }) => name)).toEqual([
      ...['Kundnr', 'Organisationsnummer', 'Telefon', 'Telefon 2', 'Fax', 'Er referens', 'Vår referens'],
      ...['Valuta', 'Betalningsvillkor', 'Leveransadress', 'Leveransort', 'Aktiv'],
    ]);
  });

  it('refuses what is no table, and choices that it has not', async () => {
    expect(refusal(await send('%PDF-1.7'))).toEqual(invalid('body'));
    expect(refusal(await send('name\nAda\n', '?rest=notes'))).toMatchObject({ status: 400 });
  });
});
