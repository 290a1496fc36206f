import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rules } from '@tenantry/service/failures';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('clients know every rule that a service names in a finding, or its refusal would count as undeclared', async () => {
  const listed = execFileSync('git', ['ls-files', 'apps/*/src/*.ts', 'libs/*/src/*.ts'], { cwd: root });
  const files = listed.toString().trim().split('\n');
  const named = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8');
      return Array.from(text.matchAll(/\brule: '(\w+)'/g), ([, rule = '']) => rule);
    }),
  );
  const unknown = new Set(named.flat().filter((rule) => !rules.includes(rule)));
  expect(named.flat().length).toBeGreaterThan(30);
  expect([...unknown]).toEqual([]);
});
