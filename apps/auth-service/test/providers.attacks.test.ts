import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { newEmail, password, send, signUp, type Answer } from './support/client.ts';
import { prove } from './support/organizations.ts';
import { reaching, StandInProvider, type Departure } from './support/stand-in-provider.ts';
import {
  begin,
  comeBack,
  fragmentOf,
  NativeApp,
  page,
  redeem,
  signInAt,
  ticketOf,
  type SocialBody,
} from './support/social.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const honest = await StandInProvider.start({}, afterAll);
const mixUp = await StandInProvider.start({}, afterAll);
const announcing = await StandInProvider.start(
  { metadata: { authorization_response_iss_parameter_supported: true } },
  afterAll,
);
const google = await StandInProvider.start({ issuer: 'https://accounts.google.com' }, afterAll);
const names = Object.entries({ honest, mixup: mixUp, announcing });
const service = await startByClock({
  settings: {
    FRONTEND_URL: 'https://app.example.com',
    GOOGLE_CLIENT: 'our-id:canary-client-secret',
    OIDC_PROVIDERS: names
      .map(([name, { issuer }]) => `${name}|${issuer}|ours|canary-client-secret`)
      .join(','),
    REDIRECT_URIS: 'com.example.app:/signed-in',
  },
  callOutside: reaching({ 'https://accounts.google.com': google }),
});
const { app, clock, sql, logs } = service;

const walkOf = (person: object = {}) => ({
  provider: 'honest',
  at: honest,
  person: { sub: randomUUID(), email: newEmail(), ...person },
});
const sessions = async () => (await sql('SELECT id FROM sessions')).length;

async function departing(departure: Departure, at = honest) {
  at.departure = departure;
  try {
    const url = await begin(new Browser(app), 'honest');
    return fragmentOf((await comeBack(app, 'honest', at.agree(url, walkOf().person))).location);
  } finally {
    at.departure = {};
  }
}

