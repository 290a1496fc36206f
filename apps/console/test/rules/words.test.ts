import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../src');

type Text = string | ((...given: unknown[]) => string) | { readonly [name: string]: Text };

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.words.en.ts'),
);

/** Every text by the path that leads to it; functions are asked with numbers, then with names. */
function textsOf(text: Text, path = ''): (readonly [string, string])[] {
  if (typeof text === 'string') return [[path, text]];
  if (typeof text === 'function') {
    return [1, 2, 7].map((given) => [`${path}(${given})`, text(given, given)] as const);
  }
  return Object.entries(text).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

const load = async (file: string): Promise<Text> =>
  ((await import(join(src, file))) as { readonly words: Text }).words;

describe.each(files)('%s', (file) => {
  test('says something everywhere, in both languages, and nothing twice for want of a translation', async () => {
    const english = textsOf(await load(file));
    const swedish = new Map(textsOf(await load(file.replace('.en.ts', '.sv.ts'))));
    expect([...swedish.keys()]).toEqual(english.map(([path]) => path));
    for (const [path, text] of [...english, ...swedish]) expect(text.trim(), path).not.toBe('');
    const sentences = english.filter(([, text]) => text.split(' ').length > 2);
    expect(sentences.filter(([path, text]) => swedish.get(path) === text)).toEqual([]);
  });
});
