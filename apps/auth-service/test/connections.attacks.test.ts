import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, newEmail, send, signUp } from './support/client.ts';
import {
  atStandIn,
  beginSso,
  connectedCompany,
  connectionsOf,
  redeemSso,
  returnFrom,
  ssoAtStandIn,
  visitStandIn,
} from './support/connections.ts';
import { personalOrganizationOf, prove } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { fragmentOf, NativeApp, page } from './support/social.ts';
import { StandInProvider, type Departure } from './support/stand-in-provider.ts';

const [idp, hostile] = await Promise.all([
  StandInProvider.start({}, afterAll),
  StandInProvider.start({}, afterAll),
]);
let limitsNow = 0;
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: `${idp.issuer},${hostile.issuer}`,
    RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: '40',
    // A social provider of the same address: flows of both are told apart.
    OIDC_PROVIDERS: `Same IdP|${idp.issuer}|ours|canary-client-secret`,
    MAX_PEOPLE_PER_ORGANIZATION: '20',
  },
  limitsNow: () => limitsNow,
});
const { app, sql } = service;
const [company, other] = await Promise.all([
  connectedCompany(service, idp),
  connectedCompany(service, hostile),
]);

afterEach(() => {
  idp.departure = {};
  hostile.departure = {};
  limitsNow += 60_000;
});

/** Signs somebody in at the company, as its IdP does. */
const walk = (person = atStandIn(company.domain)) => ({ company, idp, person });

const usersOf = async (email: string) => (await sql('SELECT id FROM users WHERE email = $1', [email])).length;

