import { describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import { password } from './support/client.ts';
import { enrol, nextCode, startByClock, wrongCode, type Enrolled } from './support/two-factor.ts';

const { app, clock } = await startByClock({ settings: { FRONTEND_URL: frontend } });

describe('a browser', () => {
  test('that is new finishes the challenge it was given, and then has its session in cookies', async () => {
    const ada = await enrol(app, clock);
    const browser = new Browser(app);
    const begun = await signIn(browser, ada);
    expect(begun.body.twoFactorRequired).toBe(true);
    expect(browser.cookies.device).toBeDefined();
    expect(browser.cookies.access).toBeUndefined();

    const body = { challengeToken: begun.body.challenge.token, code: nextCode(ada.secret, clock) };
    const other = await new Browser(app).send('POST /two-factor/verify-totp', { body });
    expect([other.status, other.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    const headers = { origin: 'https://evil.example' };
    const foreign = await browser.send('POST /two-factor/verify-totp', { body, headers });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);

    const finished = await browser.send('POST /two-factor/verify-totp', { body });
    expect(finished.status).toBe(200);
    expect(finished.body.session.refreshToken).toBeUndefined();
    expect(browser.cookies.access).toBe(finished.body.session.token);
    expect(browser.cookies.refresh).toBeDefined();
    expect((await browser.send('GET /two-factor')).body.enabled).toBe(true);
  });

  test('steps up by its cookie, from our own page and with the CSRF token of the session alone', async () => {
    const ada = await enrol(app, clock);
    const browser = new Browser(app);
    const { challenge } = (await signIn(browser, ada)).body;
    const first = { challengeToken: challenge.token, code: nextCode(ada.secret, clock) };
    expect((await browser.send('POST /two-factor/verify-totp', { body: first })).status).toBe(200);

    clock.advance({ minutes: 6 });
    expect((await browser.sendSafely('POST /two-factor/backup-codes')).status).toBe(401);
    const body = { code: nextCode(ada.secret, clock) };
    const forged = await browser.send('POST /two-factor/verify-totp', { body });
    expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_FAILED']);
    const wrong = { code: wrongCode(ada.secret, clock) };
    const guessed = await browser.sendSafely('POST /two-factor/verify-totp', { body: wrong });
    expect([guessed.status, guessed.body.code]).toEqual([401, 'INVALID_CODE']);

    const csrfToken = (await browser.send('GET /csrf')).body.token;
    const headers = { 'x-csrf-token': csrfToken };
    const stepped = await browser.send('POST /two-factor/verify-totp', { body, headers });
    expect(stepped.status).toBe(200);
    expect(browser.cookies.access).toBe(stepped.body.session.token);
    // The session has another id, and so another CSRF token.
    const late = await browser.send('POST /two-factor/backup-codes', { headers });
    expect([late.status, late.body.code]).toEqual([403, 'CSRF_FAILED']);
    expect((await browser.sendSafely('POST /two-factor/backup-codes')).status).toBe(200);
  });
});

function signIn(browser: Browser, { email }: Pick<Enrolled, 'email'>) {
  return browser.send('POST /sign-in/email', { body: { email, password } });
}
