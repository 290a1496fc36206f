import { randomUUID } from 'node:crypto';
import { permissions } from '@tenantry/contracts';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimsOf, password, send, signUp, type SignedUp } from './support/client.ts';
import { ask, found, foundCompany, type Company } from './support/organizations.ts';
import {
  accountsOf,
  act,
  askForAccount,
  askForKey,
  askForToken,
  inDays,
  newAccount,
  newKey,
  tokenFor,
  type CreatedKey,
} from './support/service-accounts.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql, config } = service;
let company: Company;
let verifier: Verifier;

beforeAll(async () => {
  company = await foundCompany(service);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  verifier = createVerifier({
    issuer: config.AUTH_URL,
    jwks: `${address}/api/auth/jwks`,
    revocations: `${address}/internal/revocations`,
  });
  await verifier.ready({ timeoutMs: patience() });
});
afterAll(() => verifier.close());

const inCompany = (by: SignedUp = company.owner) => ({ by, organizationId: company.id });
const verdict = (token: string) =>
  verifier.verify(token).then(
    () => 'accepted',
    (error: unknown) => (error as { readonly code: string }).code,
  );
const becomes = (token: string, expected: string) =>
  expect.poll(() => verdict(token), { timeout: patience(), interval: 20 }).toBe(expected);

async function newCompany(): Promise<Company & { readonly account: string; readonly made: CreatedKey }> {
  const founded = await foundCompany(service);
  const place = { by: founded.owner, organizationId: founded.id };
  const { id: account } = await newAccount(service, place, 'admin');
  return { ...founded, account, made: await newKey(service, place, account) };
}

describe('a token for a key', () => {
  test('carries exactly the claims of a service account', async () => {
    const { id } = await newAccount(service, inCompany());
    const { apiKey, key } = await newKey(service, inCompany(), id, {
      permissions: ['leads:read', 'invoices:write'],
    });
    const { status, body } = await askForToken(service, key);
    expect(status).toBe(200);
    const claims = claimsOf(body.token);
    const issuedAt = Number(claims['iat']);
    expect(claims).toEqual({
      ...{ iss: config.AUTH_URL, aud: 'tenantry', sub: id, sid: apiKey.id, kind: 'service', amr: [] },
      ...{ role: 'scoped', base: 'member', scope: 'leads:read invoices:write' },
      ...{ organizationId: company.id, organizationName: 'Acme', name: 'Nightly import', email: '' },
      ...{ iat: issuedAt, exp: issuedAt + 900 },
    });
    expect(body.tokenExpiresAt).toBe(new Date((issuedAt + 900) * 1_000).toISOString());
    expect(await verdict(body.token)).toBe('accepted');
  });

  test('ends with the key, and says everything where the key is for everything [S-95]', async () => {
    const { id } = await newAccount(service, inCompany(), 'admin');
    const expiresAt = new Date(Date.now() + 120_000).toISOString();
    const claims = claimsOf(await tokenFor(service, await newKey(service, inCompany(), id, { expiresAt })));
    expect(claims).toMatchObject({ base: 'admin', scope: '*' });
    expect(claims['exp']).toBe(Math.floor(Date.parse(expiresAt) / 1_000));
    await act(service, inCompany(), ['DELETE', id]);
  });

  test('stays under 1.5 KiB with the longest names and as many permissions as fit', async () => {
    const owner = await signUp(app);
    const name = '🦊'.repeat(50);
    const organization = await ask<{ organization: { id: string } }>(service, 'POST /organization/create', {
      token: owner.token,
      body: { name, slug: `fox-${randomUUID()}` },
    });
    const organizationId = organization.body.organization.id;
    const made = await ask<{ serviceAccount: { id: string } }>(
      service,
      `POST /organization/${organizationId}/service-accounts`,
      { token: owner.token, body: { name, role: 'admin' } },
    );
    const place = { by: owner, organizationId };
    const { id } = made.body.serviceAccount;
    const names = Array.from({ length: 32 }, (_, n) => `part-${n}:write`);
    const short = names
      .join(' ')
      .slice(0, 290)
      .replace(/ [^ ]*$/, '');
    const longest = short.padEnd(300, 'x').split(' ');
    const token = await tokenFor(service, await newKey(service, place, id, { permissions: longest }));
    expect(token.length).toBeLessThan(1_536);
    expect(claimsOf(token)['scope']).toHaveLength(300);
    const tooLong = [...longest.slice(0, -1), `${longest.at(-1)}x`];
    const refused = await askForKey(service, place, id, { permissions: tooLong });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'permissions' }] } });
  });

  test('is no token to verifiers that know no service accounts: the role is in no table', async () => {
    const { made } = await newCompany();
    const { role } = await verifier.verify(await tokenFor(service, made));
    expect(Object.keys(permissions)).not.toContain(role);
  });
});

