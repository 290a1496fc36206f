import { SoftwareAuthenticator, type Misdeeds } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { claimsOf, password, send, signIn, signUp, type Answer, type SignedUp } from './support/client.ts';
import { lettersTo } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import {
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';

const origin = 'https://app.example.com';
const settings = { FRONTEND_URL: origin, PASSKEY_RP_ID: 'app.example.com' };
const service = await startByClock({ settings });
const { app, clock, sql } = service;

type Headers = Readonly<Record<string, string>>;
const phone: Headers = { 'x-device-id': 'adas-phone' };
const laptop: Headers = { 'x-device-id': 'adas-laptop' };

/** Adds a passkey to an account, with the password: not every session began on the phone. */
async function addPasskey({ token }: Pick<SignedUp, 'token'>, counter = 0) {
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin, counter });
  const made = await send(app, 'POST /passkeys/options', { token, body: { password }, headers: phone });
  const response = authenticator.create(made.body.options);
  const added = await send(app, 'POST /passkeys', { token, body: { response, password }, headers: phone });
  expect(added.status).toBe(201);
  const { passkey } = added.body;
  return { authenticator, passkeyId: passkey.id };
}

/** A response without a challenge. */
const unasked = new SoftwareAuthenticator({ rpId: 'app.example.com', origin }).get(
  { challenge: 'AAAA' },
  { userHandle: 'AAAA' },
);

interface Place {
  readonly token?: string;
  readonly challengeToken?: string;
  readonly headers?: Headers;
}

const bodyOf = ({ challengeToken }: Place) => (challengeToken === undefined ? {} : { challengeToken });
const ask = ({ headers = phone, ...place }: Place): Promise<Answer> =>
  send(app, 'POST /two-factor/passkey/options', {
    headers,
    body: bodyOf(place),
    ...(place.token !== undefined && { token: place.token }),
  });
const give = (response: object, { headers = phone, ...place }: Place): Promise<Answer> =>
  send(app, 'POST /two-factor/verify-passkey', {
    headers,
    body: { response, ...bodyOf(place) },
    ...(place.token !== undefined && { token: place.token }),
  });
/** Asks and answers. */
async function prove2(authenticator: SoftwareAuthenticator, place: Place, misdeeds: Misdeeds = {}) {
  const asked = await ask(place);
  expect(asked.status).toBe(200);
  return give(authenticator.get(asked.body.options, misdeeds), place);
}

/** A user whose two-factor rests on a passkey alone; the session is the one of after. */
async function keyed(counter = 0) {
  const user = await signUp(app, 'Ada', phone);
  await prove(service, user);
  const { authenticator, passkeyId } = await addPasskey(user, counter);
  const enable = { token: user.token, body: { method: 'passkey', password }, headers: phone };
  const begun = await send(app, 'POST /two-factor/enable', enable);
  expect(begun.status).toBe(200);
  authenticator.counter += counter === 0 ? 0 : 1;
  const on = await prove2(authenticator, { token: user.token });
  expect(on.status).toBe(200);
  const { token, refreshToken } = on.body.session;
  return {
    user: { ...user, token, refreshToken },
    authenticator,
    passkeyId,
    backupCodes: begun.body.backupCodes,
  };
}

async function challenged({ email }: Pick<SignedUp, 'email'>, headers = phone) {
  const { body } = await signIn(app, email, headers);
  expect(body.twoFactorRequired).toBe(true);
  return { challengeToken: body.challenge.token, methods: body.challenge.methods };
}

