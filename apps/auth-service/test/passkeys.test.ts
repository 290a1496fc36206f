import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { attestationOf, SoftwareAuthenticator, type Misdeeds } from '@tenantry/test-kit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimsOf, password, send, signIn, signUp, type SignedUp } from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const origin = 'https://app.example.com';
const settings = { FRONTEND_URL: origin, PASSKEY_RP_ID: 'app.example.com', MAILED_SIGN_IN: 'true' };
const service = await startByClock({ settings });
const { app, clock, sql } = service;

type Headers = Readonly<Record<string, string>>;
const phone: Headers = { 'x-device-id': 'adas-phone' };
const newAuthenticator = (counter = 0) =>
  new SoftwareAuthenticator({ rpId: 'app.example.com', origin, counter });

async function creation({ token }: Pick<SignedUp, 'token'>) {
  const { status, body } = await send(app, 'POST /passkeys/options', { token });
  expect(status).toBe(200);
  return body.options;
}
const add = ({ token }: Pick<SignedUp, 'token'>, response: object, more: object = {}) =>
  send(app, 'POST /passkeys', { token, body: { response, ...more } });

/** A user with a passkey. */
async function keyed(counter = 0) {
  const user = await signUp(app);
  await prove(service, user);
  const authenticator = newAuthenticator(counter);
  const added = await add(user, authenticator.create(await creation(user)));
  expect(added.status).toBe(201);
  const { passkey } = added.body;
  return { user, authenticator, passkeyId: passkey.id };
}

async function asked(headers: Headers = phone) {
  const { body } = await send(app, 'POST /sign-in/passkey/options', { headers });
  return body;
}
const answer = (token: string, response: object, headers: Headers = phone) =>
  send(app, 'POST /sign-in/passkey', { body: { token, response }, headers });
async function enter(authenticator: SoftwareAuthenticator, misdeeds: Misdeeds = {}, headers = phone) {
  const { options, token } = await asked(headers);
  return answer(token, authenticator.get(options, misdeeds), headers);
}