describe('an answer of a provider', () => {
  test.each<[string, Departure]>([
    ['that another key has signed', { signedBy: 'another-key' }],
    ['without a signature', { signedBy: 'none' }],
    ['for another client', { claims: { aud: 'theirs' } }],
    ['for us, authorized for another client', { claims: { azp: 'theirs' } }],
    ['for several clients', { claims: { aud: ['ours', 'theirs'] } }],
    ['of another issuer', { claims: { iss: mixUp.issuer } }],
    ['with another nonce', { claims: { nonce: 'of-another-flow' } }],
    ['that expired', { claims: { exp: 1_000_000_000 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a subject that is no text', { claims: { sub: 7 } }],
    ['with a subject of blanks', { claims: { sub: '   ' } }],
    ['with a NUL in its subject', { claims: { sub: 'a\u0000b' } }],
    ['with half a surrogate pair in its subject', { claims: { sub: 'a\ud800' } }],
    ['with a subject beyond ASCII', { claims: { sub: 'ada\u202e' } }],
    ['with a subject of 256 characters', { claims: { sub: 'a'.repeat(256) } }],
    ['with a subject of 100 kB', { claims: { sub: 'a'.repeat(100_000) } }],
    [
      'that is an error with 200',
      { tokenAnswer: { status: 200, body: '{"error":"bad_verification_code"}' } },
    ],
    ['that is an error with 400', { tokenAnswer: { status: 400, body: '{"error":"invalid_grant"}' } }],
    ['that is no JSON', { tokenAnswer: { status: 200, body: '<html>' } }],
  ])('%s is refused, with a code of ours', async (_, departure) => {
    expect(await departing(departure)).toEqual({
      error: expect.stringMatching(/^PROVIDER_(REFUSED|UNAVAILABLE)$/) as string,
    });
  });

  test('with a subject of 255 characters is taken', async () => {
    expect(await departing({ claims: { sub: 'a'.repeat(255) } })).toEqual({
      ticket: expect.any(String) as string,
    });
  });

  test.each<[string, (now: number) => unknown]>([
    ['an hour ahead', (now) => now + 3_600],
    ['in milliseconds', (now) => now * 1_000],
    ['as large as a number can be', () => 9e15],
    ['beyond whole numbers', (now) => now + 0.5],
  ])('that says it authenticated its user %s confirms nobody', async (_, time) => {
    const browser = new Browser(app);
    const walk = walkOf({ auth_time: time(Math.floor(clock() / 1_000)) });
    const { body } = await signInAt(app, walk, browser);
    const answer = await browser.send('DELETE /user', { token: body.session.token });
    expect([answer.status, answer.body.reason]).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  test('whose clock is a minute ahead confirms its user for five minutes and no longer', async () => {
    const browser = new Browser(app);
    const walk = walkOf({ auth_time: Math.floor(clock() / 1_000) + 60 });
    const { token } = (await signInAt(app, walk, browser)).body.session;
    const body = { provider: 'honest', redirectTo: page };
    const confirmed = () => browser.send('POST /identities/link', { token, body });
    expect((await confirmed()).status).toBe(200);
    clock.advance({ seconds: 301 });
    expect((await confirmed()).status).toBe(401);
  });

  test('with an address and a name of 20 kB has no address', async () => {
    const long = { name: 'a'.repeat(20_000), email: `${'a'.repeat(20_000)}@example.com` };
    const answer = await signInAt(app, walkOf(long));
    expect([answer.status, answer.body.code]).toEqual([422, 'EMAIL_MISSING']);
  });

  test('of 50 MB is not read to its end [S-48]', async () => {
    const body = `{"access_token":"${'x'.repeat(50 * 1024 * 1024)}"}`;
    expect(await departing({ tokenAnswer: { status: 200, body } })).toEqual({
      error: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('counts once: of twenty concurrent ones, one gets a ticket [S-47]', async () => {
    const url = await begin(new Browser(app), 'honest');
    const parameters = honest.agree(url, walkOf().person);
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(app, 'honest', parameters)));
    expect(answers.filter(({ location }) => fragmentOf(location)['ticket'])).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  test('does not count at the address of another provider [S-48]', async () => {
    const url = await begin(new Browser(app), 'honest');
    const parameters = honest.agree(url, walkOf().person);
    const answer = await comeBack(app, 'mixup', parameters);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('INVALID_STATE')]);
    expect(mixUp.tokenRequests).toEqual([]);
  });

  test('names its issuer where that is announced: RFC 9207 [S-48]', async () => {
    const answers = [undefined, mixUp.issuer, announcing.issuer].map(async (iss) => {
      const url = await begin(new Browser(app), 'announcing');
      const given = announcing.agree(url, walkOf().person);
      const { location } = await comeBack(app, 'announcing', { ...given, ...(iss && { iss }) });
      return Object.keys(fragmentOf(location));
    });
    expect(await Promise.all(answers)).toEqual([['error'], ['error'], ['ticket']]);
    expect(announcing.tokenRequests).toHaveLength(1);
  });

  test('with a wrong issuer is refused where none is announced as well [S-48]', async () => {
    const url = await begin(new Browser(app), 'honest');
    const given = { ...honest.agree(url, walkOf().person), iss: mixUp.issuer };
    expect(fragmentOf((await comeBack(app, 'honest', given)).location)).toEqual({
      error: 'PROVIDER_REFUSED',
    });
  });

  test.each([
    ['access_denied', 'ACCESS_DENIED'],
    ['server_error', 'PROVIDER_REFUSED'],
    ['"><script>', 'PROVIDER_REFUSED'],
  ])('that says %s leads to a code of ours', async (error, code) => {
    const url = await begin(new Browser(app), 'honest');
    const { state } = honest.agree(url, {});
    const given = { state: state ?? '', error, error_description: 'canary-description' };
    expect(fragmentOf((await comeBack(app, 'honest', given)).location)).toEqual({ error: code });
  });

  test('with no state, a made-up one or a repeated one has no page to go to', async () => {
    const url = await begin(new Browser(app), 'honest');
    const { code = '', state = '' } = honest.agree(url, walkOf().person);
    for (const query of [
      `code=${code}`,
      `code=${code}&state=x`,
      `code=${code}&state=${state}&state=${state}`,
    ]) {
      const answer = await app.inject({ method: 'GET', url: `/api/auth/callback/honest?${query}` });
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'INVALID_STATE' }]);
    }
  });

  test('that is more than ten minutes late is refused', async () => {
    const url = await begin(new Browser(app), 'honest');
    const parameters = honest.agree(url, walkOf().person);
    clock.advance({ minutes: 10, seconds: 1 });
    expect((await comeBack(app, 'honest', parameters)).status).toBe(400);
  });

  test('starts no session and sets no cookie; a HEAD does not use it up [S-47]', async () => {
    const before = await sessions();
    const url = await begin(new Browser(app), 'honest');
    const query = new URLSearchParams(honest.agree(url, walkOf().person)).toString();
    const path = `/api/auth/callback/honest?${query}`;
    expect((await app.inject({ method: 'HEAD', url: path })).statusCode).toBeGreaterThanOrEqual(400);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://provider.example' };
    const answer = await app.inject({ method: 'GET', url: path, headers });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([303, undefined]);
    expect(await sessions()).toBe(before);
  });
});

describe('a ticket', () => {
  /** A use that no connection of the database was free for in time is refused as well. */
  function expectOneUse(answers: readonly Answer[]): void {
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(['INVALID_TICKET', 'UPSTREAM_UNAVAILABLE']).toContain(body.code);
    }
  }

  test('that began elsewhere starts no session in the browser of a victim [S-47]', async () => {
    const attacker = new Browser(app);
    const ticket = await ticketOf(app, attacker, walkOf());
    const victim = new Browser(app);
    await victim.send('GET /start');
    const before = await sessions();
    expect((await redeem(victim, ticket)).body.code).toBe('INVALID_TICKET');
    const phone = new NativeApp(app);
    expect((await redeem(phone, ticket)).body.code).toBe('INVALID_TICKET');
    expect(await sessions()).toBe(before);
    // It stays good for the one that began.
    expect((await redeem(attacker, ticket)).status).toBe(200);
  });

  test('twenty concurrent uses start one session, and create one account [S-47]', async () => {
    const browser = new Browser(app);
    const walk = walkOf();
    const ticket = await ticketOf(app, browser, walk);
    const before = await sessions();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(browser, ticket)));
    expectOneUse(answers);
    expect(await sessions()).toBe(before + 1);
    expect(await sql('SELECT id FROM users WHERE email = $1', [walk.person.email])).toHaveLength(1);
  });

  test('twenty concurrent uses for an address with an account link it once', async () => {
    const email = `t.${randomUUID()}@gmail.com`;
    const body = { email, password, name: 'Ada' };
    const { user } = (await send(app, 'POST /sign-up/email', { body })).body;
    const browser = new Browser(app);
    const person = { sub: randomUUID(), email, email_verified: true };
    const ticket = await ticketOf(app, browser, { provider: 'google', at: google, person });
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(browser, ticket)));
    expectOneUse(answers);
    expect(await sql('SELECT id FROM identities WHERE user_id = $1', [user.id])).toHaveLength(1);
  });

  test('is redeemed by the device that began on another network, for a minute [S-47]', async () => {
    const browser = new Browser(app);
    const ticket = await ticketOf(app, browser, walkOf());
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/ticket',
      remoteAddress: '203.0.113.9',
      headers: { ...browser.headers, cookie: browser.cookie },
      payload: { ticket },
    });
    expect(answer.statusCode).toBe(200);
    const late = await ticketOf(app, browser, walkOf());
    clock.advance({ seconds: 61 });
    expect((await redeem(browser, late)).body.code).toBe('INVALID_TICKET');
  });

  test('of a client without cookies takes the verifier that it began with, and its device [S-47]', async () => {
    const phone = new NativeApp(app);
    const fields = { codeChallenge: phone.codeChallenge, redirectTo: 'com.example.app:/signed-in' };
    const ticket = await ticketOf(app, phone as never, { ...walkOf(), fields });
    const other = new NativeApp(app);
    for (const codeVerifier of [undefined, other.verifier]) {
      const answer = await redeem(phone, ticket, { ...(codeVerifier && { codeVerifier }) });
      expect(answer.body.code).toBe('INVALID_TICKET');
    }
    const elsewhere = new NativeApp(app, 'another-phone');
    const stolen = await redeem(elsewhere, ticket, { codeVerifier: phone.verifier });
    expect(stolen.body.code).toBe('INVALID_TICKET');
    expect((await redeem(phone, ticket, { codeVerifier: phone.verifier })).status).toBe(200);
  });

  test('is not had without a code challenge where there are no cookies', async () => {
    const body = { provider: 'honest', redirectTo: page };
    const answer = await new NativeApp(app).send('POST /sign-in/social', { body });
    expect([answer.status, answer.body.details]).toMatchObject([400, [{ field: 'codeChallenge' }]]);
  });
});

