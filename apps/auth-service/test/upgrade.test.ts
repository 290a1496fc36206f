import { randomUUID } from 'node:crypto';
import { createFormerDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startService } from './support/service.ts';

test('members who joined before an upgrade are told to readers whole', async () => {
  const database = await createFormerDatabase('auth-service', { before: '20261121' });
  afterAll(() => database.drop());
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  for (const [insert, values] of [
    [
      `users (id, email, name, created_at, updated_at) VALUES ($1, 'ada@example.com', 'Ada', now(), now())`,
      [userId],
    ],
    [
      `organizations (id, name, slug, created_at, updated_at) VALUES ($1, 'Engines', 'engines', now(), now())`,
      [organizationId],
    ],
    [
      `members (user_id, organization_id, role, created_at, updated_at) VALUES ($1, $2, 'owner', now(), now())`,
      [userId, organizationId],
    ],
  ] as const) {
    await admin.query(`INSERT INTO ${insert}`, [...values]);
  }
  const told = { userId, organizationId, email: 'ada@example.com', name: 'Ada', role: 'owner' };
  await admin.query(
    `INSERT INTO events (type, subject, user_id, organization, payload)
     VALUES ('user.created', $1, $3, NULL, $5), ('member.added', $2, $3, $4, $5)`,
    [`user:${userId}`, `member:${organizationId}:${userId}`, userId, organizationId, JSON.stringify(told)],
  );
  await admin.end();

  await database.upgrade();
  const { app, config } = await startService({ database });
  const answer = await app.inject({
    url: '/internal/events',
    headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` },
  });
  const { entries } = answer.json<{ entries: object[] }>();
  expect(entries).toMatchObject([
    { ...told, type: 'user.updated' },
    {
      ...{ ...told, type: 'user.updated', emailVerified: false, disabled: false, familyName: null },
      createdAt: expect.any(String) as string,
    },
  ]);
});
