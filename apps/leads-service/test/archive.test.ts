import { buffer } from 'node:stream/consumers';
import { Archives } from '@tenantry/service/archive';
import { readArchive, rowsOf, sumsOf, type ReadArchive } from '@tenantry/service-tests';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leadArchive } from '../src/archive/lead-archive.repository.ts';
import { createLead, moveLead, startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Row {
  readonly id: string;
  readonly lead_id: string;
  readonly action: string;
  readonly target_id: string;
}

it('is of one moment beside six writers: each lead is there with its entry and its status [S-295]', async () => {
  const owner = await service.member({ role: 'owner' });
  const { organizationId } = owner;
  let isOver = false;
  let written = 0;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    while (!isOver) {
      const email = `lead-${writer}-${written}@example.com`;
      await moveLead(owner, await createLead(owner, { email }), 'contacted');
      written += 1;
    }
  });
  const archives = new Archives({ ...leadArchive, service: 'leads-service', migration: async () => '' });
  const tenant = service.database.within({ organizationId });
  const found: ReadArchive[] = [];
  while (found.length < 5 || written < 12)
    found.push(await readArchive(await buffer(archives.begin({ tenant }))));
  isOver = true;
  await Promise.all(writers);
  for (const archive of found) {
    expect(archive.manifest.tables).toEqual(sumsOf(archive));
    const leads = rowsOf<Row>(archive, 'leads').map(({ id }) => id);
    const created = rowsOf<Row>(archive, 'audit_events').filter(({ action }) => action === 'lead.created');
    expect(created.map(({ target_id: id }) => id).sort()).toEqual(leads.sort());
    const begun = new Set(rowsOf<Row>(archive, 'lead_status_changes').map(({ lead_id: id }) => id));
    expect([...begun].filter((id) => !leads.includes(id))).toEqual([]);
  }
});
