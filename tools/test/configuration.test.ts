import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';
import { configurationList, withConfigurationList } from '../src/configuration/list.ts';

it('docs/configuration.md lists what the services parse (npm run configuration writes it)', async () => {
  const path = join(workspaceRoot, 'docs/configuration.md');
  const text = await readFile(path, 'utf8');
  expect(text).toBe(withConfigurationList(text, await configurationList(workspaceRoot)));
});

it('every setting of every service says what it means', async () => {
  const items = (await configurationList(workspaceRoot)).trimEnd().split('\n');
  expect(items.length).toBeGreaterThan(10);
  for (const item of items) expect(item).toMatch(/^- \*\*`[A-Z0-9_]+`\*\* \(.+?\): .{10,}$/);
});
