import { createHash, randomUUID } from 'node:crypto';
import { testClock } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, refresh, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const clock = testClock(new Date());
const now = () => new Date(clock());
const { app, sql, database, config } = await startService({
  now,
  settings: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_REFRESH_PER_MINUTE: '1000000' },
});
const phone = { 'x-device-id': 'phone-0001', 'x-forwarded-for': '203.0.113.7' };
const thief = { 'x-device-id': 'thief-0001', 'x-forwarded-for': '203.0.113.7' };
const abroad = { 'x-device-id': 'phone-0001', 'x-forwarded-for': '198.51.100.9' };

const refused = {
  status: 401,
  body: { code: 'INVALID_REFRESH_TOKEN', message: anyString, requestId: anyString },
};
const auditOf = (sessionId: string) =>
  sql(
    `SELECT action, actor_user_id, host(ip_address) AS ip FROM audit_events WHERE target_id = $1 ORDER BY id`,
    [sessionId],
  );
const revocationsOf = (sid: string) => sql('SELECT kind FROM revocations WHERE sid = $1', [sid]);
const mailsTo = (email: string) => sql('SELECT template FROM mail_outbox WHERE recipient = $1', [email]);
const storedOf = async (sessionId: string) =>
  (await sql('SELECT *, refresh_hash AS hash FROM sessions WHERE id = $1', [sessionId]))[0];

