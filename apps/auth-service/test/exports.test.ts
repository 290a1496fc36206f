import { exportsPath } from '@tenantry/contracts';
import { expect, test } from 'vitest';
import { send, signUp } from './support/client.ts';
import { lettersTo, letterTo } from './support/mail.ts';
import { enter, foundCompany } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService({ settings: { RATE_LIMIT_EXPORTS_PER_HOUR: '2' } });
const { app, config, sql } = service;

interface By {
  readonly id: string;
  readonly sessionId: string;
}

/** Announces an export as a service does. */
async function announce(organizationId: string, by: By, from = 'leads-service', more = {}) {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: exportsPath(organizationId),
    headers: {
      authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`,
      'x-client-address': '192.0.2.7',
      'x-session-id': by.sessionId,
    },
    payload: { service: from, actorUserId: by.id, ...more },
  });
  return body === '' ? [statusCode] : [statusCode, (JSON.parse(body) as { code: string }).code];
}

const exportLetters = async (email: string) =>
  (await lettersTo(service, email)).filter((template) => template === 'organization-exported').length;

test('an export is in the trail with each of its parts, and its owners get one letter [S-294]', async () => {
  const { id, owner } = await foundCompany(service);
  const second = await signUp(app);
  await enter(service, id, second, 'owner');
  await sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [second.id]);
  expect(await announce(id, owner)).toEqual([204]);
  expect(await announce(id, owner, 'quotation-service')).toEqual([204]);
  const entries = await sql(
    `SELECT actor_user_id AS by, details->>'service' AS service FROM audit_events
     WHERE organization_id = $1 AND action = 'organization.exported' ORDER BY id`,
    [id],
  );
  expect(entries).toEqual([
    { by: owner.id, service: 'leads-service' },
    { by: owner.id, service: 'quotation-service' },
  ]);
  expect(await letterTo(service, owner.email, 'organization-exported')).toContain('has begun to export');
  expect([await exportLetters(owner.email), await exportLetters(second.email)]).toEqual([1, 1]);
  // Whoever else exports is told of.
  expect(await announce(id, second)).toEqual([204]);
  expect([await exportLetters(owner.email), await exportLetters(second.email)]).toEqual([2, 2]);
});

test('a part of an organization is exported twice an hour at most, and one that is refused does not count [S-294]', async () => {
  const { id, owner } = await foundCompany(service);
  const admin = await signUp(app);
  await enter(service, id, admin, 'admin');
  for (let n = 0; n < 3; n += 1) expect(await announce(id, admin)).toEqual([403, 'FORBIDDEN']);
  expect(await announce(id, owner)).toEqual([204]);
  expect(await announce(id, owner)).toEqual([204]);
  expect(await announce(id, owner)).toEqual([429, 'RATE_LIMITED']);
  expect(await announce(id, owner, 'quotation-service')).toEqual([204]);
  expect(await exportLetters(admin.email)).toBe(0);
});

test('an export is refused to a session that has ended, and to whoever is no member [S-294]', async () => {
  const { id, owner } = await foundCompany(service);
  const stranger = await signUp(app);
  expect((await announce(id, stranger))[0]).toBe(404);
  expect((await send(app, 'POST /sign-out', { token: owner.token })).status).toBeLessThan(300);
  expect(await announce(id, owner)).toEqual([401, 'UNAUTHENTICATED']);
});

test('a check is refused as an export is, and neither counts nor leaves a trace [S-294]', async () => {
  const { id, owner } = await foundCompany(service);
  const check = () => announce(id, owner, 'leads-service', { isCheck: true });
  for (let n = 0; n < 3; n += 1) expect(await check()).toEqual([204]);
  const entries = `SELECT FROM audit_events WHERE organization_id = $1 AND action = 'organization.exported'`;
  expect(await sql(entries, [id])).toHaveLength(0);
  expect(await exportLetters(owner.email)).toBe(0);
  for (let n = 0; n < 2; n += 1) expect(await announce(id, owner)).toEqual([204]);
  expect(await check()).toEqual([429, 'RATE_LIMITED']);
});
