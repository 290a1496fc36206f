import { describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import {
  claimsOf,
  newEmail,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { letterData, letterTo, lettersTo } from './support/mail.ts';
import { foundCompany, mailedInvitation, prove } from './support/organizations.ts';
import { codeNow, enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

const settings = { FRONTEND_URL: 'https://app.example.com', MAILED_SIGN_IN: 'true' };
const service = await startByClock({ settings });
const { app, clock, sql } = service;

type Headers = Readonly<Record<string, string>>;
const phone: Headers = { 'x-device-id': 'adas-phone' };
const stranger: Headers = { 'x-device-id': 'a-strangers' };

interface Requested {
  readonly id: string;
  readonly code: string;
  readonly token: string;
}

const ask = (email: string, headers: Headers = phone, body: object = {}, on = app) =>
  send(on, 'POST /sign-in/mailed', { body: { email, ...body }, headers });
const idOf = ({ body }: Answer) => (body as unknown as { request: { id: string } }).request.id;

/** Asks for a letter, and reads it. */
async function request(email: string, headers: Headers = phone, body: object = {}): Promise<Requested> {
  const asked = await ask(email, headers, body);
  expect(asked.status).toBe(200);
  const { code, token } = await letterData(service, email, 'sign-in-code');
  return { id: idOf(asked), code: code.replace(' ', ''), token };
}

const verify = (body: object, headers: Headers = phone) =>
  send(app, 'POST /sign-in/mailed/verify', { body, headers });
const byCode = ({ id: requestId, code }: Pick<Requested, 'id' | 'code'>, headers: Headers = phone) =>
  verify({ requestId, code }, headers);
const wrong = ({ id, code }: Requested) => ({ id, code: code === '00000000' ? '00000001' : '00000000' });
const sessionsOf = async (email: string) =>
  (
    await sql(
      'SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.revoked_at IS NULL',
      [email],
    )
  ).length;

/** A user whose address is confirmed, and who has signed in on no device that has a name. */
async function proven(name?: string): Promise<SignedUp> {
  const user = await signUp(app, name);
  await prove(service, user);
  return user;
}

describe('a mailed sign-in', () => {
  test('starts a session of aal1 by the code, and by the link, in the device that asked', async () => {
    const ada = await proven();
    const first = await request(ada.email);
    const signedIn = await byCode({ ...first, code: `${first.code.slice(0, 4)} ${first.code.slice(4)}` });
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.user).toMatchObject({ id: ada.id, email: ada.email });
    expect(claimsOf(signedIn.body.session.token)).toMatchObject({ amr: ['email'], acr: 'aal1' });

    const second = await request(ada.email);
    expect((await verify({ token: second.token })).status).toBe(200);
    expect((await verify({ token: second.token })).body.code).toBe('INVALID_TOKEN');
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test('expires after ten minutes', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    clock.advance({ seconds: 600 });
    expect((await byCode(asked)).body.code).toBe('INVALID_CODE');
    expect((await verify({ token: asked.token })).body.code).toBe('INVALID_TOKEN');
  });

  test('is followed by the second factor where it is on, and is none itself [S-41]', async () => {
    const ada = await enrol(app, clock);
    await prove(service, ada);
    const challenged = await byCode(await request(ada.email));
    expect(challenged.body.twoFactorRequired).toBe(true);
    const { token: challengeToken } = challenged.body.challenge;
    const code = nextCode(ada.secret, clock);
    const finished = await verifyTotp(app, { challengeToken, code, headers: phone });
    expect(claimsOf(finished.body.session.token)).toMatchObject({ amr: ['email', 'otp'], acr: 'aal2' });
  });

  test('answers the same for an address without an account, a disabled one and a used-up budget [S-41]', async () => {
    const ada = await proven();
    const disabled = await proven();
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.id]);
    const shapes = [];
    for (const email of [ada.email, disabled.email, newEmail()]) {
      const { status, body } = await ask(email);
      shapes.push([status, Object.keys(body), Object.keys((body as unknown as { request: object }).request)]);
    }
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(await lettersTo(service, disabled.email)).not.toContain('sign-in-code');
  });

  test('takes the same time for any address: responses come in fixed steps [S-41]', async () => {
    const slow = await startByClock({ settings, answerStepMs: 250 });
    const email = newEmail();
    const asked = [
      () => ask(email, phone, {}, slow.app),
      () => send(slow.app, 'POST /password/forgot', { body: { email } }),
      () => send(slow.app, 'POST /email/resend', { body: { email } }),
    ];
    for (const one of asked) {
      const started = performance.now();
      expect((await one()).status).toBe(200);
      expect(performance.now() - started).toBeGreaterThan(240);
    }
  });

  test('is not there where it is not configured', async () => {
    const off = await startByClock();
    expect((await ask(newEmail(), phone, {}, off.app)).status).toBe(404);
    const shown = { requestId: crypto.randomUUID(), code: '12345678' };
    expect((await send(off.app, 'POST /sign-in/mailed/verify', { body: shown })).status).toBe(404);
  });

  test('keeps a disabled account out, also one that was disabled after the letter left [S-41]', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    expect((await byCode(asked)).body.code).toBe('INVALID_CODE');
    expect((await verify({ token: asked.token })).body.code).toBe('INVALID_TOKEN');
  });
});

