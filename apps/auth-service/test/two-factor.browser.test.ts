import { describe, expect, test } from 'vitest';
import { password, send, type Answer } from './support/client.ts';
import { codeNow, enrol, nextCode, startByClock, wrongCode } from './support/two-factor.ts';

const { app, clock } = await startByClock();
const origin = 'http://localhost:5173';

/** A browser as far as requests show one: it keeps its cookies and says which page it is on. */
class Browser {
  readonly #jar = new Map<string, string>();
  csrfToken = '';

  async send(
    request: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await send(app, request, {
      ...(body === undefined ? {} : { body }),
      headers: {
        origin,
        cookie: [...this.#jar].map((pair) => pair.join('=')).join('; '),
        ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
        ...headers,
      },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#jar.set(name, value);
    }
    return answer;
  }

  has(name: string): boolean {
    return this.#jar.has(name);
  }

  async readCsrfToken(): Promise<void> {
    this.csrfToken = '';
    this.csrfToken = (await this.send('GET /csrf')).body.token;
  }
}

describe('a browser', () => {
  test('that is new finishes the challenge it was given, and then has its session in cookies', async () => {
    const ada = await enrol(app, clock);
    const browser = new Browser();
    const begun = await browser.send('POST /sign-in/email', { email: ada.email, password });
    expect(begun.body.twoFactorRequired).toBe(true);
    expect([browser.has('__Secure-device'), browser.has('__Host-access')]).toEqual([true, false]);

    const challengeToken = begun.body.challenge.token;
    const finish = { challengeToken, code: nextCode(ada.secret, clock) };
    const other = await new Browser().send('POST /two-factor/verify-totp', finish);
    expect([other.status, other.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    const elsewhere = { origin: 'https://evil.example' };
    const foreign = await browser.send('POST /two-factor/verify-totp', finish, elsewhere);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);

    const finished = await browser.send('POST /two-factor/verify-totp', finish);
    expect(finished.status).toBe(200);
    expect(finished.body.session.refreshToken).toBeUndefined();
    expect([browser.has('__Host-access'), browser.has('__Secure-refresh')]).toEqual([true, true]);
    expect((await browser.send('GET /two-factor')).body.enabled).toBe(true);
  });

  test('steps up by its cookie, from our own page and with the CSRF token of the session alone', async () => {
    const ada = await enrol(app, clock);
    const browser = await signedIn(ada);
    clock.advance({ minutes: 6 });
    const code = nextCode(ada.secret, clock);

    await browser.readCsrfToken();
    expect((await browser.send('POST /two-factor/backup-codes')).status).toBe(401);
    const forged = await browser.send('POST /two-factor/verify-totp', { code }, { 'x-csrf-token': 'x' });
    expect([forged.status, forged.body.code]).toEqual([403, 'CSRF_FAILED']);
    const wrong = await browser.send('POST /two-factor/verify-totp', { code: wrongCode(ada.secret, clock) });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CODE']);

    const stepped = await browser.send('POST /two-factor/verify-totp', { code });
    expect(stepped.status).toBe(200);
    expect(stepped.body.session.refreshToken).toBeUndefined();
    // The session has another id, and so another CSRF token.
    const late = await browser.send('POST /two-factor/backup-codes');
    expect([late.status, late.body.code]).toEqual([403, 'CSRF_FAILED']);
    await browser.readCsrfToken();
    expect((await browser.send('POST /two-factor/backup-codes')).status).toBe(200);
  });

  async function signedIn({ email, secret }: { readonly email: string; readonly secret: string }) {
    const browser = new Browser();
    const { challenge } = (await browser.send('POST /sign-in/email', { email, password })).body;
    clock.advance({ seconds: 30 });
    const finish = { challengeToken: challenge.token, code: codeNow(secret, clock) };
    expect((await browser.send('POST /two-factor/verify-totp', finish)).status).toBe(200);
    return browser;
  }
});