describe('two-factor by passkey', () => {
  test('is on once one is verified, with backup codes, and ends the other sessions [S-46]', async () => {
    const user = await signUp(app, 'Ada', phone);
    const other = (await signIn(app, user.email, laptop)).body.session;
    const { authenticator } = await addPasskey(user);
    const state = () => send(app, 'GET /two-factor', { token: user.token, headers: phone });
    expect((await signIn(app, user.email, laptop)).body.twoFactorRequired).toBeUndefined();
    const enable = { token: user.token, headers: phone, body: { method: 'passkey', password } };
    const begun = await send(app, 'POST /two-factor/enable', enable);
    expect(Object.keys(begun.body)).toEqual(['backupCodes']);
    expect(begun.body.backupCodes).toHaveLength(10);
    expect((await state()).body).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 });
    const on = await prove2(authenticator, { token: user.token });
    expect(on.body).toMatchObject({ verified: true });
    expect(claimsOf(on.body.session.token)).toMatchObject({ amr: ['pwd', 'pop'], acr: 'aal2' });
    const { token } = on.body.session;
    expect((await send(app, 'GET /session', { token: other.token, headers: laptop })).status).toBe(401);
    expect((await send(app, 'GET /two-factor', { token, headers: phone })).body).toEqual({
      enabled: true,
      methods: ['passkey', 'backup-code'],
      backupCodesLeft: 10,
    });
    expect(await lettersTo(service, user.email)).toContain('two-factor-changed');
  });

  test('takes a passkey that was added, and no code of an app confirms it [S-46]', async () => {
    const user = await signUp(app, 'Ada', phone);
    const enable = { token: user.token, headers: phone, body: { method: 'passkey', password } };
    const none = await send(app, 'POST /two-factor/enable', enable);
    expect([none.status, none.body.code]).toEqual([409, 'PASSKEY_REQUIRED']);
    expect((await ask({ token: user.token })).body.code).toBe('PASSKEY_REQUIRED');

    const { authenticator } = await addPasskey(user);
    const early = await prove2(authenticator, { token: user.token });
    expect([early.status, early.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
    const app1 = await send(app, 'POST /two-factor/enable', { ...enable, body: { password } });
    const wrongWay = await prove2(authenticator, { token: user.token });
    expect(wrongWay.body.code).toBe('TWO_FACTOR_NOT_ENABLED');
    expect((await send(app, 'POST /two-factor/enable', enable)).status).toBe(200);
    const code = nextCode(app1.body.secret, clock);
    expect((await verifyTotp(app, { token: user.token, headers: phone, code })).status).toBe(409);
    clock.advance({ minutes: 10 });
    expect((await prove2(authenticator, { token: user.token })).body.code).toBe('TWO_FACTOR_NOT_ENABLED');
  });

  test('is turned on by the session that began it, and by no other [S-46]', async () => {
    const user = await signUp(app, 'Ada', phone);
    const { authenticator } = await addPasskey(user);
    const stolen = (await signIn(app, user.email, laptop)).body.session;
    const enable = { token: user.token, headers: phone, body: { method: 'passkey', password } };
    expect((await send(app, 'POST /two-factor/enable', enable)).status).toBe(200);
    const elsewhere = await prove2(authenticator, { token: stolen.token, headers: laptop });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
    expect((await prove2(authenticator, { token: user.token })).status).toBe(200);
    const ended = await send(app, 'GET /session', { token: stolen.token, headers: laptop });
    expect(ended.status).toBe(401);
  });

  test('follows the password, and a backup code does in its place', async () => {
    const { user, authenticator, backupCodes } = await keyed();
    const first = await challenged(user);
    expect(first.methods).toEqual(['passkey', 'backup-code']);
    const asked = (await ask(first)).body;
    expect(asked.options.allowCredentials).toMatchObject([
      { id: authenticator.credentialId.toString('base64url') },
    ]);
    const done = await prove2(authenticator, first);
    expect([done.status, done.body.user.id]).toEqual([200, user.id]);
    expect(claimsOf(done.body.session.token)).toMatchObject({ amr: ['pwd', 'pop'], acr: 'aal2' });
    expect((await prove2(authenticator, await challenged(user))).status).toBe(200);
    const { challengeToken } = await challenged(user);
    const byCode = await verifyBackupCode(app, { challengeToken, code: backupCodes[0]!, headers: phone });
    expect(byCode.status).toBe(200);
  });

  test('is offered along with the app if both are set up, and steps up the requesting session', async () => {
    const ada = await enrol(app, clock);
    const { authenticator } = await addPasskey(ada);
    expect((await challenged(ada)).methods).toEqual(['passkey', 'totp', 'backup-code']);
    clock.advance({ minutes: 6 });
    const others = { token: ada.token, headers: phone };
    const stale = await send(app, 'DELETE /sessions?scope=others', others);
    expect(stale.body).toMatchObject({
      reason: 'SECOND_FACTOR_REQUIRED',
      details: [{ params: { methods: ['passkey', 'totp', 'backup-code'] } }],
    });
    const stepped = await prove2(authenticator, { token: ada.token });
    expect(claimsOf(stepped.body.session.token)).toMatchObject({ amr: ['pwd', 'otp', 'pop'] });
    const { token } = stepped.body.session;
    expect((await send(app, 'DELETE /sessions?scope=others', { token, headers: phone })).status).toBe(200);
  });

  test('is turned off by the passkey itself, with the password where there is one [S-46]', async () => {
    const { user, authenticator } = await keyed();
    const assertion = async () => authenticator.get((await ask({ token: user.token })).body.options);
    const off = (body: object) =>
      send(app, 'POST /two-factor/disable', { token: user.token, headers: phone, body });
    expect((await off({ response: await assertion() })).status).toBe(400);
    expect((await off({ password })).status).toBe(400);
    const response = await assertion();
    expect((await off({ password, response })).body).toEqual({ enabled: false });
    expect((await signIn(app, user.email, phone)).body.twoFactorRequired).toBeUndefined();
  });
});