describe('the identity provider of another organization', () => {
  test('does not sign in a member by the subject that they have elsewhere [S-208]', async () => {
    const ada = atStandIn(company.domain);
    const first = await ssoAtStandIn(service, walk(ada));
    const eve = atStandIn(other.domain, { sub: ada.sub });
    const second = await ssoAtStandIn(service, { company: other, idp: hostile, person: eve });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.user.id).not.toBe(first.body.user.id);
    expect(claimsOf(second.body.session.token)['organizationId']).toBe(other.id);
  });

  test('speaks for no address of theirs, verified or not [S-207]', async () => {
    const ada = atStandIn(company.domain);
    await ssoAtStandIn(service, walk(ada));
    for (const claims of [{}, { email_verified: true }, { sub: ada.sub }]) {
      const person = atStandIn(other.domain, { email: ada.email, ...claims });
      const browser = new Browser(app);
      const refused = await visitStandIn(service, { company: other, idp: hostile, person, browser });
      expect(refused).toEqual({ error: 'DOMAIN_NOT_VERIFIED' });
    }
  });

  test('answers no sign-in that began at this one [S-208]', async () => {
    const browser = new Browser(app);
    const url = await beginSso(browser, { slug: company.slug });
    const eve = atStandIn(other.domain);
    // At its own callback, with the state of another connection.
    const answer = hostile.agree(url, eve);
    expect((await returnFrom(service, other.connection.redirectUri, answer))['code']).toBe('INVALID_STATE');
    // At the callback of the other, with a code of its own, and as itself: RFC 9207.
    const theirs = hostile.agree(url, eve);
    const mixed = { ...theirs, iss: hostile.issuer };
    expect(await returnFrom(service, company.connection.redirectUri, mixed)).toEqual({
      error: 'PROVIDER_REFUSED',
    });
    expect(idp.tokenRequests.some((form) => form.get('code') === theirs['code'])).toBe(false);
  });

  test('signs in nobody whose domain the organization no longer has [S-207]', async () => {
    const browser = new Browser(app);
    const person = atStandIn(other.domain);
    const { ticket = '' } = await visitStandIn(service, { company: other, idp: hostile, person, browser });
    const [key] = await sql('DELETE FROM domain_keys WHERE organization = $1 RETURNING *', [other.id]);
    const refused = await redeemSso(browser, ticket);
    expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    const again = await visitStandIn(service, { company: other, idp: hostile, person, browser });
    expect(again).toEqual({ error: 'DOMAIN_NOT_VERIFIED' });
    await sql(
      'INSERT INTO domain_keys (domain, organization, read_at, due_at) VALUES ($1, $2, now(), now())',
      [key?.['domain'], other.id],
    );
  });

  test('gets a session that reaches its organization alone, whatever else the account has [S-209]', async () => {
    const user = await signUp(app, 'Grace Hopper');
    const email = `grace.${randomUUID()}@${other.domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
    await prove(service, user);
    const person = atStandIn(other.domain, { email });
    const { body } = await ssoAtStandIn(service, { company: other, idp: hostile, person });
    const { token } = body.session;
    expect([body.user.id, claimsOf(token)['organizationId']]).toEqual([user.id, other.id]);
    const organizationId = personalOrganizationOf(user);
    const switched = await send(app, 'POST /organization/switch', { token, body: { organizationId } });
    expect(switched.status).toBeGreaterThanOrEqual(400);
    for (const request of [
      `GET /organization/${organizationId}`,
      `GET /organization/${organizationId}/members`,
    ]) {
      expect((await send(app, request, { token })).status).toBeGreaterThanOrEqual(400);
    }
    const renamed = await send(app, 'PATCH /user', { token, body: { name: 'Eve' } });
    expect([renamed.status, renamed.body.code]).toEqual([403, 'SIGN_IN_REQUIRED']);
    // Of the user's own sessions, all go on.
    expect((await send(app, 'GET /session', { token: user.token })).status).toBe(200);
  });
});

describe('an answer of an identity provider', () => {
  test.each<[string, Departure]>([
    ['signed by another key', { signedBy: 'another-key' }],
    ['that nobody signed', { signedBy: 'none' }],
    ['of another issuer', { claims: { iss: hostile.issuer } }],
    ['for another client', { claims: { aud: 'theirs' } }],
    ['that another client asked for', { claims: { aud: ['ours', 'theirs'], azp: 'theirs' } }],
    ['of another sign-in', { claims: { nonce: 'another' } }],
    ['that has expired', { claims: { exp: Math.floor(Date.now() / 1_000) - 600 } }],
    ['without a subject', { claims: { sub: undefined } }],
    [
      'with UserInfo of somebody else',
      { claims: { email: undefined }, userInfo: { sub: 'eve', email: 'eve' } },
    ],
  ])('%s is refused [S-208]', async (_, departure) => {
    idp.departure = departure;
    const person = atStandIn(company.domain);
    const refused = await visitStandIn(service, { ...walk(person), browser: new Browser(app) });
    expect(refused).toEqual({ error: 'PROVIDER_REFUSED' });
    expect(await usersOf(person.email)).toBe(0);
  });

  test.each<[string, Departure, string]>([
    ['of 50 MB', { tokenAnswer: { status: 200, body: 'x'.repeat(50_000_000) } }, 'PROVIDER_UNAVAILABLE'],
    ['that failed', { tokenAnswer: { status: 503, body: '{}' } }, 'PROVIDER_UNAVAILABLE'],
    [
      'with an error',
      { tokenAnswer: { status: 400, body: '{"error":"invalid_grant"}' } },
      'PROVIDER_REFUSED',
    ],
    ['that is none', { tokenAnswer: { status: 200, body: '[]' } }, 'PROVIDER_REFUSED'],
    [
      'whose keys are of 50 MB',
      { keys: (response) => response.end('x'.repeat(50_000_000)) },
      'PROVIDER_UNAVAILABLE',
    ],
    [
      'whose keys are elsewhere',
      { keys: (response) => response.writeHead(302, { location: `${hostile.issuer}/jwks` }).end() },
      'PROVIDER_UNAVAILABLE',
    ],
    ['whose keys do not come', { keys: (response) => response.destroy() }, 'PROVIDER_UNAVAILABLE'],
    ['without keys', { keys: (response) => response.end('{"keys":[]}') }, 'PROVIDER_REFUSED'],
  ])('%s signs in nobody [S-206]', async (_, departure, error) => {
    idp.departure = departure;
    expect(await visitStandIn(service, { ...walk(), browser: new Browser(app) })).toEqual({ error });
  });

  test('counts once: of five concurrent ones, one gets a ticket, and its code is used once [S-210]', async () => {
    const browser = new Browser(app);
    const person = atStandIn(company.domain);
    const parameters = idp.agree(await beginSso(browser, { slug: company.slug }), person);
    const back = () => returnFrom(service, company.connection.redirectUri, parameters);
    const answers = await Promise.all(Array.from({ length: 5 }, back));
    expect(answers.filter(({ ticket }) => ticket !== undefined)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'INVALID_STATE')).toHaveLength(4);
    expect((await back())['code']).toBe('INVALID_STATE');
    expect(idp.tokenRequests.filter((form) => form.get('code') === parameters['code'])).toHaveLength(1);
  });

  test('starts no session and sets no cookie; a HEAD does not use it up', async () => {
    const parameters = idp.agree(
      await beginSso(new Browser(app), { slug: company.slug }),
      atStandIn(company.domain),
    );
    const { pathname } = new URL(company.connection.redirectUri);
    const url = `${pathname}?${new URLSearchParams(parameters).toString()}`;
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(405);
    const answer = await app.inject({ method: 'GET', url });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([303, undefined]);
    expect(fragmentOf(new URL(String(answer.headers.location)))).toHaveProperty('ticket');
  });

  test('beyond the limit of its connection is refused, and those of no sign-in do not count there', async () => {
    for (let count = 0; count < 60; count += 1) {
      const stray = { state: `tsf_${'x'.repeat(43)}`, code: 'code' };
      expect((await returnFrom(service, company.connection.redirectUri, stray))['code']).toBe(
        'INVALID_STATE',
      );
    }
    const errors = [];
    for (let count = 0; count < 41; count += 1) {
      const url = new URL(await beginSso(new Browser(app), { slug: company.slug }));
      const denied = { state: url.searchParams.get('state') ?? '', error: 'access_denied' };
      errors.push((await returnFrom(service, company.connection.redirectUri, denied))['error']);
    }
    expect(errors.slice(0, 40).every((error) => error === 'ACCESS_DENIED')).toBe(true);
    expect(errors[40]).toBe('RATE_LIMITED');
    // Another organization goes on.
    const person = atStandIn(other.domain);
    expect((await ssoAtStandIn(service, { company: other, idp: hostile, person })).status).toBe(200);
  });
});

describe('a ticket', () => {
  test('of five concurrent uses, and of those after, starts one session and makes one account [S-210]', async () => {
    const browser = new Browser(app);
    const person = atStandIn(company.domain);
    const { ticket = '' } = await visitStandIn(service, { ...walk(person), browser });
    const used = await Promise.all(Array.from({ length: 5 }, () => redeemSso(browser, ticket)));
    expect(used.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await redeemSso(browser, ticket)).body.code).toBe('INVALID_TICKET');
    const [user] = await sql('SELECT id FROM users WHERE email = $1', [person.email]);
    expect(await sql('SELECT count(*)::int FROM sessions WHERE user_id = $1', [user?.['id']])).toEqual([
      { count: 1 },
    ]);
  });

  test('is redeemed by the device that began alone [S-210]', async () => {
    const browser = new Browser(app);
    const { ticket = '' } = await visitStandIn(service, { ...walk(), browser });
    expect((await redeemSso(new Browser(app), ticket)).body.code).toBe('INVALID_TICKET');
    expect((await redeemSso(browser, ticket)).status).toBe(200);
  });

  test('of a client without cookies takes the verifier that it began with [S-210]', async () => {
    const native = new NativeApp(app);
    const body = { slug: company.slug, redirectTo: page };
    expect((await native.send('POST /sign-in/sso', { body })).status).toBe(400);
    const begun = await native.send('POST /sign-in/sso', {
      body: { ...body, codeChallenge: native.codeChallenge },
    });
    const url = (begun.body as unknown as { url: string }).url;
    const parameters = idp.agree(url, atStandIn(company.domain));
    const { ticket } = await returnFrom(service, company.connection.redirectUri, parameters);
    expect((await native.send('POST /sign-in/sso/ticket', { body: { ticket } })).status).toBe(400);
    const codeVerifier = native.verifier;
    expect((await native.send('POST /sign-in/sso/ticket', { body: { ticket, codeVerifier } })).status).toBe(
      200,
    );
  });

  test('of a connection is none of a provider of this service, nor the other way round [S-208]', async () => {
    const browser = new Browser(app);
    const { ticket = '' } = await visitStandIn(service, { ...walk(), browser });
    expect((await browser.send('POST /sign-in/ticket', { body: { ticket } })).body.code).toBe(
      'INVALID_TICKET',
    );
    const begun = await browser.send('POST /sign-in/social', {
      body: { provider: 'same-idp', redirectTo: page },
    });
    const parameters = idp.agree((begun.body as unknown as { url: string }).url, atStandIn(company.domain));
    expect((await returnFrom(service, company.connection.redirectUri, parameters))['code']).toBe(
      'INVALID_STATE',
    );
    const query = new URLSearchParams(parameters).toString();
    const answer = await app.inject({ method: 'GET', url: `/api/auth/callback/same-idp?${query}` });
    const social = fragmentOf(new URL(String(answer.headers.location)));
    expect((await redeemSso(browser, String(social['ticket']))).body.code).toBe('INVALID_TICKET');
  });
});

describe('whoever seeks a sign-in', () => {
  test('learns by the domain alone whether there is one, with an account or without [S-207]', async () => {
    const seek = (body: object) =>
      send(app, 'POST /sign-in/sso', { body: { redirectTo: page, codeChallenge: 'x'.repeat(43), ...body } });
    const known = await signUp(app);
    const [withAccount, without] = [await seek({ email: known.email }), await seek({ email: newEmail() })];
    expect([withAccount.status, withAccount.body.code]).toEqual([404, 'NOT_FOUND']);
    expect({ ...without.body, requestId: '' }).toEqual({ ...withAccount.body, requestId: '' });
    expect((await seek({ email: `nobody@${company.domain}` })).status).toBe(200);
    expect((await seek({ email: `nobody@${company.domain.toUpperCase()}` })).status).toBe(200);
    expect((await seek({ slug: 'no-such-organization' })).status).toBe(404);
    expect(
      (await seek({ email: `nobody@${company.domain}`, redirectTo: 'https://evil.example/' })).status,
    ).toBe(400);
    expect((await seek({})).status).toBe(400);
  });
});

test('an organization gets no more people than fit, as with invitations', async () => {
  const full = await connectedCompany(service, hostile);
  const person = () => ({ company: full, idp: hostile, person: atStandIn(full.domain) });
  const statuses = [];
  for (let count = 0; count < 18; count += 1) {
    const signedIn = await ssoAtStandIn(service, person());
    statuses.push(signedIn.status === 200 ? 200 : signedIn.body.code);
  }
  // Three were there.
  expect(statuses).toEqual([...Array.from({ length: 17 }, () => 200), 'QUOTA_EXCEEDED']);
});

test('an identity provider is read again after a day, by one instance, and what it said before stays if it does not answer', async () => {
  const own = await connectedCompany(service, hostile);
  const connections = connectionsOf(service, own);
  const readAt = async () =>
    (
      await sql('SELECT metadata_read_at AS at, metadata FROM connections WHERE id = $1', [own.connection.id])
    )[0];
  await sql(
    `UPDATE connections SET metadata_read_at = now() - INTERVAL '25 hours',
    metadata = jsonb_set(metadata, '{authorization_endpoint}', '"https://old.example/authorize"') WHERE id = $1`,
    [own.connection.id],
  );
  const begun = await Promise.all(
    Array.from({ length: 5 }, () => beginSso(new Browser(app), { slug: own.slug })),
  );
  expect(begun.filter((url) => url.startsWith(`${hostile.issuer}/authorize`)).length).toBeGreaterThanOrEqual(
    1,
  );
  expect((await readAt())?.['metadata']).toMatchObject({
    authorization_endpoint: `${hostile.issuer}/authorize`,
  });
  await sql(
    `UPDATE connections SET metadata_read_at = now() - INTERVAL '25 hours', metadata = jsonb_set(metadata, '{issuer}', '"http://127.0.0.1:1"')
    WHERE id = $1`,
    [own.connection.id],
  );
  expect(await beginSso(new Browser(app), { slug: own.slug })).toContain(`${hostile.issuer}/authorize`);
  await connections.remove(own.connection.id);
});
