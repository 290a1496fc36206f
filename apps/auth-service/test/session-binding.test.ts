import { describe, expect, test } from 'vitest';
import { codeAt } from './support/authenticator.ts';
import { Browser, frontend } from './support/browser.ts';
import { claimsOf, newEmail, password, refresh, send, signUp } from './support/client.ts';
import { lettersTo } from './support/mail.ts';
import { startService } from './support/service.ts';

const service = await startService({ settings: { TRUST_PROXY: '127.0.0.1', FRONTEND_URL: frontend } });
const { app, sql } = service;

const at = (
  address: string,
  more: Readonly<Record<string, string>> = { 'x-device-id': 'adas-phone-0001' },
) => ({
  'x-forwarded-for': address,
  ...more,
});
const auditOf = async (sessionId: string) =>
  (await sql('SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id', [sessionId])).map(
    ({ action }) => action,
  );

describe('a session continues', () => {
  test('at the temporary addresses of one IPv6 network (RFC 8981) [S-69]', async () => {
    const ada = await signUp(app, 'Ada', at('2001:db8:1:2::aaaa'));
    let { refreshToken } = ada;
    for (const address of ['2001:db8:1:2:1234::1', '2001:db8:1:2:9:8:7:6']) {
      const { status, body } = await refresh(app, refreshToken, at(address));
      expect(status).toBe(200);
      ({ refreshToken } = body.session);
    }
    expect((await refresh(app, refreshToken, at('2001:db8:1:3::aaaa'))).status).toBe(401);
  });

  test('on IPv4 and IPv6 in turn, each at the address that it has been seen at [S-69]', async () => {
    const ada = await signUp(app, 'Ada', at('203.0.113.7'));
    let { refreshToken } = ada;
    for (const address of ['2001:db8:1:2::1', '203.0.113.7', '2001:db8:1:2::2', '203.0.113.7']) {
      const { status, body } = await refresh(app, refreshToken, at(address));
      expect({ address, status }).toEqual({ address, status: 200 });
      ({ refreshToken } = body.session);
    }
    // The pair is complete: another of either family is elsewhere.
    for (const address of ['203.0.113.8', '2001:db8:1:3::1']) {
      expect((await refresh(app, refreshToken, at(address))).status).toBe(401);
    }
    expect((await refresh(app, refreshToken, at('203.0.113.7'))).status).toBe(200);
  });

  test('in a browser on both, whose access token names both', async () => {
    const browser = new Browser(app, { origin: frontend, ...at('203.0.113.7', {}) });
    const body = { email: newEmail(), password, name: 'Ada' };
    const { session } = (await browser.send('POST /sign-up/email', { body })).body;
    expect(String(claimsOf(session.token)['bnd'])).toMatch(/^[\w-]{22}\.~[\w-]{8}$/);
    const overIpv6 = { headers: { 'x-forwarded-for': '2001:db8:1:2::1' } };
    const renewed = await browser.sendSafely('POST /refresh', overIpv6);
    expect(renewed.status).toBe(200);
    expect(String(claimsOf(renewed.body.session.token)['bnd'])).toMatch(/^[\w-]{22}\.[\w-]{22}\.~[\w-]{8}$/);
    expect((await browser.send('GET /session', overIpv6)).status).toBe(200);
    expect((await browser.send('GET /session')).status).toBe(200);
  });

  test('after the app was updated: without a name of its own, a device is the products of its User-Agent [S-69]', async () => {
    const app1 = { 'user-agent': 'MyApp/1.2.3 (iPhone; iOS 18.1)' };
    const app2 = { 'user-agent': 'MyApp/1.2.4 (iPhone; iOS 18.2)' };
    const ada = await signUp(app, 'Ada', at('203.0.113.7', app1));
    const { status, body } = await refresh(app, ada.refreshToken, at('203.0.113.7', app2));
    expect(status).toBe(200);
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email']);
    const other = { 'user-agent': 'AnotherApp/1.2.4 (iPhone; iOS 18.2)' };
    expect((await refresh(app, body.session.refreshToken, at('203.0.113.7', other))).status).toBe(401);
  });
});

