import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cellText, csvText, csvTexts, safeCell } from '@tenantry/service/archive';
import { delimitedRows } from '../src/tables/delimited.ts';

/** A text as it arrives, in pieces of some characters each. */
async function* inPieces(text: string, length = text.length): AsyncGenerator<string> {
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += length) {
    yield await Promise.resolve(characters.slice(at, at + length).join(''));
  }
}

async function read(text: string, length?: number) {
  const rows: [number, ...string[]][] = [];
  const separator = text.split('\n', 1)[0]?.includes(';') ? 'semicolon' : 'comma';
  const found = delimitedRows(inPieces(text, length), { separator, isNamed: false });
  for await (const { cells, line } of found) rows.push([line, ...cells]);
  return rows;
}

it('many rows are written in parts, with turns for others in between [S-173]', async () => {
  const rows = Array.from({ length: 500 }, (_, n) => [`${n}`, ",'=".repeat(100), null]);
  let [turns, isDone] = [0, false];
  const others = (async () => {
    while (await setImmediate(!isDone)) turns += 1;
  })();
  let written = '';
  for await (const text of csvTexts(rows)) written += text;
  isDone = true;
  await others;
  expect(written).toBe(csvText(rows));
  expect(turns).toBeGreaterThanOrEqual(20);
});

describe('a cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+46 70', "'+46 70"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "\t'=1"],
    ['\r=1', "\r'=1"],
    ['＝1', "'＝1"],
    [' "=1"', `' "=1"`],
    ["'=1", "''=1"],
    ["''+1", "'''+1"],
    ["x;=cmd|'/C calc'!A0", "x;'=cmd|'/C calc'!A0"],
    ['a|+1\n-1, @b', "a|'+1\n'-1,' @b"],
    ['x;"=1"', `x;'"=1"`],
    ["x;'=1", "x;''=1"],
    ['x:=1', "x:'=1"],
  ])('that a spreadsheet would run is written as text, and read as it was: %j', (text, written) => {
    expect(safeCell(text)).toBe(written);
    expect(cellText(written)).toBe(text);
  });

  it.each(['Ada', "O'Brien", "'quoted'", 'a=b', 'a; b', ''])(
    'that is harmless stays as it is: %j',
    (text) => {
      expect(safeCell(text)).toBe(text);
      expect(cellText(text)).toBe(text);
    },
  );

  it('is no formula, whichever separator a spreadsheet takes, and is read as it was [S-149]', () => {
    const separators = [',', ';', ':', '|', '\t', '\n', '\r'];
    const piece = fc.oneof(
      fc.constantFrom(...separators, '=', '+', '-', '@', '＝', "'", '"', ' ', '\u00a0', 'a', '1'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 3 }), (rows) => {
        for (const cell of rows.flat()) expect(cellText(safeCell(cell))).toBe(cell);
        const file = csvText(rows);
        for (const separator of [...separators, /[,;:|\t\r\n]/]) {
          for (const found of file.split(separator))
            expect(found).not.toMatch(/^[^\S\t\r\n]*"*[=+\-@＝＋－＠]/);
        }
      }),
    );
  });
});

describe('a file', () => {
  it('is read as it was written, whatever its cells hold and however it arrives', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('"', ',', ';', '|', '\t', '\n', '\r\n', '=1', ';=1', "'", ''),
    );
    const rows = fc.array(fc.tuple(cell, cell, fc.constant('end')), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 50 }), async (cells, length) => {
        const text = csvText([['name', 'notes', 'end'], ...cells]);
        const found = (await read(text, length)).slice(1).map(([, ...row]) => row.map(cellText));
        expect(found).toEqual(cells);
      }),
    );
  });

  it('tells the line that each row begins in', async () => {
    const text = 'name,notes\nAda,"two\nlines"\n\nGrace,one\r\n"last ""one""",';
    expect(await read(text)).toEqual([
      [1, 'name', 'notes'],
      [2, 'Ada', 'two\nlines'],
      [5, 'Grace', 'one'],
      [6, 'last "one"', ''],
    ]);
  });

  it.each([
    ['line breaks', '\n'.repeat(1024 * 1024), 0],
    ['rows of one cell', 'a\n'.repeat(10_000), 10_000],
  ])('of nothing but %s lets others have their turns while it is read [S-148]', async (_, rows, count) => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    onTestFinished(() => clearInterval(others));
    const found = await read(`name,notes\n${rows}`);
    expect(found).toHaveLength(1 + count);
    expect(turns).toBeGreaterThan(1);
  });

  it('may have semicolons between its fields', async () => {
    expect(await read('name;notes\nAda;"a;b, c"\n')).toEqual([
      [1, 'name', 'notes'],
      [2, 'Ada', 'a;b, c'],
    ]);
  });

  it.each([
    ['a quote that is never closed', `name\nAda\n"Grace\n${'more\n'.repeat(30_000)}`],
    ['a quote that is never closed at the end', 'name\nAda\n"Grace\n'],
  ])('with %s is refused, with a line, and not kept in memory to its end', async (_, text) => {
    await expect(read(text, 1_000)).rejects.toThrow('quotation mark');
  });
});
