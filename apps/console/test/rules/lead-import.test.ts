import type { api } from '@tenantry/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFile, type GoodRow } from '../../src/leads/import/checked-file.ts';
import { guessByContent, guessColumns, isHeader, withColumn } from '../../src/leads/import/columns.ts';
import { cellText, csvLine, csvRows, separatorOf, textOf } from '../../src/leads/import/csv.ts';
import { ImportRun, type Portion } from '../../src/leads/import/import-run.ts';
import { reportOf } from '../../src/leads/import/portions.ts';
import { inSlices } from '../../src/leads/import/slices.ts';

const cells = fc.array(
  fc.string({ unit: fc.constantFrom(...Array.from('aå",;\t\n\r =+-@\'|😀')), maxLength: 12 }),
  {
    minLength: 2,
    maxLength: 5,
  },
);

describe('a file', () => {
  test('gives back the rows that it was written of, and the line that each begins in', () => {
    fc.assert(
      fc.property(fc.array(cells), (rows) => {
        let line = 1;
        const expected = rows.map((row) => {
          const begin = line;
          line += csvLine(row).split(/\r\n|\r|\n/).length - 1;
          return { cells: row, line: begin };
        });
        const read = [...csvRows(rows.map(csvLine).join(''), ',')];
        expect(read.map((row) => ({ ...row, cells: row.cells.map(cellText) }))).toEqual(expected);
      }),
    );
  });

  test('is understood with commas, semicolons and tabs, as UTF-8 and as Windows-1252', () => {
    expect(separatorOf('name;email\n"a,b,c";d')).toBe(';');
    expect(separatorOf('"a;b;c",d\n')).toBe(',');
    expect(separatorOf('name\temail, work\n')).toBe('\t');
    expect(textOf(new TextEncoder().encode('Åsa').buffer)).toBe('Åsa');
    expect(textOf(new Uint8Array([0xc5, 0x73, 0x61, 0x20, 0x80]).buffer)).toBe('Åsa €');
    expect([...csvRows('a;"b\n""c"""\r\n\r\n;d', ';')]).toEqual([
      { cells: ['a', 'b\n"c"'], line: 1 },
      { cells: ['', 'd'], line: 4 },
    ]);
  });

  test('has columns that are known by their names, or by an address', () => {
    expect(guessColumns(['E-Mail', 'Namn', 'Källa', 'Id', 'Name'])).toEqual([
      ...['email', 'name', 'source', undefined, undefined],
    ]);
    expect([isHeader(['Namn', 'E-post']), isHeader(['Åsa', 'asa@example.com'])]).toEqual([true, false]);
    expect(guessByContent(['x', 'asa@example.com', 'y'])).toEqual(['name', 'email', undefined]);
    expect(withColumn(['name', 'email'], 1, 'name')).toEqual([undefined, 'name']);
  });
});

const check = (text: string, header: string) =>
  inSlices(
    checkFile({
      text: `${header}\n${text}`,
      separator: ',',
      columns: guessColumns(header.split(',')),
      hasHeader: true,
    }),
    new AbortController().signal,
  );

test('an address at an international domain is one, with ASCII before the @', async () => {
  const { good, bad } = await check('Max,max@müller-dach.example\nMäx,mäx@example.com', 'name,email');
  expect(good.map(({ line }) => line)).toEqual([2]);
  expect(bad.map(({ line, findings }) => [line, findings.map(({ rule }) => rule)])).toEqual([
    [3, ['localPart']],
  ]);
});

describe('the rows that are left out', () => {
  test('are a file that imports once it is corrected', async () => {
    const { good, bad } = await check(
      'Åsa,asa@example.com,=1+1\n,nobody,x\nBo,bo.example.com,"a\nb"',
      'name,email,notes',
    );
    expect(good).toEqual([{ line: 2, lead: { name: 'Åsa', email: 'asa@example.com', notes: '=1+1' } }]);
    expect(
      bad.map(({ line, findings }) => [line, findings.map(({ field, rule }) => `${field} ${rule}`)]),
    ).toEqual([
      [3, ['name required', 'email format']],
      [4, ['email format']],
    ]);
    const words = { line: 'Line', column: 'Column', reason: 'Reason' };
    const report = reportOf(bad, { ...words, nameOf: (name) => name, reasonOf: ({ rule }) => rule });
    const corrected = report
      .replace('nobody', 'eve@example.com')
      .replace('\r\n,', '\r\nEve,')
      .replace('bo.ex', 'bo@ex');
    const [header = '', ...rows] = corrected.replace('\ufeff', '').split('\r\n');
    const again = await check(rows.join('\r\n'), header);
    expect(again.bad).toEqual([]);
    expect(again.good.map(({ lead }) => lead)).toEqual([
      { name: 'Eve', email: 'eve@example.com', notes: 'x' },
      { name: 'Bo', email: 'bo@example.com', notes: 'a\nb' },
    ]);
  });
});