describe('a mailed link', () => {
  test('stays good under twenty GETs, and where a scanner renders the page without pressing the button [S-39]', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    const letter = await letterTo(service, ada.email, 'sign-in-code');
    expect(letter).toContain(`https://app.example.com/sign-in#token=${asked.token}`);
    const paths = [`/api/auth/sign-in/mailed/verify?token=${asked.token}`, '/api/auth/sign-in/mailed/verify'];
    for (let round = 0; round < 10; round += 1) {
      for (const url of paths) {
        const { statusCode } = await app.inject({ method: 'GET', url });
        expect([404, 405]).toContain(statusCode);
      }
    }
    expect((await verify({ token: asked.token })).status).toBe(200);
  });

  test('opened on another device says so, starts no session and stays valid on its own device, on any network [S-39]', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    for (let round = 0; round < 8; round += 1) {
      const { status, body } = await verify({ token: asked.token }, stranger);
      expect([status, body.code]).toEqual([400, 'OPENED_ELSEWHERE']);
    }
    expect((await byCode(asked, stranger)).body.code).toBe('INVALID_CODE');
    const elsewhere = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/mailed/verify',
      remoteAddress: '203.0.113.77',
      headers: phone,
      payload: { requestId: asked.id, code: asked.code },
    });
    expect(elsewhere.statusCode).toBe(200);
  });

  test('belongs to one browser, which gets its name with the request [S-39]', async () => {
    const ada = await proven();
    const [mine, other] = [new Browser(app), new Browser(app)];
    const asked = await mine.send('POST /sign-in/mailed', { body: { email: ada.email } });
    expect(asked.status).toBe(200);
    const { token } = await letterData(service, ada.email, 'sign-in-code');
    const foreign = await other.send('POST /sign-in/mailed/verify', { body: { token } });
    expect(foreign.body.code).toBe('OPENED_ELSEWHERE');
    expect((await mine.send('POST /sign-in/mailed/verify', { body: { token } })).status).toBe(200);
    expect((await mine.send('GET /session')).status).toBe(200);
  });

  test('of another kind, another request or with a changed character opens nothing', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    const changed = asked.token.slice(0, -1) + (asked.token.endsWith('A') ? 'B' : 'A');
    for (const token of [changed, asked.token.replace('trm_', 'trr_'), 'x', `trm_${'A'.repeat(86)}`]) {
      expect((await verify({ token })).body.code).toBe('INVALID_TOKEN');
    }
    const reset = { token: asked.token, newPassword: 'another good password' };
    expect((await send(app, 'POST /password/reset', { body: reset })).body.code).toBe('INVALID_TOKEN');
  });
});