describe('POST /refresh', () => {
  test('gives a fresh access token and the next refresh token, and the session keeps its end', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const first = claimsOf(ada.token);
    clock.advance({ minutes: 20 });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);

    const { status, body } = await refresh(app, ada.refreshToken, phone);
    expect(status).toBe(200);
    expect(body).toEqual({
      session: {
        id: ada.sessionId,
        token: anyString,
        expiresAt: anyString,
        tokenExpiresAt: new Date(Number(claimsOf(body.session.token)['exp']) * 1_000).toISOString(),
        refreshToken: anyString,
      },
    });
    expect(body.session.refreshToken).not.toBe(ada.refreshToken);
    const claims = claimsOf(body.session.token);
    expect(claims).toEqual({ ...first, iat: claims['iat'], exp: claims['exp'] });
    expect(Number(claims['iat'])).toBeGreaterThan(Number(first['iat']));
    expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(200);
    expect((await refresh(app, body.session.refreshToken, phone)).status).toBe(200);
  });

  test('gives 20 parallel uses of one token the same successor, the only live one [S-61]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(app, ada.refreshToken, phone)),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    const successors = new Set(answers.map(({ body }) => body.session.refreshToken));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    expect((await storedOf(ada.sessionId))?.['hash']).toEqual(
      createHash('sha256').update(successor).digest(),
    );
    for (const { body } of answers) {
      expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(200);
    }
    expect((await refresh(app, successor, phone)).status).toBe(200);
    expect(await revocationsOf(ada.sessionId)).toEqual([]);
  });

  test('gives a client that lost the response the same successor again, hours later too', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const lost = await refresh(app, ada.refreshToken, phone);
    clock.advance({ minutes: 300 });
    const again = await refresh(app, ada.refreshToken, phone);
    expect(again.status).toBe(200);
    expect(again.body.session.refreshToken).toBe(lost.body.session.refreshToken);
  });

  test('gives a second tab the same successor within 10 s of its first use', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const successor = (await refresh(app, ada.refreshToken, phone)).body.session.refreshToken;
    const third = (await refresh(app, successor, phone)).body.session.refreshToken;
    clock.advance({ seconds: 10 });
    const late = await refresh(app, ada.refreshToken, phone);
    expect(late.status).toBe(200);
    expect(late.body.session.refreshToken).toBe(successor);
    const caughtUp = await refresh(app, late.body.session.refreshToken, phone);
    expect(caughtUp.body.session.refreshToken).toBe(third);
    expect((await refresh(app, third, phone)).status).toBe(200);
  });

  test('ends the family when a token is used after the grace period, records it and notifies the user [S-61]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const successor = (await refresh(app, ada.refreshToken, phone)).body.session;
    const newest = (await refresh(app, successor.refreshToken, phone)).body.session;
    clock.advance({ seconds: 10, milliseconds: 1 });

    expect(await refresh(app, ada.refreshToken, phone)).toMatchObject(refused);
    expect((await send(app, 'GET /session', { token: newest.token })).status).toBe(401);
    for (const token of [newest.refreshToken, successor.refreshToken, ada.refreshToken]) {
      expect(await refresh(app, token, phone)).toMatchObject(refused);
    }
    expect(await revocationsOf(ada.sessionId)).toEqual([{ kind: 'session' }]);
    expect(await auditOf(ada.sessionId)).toContainEqual({
      action: 'session.reuse-detected',
      actor_user_id: ada.id,
      ip: '203.0.113.7',
    });
    expect(await mailsTo(ada.email)).toContainEqual({ template: 'session-reuse-detected' });
  });

  test('notifies once, however many requests detect the theft concurrently', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(app, ada.refreshToken, thief)),
    );
    for (const answer of answers) expect(answer).toMatchObject(refused);
    expect(await revocationsOf(ada.sessionId)).toHaveLength(1);
    const mails = await mailsTo(ada.email);
    expect(mails.filter(({ template }) => template === 'session-reuse-detected')).toHaveLength(1);
  });

  test('ends the family when a token comes from another device, and no other session [S-69]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const laptop = (await signIn(app, ada.email, { 'x-device-id': 'laptop-0001' })).body.session;
    expect(await refresh(app, ada.refreshToken, thief)).toMatchObject(refused);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect(await refresh(app, ada.refreshToken, phone)).toMatchObject(refused);
    expect(await auditOf(ada.sessionId)).toContainEqual({
      action: 'session.device-refused',
      actor_user_id: ada.id,
      ip: '203.0.113.7',
    });
    expect((await refresh(app, laptop.refreshToken, { 'x-device-id': 'laptop-0001' })).status).toBe(200);
  });

  test('refuses a token at another address with an audit entry, and the session continues at its own [S-69]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const { status, body } = await refresh(app, ada.refreshToken, abroad);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'SESSION_ADDRESS_CHANGED' });
    expect(await auditOf(ada.sessionId)).toContainEqual({
      action: 'session.address-refused',
      actor_user_id: ada.id,
      ip: '198.51.100.9',
    });
    expect(await revocationsOf(ada.sessionId)).toEqual([]);
    expect(await mailsTo(ada.email)).not.toContainEqual({ template: 'session-reuse-detected' });
    expect((await refresh(app, ada.refreshToken, phone)).status).toBe(200);
  });

  test('reveals nothing to a thief: every refusal is the same', async () => {
    const eve = await signUp(app, 'Eve', phone);
    const ended = await signUp(app, 'Bob', phone);
    await send(app, 'POST /sign-out', { token: ended.token, headers: phone });
    const headers = { 'x-request-id': 'same' };
    const refusals = [
      await refresh(app, ended.refreshToken, { ...phone, ...headers }),
      await refresh(app, eve.refreshToken, { ...thief, ...headers }),
      await refresh(app, 'trt_unknown', { ...phone, ...headers }),
      await refresh(app, `${eve.refreshToken}x`, { ...phone, ...headers }),
    ];
    for (const { status, body, headers: answered } of refusals) {
      expect({ status, body }).toEqual({ status: 401, body: refusals[0]?.body });
      expect(answered['set-cookie']).toBeUndefined();
      expect(answered['www-authenticate']).toBe('Bearer');
    }
  });

  test.each([
    ['no token at all', undefined, 400],
    ['no token in the body', {}, 400],
    ['an organization alone', { organizationId: '01890a5d-ac96-774b-bcce-b302099a8057' }, 400],
    ['what is no token', { refreshToken: 'x' }, 401],
    ['a number', { refreshToken: 1 }, 400],
    ['an empty token', { refreshToken: '' }, 400],
    ['an endless token', { refreshToken: 'x'.repeat(2_000) }, 400],
    ['an unknown field', { refreshToken: 'x', scope: 'all' }, 400],
    ['an organization that is no UUID', { refreshToken: 'x', organizationId: '42' }, 400],
    ['a list', [], 400],
    ['NUL', { refreshToken: 'trt_\u0000' }, 400],
  ])('answers %s with the right refusal', async (_name, body, status) => {
    const answer = await send(app, 'POST /refresh', { body });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(status === 400 ? 'VALIDATION_ERROR' : 'INVALID_REFRESH_TOKEN');
  });

  test('says that the token is missing where there is none: to a browser, that there is no session', async () => {
    const bare = await send(app, 'POST /refresh', { body: {} });
    expect(bare.body.details).toEqual([{ field: 'refreshToken', rule: 'required', message: 'is required' }]);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const page = await send(app, 'POST /refresh', { headers });
    expect([page.status, page.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('a session that is renewed', () => {
  test('ends 7 days after it began, however often it is', async () => {
    const ada = await signUp(app, 'Ada', phone);
    let token = ada.refreshToken;
    for (let day = 0; day < 7; day += 1) {
      clock.advance({ days: 1, seconds: day === 6 ? -1 : 0 });
      const { status, body } = await refresh(app, token, phone);
      expect(status).toBe(200);
      expect(Date.parse(body.session.tokenExpiresAt)).toBeLessThanOrEqual(Date.parse(body.session.expiresAt));
      token = body.session.refreshToken;
    }
    clock.advance({ seconds: 2 });
    expect(await refresh(app, token, phone)).toMatchObject(refused);
  });

  test('says when it was last active', async () => {
    const ada = await signUp(app, 'Ada', phone);
    clock.advance({ minutes: 30 });
    const { session } = (await refresh(app, ada.refreshToken, phone)).body;
    const listed = await send(app, 'GET /sessions', { token: session.token, headers: phone });
    expect(listed.body.sessions).toMatchObject([{ lastActiveAt: now().toISOString() }]);
  });

  test('ends with its user', async () => {
    const ada = await signUp(app, 'Ada', phone);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    expect(await refresh(app, ada.refreshToken, phone)).toMatchObject(refused);
  });

  test('outlives a rotation of AUTH_SECRET, and not the secret that it was made under', async () => {
    const { app, config, database } = await startService({ now });
    const ada = await signUp(app, 'Ada', phone);
    const lost = await refresh(app, ada.refreshToken, phone);
    const AUTH_SECRET = 'nG3mB8xQ1zR5tY7uN2kL9pW4sD6fH0jC+aE=';
    const former = config.AUTH_SECRET;
    const settings = { AUTH_SECRET, AUTH_SECRET_PREVIOUS: former, TOKEN_SECRET_PREVIOUS: former };
    const rotated = await startService({ database, now, settings });
    const again = await refresh(rotated.app, ada.refreshToken, phone);
    expect(again.body.session.refreshToken).toBe(lost.body.session.refreshToken);
    const next = await refresh(rotated.app, again.body.session.refreshToken, phone);
    expect(next.status).toBe(200);
    // Made under the new secret.
    expect(await refresh(app, next.body.session.refreshToken, phone)).toMatchObject(refused);
    expect((await refresh(rotated.app, next.body.session.refreshToken, phone)).status).toBe(200);
  });
});

describe('SESSION_IDLE_HOURS', () => {
  test('ends a session that was not used for so long, and no other [S-58]', async () => {
    const idle = await startService({
      database,
      now,
      settings: { AUTH_SECRET: config.AUTH_SECRET, SESSION_IDLE_HOURS: '24' },
    });
    const [used, unused] = [await signUp(idle.app, 'Ada', phone), await signUp(idle.app, 'Bob', phone)];
    clock.advance({ minutes: 23 * 60 });
    const renewed = await refresh(idle.app, used.refreshToken, phone);
    clock.advance({ minutes: 61 });
    expect(await refresh(idle.app, unused.refreshToken, phone)).toMatchObject(refused);
    expect((await refresh(idle.app, renewed.body.session.refreshToken, phone)).status).toBe(200);
  });

  test('counts a repeated request for a lost response', async () => {
    const idle = await startService({
      database,
      now,
      settings: { AUTH_SECRET: config.AUTH_SECRET, SESSION_IDLE_HOURS: '24' },
    });
    const ada = await signUp(idle.app, 'Ada', phone);
    await refresh(idle.app, ada.refreshToken, phone);
    clock.advance({ minutes: 23 * 60 });
    const { session } = (await refresh(idle.app, ada.refreshToken, phone)).body;
    clock.advance({ minutes: 23 * 60 });
    expect((await refresh(idle.app, session.refreshToken, phone)).status).toBe(200);
  });
});

describe('organizationId', () => {
  const inOrganization = (refreshToken: string, organizationId: string) =>
    send(app, 'POST /refresh', { body: { refreshToken, organizationId }, headers: phone });

  test('lets two tabs hold two organizations, and leaves the active one of the session', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const home = String(claimsOf(ada.token)['organizationId']);
    const slug = `acme-${randomUUID().slice(0, 8)}`;
    const { organization } = (
      await send(app, 'POST /organization/create', {
        token: ada.token,
        headers: phone,
        body: { name: 'Acme', slug },
      })
    ).body;

    const acme = await inOrganization(ada.refreshToken, organization.id.toUpperCase());
    const personal = await inOrganization(acme.body.session.refreshToken, home);
    expect(claimsOf(acme.body.session.token)).toMatchObject({
      organizationId: organization.id,
      role: 'owner',
    });
    expect(claimsOf(personal.body.session.token)).toMatchObject({ organizationId: home });
    for (const [{ body }, id] of [
      [acme, organization.id],
      [personal, home],
    ] as const) {
      const read = await send(app, 'GET /session', { token: body.session.token, headers: phone });
      expect(read.body.organization.id).toBe(id);
    }
    const plain = await refresh(app, personal.body.session.refreshToken, phone);
    expect(claimsOf(plain.body.session.token)['organizationId']).toBe(home);
  });

  test('that is foreign is 404 like a random one, and changes nothing', async () => {
    const [ada, eve] = [await signUp(app, 'Ada', phone), await signUp(app, 'Eve', phone)];
    const before = await storedOf(ada.sessionId);
    const foreign = String(claimsOf(eve.token)['organizationId']);
    for (const id of [foreign, randomUUID()]) {
      const { status, body } = await inOrganization(ada.refreshToken, id);
      expect(status).toBe(404);
      expect(body.code).toBe('NOT_FOUND');
    }
    expect(await storedOf(ada.sessionId)).toEqual(before);
    expect((await refresh(app, ada.refreshToken, phone)).status).toBe(200);
  });

  test('of which the user is no longer a member gets no token, and the session continues in another [S-115]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const slug = `acme-${randomUUID().slice(0, 8)}`;
    const { organization } = (
      await send(app, 'POST /organization/create', {
        token: ada.token,
        headers: phone,
        body: { name: 'Acme', slug },
      })
    ).body;
    await send(app, 'POST /organization/switch', {
      token: ada.token,
      headers: phone,
      body: { organizationId: organization.id },
    });
    await sql('DELETE FROM members WHERE user_id = $1 AND organization_id = $2', [ada.id, organization.id]);

    expect((await inOrganization(ada.refreshToken, organization.id)).status).toBe(404);
    const { status, body } = await refresh(app, ada.refreshToken, phone);
    expect(status).toBe(200);
    expect(claimsOf(body.session.token)['organizationId']).toBe(claimsOf(ada.token)['organizationId']);
  });
});

describe('one kind of token', () => {
  test('never works as another [S-86]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const csrf = (await send(app, 'GET /csrf', { token: ada.token })).body.token;
    for (const wrong of [ada.token, ada.sessionId, csrf, `trt_${csrf}`]) {
      expect(await refresh(app, wrong, phone)).toMatchObject(refused);
    }
    for (const wrong of [ada.refreshToken, csrf, ada.sessionId]) {
      const { status, body } = await send(app, 'GET /session', { token: wrong, headers: phone });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    }
  });

  test("stored in the database does not sign in: neither a token's digest nor any other value of a session [S-57]", async () => {
    const ada = await signUp(app, 'Ada', phone);
    const { session } = (await refresh(app, ada.refreshToken, phone)).body;
    const stored = await storedOf(ada.sessionId);
    const everything = JSON.stringify(
      await sql('SELECT row_to_json(s)::text AS s, encode(refresh_hash, $1) AS h FROM sessions s', [
        'base64',
      ]),
    );
    for (const secret of [ada.refreshToken, session.refreshToken, session.token]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret.slice(4), 'base64url').toString('hex').slice(72));
    }
    const hash = stored?.['hash'] as Buffer;
    const ids = Buffer.from(session.refreshToken.slice(4), 'base64url').subarray(0, 36);
    for (const forged of [hash, Buffer.concat([ids, hash])]) {
      expect(await refresh(app, `trt_${forged.toString('base64url')}`, phone)).toMatchObject(refused);
    }
    expect((await refresh(app, session.refreshToken, phone)).status).toBe(200);
  });
});
