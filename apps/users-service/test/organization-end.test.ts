import { randomUUID } from 'node:crypto';
import { organizationEndTests } from '@tenantry/service-tests';
import { expect } from 'vitest';
import { service } from '../src/service.ts';

organizationEndTests(service, {
  async populate({ organizationId, caller, feed }) {
    const userId = randomUUID();
    feed.tell({
      ...{
        type: 'member.added',
        organizationId,
        userId,
        email: `${userId}@example.com`,
        name: 'Ada Lovelace',
      },
      ...{ familyName: null, role: 'owner', createdAt: '2026-11-21T10:00:00.000Z' },
    });
    const listed = async () => (await caller.send('GET', '/api/users')).body.meta.total;
    await expect.poll(listed).toBe(2);
  },
});