describe('a passkey as a second factor', () => {
  test('works once, only for its own sign-in, device and user [S-45]', async () => {
    const { user, authenticator } = await keyed();
    const mallory = await keyed();
    const [one, two] = [await challenged(user), await challenged(user)];
    const { options } = (await ask(one)).body;
    const response = authenticator.get(options);
    const refused = async (given: object, place: Place) => {
      const { status, body } = await give(given, place);
      return [status, body.code];
    };
    const invalid = [401, 'INVALID_PASSKEY'];
    // Another sign-in, a session, another device, another user.
    expect(await refused(response, two)).toEqual(invalid);
    expect(await refused(response, { token: user.token })).toEqual(invalid);
    expect(await refused(response, { ...one, headers: laptop })).toEqual([401, 'INVALID_CHALLENGE']);
    expect((await ask({ ...one, headers: laptop })).body.code).toBe('INVALID_CHALLENGE');
    expect(await refused(mallory.authenticator.get(options), one)).toEqual(invalid);
    const borrowed = { id: mallory.authenticator.credentialId.toString('base64url') };
    expect(await refused(authenticator.get(options, borrowed), one)).toEqual(invalid);
    expect(await refused(response, await challenged(mallory.user))).toEqual(invalid);
    // What was asked for at the page for signing in, or for a registration.
    const page = await send(app, 'POST /sign-in/passkey/options', { headers: phone });
    const making = await send(app, 'POST /passkeys/options', { token: user.token, headers: phone });
    for (const { body } of [page, making]) {
      expect(await refused(authenticator.get(body.options), one)).toEqual(invalid);
    }
    const stranger = await signUp(app, 'Eve', phone);
    expect(await refused(response, { token: stranger.token })).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);

    const answers = await Promise.all(Array.from({ length: 20 }, () => give(response, one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(await refused(response, one)).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('that has not verified its user is refused with that reason', async () => {
    const { user, authenticator } = await keyed();
    const { body } = await prove2(authenticator, await challenged(user), { unverified: true });
    expect([body.code, body.reason]).toEqual(['INVALID_PASSKEY', 'USER_NOT_VERIFIED']);
    // An authenticator need not name a user whom it was told.
    const place = await challenged(user);
    const { response, ...credential } = authenticator.get((await ask(place)).body.options);
    const unnamed = { ...credential, response: { ...response, userHandle: null } };
    expect((await give(unnamed, place)).status).toBe(200);
  });

  test('is refused if any part of the response is invalid or late [S-45]', async () => {
    const { user, authenticator } = await keyed();
    const place = await challenged(user);
    const wrong: readonly Misdeeds[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { challenge: 'AAAA' },
      { crossOrigin: true },
      { unverified: true },
      { backupEligible: true },
      { userHandle: 'AAAA' },
    ];
    for (const misdeeds of wrong) {
      const { status } = await prove2(authenticator, place, misdeeds);
      expect([JSON.stringify(misdeeds), status]).toEqual([JSON.stringify(misdeeds), 401]);
    }
    // Nothing was guessed, so nothing was counted: the sign-in can still be finished.
    const { options } = (await ask(place)).body;
    const { response, ...credential } = authenticator.get(options);
    // An authenticator need not name a user whom it was told.
    const unnamed = { ...credential, response: { ...response, userHandle: '' } };
    expect((await give(unnamed, place)).status).toBe(200);

    clock.advance({ minutes: 6 });
    const asked = (await ask({ token: user.token })).body;
    clock.advance({ minutes: 5 });
    expect((await give(authenticator.get(asked.options), { token: user.token })).body.code).toBe(
      'INVALID_PASSKEY',
    );
  });

  test('whose counter goes back is refused, recorded once and reported to its user [S-45]', async () => {
    const { user, authenticator } = await keyed(5);
    const place = await challenged(user);
    const { options } = (await ask(place)).body;
    const copied = authenticator.get(options, { counter: 3 });
    for (let time = 0; time < 2; time += 1) {
      expect((await give(copied, place)).body.code).toBe('INVALID_PASSKEY');
    }
    const trail = await sql('SELECT id FROM user_audit_events WHERE user_id = $1 AND action = $2', [
      user.id,
      'passkey.counter-fell',
    ]);
    expect(trail).toHaveLength(1);
    expect(await lettersTo(service, user.email)).toContain('way-in-changed');
    expect((await prove2(authenticator, place, { counter: 7 })).status).toBe(200);
  });

  test('works while wrong codes have locked the app, but not for a disabled account [S-45]', async () => {
    const ada = await enrol(app, clock);
    const { authenticator } = await addPasskey(ada);
    for (let time = 0; time < 10; time += 1) {
      await verifyTotp(app, { token: ada.token, code: wrongCode(ada.secret, clock) });
    }
    const locked = await verifyTotp(app, { token: ada.token, code: nextCode(ada.secret, clock) });
    expect(locked.status).toBe(429);
    const place = await challenged(ada);
    const { options } = (await ask(place)).body;
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    expect((await give(authenticator.get(options), place)).body.code).toBe('INVALID_CHALLENGE');
    await sql('UPDATE users SET disabled_at = NULL WHERE id = $1', [ada.id]);
    expect((await give(authenticator.get(options), place)).status).toBe(200);
  });
});

describe('the last passkey of two-factor authentication', () => {
  const remove = (token: string, id: string) =>
    send(app, `DELETE /passkeys/${id}`, { token, body: { password }, headers: phone });

  test('cannot be removed while it is on, not even by two concurrent requests [S-46]', async () => {
    const { user, authenticator, passkeyId } = await keyed();
    const last = await remove(user.token, passkeyId);
    expect([last.status, last.body.code, last.body.reason]).toEqual([
      409,
      'LAST_WAY_IN',
      'CARRIES_TWO_FACTOR',
    ]);
    const second = await addPasskey(user);
    const answers = await Promise.all([remove(user.token, passkeyId), remove(user.token, second.passkeyId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const left = answers[0].status === 409 ? authenticator : second.authenticator;
    expect((await prove2(left, await challenged(user))).status).toBe(200);
  });

  test('can be removed if there is an app', async () => {
    const ada = await enrol(app, clock);
    const { passkeyId } = await addPasskey(ada);
    expect((await remove(ada.token, passkeyId)).status).toBe(204);
    expect((await challenged(ada)).methods).toEqual(['totp', 'backup-code']);
  });

  test('if there is an app, its removal ends only the sessions that it had stepped up [S-44]', async () => {
    const ada = await enrol(app, clock);
    const { authenticator, passkeyId } = await addPasskey(ada);
    const after = (await prove2(authenticator, await challenged(ada))).body.session;
    const page = (await send(app, 'POST /sign-in/passkey/options', { headers: phone })).body;
    const body = { token: page.token, response: authenticator.get(page.options) };
    const alone = (await send(app, 'POST /sign-in/passkey', { body, headers: phone })).body.session;
    const { token } = (await prove2(authenticator, { token: ada.token })).body.session;

    expect((await remove(token, passkeyId)).status).toBe(204);
    for (const { id, refreshToken } of [after, alone]) {
      const renewed = await send(app, 'POST /refresh', { body: { refreshToken }, headers: phone });
      expect(renewed.status).toBe(401);
      const told = await sql(`SELECT kind FROM revocations WHERE sid = $1`, [id]);
      expect(told).toEqual([{ kind: 'session' }]);
    }
    // Its session showed a code before the passkey.
    const kept = await send(app, 'POST /refresh', { body: { refreshToken: ada.refreshToken } });
    expect(claimsOf(kept.body.session.token)).toMatchObject({ amr: ['pwd', 'otp'], acr: 'aal2' });
  });

  test('leaves two-factor on where the domain changes, and its sessions no weaker [S-46]', async () => {
    const { user } = await keyed();
    await sql('DELETE FROM two_factor_backup_codes WHERE user_id = $1', [user.id]);
    await sql(`UPDATE passkeys SET rp_id = 'former.example.com' WHERE user_id = $1`, [user.id]);
    expect((await challenged(user)).methods).toEqual([]);
    clock.advance({ minutes: 6 });
    const stale = await send(app, 'DELETE /sessions?scope=others', {
      token: user.token,
      headers: phone,
      body: { password },
    });
    expect(stale.body.reason).toBe('SECOND_FACTOR_REQUIRED');
  });
});

test('steps up without using up the sign-ins of its network, unlike sign-ins', async () => {
  const limit = { RATE_LIMIT_SIGN_IN_PER_MINUTE: '3' };
  const strict = await startByClock({ settings: { ...settings, ...limit } });
  const user = await signUp(strict.app, 'Ada', phone);
  const answer = (place: Place) =>
    send(strict.app, 'POST /two-factor/verify-passkey', {
      headers: phone,
      body: { response: unasked, ...bodyOf(place) },
      ...(place.token !== undefined && { token: place.token }),
    });
  const { token } = user;
  for (let time = 0; time < 5; time += 1) expect((await answer({ token })).status).toBe(409);
  const challengeToken = `tct_${Buffer.alloc(64).toString('base64url')}`;
  for (const status of [401, 401, 401, 429]) expect((await answer({ challengeToken })).status).toBe(status);
  expect((await signIn(strict.app, user.email, laptop)).status).toBe(429);
  // A device that has signed in to the account is counted by itself.
  expect((await signIn(strict.app, user.email, phone)).status).toBe(200);
});
