import { describe, expect, test } from 'vitest';
import { Browser, setCookiesOf } from './support/browser.ts';
import { claimsOf, password, refresh, send, signUp } from './support/client.ts';
import { startByClock } from './support/two-factor.ts';

const { app, clock, sql } = await startByClock({
  settings: { FRONTEND_URL: 'https://app.example.com' },
});

const signOut = (request: Parameters<typeof send>[2] = {}) => send(app, 'POST /sign-out', request);
const done = { status: 200, body: { success: true } };

async function isAlive(sessionId: string): Promise<boolean> {
  const rows = await sql('SELECT 1 FROM sessions WHERE id = $1 AND revoked_at IS NULL', [sessionId]);
  return rows.length > 0;
}

async function signedInBrowser() {
  const browser = new Browser(app);
  const { email } = await signUp(app);
  const { session } = (await browser.send('POST /sign-in/email', { body: { email, password } })).body;
  return { browser, session };
}

describe('signing out without a browser', () => {
  test('ends the session by an access token that has expired [S-63]', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 20 });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);

    expect(await signOut({ token: ada.token })).toMatchObject(done);
    expect((await refresh(app, ada.refreshToken)).status).toBe(401);
    const [recorded] = await sql(
      `SELECT actor_user_id AS actor FROM audit_events WHERE action = 'session.revoked' AND target_id = $1`,
      [ada.sessionId],
    );
    expect(recorded).toEqual({ actor: ada.id });
    const revoked = await sql('SELECT kind FROM revocations WHERE sub = $1', [ada.id]);
    expect(revoked).toEqual([{ kind: 'session' }]);
  });

  test('ends it by the refresh token, days later and from another network [S-63]', async () => {
    const ada = await signUp(app);
    clock.advance({ days: 3 });
    const body = { refreshToken: ada.refreshToken };
    expect(await signOut({ body, headers: { 'x-device-id': 'phone-0001' } })).toMatchObject(done);
    expect(await isAlive(ada.sessionId)).toBe(false);
  });

  test('responds the same for a session that has already ended, and records it once [S-63]', async () => {
    const ada = await signUp(app);
    for (const request of [
      { token: ada.token },
      { token: ada.token },
      { body: { refreshToken: ada.refreshToken } },
    ]) {
      expect(await signOut(request)).toMatchObject(done);
    }
    const recorded = await sql(
      `SELECT id FROM audit_events WHERE action = 'session.revoked' AND target_id = $1`,
      [ada.sessionId],
    );
    expect(recorded).toHaveLength(1);
  });

  test('believes no token whose signature does not hold, expired or not [S-63]', async () => {
    const ada = await signUp(app);
    const bob = await signUp(app, 'Bob');
    clock.advance({ minutes: 20 });
    const [head = '', , signature = ''] = ada.token.split('.');
    const claims = { ...claimsOf(ada.token), sub: bob.id, sid: bob.sessionId };
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    for (const token of [forged, 'x', `${ada.token}A`]) {
      const { status, body } = await signOut({ token });
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
    const { status, body } = await signOut({ body: { refreshToken: `${bob.refreshToken}x` } });
    expect([status, body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    expect(await isAlive(bob.sessionId)).toBe(true);
  });

  test('asks a client that names no session to name one', async () => {
    const { status, body } = await signOut();
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('signing out of a browser', () => {
  test('ends the session when its access cookie has long expired, and takes the cookies away [S-63]', async () => {
    const { browser, session } = await signedInBrowser();
    clock.advance({ minutes: 120 });
    expect(await browser.sendSafely('POST /sign-out')).toMatchObject(done);
    expect(await isAlive(session.id)).toBe(false);
    expect(browser.cookies).toMatchObject({ access: undefined, refresh: undefined });
  });

  test('ends it by only the access cookie, even an expired one', async () => {
    const { browser, session } = await signedInBrowser();
    const csrf = (await browser.send('GET /csrf')).body.token;
    const alone = new Browser(app);
    alone.steal(browser, ['__Host-access', '__Secure-device']);
    clock.advance({ minutes: 20 });
    expect((await alone.send('POST /sign-out')).body.code).toBe('CSRF_FAILED');
    expect(await alone.send('POST /sign-out', { headers: { 'x-csrf-token': csrf } })).toMatchObject(done);
    expect(await isAlive(session.id)).toBe(false);
  });

  test('takes no other page’s word for it, and no wrong CSRF token [S-63]', async () => {
    const { browser, session } = await signedInBrowser();
    clock.advance({ minutes: 20 });
    const csrf = (await browser.send('GET /csrf')).body.token;
    const foreign = { origin: 'https://evil.example', 'x-csrf-token': csrf };
    expect((await browser.send('POST /sign-out', { headers: foreign })).body.code).toBe('ORIGIN_NOT_ALLOWED');
    for (const headers of [{}, { 'x-csrf-token': 'x' }]) {
      const refused = await browser.send('POST /sign-out', { headers });
      expect(refused.body.code).toBe('CSRF_FAILED');
      expect(setCookiesOf(refused)).toEqual([]);
    }
    expect(await isAlive(session.id)).toBe(true);
  });

  test('clears cookies of an ended session, and needs no valid ones [S-63]', async () => {
    const { browser, session } = await signedInBrowser();
    await sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', [session.id]);
    expect(await browser.sendSafely('POST /sign-out')).toMatchObject(done);
    expect(await browser.send('POST /sign-out')).toMatchObject(done);
    const garbage = { cookie: '__Host-access=x; __Secure-refresh=y' };
    const cleared = await browser.send('POST /sign-out', { headers: garbage });
    expect(cleared).toMatchObject(done);
    expect(setCookiesOf(cleared)).toHaveLength(2);
  });
});