describe('the page to which a sign-in returns', () => {
  test.each([
    'https://evil.example/signed-in',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://user:pass@app.example.com/',
    'https://app.example.com/#x',
    'http://app.example.com/',
    '//evil.example',
    '/signed-in',
    'javascript:alert(1)',
    'blob:https://app.example.com/0b9f7c1e-5b1a-4c5e-9d57-0d3f3c2b1a0f',
    'filesystem:https://app.example.com/temporary/x',
    'view-source:https://app.example.com/',
    'com.example.app:/signed-in/other',
    'com.example.app:/',
    'not a URL',
  ])('is not %s', async (redirectTo) => {
    const body = { provider: 'honest', redirectTo };
    const answer = await new Browser(app).send('POST /sign-in/social', { body });
    expect([answer.status, answer.body.details]).toMatchObject([400, [{ field: 'redirectTo' }]]);
  });
});

describe('an identity', () => {
  /** The browser is another device than the one that signed up: that takes the password. */
  const linked = async (token: string, browser: Browser, walk = walkOf(), proof: object = { password }) => {
    const body = { provider: 'honest', redirectTo: page, ...proof };
    const { url } = (await browser.send('POST /identities/link', { token, body })).body as SocialBody;
    const { location } = await comeBack(app, 'honest', honest.agree(url, walk.person));
    return { ticket: fragmentOf(location)['ticket'] ?? '', walk };
  };

  test('is linked by its user, signs in, and is unlinked again, each with a notification and an audit entry', async () => {
    const ada = await signUp(app);
    const browser = new Browser(app);
    const { ticket, walk } = await linked(ada.token, browser);
    const body = { ticket, password };
    const added = await browser.send('POST /identities', { token: ada.token, body });
    expect([added.status, (added.body as SocialBody).identity.email]).toEqual([201, walk.person.email]);
    expect((await signInAt(app, walk)).body.user.id).toBe(ada.id);
    const { id } = (added.body as SocialBody).identity;
    const bob = await signUp(app, 'Bob');
    expect((await send(app, `DELETE /identities/${id}`, { token: bob.token })).status).toBe(404);
    expect((await send(app, `DELETE /identities/${id}`, { token: ada.token })).status).toBe(204);
    expect((await send(app, `DELETE /identities/${id}`, { token: ada.token })).status).toBe(404);
    expect((await signInAt(app, walk)).body.user.id).not.toBe(ada.id);
    const audit = await sql('SELECT action FROM user_audit_events WHERE user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity.linked', 'identity.unlinked']),
    );
    const letters = await sql(
      `SELECT id FROM mail_outbox WHERE recipient = $1 AND template = 'way-in-changed'`,
      [ada.email],
    );
    expect(letters).toHaveLength(2);
  });

  test('that is unlinked ends its other sessions, and sign-ins that wait for a code [S-51]', async () => {
    const ada = await enrol(app, clock);
    const browser = new Browser(app);
    const { ticket, walk } = await linked(ada.token, browser);
    const added = await browser.send('POST /identities', { token: ada.token, body: { ticket, password } });
    const signedIn = async () => {
      const device = new Browser(app);
      const { challenge } = (await signInAt(app, walk, device)).body;
      const finish = (code: string) =>
        device.send('POST /two-factor/verify-backup-code', {
          body: { challengeToken: challenge.token, code },
        });
      return { device, finish };
    };
    const [one, other] = [await signedIn(), await signedIn()];
    expect((await one.finish(ada.backupCodes[0]!)).status).toBe(200);
    const { id } = (added.body as SocialBody).identity;
    expect((await send(app, `DELETE /identities/${id}`, { token: ada.token })).status).toBe(204);
    expect((await one.device.send('GET /sessions')).status).toBe(401);
    expect((await other.finish(ada.backupCodes[1]!)).body.code).toBe('INVALID_CHALLENGE');
    expect((await send(app, 'GET /sessions', { token: ada.token })).status).toBe(200);
  });

  test('that is linked already, to anyone, is not linked again', async () => {
    const walk = walkOf();
    await signInAt(app, walk);
    const ada = await signUp(app);
    const browser = new Browser(app);
    const { ticket } = await linked(ada.token, browser, walk);
    const answer = await browser.send('POST /identities', { token: ada.token, body: { ticket, password } });
    expect([answer.status, answer.body.code]).toEqual([409, 'IDENTITY_IN_USE']);
  });

  test('is linked only to the account that began, and its ticket starts no session [S-51]', async () => {
    const attacker = await signUp(app, 'Mallory');
    const victim = await signUp(app, 'Vera');
    const browser = new Browser(app);
    const { ticket } = await linked(attacker.token, browser);
    const body = { ticket, password };
    expect((await browser.send('POST /identities', { token: victim.token, body })).body.code).toBe(
      'INVALID_TICKET',
    );
    expect((await redeem(browser, ticket)).body.code).toBe('INVALID_TICKET');
    const signIn = await ticketOf(app, browser, walkOf());
    const crossed = await browser.send('POST /identities', {
      token: attacker.token,
      body: { ticket: signIn, password },
    });
    expect(crossed.body.code).toBe('INVALID_TICKET');
  });

  test('is neither linked nor unlinked in a session of long ago without the password [S-51]', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 6 });
    const body = { provider: 'honest', redirectTo: page, codeChallenge: 'A'.repeat(43) };
    for (const [request, sent] of [
      ['POST /identities/link', body],
      ['POST /identities', { ticket: `tst_${'A'.repeat(43)}` }],
      [`DELETE /identities/${randomUUID()}`, undefined],
    ] as const) {
      const answer = await send(app, request, { token: ada.token, body: sent });
      expect([answer.status, answer.body.reason]).toEqual([401, 'PASSWORD_REQUIRED']);
    }
    const given = await send(app, 'POST /identities/link', { token: ada.token, body: { ...body, password } });
    expect(given.status).toBe(200);
  });

  test('that is the last sign-in method cannot be removed, not even by two concurrent requests [S-51]', async () => {
    const walk = walkOf({ auth_time: Math.floor(clock() / 1_000) });
    const browser = new Browser(app);
    const { session, user } = (await signInAt(app, walk, browser)).body;
    const { ticket } = await linked(session.token, browser, walkOf(), {});
    expect((await browser.send('POST /identities', { token: session.token, body: { ticket } })).status).toBe(
      201,
    );
    const ids = await sql('SELECT id FROM identities WHERE user_id = $1', [user.id]);
    expect(ids).toHaveLength(2);
    const answers = await Promise.all(
      ids.map(({ id }) => browser.send(`DELETE /identities/${String(id)}`, { token: session.token })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LAST_WAY_IN');
  });

  test('that is about to be linked is withdrawn with a change of the password', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    const { ticket } = await linked(ada.token, new Browser(app));
    const change = { currentPassword: password, newPassword: `other ${password}` };
    const changed = await send(app, 'POST /password/change', { token: ada.token, body: change });
    const { token } = changed.body.session;
    expect((await send(app, 'POST /identities', { token, body: { ticket } })).body.code).toBe(
      'INVALID_TICKET',
    );
    expect(await sql('SELECT id FROM sign_in_flows WHERE user_id = $1', [ada.id])).toEqual([]);
  });
});

