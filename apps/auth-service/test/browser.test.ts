import { randomUUID } from 'node:crypto';
import { testClock } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { Browser, frontend, setCookiesOf } from './support/browser.ts';
import { claimsOf, newEmail, password, refresh, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const clock = testClock(new Date());
const { app, sql } = await startService({
  now: () => new Date(clock()),
  settings: { NODE_ENV: 'production', BCRYPT_COST: '10', TRUST_PROXY: '127.0.0.1', ...publicAddresses() },
});

function publicAddresses() {
  return {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: frontend,
    FRONTEND_STAGING_URL: 'https://staging.example.com',
  };
}

const names = { access: '__Host-access', refresh: '__Secure-refresh', device: '__Secure-device' };
const all = Object.values(names);

async function signedUp(browser = new Browser(app)) {
  const body = { email: newEmail(), password, name: 'Ada' };
  const answer = await browser.send('POST /sign-up/email', { body });
  expect(answer.status).toBe(201);
  return { browser, email: body.email, answer, session: answer.body.session };
}

describe('a browser that signs in', () => {
  test('gets cookies that no script can read, and no refresh token in the body [S-125]', async () => {
    const { browser, email, answer } = await signedUp();
    for (const { body, headers } of [
      answer,
      await browser.send('POST /sign-in/email', { body: { email, password } }),
    ]) {
      expect(body.session.refreshToken).toBeUndefined();
      const lines = setCookiesOf({ headers, body, status: 200 });
      expect(lines).toHaveLength(3);
      const [access, refreshing, device] = lines;
      const week = 7 * 24 * 60 * 60;
      expect(access).toBe(
        `${names.access}=${body.session.token}; Max-Age=${week}; Path=/; HttpOnly; Secure; SameSite=Lax`,
      );
      expect(refreshing).toMatch(
        new RegExp(
          `^${names.refresh}=trt_[\\w-]{91}; Max-Age=${week}; Path=/api/auth; HttpOnly; Secure; SameSite=Strict$`,
        ),
      );
      expect(device).toMatch(
        /^__Secure-device=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
  });

  test('is known again as the same device, by a name it cannot choose', async () => {
    const { browser, email } = await signedUp();
    const name = browser.cookies.device?.split('.')[0];
    await browser.send('POST /sign-in/email', { body: { email, password } });
    expect(browser.cookies.device?.split('.')[0]).toBe(name);

    const forged = `${'A'.repeat(22)}.${'A'.repeat(43)}`;
    const answer = await send(app, 'POST /sign-in/email', {
      body: { email, password },
      headers: { ...browser.headers, cookie: `${names.device}=${forged}` },
    });
    const given = setCookiesOf(answer).find((line) => line.startsWith(names.device));
    expect(given).toBeDefined();
    expect(given).not.toContain('A'.repeat(22));
  });

  test('gets a new session id each time [S-60]', async () => {
    const { browser, email, session } = await signedUp();
    const again = await browser.send('POST /sign-in/email', { body: { email, password } });
    expect(again.body.session.id).not.toBe(session.id);
  });

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:5173',
    'https://app.example.com.evil.example',
  ])('from the page %s is refused, up as well as in [S-126]', async (origin) => {
    const { email } = await signedUp();
    const eve = { email: newEmail(), password, name: 'Eve' };
    for (const [request, body] of [
      ['POST /sign-in/email', { email, password }],
      ['POST /sign-up/email', eve],
    ] as const) {
      const { status, body: refusal, headers } = await send(app, request, { body, headers: { origin } });
      expect({ status, code: refusal.code }).toEqual({ status: 403, code: 'ORIGIN_NOT_ALLOWED' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect(await sql('SELECT 1 FROM users WHERE email = $1', [eve.email])).toEqual([]);
  });

  test('may come from staging', async () => {
    const { answer } = await signedUp(new Browser(app, { origin: 'https://staging.example.com' }));
    expect(answer.headers['access-control-allow-origin']).toBe('https://staging.example.com');
  });
});

describe('a session in a cookie', () => {
  test('reads without a CSRF token, and changes nothing without one', async () => {
    const { browser, session } = await signedUp();
    expect((await browser.send('GET /session')).body.session.id).toBe(session.id);

    const change = { body: { name: 'Acme', slug: `acme-${randomUUID().slice(0, 8)}` } };
    const bare = await browser.send('POST /organization/create', change);
    expect(bare).toMatchObject({ status: 403, body: { code: 'CSRF_FAILED' } });
    for (const wrong of ['', 'x', session.token, session.id]) {
      const answer = await browser.send('POST /organization/create', {
        ...change,
        headers: { 'x-csrf-token': wrong },
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_FAILED' } });
    }
    expect((await browser.sendSafely('POST /organization/create', change)).status).toBe(201);
  });

  test("is not opened by another session's CSRF token", async () => {
    const [{ browser }, { browser: eve }] = [await signedUp(), await signedUp()];
    const token = (await eve.send('GET /csrf')).body.token;
    for (const request of ['POST /sign-out', 'POST /refresh', 'DELETE /sessions?scope=all']) {
      const answer = await browser.send(request, { headers: { 'x-csrf-token': token } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_FAILED' } });
    }
    expect((await browser.send('GET /session')).status).toBe(200);
  });

  test('changes nothing for another page, whatever that page has learned [S-126]', async () => {
    const { browser } = await signedUp();
    const csrf = (await browser.send('GET /csrf')).body.token;
    for (const request of ['POST /sign-out', 'POST /refresh', 'DELETE /sessions?scope=all']) {
      for (const origin of ['https://evil.example', 'null']) {
        const answer = await browser.send(request, { headers: { origin, 'x-csrf-token': csrf } });
        expect(answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_NOT_ALLOWED' } });
      }
    }
    expect((await browser.send('GET /session')).status).toBe(200);
  });

  test('is renewed by the refresh cookie, even long after its access token has expired', async () => {
    const { browser, session } = await signedUp();
    clock.advance({ minutes: 60 });
    expect((await browser.send('GET /session')).status).toBe(401);

    const renewed = await browser.sendSafely('POST /refresh');
    expect(renewed.status).toBe(200);
    expect(renewed.body.session).toMatchObject({ id: session.id });
    expect(renewed.body.session.refreshToken).toBeUndefined();
    expect(setCookiesOf(renewed)).toHaveLength(3);
    expect(setCookiesOf(renewed)[0]).toContain(`Max-Age=${7 * 24 * 60 * 60 - 60 * 60};`);
    expect((await browser.send('GET /session')).status).toBe(200);
  });

  test('is renewed by two tabs concurrently', async () => {
    const { browser } = await signedUp();
    const csrf = (await browser.send('GET /csrf')).body.token;
    const tabs = Array.from({ length: 6 }, () =>
      browser.send('POST /refresh', { headers: { 'x-csrf-token': csrf } }),
    );
    for (const { status } of await Promise.all(tabs)) expect(status).toBe(200);
    expect((await browser.sendSafely('POST /refresh')).status).toBe(200);
    expect((await browser.send('GET /session')).status).toBe(200);
  });

  test('lets one tab hold another organization without moving the others', async () => {
    const { browser, session } = await signedUp();
    const home = claimsOf(session.token)['organizationId'];
    const created = await browser.sendSafely('POST /organization/create', {
      body: { name: 'Acme', slug: `acme-${randomUUID().slice(0, 8)}` },
    });
    const organizationId = created.body.organization.id;
    const own = await browser.sendSafely('POST /refresh', { body: { organizationId } });
    expect(claimsOf(own.body.session.token)['organizationId']).toBe(organizationId);
    expect((await browser.send('GET /session')).body.organization.id).toBe(home);
    const inTab = await send(app, 'GET /session', { token: own.body.session.token });
    expect(inTab.body.organization.id).toBe(organizationId);

    const switched = await browser.sendSafely('POST /organization/switch', { body: { organizationId } });
    expect(switched.status).toBe(200);
    expect((await browser.send('GET /session')).body.organization.id).toBe(organizationId);
  });

  test('ends at sign-out, and its cookies with it; the browser stays known', async () => {
    const { browser } = await signedUp();
    const { access, refresh: renewing } = browser.cookies;
    const answer = await browser.sendSafely('POST /sign-out');
    expect(answer.body).toEqual({ success: true });
    expect(browser.cookies).toMatchObject({ access: undefined, refresh: undefined });
    expect(browser.cookies.device).toBeDefined();
    for (const line of setCookiesOf(answer))
      expect(line).toMatch(/=; Max-Age=0; Path=\/.*; HttpOnly; Secure; /);
    expect((await send(app, 'GET /session', { token: access ?? '' })).status).toBe(401);
    expect((await refresh(app, renewing ?? '')).status).toBe(401);
    expect((await browser.send('GET /session')).status).toBe(401);
    expect((await browser.send('GET /csrf')).status).toBe(401);
  });

  test('ends with all others, its cookies too', async () => {
    const { browser, email } = await signedUp();
    const other = new Browser(app);
    await other.send('POST /sign-in/email', { body: { email, password } });
    const kept = await browser.sendSafely('DELETE /sessions?scope=others');
    expect(kept.body).toEqual({ revoked: 1 });
    expect(setCookiesOf(kept)).toEqual([]);
    expect((await other.send('GET /session')).status).toBe(401);
    const ended = await browser.sendSafely('DELETE /sessions?scope=all');
    expect(ended.body).toEqual({ revoked: 1 });
    expect(setCookiesOf(ended)).toHaveLength(2);
    expect((await browser.send('GET /session')).status).toBe(401);
  });
});

describe('stolen cookies', () => {
  const auditOf = (id: string) =>
    sql('SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id', [id]);

  test.each([
    ['GET /session', [names.access]],
    ['GET /session', [names.access, names.refresh]],
  ])('end the session when another device uses them for %s [S-69]', async (request, stolen) => {
    const { browser, session } = await signedUp();
    const thief = new Browser(app);
    thief.steal(browser, stolen);
    expect((await thief.send(request)).body.code).toBe('UNAUTHENTICATED');
    expect(await auditOf(session.id)).toContainEqual({ action: 'session.device-refused' });
    expect((await browser.send('GET /session')).status).toBe(401);
  });

  test('end the session when another device renews it', async () => {
    const { browser, session } = await signedUp();
    const thief = new Browser(app);
    thief.steal(browser, [names.access, names.refresh]);
    expect((await thief.sendSafely('POST /refresh')).body.code).toBe('INVALID_REFRESH_TOKEN');
    expect(await auditOf(session.id)).toContainEqual({ action: 'session.device-refused' });
    expect((await browser.send('GET /session')).status).toBe(401);
  });

  test('are refused at another address, all of them together too', async () => {
    const { browser, session } = await signedUp();
    const thief = new Browser(app, { ...browser.headers, 'x-forwarded-for': '198.51.100.9' });
    thief.steal(browser, all);
    expect((await thief.send('GET /session')).body.code).toBe('SESSION_ADDRESS_CHANGED');
    expect((await thief.sendSafely('POST /refresh')).body.code).toBe('SESSION_ADDRESS_CHANGED');
    expect(await auditOf(session.id)).toContainEqual({ action: 'session.address-refused' });
    expect((await browser.send('GET /session')).status).toBe(200);
  });
});

describe('GET /csrf', () => {
  test('gives one token per session to every caller who has the session', async () => {
    const { browser, session } = await signedUp();
    const { status, body } = await browser.send('GET /csrf');
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) as string });
    expect((await browser.send('GET /csrf')).body).toEqual(body);
    expect((await send(app, 'GET /csrf', { token: session.token })).body).toEqual(body);
    const other = await signedUp();
    expect((await other.browser.send('GET /csrf')).body).not.toEqual(body);
  });

  test('asks users without one to sign in', async () => {
    for (const cookie of ['', `${names.refresh}=garbage`, `${names.access}=a.b.c`]) {
      const { status, body } = await send(app, 'GET /csrf', { headers: { cookie } });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    }
  });
});

describe('a client without cookies', () => {
  test('gets its tokens in the body, and needs neither Origin nor CSRF token', async () => {
    const ada = await signUp(app);
    expect(ada.refreshToken).toMatch(/^trt_/);
    const renewed = await refresh(app, ada.refreshToken);
    expect(renewed.status).toBe(200);
    expect(renewed.headers['set-cookie']).toBeUndefined();
    const { token } = renewed.body.session;
    expect((await send(app, 'POST /sign-out', { token })).headers['set-cookie']).toBeUndefined();
  });

  test('may be a page that keeps its token in memory', async () => {
    const ada = await signUp(app);
    const headers = { origin: 'https://partner.example' };
    const answer = await send(app, 'DELETE /sessions?scope=all', { token: ada.token, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('a preflight', () => {
  const preflight = (origin: string, path = '/sign-in/email') =>
    send(app, `OPTIONS ${path}`, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });

  test('of a listed origin is answered, on every route', async () => {
    for (const path of ['/sign-in/email', '/session', '/nothing/here']) {
      const { status, headers, body } = await preflight(frontend, path);
      expect({ status, body }).toEqual({ status: 204, body: undefined });
      expect(headers['access-control-allow-origin']).toBe(frontend);
      expect(headers['access-control-allow-headers']).toContain('X-CSRF-Token');
    }
  });

  test.each(['https://evil.example', 'null', 'http://localhost:5173'])(
    'of %s is not [S-128]',
    async (origin) => {
      const { status, headers } = await preflight(origin);
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});