describe('wrong codes [S-40]', () => {
  test('end a request at the fifth, also of twenty concurrent ones', async () => {
    const ada = await proven();
    const asked = await request(ada.email);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => byCode(wrong(asked))));
    for (const { status } of guesses) expect([401, 429]).toContain(status);
    const [row] = await sql('SELECT failures FROM mailed_sign_ins WHERE id = $1', [asked.id]);
    expect(Number(row?.['failures'])).toBeLessThanOrEqual(5);
    clock.advance({ minutes: 5 });
    expect((await byCode(asked)).status).toBe(401);
  });

  test('lock the address across new requests and client addresses, as wrong passwords do', async () => {
    const ada = await proven();
    const compared = async () => {
      const asked = await request(ada.email, stranger);
      let guesses = 0;
      for (let round = 0; round < 7; round += 1) {
        const { statusCode } = await app.inject({
          method: 'POST',
          url: '/api/auth/sign-in/mailed/verify',
          remoteAddress: `198.51.100.${String(round)}`,
          headers: stranger,
          payload: { requestId: asked.id, code: wrong(asked).code },
        });
        if (statusCode === 401) guesses += 1;
      }
      return guesses;
    };
    expect(await compared()).toBe(5);
    for (let again = 0; again < 3; again += 1) expect(await compared()).toBe(0);
    const locked = await request(ada.email, stranger);
    const refused = await byCode(locked, stranger);
    expect([refused.status, refused.body.code]).toEqual([429, 'ACCOUNT_LOCKED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('lock an address without an account alike', async () => {
    const email = newEmail();
    const answers = [];
    for (const account of [email, (await proven()).email]) {
      const requestId = idOf(await ask(account, stranger));
      const seen = [];
      for (let round = 0; round < 7; round += 1) {
        const { status, body } = await verify({ requestId, code: '00000000' }, stranger);
        seen.push([status, body.code]);
      }
      answers.push(seen);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('of a stranger, with letters requested all day, do not lock out a known device', async () => {
    const limited = await startByClock({ settings: { ...settings, RATE_LIMIT_MAIL_PER_10_MINUTES: '3' } });
    const by = async (name: string, options: { body: object; headers: Headers }) =>
      send(limited.app, `POST /sign-in/${name}`, options);
    const ada = await signUp(limited.app, 'Ada', phone);
    await limited.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [ada.id]);
    for (let round = 0; round < 12; round += 1) {
      for (let letter = 0; letter < 2; letter += 1) {
        const asked = await by('mailed', { body: { email: ada.email }, headers: stranger });
        for (let guess = 0; guess < 6; guess += 1) {
          const body = { requestId: idOf(asked), code: '00000000' };
          await by('mailed/verify', { body, headers: stranger });
        }
      }
      if (round < 11) limited.clock.advance({ minutes: 120 });
    }
    const asked = await by('mailed', { body: { email: ada.email }, headers: phone });
    const { code } = await letterData(limited, ada.email, 'sign-in-code');
    const body = { requestId: idOf(asked), code: code.replace(' ', '') };
    expect((await by('mailed/verify', { body, headers: phone })).status).toBe(200);
    expect((await signIn(limited.app, ada.email, phone)).status).toBe(200);
  });
});

describe('one code used twenty times concurrently [S-39]', () => {
  test('starts one session', async () => {
    const ada = await proven();
    await sql('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [ada.id]);
    const asked = await request(ada.email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => byCode(asked)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(ada.email)).toBe(1);
  });

  test('creates one account', async () => {
    const email = newEmail();
    const asked = await request(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify({ token: asked.token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sql('SELECT id FROM users WHERE email = $1', [email])).toHaveLength(1);
  });
});

describe('an address without an account', () => {
  test('gets one whose address is confirmed, with the name that was given, and no password', async () => {
    const email = newEmail();
    const { status, body } = await byCode(await request(email, phone, { name: 'Grace Hopper' }));
    expect([status, body.user.name]).toEqual([200, 'Grace Hopper']);
    const { token } = body.session;
    expect((await send(app, 'GET /ways-in', { token })).body).toMatchObject({
      password: false,
      mailed: true,
    });
    expect(claimsOf(token)).toMatchObject({ role: 'owner', email });
    expect((await signIn(app, email)).status).toBe(401);
    expect(await lettersTo(service, email)).toEqual(['sign-in-code']);
  });

  test('gets none if accounts require an invitation, unless it is invited [S-53]', async () => {
    const closed = await startByClock({ settings: { ...settings, SIGN_UP: 'invited' } });
    const { app: there, sql: rows } = closed;
    const email = newEmail();
    const shown = await ask(email, phone, {}, there);
    expect(shown.status).toBe(200);
    expect(await lettersTo(closed, email)).toEqual([]);
    const madeUp = { invitationToken: `tri_${'A'.repeat(86)}` };
    expect((await ask(email, phone, madeUp, there)).status).toBe(200);
    expect(await lettersTo(closed, email)).toEqual([]);
    expect(await rows('SELECT id FROM users')).toEqual([]);
  });

  test('begins in the organization that invited it', async () => {
    const company = await foundCompany(service);
    const email = newEmail();
    const body = { email, role: 'member' };
    const path = `POST /organization/${company.id}/invitations`;
    expect((await send(app, path, { token: company.owner.token, body })).status).toBe(201);
    const invitationToken = await mailedInvitation(service, email);
    const signedIn = await byCode(await request(email, phone, { invitationToken }));
    expect(signedIn.body.user.organizationId).toBe(company.id);
    const foreign = await byCode(await request(newEmail(), phone));
    expect(foreign.body.user.organizationId).not.toBe(company.id);
  });
});

describe('an account without a password', () => {
  test('steps up by signing in again in its session, turns two-factor on and off, and can be deleted', async () => {
    const email = newEmail();
    const { body } = await byCode(await request(email));
    clock.advance({ minutes: 6 });
    const { token } = body.session;
    const refused = await send(app, 'DELETE /user', { token, headers: phone });
    expect(refused.body.reason).toBe('SIGN_IN_REQUIRED');
    expect(refused.body.details).toMatchObject([{ params: { methods: ['mailed'] } }]);

    const again = await byCode(await request(email), { ...phone, authorization: `Bearer ${token}` });
    expect(await sessionsOf(email)).toBe(1);
    const next = again.body.session.token;
    const begun = await send(app, 'POST /two-factor/enable', { token: next, headers: phone, body: {} });
    expect(begun.status).toBe(200);
    const { secret } = begun.body;
    const on = await verifyTotp(app, { token: next, code: nextCode(secret, clock), headers: phone });
    const strong = on.body.session.token;
    const off = { token: strong, headers: phone, body: { code: nextCode(secret, clock) } };
    expect((await send(app, 'POST /two-factor/disable', off)).status).toBe(200);
    expect((await send(app, 'DELETE /user', { token: strong, headers: phone })).status).toBe(204);
  });

  test('results from removing the password, if another sign-in method is left, and notifies its user once [S-38]', async () => {
    const ada = await proven();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(app, 'DELETE /password', { token: ada.token })),
    );
    for (const { status } of answers) expect(status).toBe(204);
    expect((await signIn(app, ada.email)).status).toBe(401);
    expect((await lettersTo(service, ada.email)).filter((name) => name === 'way-in-changed')).toHaveLength(1);
    const trail = await sql('SELECT action FROM user_audit_events WHERE user_id = $1 AND action = $2', [
      ada.id,
      'password.removed',
    ]);
    expect(trail).toHaveLength(1);
  });

  test('is not possible while its address is unproven [S-38]', async () => {
    const ada = await signUp(app);
    const { status, body } = await send(app, 'DELETE /password', { token: ada.token });
    expect([status, body.code]).toEqual([409, 'LAST_WAY_IN']);
  });
});

describe('the owner of a squatted address who signs in by a letter [S-7]', () => {
  test('finds nothing from before: password, session, refresh token, second factor and pending change of address are gone', async () => {
    const mallory = await enrol(app, clock, 'Mallory');
    const theirs = { 'x-device-id': 'mallorys' };
    const elsewhere = newEmail();
    const move = { newEmail: elsewhere, password };
    expect((await send(app, 'POST /email/change', { token: mallory.token, body: move })).status).toBe(200);
    const moving = await letterData(service, elsewhere, 'confirm-new-address');
    const waiting = (await signIn(app, mallory.email, theirs)).body.challenge.token;
    const askedBefore = await ask(mallory.email, theirs);

    const vera = await byCode(await request(mallory.email));
    expect(vera.status).toBe(200);
    expect(vera.body.user.id).toBe(mallory.id);
    expect((await signIn(app, mallory.email, theirs)).status).toBe(401);
    expect((await send(app, 'GET /session', { token: mallory.token })).status).toBe(401);
    expect((await refresh(app, mallory.refreshToken)).status).toBe(401);
    clock.advance({ seconds: 60 });
    const code = codeNow(mallory.secret, clock);
    expect((await verifyTotp(app, { challengeToken: waiting, code, headers: theirs })).status).toBe(401);
    const { token } = vera.body.session;
    const moved = await send(app, 'POST /email/verify', {
      token,
      headers: phone,
      body: { token: moving.token },
    });
    expect(moved.body.code).toBe('INVALID_TOKEN');
    const guess = { requestId: idOf(askedBefore), code: '00000000' };
    expect((await verify(guess, theirs)).status).toBe(401);
    expect((await send(app, 'GET /ways-in', { token, headers: phone })).body).toMatchObject({
      password: false,
      twoFactor: { enabled: false },
    });
    expect(await lettersTo(service, mallory.email)).toContain('account-recovered');
    const trail = await sql('SELECT action FROM user_audit_events WHERE user_id = $1', [mallory.id]);
    expect(trail.map(({ action }) => action)).toContain('account.claimed');
  });

  test('only confirms the address on the device that signed up', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const { status } = await byCode(await request(ada.email));
    expect(status).toBe(200);
    expect((await signIn(app, ada.email, phone)).status).toBe(200);
  });
});

test('no code, token or hash of either is in a log, and the database stores neither [S-41]', async () => {
  const ada = await proven();
  const asked = await request(ada.email);
  expect((await byCode(wrong(asked))).status).toBe(401);
  expect((await verify({ token: asked.token }, stranger)).status).toBe(400);
  expect((await byCode(asked)).status).toBe(200);
  await expect.poll(() => service.logs()).toContain('/sign-in/mailed/verify');
  for (const secret of [asked.code, asked.token]) expect(service.logs()).not.toContain(secret);
  const other = await request(ada.email);
  const stored = JSON.stringify(await sql('SELECT * FROM mailed_sign_ins WHERE id = $1', [other.id]));
  for (const secret of [other.code, other.token]) expect(stored).not.toContain(secret);
});

test('an account that is erased leaves no mailed sign-in behind', async () => {
  const ada = await proven();
  await request(ada.email);
  expect((await send(app, 'DELETE /user', { token: ada.token, body: { password } })).status).toBe(204);
  expect(await sql('SELECT id FROM mailed_sign_ins WHERE email = $1', [ada.email])).toEqual([]);
});
