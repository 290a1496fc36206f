import { describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { anyString, password, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';
import { ask } from './support/organizations.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const service = await startByClock({ settings: { FRONTEND_URL: 'https://app.example.com' } });
const { app, clock, sql } = service;

interface Start {
  readonly status: string;
  readonly reason: string | null;
  readonly csrfToken: string | null;
  readonly user: { readonly id: string } | null;
  readonly session: { readonly id: string } | null;
  readonly organization: { readonly id: string } | null;
  readonly organizations: readonly { readonly id: string; readonly active: boolean }[];
  readonly permissions: readonly string[];
  readonly twoFactor: object | null;
}

const signedOut = {
  user: null,
  session: null,
  organization: null,
  organizations: [],
  permissions: [],
  twoFactor: null,
  signIn: {
    signUp: 'open',
    password: true,
    mailed: false,
    passkeys: false,
    providers: [],
    singleSignOn: false,
  },
  signUp: { passwordMinLength: 8, emailVerificationRequired: false },
};

const startOf = async (browser: Browser) => {
  const { status, body } = await browser.send('GET /start');
  expect(status).toBe(200);
  return body as unknown as Start;
};

async function signedInBrowser() {
  const browser = new Browser(app);
  const { email, id } = await signUp(app);
  const { body } = await browser.send('POST /sign-in/email', { body: { email, password } });
  return { browser, id, session: body.session as typeof body.session & { csrfToken: string } };
}

describe('GET /start', () => {
  test('answers 200 to a caller who is signed out', async () => {
    expect(await startOf(new Browser(app))).toEqual({
      status: 'signed-out',
      reason: 'TOKEN_MISSING',
      csrfToken: null,
      ...signedOut,
    });
  });

  test('names a new browser, which goes by that name in all that it then asks for at once', async () => {
    const browser = new Browser(app);
    await startOf(browser);
    const { device } = browser.cookies;
    expect(device).toEqual(anyString);
    await Promise.all([startOf(browser), startOf(browser)]);
    expect(browser.cookies.device).toBe(device);
  });

  test('returns session, organizations, permissions, second factor and CSRF token together', async () => {
    const { browser, id, session } = await signedInBrowser();
    const start = await startOf(browser);
    expect(start).toMatchObject({
      status: 'signed-in',
      reason: null,
      user: { id, language: null, timeZone: null, emailVerified: false },
      session: { id: session.id, tokenExpiresAt: session.tokenExpiresAt },
      organizations: [{ active: true, accessible: true, role: 'owner' }],
      twoFactor: { enabled: false, methods: [], backupCodesLeft: 0 },
    });
    expect(start.organization?.id).toBe(start.organizations[0]?.id);
    expect(start.permissions).toContain('organization:delete');
    const headers = { 'x-csrf-token': start.csrfToken ?? '' };
    expect((await browser.send('POST /refresh', { headers })).status).toBe(200);
  });

  test('gives a page that opens after the access token has expired what it needs to continue', async () => {
    const { browser } = await signedInBrowser();
    clock.advance({ minutes: 90 });
    const start = await startOf(browser);
    expect(start).toEqual({
      status: 'renewable',
      reason: 'TOKEN_EXPIRED',
      csrfToken: anyString,
      ...signedOut,
    });
    const headers = { 'x-csrf-token': start.csrfToken ?? '' };
    expect((await browser.send('POST /refresh', { headers })).status).toBe(200);
    expect((await startOf(browser)).status).toBe('signed-in');
  });

  test('reports an ended session as ended, not as renewable [S-64]', async () => {
    const { browser, session } = await signedInBrowser();
    await sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', [session.id]);
    const start = await startOf(browser);
    expect(start).toEqual({ status: 'signed-out', reason: 'SESSION_ENDED', csrfToken: null, ...signedOut });
  });

  test('reveals nothing to cookies copied to another device [S-64]', async () => {
    const { browser } = await signedInBrowser();
    const thief = new Browser(app, { origin: 'https://app.example.com', 'user-agent': 'curl/8' });
    thief.steal(browser, ['__Host-access']);
    expect(await startOf(thief)).toMatchObject({ status: 'signed-out', ...signedOut });
  });

  test('names the language and the time zone that a user has chosen', async () => {
    const ada = await signUp(app);
    const chosen = { language: 'sv', timeZone: 'Europe/Stockholm' };
    await ask(service, 'PATCH /user', { token: ada.token, body: chosen });
    const { body } = await ask<Start>(service, 'GET /start', { token: ada.token });
    expect(body.user).toMatchObject(chosen);
  });

  test('tells every caller the rules for creating accounts', async () => {
    const strict = await startService({
      settings: { REQUIRE_EMAIL_VERIFICATION: 'true', PASSWORD_MIN_LENGTH: '15' },
    });
    const { body } = await ask<Start>(strict, 'GET /start');
    const signUp = { passwordMinLength: 15, emailVerificationRequired: true };
    expect(body).toEqual({
      ...signedOut,
      status: 'signed-out',
      reason: 'TOKEN_MISSING',
      csrfToken: null,
      signUp,
    });
  });

  test('serves a client with a bearer token as well, which needs no CSRF token', async () => {
    const ada = await enrol(app, clock);
    const { body } = await ask<Start>(service, 'GET /start', { token: ada.token });
    expect(body).toMatchObject({ status: 'signed-in', csrfToken: null, user: { id: ada.id } });
    expect(body.twoFactor).toMatchObject({ enabled: true, backupCodesLeft: 10 });
  });
});

describe('an answer that starts or renews a session', () => {
  test('contains the CSRF token of a browser, which works immediately', async () => {
    const { browser, session } = await signedInBrowser();
    const renewed = await browser.send('POST /refresh', { headers: { 'x-csrf-token': session.csrfToken } });
    const { csrfToken } = renewed.body.session as unknown as { csrfToken: string };
    const headers = { 'x-csrf-token': csrfToken };
    expect((await browser.send('POST /sign-out', { headers })).status).toBe(200);
  });

  test('has none for any other client', async () => {
    const { email } = await signUp(app);
    const { body } = await send(app, 'POST /sign-in/email', { body: { email, password } });
    expect(body.session).not.toHaveProperty('csrfToken');
  });
});
