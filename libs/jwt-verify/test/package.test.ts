import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const sources = resolve(import.meta.dirname, '../src');

/** The modules that a file of the library loads, those of other packages by name; types load nothing. */
function loadedBy(file: string): readonly string[] {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
  };
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions });
  return ts.preProcessFile(outputText).importedFiles.map(({ fileName }) => fileName);
}

/** Every foreign module that an entry loads, itself or by way of others, on a platform. */
function foreignModules(entry: string, platform: 'node' | 'web'): string[] {
  const foreign = new Set<string>();
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const name of loadedBy(file)) {
      if (name === '#platform') follow(resolve(sources, `platform/${platform}.ts`));
      else if (name.startsWith('.')) follow(resolve(dirname(file), name));
      else foreign.add(name);
    }
  };
  follow(resolve(sources, `${entry}.ts`));
  return [...foreign].sort();
}

describe('the package', () => {
  it('loads jose, and by its side node:crypto and node:http where there are such', () => {
    expect(foreignModules('index', 'web')).toEqual(['jose']);
    const ofNode = ['jose', 'node:buffer', 'node:crypto', 'node:http', 'node:https'];
    expect(foreignModules('index', 'node')).toEqual(ofNode);
  });

  it('loads Nest in the adapter for Nest, and no framework anywhere else', () => {
    for (const adapter of ['express', 'fastify', 'web']) expect(foreignModules(adapter, 'web')).toEqual([]);
    expect(foreignModules('nest', 'web')).toEqual(['@nestjs/common']);
    expect(foreignModules('testing', 'web')).toEqual(['jose', 'node:events', 'node:http']);
  });
});
