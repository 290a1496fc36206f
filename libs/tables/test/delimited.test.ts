import { describe, expect, it, onTestFinished } from 'vitest';
import { delimitedRows } from '../src/index.ts';

/** A text as it arrives, in pieces of some characters each. */
async function* inPieces(text: string, length = text.length): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield await Promise.resolve(text.slice(at, at + length));
}

async function read(text: string, { separator = 'comma', length }: ReadOptions = {}) {
  const rows: [number, ...string[]][] = [];
  const found = delimitedRows(inPieces(text, length), { separator, isNamed: false });
  for await (const { cells, line } of found) rows.push([line, ...cells]);
  return rows;
}

interface ReadOptions {
  readonly separator?: 'comma' | 'semicolon';
  readonly length?: number;
}

describe('a text', () => {
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
    expect(await read('name;notes\nAda;"a;b, c"\n', { separator: 'semicolon' })).toEqual([
      [1, 'name', 'notes'],
      [2, 'Ada', 'a;b, c'],
    ]);
  });

  it.each([
    ['a quote that is never closed', `name\nAda\n"Grace\n${'more\n'.repeat(30_000)}`],
    ['a quote that is never closed at the end', 'name\nAda\n"Grace\n'],
  ])('with %s is refused, with a line, and not kept in memory to its end', async (_, text) => {
    await expect(read(text, { length: 1_000 })).rejects.toThrow('quotation mark');
  });
});
