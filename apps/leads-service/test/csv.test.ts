import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText, csvTexts } from '@tenantry/service/archive';
import { cellText, safeCell } from '@tenantry/text';
import { delimitedRows } from '@tenantry/tables';

/** A text as it arrives, in pieces of some characters each. */
async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += length) {
    yield await Promise.resolve(characters.slice(at, at + length).join(''));
  }
}

async function read(text: string, length: number) {
  const rows: (readonly string[])[] = [];
  const found = delimitedRows(inPieces(text, length), { separator: 'comma', isNamed: false });
  for await (const { cells } of found) rows.push(cells);
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
        const found = (await read(text, length)).slice(1).map((row) => row.map(cellText));
        expect(found).toEqual(cells);
      }),
    );
  });
});