describe('a passkey', () => {
  test('signs in without an address, with aal2, and no code follows where two-factor is on [S-42]', async () => {
    const ada = await enrol(app, clock);
    const authenticator = newAuthenticator();
    expect((await add(ada, authenticator.create(await creation(ada)), { name: 'Phone' })).status).toBe(201);
    const { status, body } = await enter(authenticator);
    expect([status, body.user.id]).toEqual([200, ada.id]);
    expect(body.twoFactorRequired).toBeUndefined();
    expect(claimsOf(body.session.token)).toMatchObject({ amr: ['pop', 'mfa'], acr: 'aal2' });
    const ways = await send(app, 'GET /ways-in', { token: body.session.token, headers: phone });
    expect(ways.body).toMatchObject({ passkeys: [{ name: 'Phone', backedUp: false }] });
  });

  test('lets its user into an organization that requires a second factor [S-42]', async () => {
    const { user, authenticator } = await keyed();
    await sql(
      `UPDATE organizations SET require_two_factor = true WHERE id IN (SELECT organization_id FROM members WHERE user_id = $1)`,
      [user.id],
    );
    expect((await signIn(app, user.email)).body.user.organizationId).toBeNull();
    expect((await enter(authenticator)).body.user.organizationId).not.toBeNull();
  });

  test('is refused if any part of the response is invalid [S-42]', async () => {
    const { user, authenticator } = await keyed();
    const other = await keyed();
    const wrong: readonly Misdeeds[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://app.example.com' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { challenge: 'AAAA' },
      { crossOrigin: true },
      { topOrigin: 'https://evil.example' },
      { unverified: true },
      { backupEligible: true },
      { userHandle: other.authenticator.userHandle },
      { userHandle: 'AAAA' },
      { id: other.authenticator.credentialId.toString('base64url') },
    ];
    for (const misdeeds of wrong) {
      const { status, body } = await enter(authenticator, misdeeds);
      expect([JSON.stringify(misdeeds), status, body.code]).toEqual([
        JSON.stringify(misdeeds),
        401,
        'INVALID_PASSKEY',
      ]);
    }
    const { options, token } = await asked();
    const good = authenticator.get(options);
    const signature = Buffer.from(good.response.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    const forged = { ...good, response: { ...good.response, signature: signature.toString('base64url') } };
    expect((await answer(token, forged)).status).toBe(401);
    expect((await answer(token, good)).status).toBe(200);
    expect(await lettersTo(service, user.email)).not.toContain('passkey-copied');
  });

  test('answers a challenge once, also of twenty concurrent uses, within five minutes, on the requesting device [S-42]', async () => {
    const { authenticator } = await keyed();
    const { options, token } = await asked();
    const response = authenticator.get(options);
    expect((await answer(token, response, { 'x-device-id': 'another' })).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(token, response)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);

    const late = await asked();
    clock.advance({ seconds: 300 });
    expect((await answer(late.token, authenticator.get(late.options))).status).toBe(401);
    const [one, two] = [await asked(), await asked()];
    expect((await answer(one.token, authenticator.get(two.options))).status).toBe(401);
  });

  test('whose counter goes back is refused, recorded and reported to its user [S-44]', async () => {
    const { user, authenticator } = await keyed(5);
    authenticator.counter = 6;
    expect((await enter(authenticator)).status).toBe(200);
    for (const counter of [6, 5, 0]) expect((await enter(authenticator, { counter })).status).toBe(401);
    const { options, token } = await asked();
    const sent = authenticator.get(options, { counter: 7 });
    for (const status of [200, 401, 401]) expect((await answer(token, sent)).status).toBe(status);
    expect(await lettersTo(service, user.email)).toContain('way-in-changed');
    const trail = await sql('SELECT id FROM user_audit_events WHERE user_id = $1 AND action = $2', [
      user.id,
      'passkey.counter-fell',
    ]);
    expect(trail).toHaveLength(3);
  });

  test('of a disabled account does not sign in [S-42]', async () => {
    const { user, authenticator } = await keyed();
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
    expect((await enter(authenticator)).status).toBe(401);
  });

  test('stays when the password is removed, which ends other sessions started with the password [S-38]', async () => {
    const { user } = await keyed();
    const other = (await signIn(app, user.email)).body.session;
    expect((await send(app, 'DELETE /password', { token: user.token })).status).toBe(204);
    expect((await send(app, 'GET /sessions', { token: other.token })).status).toBe(401);
    expect((await send(app, 'GET /sessions', { token: user.token })).status).toBe(200);
  });

  test('steps its session up by signing in again, of a user who has no password [S-42]', async () => {
    const { user, authenticator } = await keyed();
    expect((await send(app, 'DELETE /password', { token: user.token })).status).toBe(204);
    clock.advance({ minutes: 6 });
    const first = (await enter(authenticator)).body.session;
    clock.advance({ minutes: 6 });
    const stale = await send(app, 'DELETE /sessions?scope=others', { token: first.token, headers: phone });
    expect(stale.body).toMatchObject({
      reason: 'SIGN_IN_REQUIRED',
      details: [{ params: { methods: ['mailed', 'passkey'] } }],
    });
    const headers = { ...phone, authorization: `Bearer ${first.token}` };
    const { options, token } = await asked(headers);
    const again = (await answer(token, authenticator.get(options), headers)).body.session;
    const ended = await send(app, 'DELETE /sessions?scope=others', { token: again.token, headers: phone });
    expect(ended.body.revoked).toBe(1);
  });
});

describe('adding a passkey', () => {
  test('is notified and audited, once for each set of options: no registration is replayed [S-43]', async () => {
    const user = await signUp(app);
    const options = await creation(user);
    const response = newAuthenticator().create(options);
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(user, response)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 400]).toContain(status);
    expect((await add(user, newAuthenticator().create(options))).body.code).toBe('INVALID_PASSKEY');
    expect(await lettersTo(service, user.email)).toContain('way-in-changed');
    const trail = await sql('SELECT id FROM user_audit_events WHERE user_id = $1 AND action = $2', [
      user.id,
      'passkey.added',
    ]);
    expect(trail).toHaveLength(1);
  });

  test('refuses a credential that the user has already, also one for another domain', async () => {
    const { user, authenticator } = await keyed();
    const addAgain = async () => (await add(user, authenticator.create(await creation(user)))).body;
    expect(await addAgain()).toMatchObject({ code: 'INVALID_PASSKEY' });
    await sql(`UPDATE passkeys SET rp_id = 'elsewhere.example' WHERE user_id = $1`, [user.id]);
    expect(await addAgain()).toMatchObject({ code: 'INVALID_PASSKEY' });
  });

  test('takes what was made for this user, here, by a person whom the authenticator has checked [S-43]', async () => {
    const [user, other] = [await signUp(app), await signUp(app)];
    const wrong: readonly Misdeeds[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.get' },
      { challenge: 'AAAA' },
      { crossOrigin: true },
      { unverified: true },
      { id: 'AAAA' },
      { attestation: Buffer.from('ff', 'hex') },
    ];
    for (const misdeeds of wrong) {
      const { status, body } = await add(user, newAuthenticator().create(await creation(user), misdeeds));
      expect([JSON.stringify(misdeeds).slice(0, 40), status, body.code]).toEqual([
        JSON.stringify(misdeeds).slice(0, 40),
        400,
        'INVALID_PASSKEY',
      ]);
    }
    const stolen = newAuthenticator().create(await creation(other));
    expect((await add(user, stolen)).body.code).toBe('INVALID_PASSKEY');
    const signInChallenge = await asked();
    const confused = newAuthenticator().create({ ...(await creation(user)), ...signInChallenge.options });
    expect((await add(user, { ...confused })).status).toBe(400);
  });

  test('is one of twenty at most, also for concurrent requests [S-204]', async () => {
    const { user } = await keyed();
    await sql(
      `INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up, name, created_at)
       SELECT $1, gen_random_uuid(), sha256(n::text::bytea), sha256(n::text::bytea), 0, 'app.example.com', false, false, 'Phone', now()
       FROM generate_series(1, 18) AS n`,
      [user.id],
    );
    const made: object[] = [];
    for (let times = 0; times < 3; times += 1) made.push(newAuthenticator().create(await creation(user)));
    const answers = await Promise.all(made.map((response) => add(user, response)));
    expect(answers.map(({ status, body }) => (status === 201 ? 'added' : body.code)).toSorted()).toEqual([
      'TOO_MANY_PASSKEYS',
      'TOO_MANY_PASSKEYS',
      'added',
    ]);
  });

  test('never fetches what a certificate in the attestation names [S-43]', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const user = await signUp(app);
    const authenticator = newAuthenticator();
    const made = authenticator.create(await creation(user));
    const authData = Buffer.from(made.response.authenticatorData, 'base64url');
    const url = Buffer.from(`http://127.0.0.1:${port}/crl`);
    // { x5c: [bytes] }
    const statement = Buffer.concat([
      Buffer.from('a163783563', 'hex').fill('x5c', 2),
      Buffer.from([0x81, 0x58, url.length]),
      url,
    ]);
    const attestationObject = attestationOf(authData, 'packed', statement).toString('base64url');
    const refused = await add(user, { ...made, response: { ...made.response, attestationObject } });
    expect(refused.body.code).toBe('INVALID_PASSKEY');
    expect(requests).toEqual([]);
  });

  test('is sensitive, and so is removing one; another user’s is not found [S-43]', async () => {
    const { user, passkeyId } = await keyed();
    const other = await signUp(app);
    const foreign = await send(app, `DELETE /passkeys/${passkeyId}`, { token: other.token });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    clock.advance({ minutes: 6 });
    for (const request of ['POST /passkeys/options', `DELETE /passkeys/${passkeyId}`]) {
      expect((await send(app, request, { token: user.token })).body.reason).toBe('PASSWORD_REQUIRED');
    }
    const owner = { token: user.token, body: { password } };
    expect((await send(app, 'POST /passkeys/options', owner)).status).toBe(200);
    expect((await send(app, `DELETE /passkeys/${passkeyId}`, owner)).status).toBe(204);
    expect((await send(app, `DELETE /passkeys/${passkeyId}`, owner)).status).toBe(404);
  });
});

