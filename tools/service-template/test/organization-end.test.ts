import { tmpdir } from 'node:os'; //#with mail
import { join } from 'node:path'; //#with mail
import { organizationEndTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

organizationEndTests(service, {
  env: { MAIL_DIRECTORY: join(tmpdir(), 'tenantry-field-notes-mail') }, //#with mail
  async populate({ caller }) {
    const headers = { 'idempotency-key': 'once' }; //#with idempotency
    const sent = { body: { title: 'First' }/*#idempotency , headers*/ };
    await caller.send('POST', '/api/field-notes', sent); //#with !mail
    //#with mail
    const created = await caller.send('POST', '/api/field-notes', sent);
    const { id } = created.body.data as { id: string };
    const letter = { recipientEmail: 'karin@astrom.example' };
    await caller.send('POST', `/api/field-notes/${id}/send`, { body: letter });
    //#end
  },
});
