import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesFromClipboard, rowsOf } from '../../../src/quotes/editor/paste.ts';

const sv = { language: 'sv', unit: 'st' } as const;
const en = { language: 'en', unit: 'pcs' } as const;

const read = (text: string, how: typeof sv | typeof en) =>
  linesFromClipboard(text, how)?.map(({ articleNumber, description, quantity, unit, unitPrice }) =>
    [articleNumber, description, quantity, unit, unitPrice].join('|'),
  );

describe('rows that were copied from a spreadsheet', () => {
  test('are lines by the titles of their columns', () => {
    const copied = 'Benämning\tAntal\tEnhet\tÀ-pris\tSumma\nTakpapp\t7,25\ttim\t485,50\t3 519,88\n';
    expect(read(copied, sv)).toEqual(['|Takpapp|7,25|tim|485,5']);
  });

  test('are lines by what is in them, where they have no titles', () => {
    expect(
      read('R-100\tRoofing felt, laid\t7.25\thours\t485.50\t3,519.88\nR-2\tGutter\t2\tm\t90\t180', en),
    ).toEqual(['R-100|Roofing felt, laid|7.25|hours|485.5', 'R-2|Gutter|2|m|90']);
    expect(read('Roofing felt\t485.50\nGutter\t90', en)).toEqual([
      '|Roofing felt|1|pcs|485.5',
      '|Gutter|1|pcs|90',
    ]);
  });

  test('keep cells with line breaks, tabs and quotes', () => {
    const cells = fc.array(fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 2, maxLength: 4 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(cells, (rows) => {
        const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join('\t'));
        expect(rowsOf(`${quoted.join('\r\n')}\r\n`)).toEqual(rows);
      }),
    );
  });

  test('are not there in a single cell, which is text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll(/[\t\r\n"]/g, ' ');
        expect(linesFromClipboard(plain, en)).toBeUndefined();
      }),
    );
  });
});