describe('removing a passkey [S-44]', () => {
  test('cannot be removed as the last sign-in method, not even by two concurrent requests', async () => {
    const off = { FRONTEND_URL: origin, PASSKEY_RP_ID: 'app.example.com' };
    const strict = await startByClock({ settings: off });
    const user = await signUp(strict.app);
    const authenticator = newAuthenticator();
    const made = await send(strict.app, 'POST /passkeys/options', { token: user.token });
    const { options } = made.body;
    const added = await send(strict.app, 'POST /passkeys', {
      token: user.token,
      body: { response: authenticator.create(options) },
    });
    const { passkey } = added.body;
    const answers = await Promise.all([
      send(strict.app, 'DELETE /password', { token: user.token }),
      send(strict.app, `DELETE /passkeys/${passkey.id}`, { token: user.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LAST_WAY_IN');
  });

  test('when removed ends the other sessions started with passkeys, even if a passkey is left', async () => {
    const { user, authenticator, passkeyId } = await keyed();
    const left = newAuthenticator();
    expect((await add(user, left.create(await creation(user)))).status).toBe(201);
    const { session } = (await enter(authenticator)).body;
    const byPassword = (await signIn(app, user.email)).body.session;
    expect((await send(app, `DELETE /passkeys/${passkeyId}`, { token: user.token })).status).toBe(204);

    const renew = ({ refreshToken }: { readonly refreshToken: string }, headers = {}) =>
      send(app, 'POST /refresh', { body: { refreshToken }, headers });
    expect((await renew(session, phone)).status).toBe(401);
    const told = await sql('SELECT kind FROM revocations WHERE sid = $1', [session.id]);
    expect(told).toEqual([{ kind: 'session' }]);
    expect((await renew(byPassword)).status).toBe(200);
    expect((await renew(user)).status).toBe(200);
    expect((await enter(authenticator)).status).toBe(401);
    expect((await enter(left)).status).toBe(200);
  });
});

test('a passkey that was added before the address was proven does not survive the first proof [S-43]', async () => {
  const mallory = await signUp(app, 'Mallory');
  const authenticator = newAuthenticator();
  expect((await add(mallory, authenticator.create(await creation(mallory)))).status).toBe(201);
  expect((await enter(authenticator)).status).toBe(200);
  await send(app, 'POST /password/forgot', { body: { email: mallory.email } });
  const token = await mailedToken(service, mallory.email, 'reset-password');
  const reset = { token, newPassword: 'a password of the owner' };
  expect((await send(app, 'POST /password/reset', { body: reset })).status).toBe(200);
  expect((await enter(authenticator)).status).toBe(401);
});

test('where passkeys are not configured there is nothing to be found', async () => {
  const off = await startByClock();
  const { token } = await signUp(off.app);
  expect((await send(off.app, 'POST /sign-in/passkey/options')).status).toBe(404);
  expect((await send(off.app, 'POST /passkeys/options', { token })).status).toBe(404);
});

test('a domain whose passkeys the front end could not use is refused at start [S-42]', async () => {
  for (const PASSKEY_RP_ID of ['example.org', 'app.example.com.evil.example', 'p.example.com']) {
    await expect(startService({ settings: { FRONTEND_URL: origin, PASSKEY_RP_ID } })).rejects.toThrow(
      /PASSKEY_RP_ID/,
    );
  }
  await expect(
    startService({ settings: { FRONTEND_URL: origin, PASSKEY_RP_ID: '127.0.0.1' } }),
  ).rejects.toThrow(/no IP address/);
});
