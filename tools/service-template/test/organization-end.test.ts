import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationEndTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

organizationEndTests(service, {
  env: { MAIL_DIRECTORY: join(tmpdir(), 'tenantry-field-notes-mail') },
  async populate({ caller }) {
    const headers = { 'idempotency-key': 'once' };
    const sent = { body: { title: 'First' }, headers };
    const created = await caller.send('POST', '/api/field-notes', sent);
    const { id } = created.body.data as { id: string };
    const letter = { recipientEmail: 'karin@astrom.example' };
    await caller.send('POST', `/api/field-notes/${id}/send`, { body: letter });
  },
});
