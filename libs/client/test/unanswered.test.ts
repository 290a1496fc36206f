import { describe, expect, it } from 'vitest';
import { page, rejection } from './support/clients.ts';
import { enveloped, refusal, type Reply } from './support/fake-api.ts';

const route = 'POST /api/leads';
const body = { name: 'Åke', email: 'ake@example.com' };
const lost = (): never => {
  throw new TypeError('Failed to fetch');
};

/** A page whose first call is answered as given, and every later one with a new lead. */
async function calling(first: () => Reply) {
  const { api, tenantry } = page();
  await tenantry.getStart();
  let isFirst = true;
  api.on(route, () => {
    if (!isFirst) return enveloped({ id: 'a' });
    isFirst = false;
    return first();
  });
  const keys = () => api.requests(route).map(({ headers }) => headers['idempotency-key']);
  return { tenantry, keys };
}

describe('a call that was not answered', () => {
  it.each<[string, () => Reply]>([
    ['the connection was lost', lost],
    ['the service was unavailable', () => refusal(503, 'UPSTREAM_UNAVAILABLE')],
    ['the first one is still under way', () => refusal(409, 'IDEMPOTENCY_KEY_IN_USE')],
  ])('is the same one when it is made again: %s', async (_, first) => {
    const { tenantry, keys } = await calling(first);
    await rejection(tenantry.createLead({ body }));
    await tenantry.createLead({ body });
    await tenantry.createLead({ body });
    const [once, again, another] = keys();
    expect(again).toBe(once);
    expect(another).not.toBe(once);
  });

  it('is another one with another body, and keeps its key meanwhile', async () => {
    const { tenantry, keys } = await calling(lost);
    await rejection(tenantry.createLead({ body }));
    await tenantry.createLead({ body: { ...body, name: 'Åse' } });
    await tenantry.createLead({ body });
    const [once, other, again] = keys();
    expect(other).not.toBe(once);
    expect(again).toBe(once);
  });

  it('is another one after a refusal', async () => {
    const { tenantry, keys } = await calling(() => refusal(400, 'VALIDATION_ERROR'));
    await rejection(tenantry.createLead({ body }));
    await tenantry.createLead({ body });
    expect(new Set(keys()).size).toBe(2);
  });

  it('shares its key with none that is under way', async () => {
    const { tenantry, keys } = await calling(() => enveloped({ id: 'a' }));
    await Promise.all([tenantry.createLead({ body }), tenantry.createLead({ body })]);
    expect(new Set(keys()).size).toBe(2);
  });
});