const rowsOf = (count: number): GoodRow[] =>
  Array.from({ length: count }, (_, n) => ({
    line: n + 2,
    lead: { name: `Lead ${n}`, email: `lead${n}@example.com`, ...(n % 3 === 0 && { notes: 'two\nlines' }) },
  }));

/** A service that keeps what it took under each key, and may lose answers, before or after its work. */
function fakeService(failures: readonly ('before' | 'after')[]) {
  const kept = new Map<string, api.LeadImportReport>();
  const taken: string[] = [];
  const left = [...failures];
  const send = async ({ text, key }: Portion): Promise<api.LeadImportReport> => {
    const failure = left.shift();
    if (failure === 'before') throw new Error('cut');
    const report = kept.get(key) ?? take(text);
    kept.set(key, report);
    if (failure === 'after') throw new Error('cut');
    return report;
  };
  const take = (text: string): api.LeadImportReport => {
    const [, ...rows] = [...csvRows(text, ',')];
    const isBad = ({ cells: [, email] }: (typeof rows)[number]) => email?.startsWith('lead7') === true;
    taken.push(...rows.filter((row) => !isBad(row)).map(({ cells: [, email = ''] }) => email));
    const errors = rows.filter(isBad).map(({ line }) => ({
      line,
      details: [{ field: 'email', rule: 'format' as const, message: '' }],
    }));
    return { rows: rows.length, imported: rows.length - errors.length, rejected: errors.length, errors };
  };
  return { send, taken };
}

describe('an import', () => {
  const dependencies = { retryAfter: () => 0, pause: async () => undefined, id: 'an-import' };

  test('that is cut off, however often, has every good row once and names every bad one', async () => {
    const failure = fc.constantFrom('before' as const, 'after' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(failure, { maxLength: 6 }), fc.nat(6_000), async (failures, count) => {
        const rows = rowsOf(count);
        const { send, taken } = fakeService(failures);
        const run = new ImportRun(rows, { ...dependencies, send });
        await run.start();
        const { status, settled, imported, refused, unsure } = run.getState();
        const bad = rows.filter(({ lead }) => lead.email?.startsWith('lead7'));
        expect({ status, settled, imported, unsure }).toEqual({
          ...{ status: 'done', settled: count, imported: count - bad.length, unsure: 0 },
        });
        expect(refused.map(({ line }) => line)).toEqual(bad.map(({ line }) => line));
        expect(taken).toEqual(rows.filter((row) => !bad.includes(row)).map(({ lead }) => lead.email));
      }),
      { numRuns: 8 },
    );
  });

  test('that is stopped says what is in, and continues from there', async () => {
    const { send, taken } = fakeService([]);
    const run: ImportRun = new ImportRun(rowsOf(5_000), {
      ...dependencies,
      async send(portion) {
        if (taken.length === 0) void run.stop();
        return send(portion);
      },
    });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'stopped', settled: 2_000, unsure: 0 });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'done', settled: 5_000 });
  });

  test('that is refused stops, and says of which rows it does not know', async () => {
    const refuse = async () => Promise.reject(new Error('no'));
    const run = new ImportRun(rowsOf(3), { ...dependencies, retryAfter: () => undefined, send: refuse });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'failed', imported: 0, unsure: 3 });
  });
});

test('work in slices is done, and ends where it is not wanted any more', async () => {
  function* counting() {
    for (let n = 0; n < 1_000; n += 1) yield;
    return 'counted';
  }
  let now = 0;
  const clock = () => (now += 1);
  expect(await inSlices(counting(), new AbortController().signal, clock)).toBe('counted');
  await expect(inSlices(counting(), AbortSignal.abort(), clock)).rejects.toThrow();
});