describe('POST /session/rebind', () => {
  const home = at('203.0.113.7');
  const train = at('198.51.100.9');
  const rebind = (body: object, headers: Readonly<Record<string, string>> = train) =>
    send(app, 'POST /session/rebind', { body, headers });

  test('continues the same session at another address, by the password [S-69]', async () => {
    const ada = await signUp(app, 'Ada', home);
    const { refreshToken } = ada;
    const refused = await refresh(app, refreshToken, train);
    expect([refused.status, refused.body.code]).toEqual([401, 'SESSION_ADDRESS_CHANGED']);
    const { status, body } = await rebind({ refreshToken, password });
    expect(status).toBe(200);
    expect(body.session.id).toBe(ada.sessionId);
    const { token } = body.session;
    expect((await send(app, 'GET /session', { token, headers: train })).body.session.id).toBe(ada.sessionId);
    expect((await refresh(app, body.session.refreshToken, train)).status).toBe(200);
    expect(await auditOf(ada.sessionId)).toContain('session.rebound');
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email']);
  });

  test('continues by a code of the second factor', async () => {
    const ada = await signUp(app, 'Ada', home);
    const begun = await send(app, 'POST /two-factor/enable', {
      token: ada.token,
      body: { password },
      headers: home,
    });
    const code = codeAt(begun.body.secret, new Date());
    const confirmed = await send(app, 'POST /two-factor/verify-totp', {
      token: ada.token,
      body: { code },
      headers: home,
    });
    const { refreshToken } = confirmed.body.session;
    expect((await rebind({ refreshToken, code })).body.code).toBe('INVALID_CODE');
    const [backupCode] = begun.body.backupCodes;
    expect((await rebind({ refreshToken, code: backupCode })).status).toBe(200);
  });

  test('is refused without the right password or on another device, which ends the session [S-69]', async () => {
    const ada = await signUp(app, 'Ada', home);
    const { refreshToken } = ada;
    expect((await rebind({ refreshToken, password: 'not the password' })).body.code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect((await rebind({ refreshToken })).body.code).toBe('VALIDATION_ERROR');
    expect((await refresh(app, refreshToken, train)).body.code).toBe('SESSION_ADDRESS_CHANGED');
    expect((await rebind({ refreshToken, code: '000000' })).body.code).toBe('TWO_FACTOR_NOT_ENABLED');
    const thief = at('198.51.100.9', { 'x-device-id': 'a-thief-0001' });
    expect((await rebind({ refreshToken, password }, thief)).body.code).toBe('INVALID_REFRESH_TOKEN');
    expect((await refresh(app, refreshToken, home)).status).toBe(401);
  });

  test('takes a browser’s cookie with its CSRF token, and sets new ones', async () => {
    const browser = new Browser(app, { origin: frontend, ...at('203.0.113.7', {}) });
    const body = { email: newEmail(), password, name: 'Ada' };
    const { session } = (await browser.send('POST /sign-up/email', { body })).body;
    const there = { body: { password }, headers: { 'x-forwarded-for': '198.51.100.9' } };
    expect((await browser.send('POST /session/rebind', there)).body.code).toBe('CSRF_FAILED');
    const rebound = await browser.sendSafely('POST /session/rebind', there);
    expect([rebound.status, rebound.body.session.id]).toEqual([200, session.id]);
    expect((await browser.send('GET /session', { headers: there.headers })).status).toBe(200);
  });
});

test('repeated refusals leave only a few rows in the audit trail [S-69]', async () => {
  const ada = await signUp(app, 'Ada', at('203.0.113.7'));
  for (let n = 0; n < 30; n += 1) {
    expect((await refresh(app, ada.refreshToken, at(`198.51.100.${n}`))).status).toBe(401);
  }
  const refused = (await auditOf(ada.sessionId)).filter((action) => action === 'session.address-refused');
  expect(refused).toHaveLength(5);
  expect((await refresh(app, ada.refreshToken, at('203.0.113.7'))).status).toBe(200);
});
