import { organizationEndTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

organizationEndTests(service, {
  async populate({ caller }) {
    const body = { name: 'Ada', email: 'ada@example.com' };
    const headers = { 'idempotency-key': 'once' };
    const answer = await caller.send('POST', '/api/leads', { body, headers });
    const { id } = answer.body.data as { id: string };
    await caller.send('PUT', `/api/leads/${id}`, { body: { status: 'contacted' } });
    await caller.send('POST', '/api/leads', { body });
    const file = { body: 'name,email\nAda,ada@example.com\n', headers: { 'content-type': 'text/csv' } };
    await caller.send('POST', '/api/leads/import', file);
    await caller.send('PATCH', '/api/leads/settings', { body: { furtherMoves: ['new-to-lost'] } });
  },
});
