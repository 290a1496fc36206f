import { AuditDetailsOf } from '@tenantry/service/resources';
import Fastify from 'fastify';
import { expect, it } from 'vitest';

/** What a route of a trail answers that records changes of these fields. */
async function answered(fields: readonly string[], details: object): Promise<unknown> {
  const app = Fastify();
  app.get('/', { schema: { response: { 200: AuditDetailsOf(fields) } } }, async () => details);
  const answer = await app.inject('/');
  await app.close();
  return answer.json();
}

it('details of an audit entry name the changed fields, and say whatever else there is', async () => {
  const details = { fields: ['status'], from: 'new', to: 'won' };
  expect(await answered(['name', 'status'], details)).toEqual(details);
});

it('a trail may record no fields', async () => {
  expect(await answered([], { scope: 'others' })).toEqual({ scope: 'others' });
});
