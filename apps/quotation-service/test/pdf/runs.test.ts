import { describe, expect, it } from 'vitest';
import { fontsFor } from '../../src/pdf/fonts.ts';
import { printable } from '../../src/pdf/printable.ts';
import { runsOf } from '../../src/pdf/runs.ts';

const textsOf = async (line: string) => {
  const fonts = await fontsFor({ all: [line], bold: [] });
  return runsOf(line, { fonts, weight: 'regular' }).map(({ text }) => text);
};

describe('the runs of a line', () => {
  it('is one run where one font has every letter', async () => {
    expect(await textsOf('Målning av kök, 5 m²')).toEqual(['Målning av kök, 5 m²']);
  });

  it('comes in the order of sight where writing goes from right to left', async () => {
    expect(await textsOf('abc שלום (אב) 77')).toEqual(['abc ', '77', ' ', '(', 'אב', ')', ' ', 'שלום']);
  });

  it('has the replacement character for what no font has', async () => {
    expect(await textsOf('\u{16A0}\u{13000}')).toEqual(['\u{FFFD}\u{FFFD}']);
  });
});

describe('what is printable', () => {
  it('keeps lines and letters, and drops controls, overrides of direction and lone surrogates', () => {
    expect(printable('a\r\nb\u2028c')).toBe('a\nb\nc');
    expect(printable('e\u0301\u0000\u202E1.00\u2066\uFEFF')).toBe('é1.00');
    expect(printable('\uD800')).toBe('\u{FFFD}');
  });
});
