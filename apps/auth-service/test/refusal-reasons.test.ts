import { describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { password, send, signUp, type Answer } from './support/client.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const { app, clock, sql } = await startByClock({
  settings: { FRONTEND_URL: 'https://app.example.com' },
});

const refusal = ({ status, body: { code, reason } }: Answer) => ({ status, code, reason });
const unauthenticated = (reason: string) => ({ status: 401, code: 'UNAUTHENTICATED', reason });

describe('a refused request says what to do next', () => {
  test('without a token: sign in', async () => {
    expect(refusal(await send(app, 'GET /session'))).toEqual(unauthenticated('TOKEN_MISSING'));
  });

  test('with a token whose time is over: refresh [S-64]', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 16 });
    const answer = await send(app, 'GET /session', { token: ada.token });
    expect(refusal(answer)).toEqual(unauthenticated('TOKEN_EXPIRED'));
  });

  test('with one that is not ours: sign in', async () => {
    const answer = await send(app, 'GET /session', { token: 'x' });
    expect(refusal(answer)).toEqual(unauthenticated('TOKEN_MALFORMED'));
  });

  test('of a session that has ended: sign in [S-64]', async () => {
    const ada = await signUp(app);
    await sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', [ada.sessionId]);
    const answer = await send(app, 'GET /session', { token: ada.token });
    expect(refusal(answer)).toEqual(unauthenticated('SESSION_ENDED'));
  });

  test('by cookies that were copied to another device: sign in', async () => {
    const browser = new Browser(app);
    const { email } = await signUp(app);
    await browser.send('POST /sign-in/email', { body: { email, password } });
    const thief = new Browser(app, { origin: 'https://app.example.com', 'user-agent': 'curl/8' });
    thief.steal(browser, ['__Host-access']);
    expect(refusal(await thief.send('GET /session'))).toEqual(unauthenticated('SESSION_ELSEWHERE'));
  });
});

describe('a step-up says which proof it wants', () => {
  const endOthers = (token: string) => send(app, 'DELETE /sessions?scope=others', { token });

  test('the password, of a user without a second factor', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 6 });
    const answer = await endOthers(ada.token);
    expect(refusal(answer)).toEqual({
      status: 401,
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      reason: 'PASSWORD_REQUIRED',
    });
    expect(answer.body.details).toEqual([{ field: 'password', rule: 'required', message: 'is required' }]);
  });

  test('a code, of a user with a second factor, and of which kind [S-64]', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 6 });
    const answer = await endOthers(ada.token);
    expect(answer.body.reason).toBe('SECOND_FACTOR_REQUIRED');
    const wanted = (methods: string[]) => [
      {
        field: 'secondFactor',
        rule: 'recent',
        params: { methods, maxAgeSeconds: 300 },
        message: 'must be confirmed',
      },
    ];
    expect(answer.body.details).toEqual(wanted(['totp', 'backup-code']));
    await sql('DELETE FROM two_factor_backup_codes WHERE user_id = $1', [ada.id]);
    expect((await endOthers(ada.token)).body.details).toEqual(wanted(['totp']));
  });
});
