import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '..');

it('the README lists every error code with its status, and no other', () => {
  const source = readFileSync(resolve(project, 'src/tokens/errors.ts'), 'utf8');
  const readme = readFileSync(resolve(project, 'README.md'), 'utf8');
  const row = /^\| `((?:TOKEN|KEYS|CLOCK|REVOCATIONS)_[A-Z_]+)` +\| (\d{3})/gm;
  const inSource = [...source.matchAll(/^ {2}([A-Z_]+): \[(\d{3}),/gm)].map(([, ...cells]) => cells);
  const inReadme = [...readme.matchAll(row)].map(([, ...cells]) => cells);
  expect(inSource.length).toBeGreaterThan(10);
  expect(inReadme).toEqual(inSource);
});