describe('a key', () => {
  test('is shown once, and listed by its end [S-93]', async () => {
    const { id } = await newAccount(service, inCompany());
    const { key, apiKey } = await newKey(service, inCompany(), id, { permissions: ['leads:read'] });
    expect(key).toMatch(/^tak_[\w-]{86}$/);
    expect(apiKey).toMatchObject({ ending: key.slice(-4), permissions: ['leads:read'], lastUsedAt: null });
    const listed = await accountsOf(service, inCompany(company.admin));
    expect(listed.find((account) => account.id === id)?.keys).toEqual([apiKey]);
    expect(JSON.stringify(listed)).not.toContain(key);
    const stored = await sql('SELECT to_jsonb(k)::text AS row FROM api_keys k WHERE id = $1', [apiKey.id]);
    expect(stored[0]?.['row']).not.toContain(key);
  });

  test('says when it was used last, to the hour', async () => {
    const { id, owner, account, made } = await newCompany();
    await tokenFor(service, made);
    await tokenFor(service, made);
    const [listed] = await accountsOf(service, { by: owner, organizationId: id });
    expect(listed?.id).toBe(account);
    expect(listed?.keys[0]?.lastUsedAt).toMatch(/T\d\d:00:00/);
  });

  test.each([
    ['in the past', { expiresAt: inDays(-1) }],
    ['more than a year ahead', { expiresAt: inDays(367) }],
    ['without an end', { expiresAt: undefined }],
    ['with a malformed permission', { permissions: ['everything'] }],
    ['without any permission', { permissions: [] }],
    ['with 33 permissions', { permissions: Array.from({ length: 33 }, (_, n) => `a:b${n}`) }],
  ])('%s is refused', async (_what, wanted) => {
    const { account, id, owner } = await newCompany();
    const { status, body } = await askForKey(service, { by: owner, organizationId: id }, account, wanted);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each([
    ['unknown', () => `tak_${'x'.repeat(86)}`, 401],
    ['of another kind', () => `tri_${'x'.repeat(86)}`, 400],
    ['empty', () => '', 400],
  ])('%s opens nothing', async (_what, key, status) => {
    expect((await askForToken(service, key())).status).toBe(status);
  });

  test('works on when its maker has left, and when their account is erased', async () => {
    const { id, owner, admin } = await newCompany();
    const place = { by: admin, organizationId: id };
    const { id: account } = await newAccount(service, place);
    const made = await newKey(service, place, account);
    await send(app, `DELETE /organization/${id}/members/${admin.id}`, { token: owner.token });
    await tokenFor(service, made);
    const listed = await accountsOf(service, { by: owner, organizationId: id });
    expect(listed.find((one) => one.id === account)).toMatchObject({
      createdBy: { userId: admin.id, name: null },
      keys: [{ createdBy: { userId: admin.id, name: null } }],
    });
    const erased = await send(app, 'DELETE /user', { token: admin.token, body: { password } });
    expect(erased.status).toBe(204);
    await tokenFor(service, made);
  });

  test('gets 60 tokens a minute, and uses up nobody else’s [S-95]', async () => {
    const limited = await startService({ settings: { RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE: '2' } });
    const owner = await signUp(limited.app);
    const place = { by: owner, organizationId: (await found(limited, owner.token)).id };
    const { id } = await newAccount(limited, place);
    const [first, second] = [await newKey(limited, place, id), await newKey(limited, place, id)];
    // Whoever knows the id alone, which is in every token, does not count.
    const forged = `${first.key.slice(0, -10)}${'x'.repeat(10)}`;
    for (let n = 0; n < 3; n += 1) expect((await askForToken(limited, forged)).status).toBe(401);
    for (let n = 0; n < 2; n += 1) await tokenFor(limited, first);
    const refused = await send(limited.app, 'POST /service-token', { body: { key: first.key } });
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers['retry-after']).toBeDefined();
    await tokenFor(limited, second);
  });
});

describe('a key is made by a session only, never above its role and never for another organization [S-93]', () => {
  test('members make none, and see none', async () => {
    const { id, member, account } = await newCompany();
    const place = { by: member, organizationId: id };
    expect((await askForAccount(service, place)).body.code).toBe('FORBIDDEN');
    expect((await askForKey(service, place, account)).body.code).toBe('FORBIDDEN');
    const listed = await ask(service, `GET /organization/${id}/service-accounts`, { token: member.token });
    expect([listed.status, listed.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('nobody makes an owner of a service account', async () => {
    const { status } = await askForAccount(service, inCompany(), 'owner');
    expect(status).toBe(400);
    const { id } = await newAccount(service, inCompany());
    expect((await act(service, inCompany(), ['PATCH', id], { role: 'owner' })).status).toBe(400);
    await act(service, inCompany(), ['DELETE', id]);
  });

  test('a permission that the role does not have is refused, one of another service is not', async () => {
    const { id } = await newAccount(service, inCompany());
    for (const permission of ['leads:erase', 'audit:read', 'organization:delete']) {
      const refused = await askForKey(service, inCompany(), id, { permissions: ['leads:read', permission] });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'permissions[1]' }] } });
    }
    await newKey(service, inCompany(), id, { permissions: ['ships:launch'] });
    await act(service, inCompany(), ['DELETE', id]);
  });

  test('another organization is 404, in the path and for the account', async () => {
    const [ours, theirs] = [await newCompany(), await newCompany()];
    const place = { by: ours.owner, organizationId: ours.id };
    const path = { by: ours.owner, organizationId: theirs.id };
    const answers = [
      await askForAccount(service, path),
      await askForKey(service, path, theirs.account),
      await askForKey(service, place, theirs.account),
      await act(service, place, ['PATCH', theirs.account], { name: 'Ours' }),
      await act(service, place, ['DELETE', theirs.account]),
      await act(service, place, ['DELETE', `${theirs.account}/keys/${theirs.made.apiKey.id}`]),
      await act(service, place, ['DELETE', `${ours.account}/keys/${theirs.made.apiKey.id}`]),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    await tokenFor(service, theirs.made);
  });

  test('a key whose organization is swapped opens nothing', async () => {
    const [ours, theirs] = [await newCompany(), await newCompany()];
    const bytes = Buffer.from(ours.made.key.slice(4), 'base64url');
    Buffer.from(theirs.id.replaceAll('-', ''), 'hex').copy(bytes);
    const swapped = `tak_${bytes.toString('base64url')}`;
    expect((await askForToken(service, swapped)).body.code).toBe('INVALID_KEY');
  });

  test('a session is asked for a recent proof on its own device to make one, and to raise a role', async () => {
    const { id, owner, account } = await newCompany();
    await sql(`UPDATE sessions SET authenticated_at = now() - INTERVAL '10 minutes' WHERE user_id = $1`, [
      owner.id,
    ]);
    const place = { by: owner, organizationId: id };
    const key = await askForKey(service, place, account);
    expect([key.status, key.body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    const raised = await act(service, place, ['PATCH', account], { role: 'admin' });
    expect([raised.status, raised.body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    expect((await askForKey(service, place, account, { password })).status).toBe(201);
    expect((await act(service, place, ['PATCH', account], { role: 'member' })).status).toBe(200);
    expect((await act(service, place, ['PATCH', account], { role: 'admin', password })).status).toBe(200);
  });
});

describe('no key passes as a user [S-95]', () => {
  test.each(['GET /session', 'GET /organization/list', 'GET /health', 'POST /refresh', 'POST /sign-out'])(
    '%s answers a key and its token with 403 USER_REQUIRED',
    async (request) => {
      const { made } = await newCompany();
      for (const token of [made.key, ` ${made.key}`, 'tak_x', await tokenFor(service, made)]) {
        const { status, body } = await send(app, request, { token });
        expect([status, body.code]).toEqual([403, 'USER_REQUIRED']);
      }
    },
  );

  test('nor does its token in the cookie of a browser’s session', async () => {
    const { made } = await newCompany();
    const cookie = `__Host-access=${await tokenFor(service, made)}; access_token=${await tokenFor(service, made)}`;
    const { status } = await send(app, 'GET /session', { headers: { cookie } });
    expect(status).toBe(401);
  });
});

describe('within a second, every verifier refuses the tokens', () => {
  test('of a key that is deleted, and of no other key [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const place = { by: owner, organizationId: id };
    const other = await tokenFor(service, await newKey(service, place, account));
    const token = await tokenFor(service, made);
    expect(await verdict(token)).toBe('accepted');
    expect((await act(service, place, ['DELETE', `${account}/keys/${made.apiKey.id}`])).status).toBe(204);
    await becomes(token, 'TOKEN_REVOKED');
    expect(await verdict(other)).toBe('accepted');
    expect((await askForToken(service, made.key)).body.code).toBe('INVALID_KEY');
  });

  test('of an account that is deleted [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const token = await tokenFor(service, made);
    expect((await act(service, { by: owner, organizationId: id }, ['DELETE', account])).status).toBe(204);
    await becomes(token, 'TOKEN_REVOKED');
    expect((await askForToken(service, made.key)).body.code).toBe('INVALID_KEY');
  });

  test('of an account whose role is lowered; its next ones are accepted [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const token = await tokenFor(service, made);
    const lowered = await act(service, { by: owner, organizationId: id }, ['PATCH', account], {
      role: 'member',
    });
    expect(lowered.status).toBe(200);
    await becomes(token, 'TOKEN_REVOKED');
    const next = await tokenFor(service, made);
    expect(claimsOf(next)).toMatchObject({ base: 'member' });
    expect(await verdict(next)).toBe('accepted');
  });

  test('of a role that was held for a moment [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const place = { by: owner, organizationId: id };
    const become = (role: string) => act(service, place, ['PATCH', account], { role });
    await become('member');
    await become('admin');
    const token = await tokenFor(service, made);
    await become('member');
    await becomes(token, 'TOKEN_REVOKED');
  });

  test('of an organization that begins to require a second factor; the next ones are accepted', async () => {
    const { id, owner, made } = await newCompany();
    const token = await tokenFor(service, made);
    await sql(`UPDATE sessions SET factors = '{pwd,otp}', acr = 'aal2' WHERE user_id = $1`, [owner.id]);
    const body = { settings: { requireTwoFactor: true } };
    expect((await send(app, `PATCH /organization/${id}`, { token: owner.token, body })).status).toBe(200);
    await becomes(token, 'TOKEN_REVOKED');
    expect(await verdict(await tokenFor(service, made))).toBe('accepted');
  });

  test('of an organization that is deleted; a restore brings no key back [S-94]', async () => {
    const { id, owner, made } = await newCompany();
    const token = await tokenFor(service, made);
    const deleted = await send(app, `DELETE /organization/${id}`, { token: owner.token, body: { password } });
    expect(deleted.status).toBe(200);
    await becomes(token, 'TOKEN_REVOKED');
    expect((await askForToken(service, made.key)).body.code).toBe('INVALID_KEY');
    const restored = await app.inject({
      method: 'POST',
      url: `/internal/organizations/${id}/restore`,
      headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0]}` },
      payload: {},
    });
    expect(restored.statusCode).toBe(200);
    expect((await askForToken(service, made.key)).body.code).toBe('INVALID_KEY');
    const place = { by: owner, organizationId: id };
    expect(await accountsOf(service, place)).toEqual([]);
    const again = await newKey(service, place, (await newAccount(service, place)).id);
    expect(await verdict(await tokenFor(service, again))).toBe('accepted');
  });

  test('of an organization that is deleted just after a change of the role [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const place = { by: owner, organizationId: id };
    for (const role of ['member', 'admin']) await act(service, place, ['PATCH', account], { role });
    const token = await tokenFor(service, made);
    const deleted = await send(app, `DELETE /organization/${id}`, { token: owner.token, body: { password } });
    expect(deleted.status).toBe(200);
    await becomes(token, 'TOKEN_REVOKED');
  });

  test('of an organization whose only member is erased [S-94]', async () => {
    const owner = await signUp(app);
    const { id } = await found(service, owner.token);
    const place = { by: owner, organizationId: id };
    const token = await tokenFor(
      service,
      await newKey(service, place, (await newAccount(service, place)).id),
    );
    const erased = await send(app, 'DELETE /user', { token: owner.token, body: { password } });
    expect(erased.status).toBe(204);
    await becomes(token, 'TOKEN_REVOKED');
  });
});

describe('ever more keys that an organization deletes', () => {
  test('take no more room: beyond thirty, those of an account are one revocation of it', async () => {
    const { id, owner } = await newCompany();
    const place = { by: owner, organizationId: id };
    const tokens: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const { id: account } = await newAccount(service, place);
      for (let k = 0; k < 5; k += 1)
        tokens.push(await tokenFor(service, await newKey(service, place, account)));
      expect((await act(service, place, ['DELETE', account])).status).toBe(204);
    }
    const kinds = await sql(
      `SELECT kind, count(*)::int AS entries FROM revocations WHERE organization = $1 GROUP BY kind ORDER BY kind`,
      [id],
    );
    expect(kinds).toEqual([
      { kind: 'member', entries: 2 },
      { kind: 'session', entries: 30 },
    ]);
    for (const token of tokens) await becomes(token, 'TOKEN_REVOKED');
  });

  test('leave an account with a key that works [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const place = { by: owner, organizationId: id };
    for (let n = 0; n < 33; n += 1) {
      const { apiKey, key } = await newKey(service, place, account);
      const token = await tokenFor(service, { key });
      await act(service, place, ['DELETE', `${account}/keys/${apiKey.id}`]);
      await becomes(token, 'TOKEN_REVOKED');
    }
    await becomes(await tokenFor(service, made), 'accepted');
  });
});

describe('parallel requests', () => {
  const statuses = (answers: readonly { readonly status: number }[]) =>
    Object.fromEntries(
      [201, 409].map((status) => [status, answers.filter((answer) => answer.status === status).length]),
    );

  test('make no more than five keys of an account and twenty accounts [S-93]', async () => {
    const { id, owner, account } = await newCompany();
    const place = { by: owner, organizationId: id };
    const keys = await Promise.all(Array.from({ length: 20 }, () => askForKey(service, place, account)));
    expect(statuses(keys)).toEqual({ 201: 4, 409: 16 });
    const accounts = await Promise.all(Array.from({ length: 25 }, () => askForAccount(service, place)));
    expect(statuses(accounts)).toEqual({ 201: 19, 409: 6 });
    const refused = [...keys, ...accounts].filter(({ status }) => status === 409);
    const reasons = new Set(refused.map(({ body }) => (body as { reason?: string }).reason));
    expect(reasons).toEqual(new Set(['API_KEYS', 'SERVICE_ACCOUNTS']));
  });

  test('of an exchange and a deletion leave no token that goes on [S-94]', async () => {
    const { id, owner, account } = await newCompany();
    const place = { by: owner, organizationId: id };
    for (const ending of ['key', 'account', 'role'] as const) {
      const { id: ended } = ending === 'key' ? { id: account } : await newAccount(service, place, 'admin');
      const made = await newKey(service, place, ended);
      const end = () => {
        if (ending === 'role') return act(service, place, ['PATCH', ended], { role: 'member' });
        return act(service, place, ['DELETE', ending === 'key' ? `${ended}/keys/${made.apiKey.id}` : ended]);
      };
      const exchange = () => askForToken(service, made.key);
      const [answers, done] = await Promise.all([Promise.all(Array.from({ length: 8 }, exchange)), end()]);
      expect(done.status).toBeLessThan(300);
      for (const { status, body } of answers) {
        // The one of the lower role goes on.
        if (status !== 200 || claimsOf(body.token)['base'] === 'member') continue;
        await becomes(body.token, 'TOKEN_REVOKED');
      }
    }
  });

  test('an exchange that waits for the deletion of its key gets no token, beyond thirty either [S-94]', async () => {
    const { id, owner, account, made } = await newCompany();
    const endings = `INSERT INTO revocations (kind, organization, sub, sid, until)
      SELECT 'session', $1, $2, gen_random_uuid(), now() + INTERVAL '16 minutes' FROM generate_series(1, 30)`;
    await sql(endings, [id, account]);
    const trail = new pg.Client({ connectionString: service.database.adminUrl });
    await trail.connect();
    onTestFinished(() => trail.end());
    const waiting = (requests: number) =>
      vi.waitFor(async () => {
        const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await sql(waits)).toHaveLength(requests);
      }, patience());
    await trail.query('BEGIN');
    await trail.query('LOCK TABLE audit_events IN SHARE MODE');
    const place = { by: owner, organizationId: id };
    const deletion = act(service, place, ['DELETE', `${account}/keys/${made.apiKey.id}`]);
    await waiting(1);
    const exchange = askForToken(service, made.key);
    await waiting(2);
    await trail.query('COMMIT');
    expect((await deletion).status).toBe(204);
    expect((await exchange).body.code).toBe('INVALID_KEY');
  });
});

test('the trail tells every change', async () => {
  const { id, owner, account, made } = await newCompany();
  const place = { by: owner, organizationId: id };
  await act(service, place, ['PATCH', account], { name: 'Import' });
  await act(service, place, ['PATCH', account], { role: 'member' });
  await act(service, place, ['DELETE', `${account}/keys/${made.apiKey.id}`]);
  await act(service, place, ['DELETE', account]);
  const told = await sql(
    `SELECT action, actor_user_id AS by, target_type AS type, target_id AS target, target_name AS name,
       details FROM audit_events
     WHERE organization_id = $1 AND target_type IN ('service-account', 'api-key') ORDER BY id`,
    [id],
  );
  const { apiKey } = made;
  const of = { by: owner.id, type: 'service-account', target: account };
  const ofKey = { by: owner.id, type: 'api-key', target: apiKey.id, name: 'Server' };
  const [before, after] = ['Nightly import', 'Import'];
  const { expiresAt } = apiKey;
  expect(told).toEqual([
    { action: 'service-account.created', ...of, name: before, details: { role: 'admin' } },
    { action: 'api-key.created', ...ofKey, details: { account: before, expiresAt } },
    { action: 'service-account.renamed', ...of, name: after, details: { from: before, to: after } },
    { action: 'service-account.role-changed', ...of, name: after, details: { from: 'admin', to: 'member' } },
    { action: 'api-key.deleted', ...ofKey, details: { account: after } },
    { action: 'service-account.deleted', ...of, name: after, details: {} },
  ]);
});
