import { readFile } from 'node:fs/promises';
import { readArchive, sumsOf } from '@tenantry/service-tests';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyboard } from './console/hands.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import type { Tenant } from './matrix/people.ts';

// How an owner takes an organization along, with the real services: the browser writes each archive to its disk.

describe.skipIf(!hasBrowser)('an export in the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
    const lead = { name: 'Grace Hopper', email: 'grace@example.com' };
    await stack.api.call('POST /api/leads', lead, team.owner);
  });
  afterAll(() => stack.stop());

  async function archiveOf(page: Page, part: string) {
    const downloaded = page.waitForEvent('download');
    await keyboard.press(page.getByRole('button', { name: `Export: ${part}`, exact: true }));
    const download = await downloaded;
    const archive = await readArchive(await readFile(await download.path()));
    return { name: download.suggestedFilename(), ...archive };
  }

  it('an owner exports every part from its page, and each archive is whole [S-337]', async () => {
    const [visitor, page] = await stack.signedIn(team.owner, '/organization/export');
    await heading(page, 'Export the organization');
    for (const [part, service, table] of [
      ['Leads', 'leads-service', 'leads'],
      ['People', 'users-service', 'profiles'],
      ['Quotes and customers', 'quotation-service', 'customers'],
      ['Organization and access', 'auth-service', 'members'],
    ] as const) {
      const archive = await archiveOf(page, part);
      expect(archive.name).toBe(`${service}.zip`);
      expect(archive.names.at(-1)).toBe('manifest.json');
      expect(archive.manifest).toMatchObject({ service, organizationId: team.organizationId });
      expect(archive.manifest.tables).toEqual(sumsOf(archive));
      expect(archive.manifest.tables).toHaveProperty(table);
      if (table === 'leads') expect(String(archive.files.get('csv/leads.csv'))).toContain('Grace Hopper');
    }
    await expectNothingElse(visitor);
  });
});