describe('a provider that is away', () => {
  test('is a 503 when a sign-in starts, and leaves no flow behind', async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const lame = await startByClock({
      settings: {
        FRONTEND_URL: 'https://app.example.com',
        OIDC_PROVIDERS: `away|http://127.0.0.1:${port}|ours|canary-client-secret`,
      },
    });
    const body = { provider: 'away', redirectTo: page };
    const answer = await new Browser(lame.app).send('POST /sign-in/social', { body });
    expect([answer.status, answer.body.code]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(await lame.sql('SELECT id FROM sign_in_flows')).toEqual([]);
    server.close();
  });
});

describe('limits', () => {
  test('count callbacks of no sign-in alone, which hold up none, and sign-ins that begin [S-23]', async () => {
    const limited = await startByClock({
      settings: {
        FRONTEND_URL: 'https://app.example.com',
        OIDC_PROVIDERS: `honest|${honest.issuer}|ours|canary-client-secret`,
        RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE: '5',
        RATE_LIMIT_REFUSED_CALLBACKS_PER_HOUR: '3',
      },
    });
    const walk = walkOf();
    for (let times = 0; times < 4; times += 1) expect((await signInAt(limited.app, walk)).status).toBe(200);
    const url = await begin(new Browser(limited.app), 'honest');
    const good = honest.agree(url, walk.person);
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      statuses.push((await comeBack(limited.app, 'honest', { state: 'x' })).status);
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
    // A page of anybody's can cause those: a sign-in under way at the same address is let through.
    const returned = await comeBack(limited.app, 'honest', good);
    expect(returned.status).toBe(303);
    expect(fragmentOf(returned.location)['ticket']).toBeDefined();
    const body = { provider: 'honest', redirectTo: page };
    const sixth = await new Browser(limited.app).send('POST /sign-in/social', { body });
    expect(sixth.status).toBe(429);
  });
});

test('no state, ticket, code, verifier, token or client secret is in a log or readable in the database [S-51]', async () => {
  const browser = new Browser(app);
  const url = await begin(browser, 'honest');
  const given = honest.agree(url, walkOf().person);
  const { location } = await comeBack(app, 'honest', given);
  const ticket = fragmentOf(location)['ticket'] ?? '';
  await redeem(browser, `${ticket.slice(0, -1)}_`);
  const tables = await sql(`SELECT row_to_json(f)::text AS row FROM sign_in_flows f`);
  await redeem(browser, ticket);
  const request = honest.tokenRequests.at(-1);
  const secrets = [given['state'], given['code'], ticket, request?.get('code_verifier')];
  secrets.push(new URL(url).searchParams.get('nonce'), 'canary-client-secret', 'canary-access-token');
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(logs()).not.toContain(secret);
    expect(tables.map(({ row }) => String(row)).join('')).not.toContain(secret);
  }
});
