import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

type Imports = ReadonlyMap<string, readonly string[]>;

/** Which files each source file imports, types included. */
function importsOfSources(): Imports {
  const patterns = ['apps/*/src/**/*.tsx', '{apps/*,libs/*,tools,bench}/{src,test*}/**/*.ts'];
  const files = globSync(patterns, { cwd: workspaceRoot }).filter((file) => !file.includes('/generated/'));
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(
        readFileSync(join(workspaceRoot, file), 'utf8'),
        true,
        true,
      );
      const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
      return [file, relative.map((name) => join(dirname(file), name))];
    }),
  );
}

/** The circles among imports, each as the files on the way round. */
function circlesIn(imports: Imports): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const begin = way.indexOf(file);
    if (begin >= 0) circles.push([...way.slice(begin), file]);
    if (begin >= 0 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

/** Which folders of a service or library import each other: the first below `src`, where a feature or a layer begins. */
function importsOfFolders(imports: Imports): Imports {
  const folderOf = (file: string) => /^(?:apps|libs)\/[^/]+\/src\/[^/]+(?=\/)/.exec(file)?.[0];
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const folder = folderOf(file);
    if (folder === undefined) continue;
    const known = folders.get(folder) ?? new Set();
    for (const other of imported.map(folderOf)) if (other !== undefined && other !== folder) known.add(other);
    folders.set(folder, known);
  }
  return new Map([...folders].map(([folder, known]) => [folder, [...known]]));
}

const imports = importsOfSources();

describe('source files', () => {
  it('import each other in no circle, not even for a type', () => {
    const remedy = 'move what both need into a file of its own';
    expect(
      circlesIn(imports).map((circle) => circle.join(' -> ')),
      remedy,
    ).toEqual([]);
  });

  it('would be found in a circle', () => {
    const [repository, useCase] = [
      'apps/leads-service/src/leads/leads.repository.ts',
      'apps/leads-service/src/leads/leads.ts',
    ];
    expect(imports.get(useCase)).toContain(repository);
    const closed = new Map(imports).set(repository, [useCase]);
    expect(circlesIn(closed)).toEqual([[expect.any(String), expect.any(String), expect.any(String)]]);
  });
});

describe('folders of a service or library', () => {
  const folders = importsOfFolders(imports);
  // Pages of the console link to each other: a customer shows quotes, and a quote its customer.
  const ordered = new Map([...folders].filter(([folder]) => !folder.startsWith('apps/console/')));

  it('import each other in one direction: the upper ones know the lower ones', () => {
    const remedy = 'pass what the lower folder needs from above as a required option';
    expect(
      circlesIn(ordered).map((circle) => circle.join(' -> ')),
      remedy,
    ).toEqual([]);
  });

  it('would be found in a circle', () => {
    const [quotes, sending] = ['apps/quotation-service/src/quotes', 'apps/quotation-service/src/sending'];
    expect(ordered.get(sending)).toContain(quotes);
    const closed = new Map(ordered).set(quotes, [sending]);
    expect(circlesIn(closed)).toContainEqual(expect.arrayContaining([quotes, sending]));
  });
});
