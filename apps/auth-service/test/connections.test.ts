import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { codeAt } from './support/authenticator.ts';
import { password, send } from './support/client.ts';
import {
  connectedCompany,
  connectionsOf,
  idpClient,
  newDomain,
  ownedCompany,
  verifyDomain,
} from './support/connections.ts';
import { listenUntil } from './support/loopback-server.ts';
import { ask, switchTo } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { StandInProvider } from './support/stand-in-provider.ts';
import { verifyTotp } from './support/two-factor.ts';

const idp = await StandInProvider.start({}, afterAll);
/** A server that passes for an IdP. */
const hostile = await listenUntil(afterAll);
let answer: RequestListener = (_request, response) => response.writeHead(404).end();
hostile.server.on('request', (...exchange) => {
  answer(...exchange);
});
const metadata = (over: object = {}): RequestListener => {
  const { address: issuer } = hostile;
  const endpoints = Object.fromEntries(
    ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => [name, `${issuer}/${name}`]),
  );
  return (_request, response) => response.end(JSON.stringify({ issuer, ...endpoints, ...over }));
};

const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    SSO_LOOPBACK_ORIGINS: [idp.issuer, hostile.address].join(','),
  },
});
const { app, sql, logs } = service;
const company = await ownedCompany(service);
const connections = connectionsOf(service, company);

describe('the sign-in page', () => {
  test('hears that some organization has single sign-on, as long as one has', async () => {
    const other = await StandInProvider.start({}, onTestFinished);
    const here = await startService({ settings: { SSO_LOOPBACK_ORIGINS: other.issuer } });
    const isOn = async () => {
      const { body } = await ask<{ signIn: { singleSignOn: boolean } }>(here, 'GET /start');
      return body.signIn.singleSignOn;
    };
    expect(await isOn()).toBe(false);
    const connected = await connectedCompany(here, other);
    expect(await isOn()).toBe(true);
    await connectionsOf(here, connected).remove(connected.connection.id);
    expect(await isOn()).toBe(false);
  });
});

describe('a connection', () => {
  test('begins with a redirect URI of its own, takes what the IdP gives, and never gives its secret back [S-208]', async () => {
    const begun = await connections.create('okta');
    expect(begun).toMatchObject({
      kind: 'okta',
      issuer: null,
      clientId: null,
      hasSecret: false,
      enabled: false,
    });
    expect(begun.redirectUri).toBe(`https://api.example.com/api/auth/sso/${company.id}/${begun.id}/callback`);
    const { status, body } = await connections.change(begun.id, {
      ...idpClient,
      issuer: `${idp.issuer}/`,
      name: 'Okta',
    });
    expect([status, body.connection]).toMatchObject([
      200,
      { name: 'Okta', issuer: idp.issuer, clientId: 'ours', hasSecret: true, people: 0, usedAt: null },
    ]);
    expect(JSON.stringify([body, (await connections.get(begun.id)).body])).not.toContain(
      idpClient.clientSecret,
    );
    const [stored] = await sql('SELECT encrypted_secret FROM connections WHERE id = $1', [begun.id]);
    expect(String(stored?.['encrypted_secret'])).not.toContain(idpClient.clientSecret);
    expect((await connections.test(begun.id)).body).toMatchObject({
      test: { issuer: idp.issuer, signingKeys: 1 },
    });
    expect((await connections.remove(begun.id)).status).toBe(204);
    expect((await connections.get(begun.id)).status).toBe(404);
    const actions = await sql(
      'SELECT action FROM audit_events WHERE organization_id = $1 AND target_id = $2 ORDER BY id',
      [company.id, begun.id],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'connection.created',
      'connection.updated',
      'connection.deleted',
    ]);
    expect(logs()).not.toContain(idpClient.clientSecret);
  });

  test('is made, seen and changed by owners alone, whose session authenticated recently [S-212]', async () => {
    const others = [company.admin, company.member].map(({ token }) => switchTo(service, token, company.id));
    const { id } = await connections.create();
    for (const token of await Promise.all(others)) {
      for (const [request, body] of [
        [`GET ${connections.path}`, undefined],
        [`POST ${connections.path}`, { kind: 'oidc', name: 'Theirs' }],
        [`GET ${connections.path}/${id}`, undefined],
        [`PATCH ${connections.path}/${id}`, { enabled: true, password }],
        [`DELETE ${connections.path}/${id}`, undefined],
        [`POST ${connections.path}/${id}/test`, undefined],
        [`POST ${connections.path}/${id}/link`, { redirectTo: 'https://app.example.com/', password }],
      ] as const) {
        expect([request, (await send(app, request, { token, body })).status]).toEqual([request, 403]);
      }
    }
    const unconfirmed = await send(app, `PATCH ${connections.path}/${id}`, {
      token: company.token,
      body: { name: 'X' },
      headers: { 'x-device-id': 'of-somebody-else' },
    });
    expect([unconfirmed.status, unconfirmed.body.reason]).toEqual([401, 'PASSWORD_REQUIRED']);
    expect((await send(app, `GET ${connections.path}`)).status).toBe(401);
    await connections.remove(id);
  });

  test('of another organization looks like none', async () => {
    const other = await ownedCompany(service);
    const { id } = await connectionsOf(service, other).create();
    for (const unknown of [id, randomUUID()]) {
      expect((await connections.get(unknown)).status).toBe(404);
      expect((await connections.change(unknown, { name: 'Mine' })).status).toBe(404);
      expect((await connections.remove(unknown)).status).toBe(404);
      expect((await connections.test(unknown)).status).toBe(404);
    }
    const theirs = await ask(service, `GET /organization/${other.id}/connections`, { token: company.token });
    expect(theirs.status).toBe(404);
  });

  test('is one of five of an organization', async () => {
    const small = await ownedCompany(service);
    const own = connectionsOf(service, small);
    for (let count = 0; count < 5; count += 1) await own.create();
    const body = { kind: 'oidc', name: 'One more' };
    const refused = await send(app, `POST ${own.path}`, { token: small.token, body });
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([
      409,
      'QUOTA_EXCEEDED',
      'CONNECTIONS',
    ]);
  });
});

describe('an issuer', () => {
  test.each([
    ['of a private network', 'https://10.0.0.1'],
    ['of this machine that is not named', 'http://127.0.0.1:1'],
    ['of this machine in IPv6', 'https://[::1]'],
    ['of this machine in IPv4 in IPv6', 'https://[::ffff:127.0.0.1]'],
    ['of the metadata of a cloud', 'https://169.254.169.254'],
    ['without TLS', 'http://idp.acme.example'],
    ['at another port', 'https://idp.acme.example:8443'],
    ['with a password', 'https://ada:secret@idp.acme.example'],
    ['that is no URL', 'idp.acme.example'],
  ])('%s is refused when it is saved [S-206]', async (_, issuer) => {
    const { id } = await connections.create();
    const { status, body } = await connections.change(id, { issuer });
    expect([status, body.details]).toMatchObject([400, [{ field: 'issuer', rule: 'allowed' }]]);
    await connections.remove(id);
  });

  test.each<[string, object]>([
    ['token_endpoint', { token_endpoint: 'https://10.0.0.1/token' }],
    ['jwks_uri', { jwks_uri: 'https://[fd00::1]/keys' }],
    ['authorization_endpoint', { authorization_endpoint: 'http://169.254.169.254/authorize' }],
    ['userinfo_endpoint', { userinfo_endpoint: 'http://localhost:5432/' }],
  ])('whose %s is of a private network is refused [S-206]', async (_, over) => {
    answer = metadata(over);
    const { id } = await connections.create();
    const { status, body } = await connections.change(id, { issuer: hostile.address });
    expect([status, body.details]).toMatchObject([400, [{ field: 'issuer', rule: 'allowed' }]]);
    await connections.remove(id);
  });

  test.each<[string, RequestListener, number]>([
    ['names another one', metadata({ issuer: 'https://accounts.google.com' }), 400],
    ['names a part of itself', metadata({ issuer: `${hostile.address}/tenant` }), 400],
    ['leaves its keys out', metadata({ jwks_uri: undefined }), 400],
    ['has an endpoint that runs a script', metadata({ authorization_endpoint: 'javascript:alert(1)' }), 400],
    [
      'signs with what it shares',
      metadata({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      400,
    ],
    ['answers no JSON', (_request, response) => response.end('<html>'), 400],
    ['answers 404', (_request, response) => response.writeHead(404).end(), 400],
    ['answers 500', (_request, response) => response.writeHead(500).end(), 503],
    [
      'redirects',
      (_request, response) =>
        response.writeHead(302, { location: `${idp.issuer}/.well-known/openid-configuration` }).end(),
      503,
    ],
    ['is huge', (_request, response) => response.end('x'.repeat(300_000)), 503],
    ['hangs up', (request) => request.socket.destroy(), 503],
  ])('that %s is refused [S-206]', async (_, listener, status) => {
    answer = listener;
    const { id } = await connections.create();
    const refused = await connections.change(id, { issuer: hostile.address });
    expect(refused.status).toBe(status);
    expect((await connections.get(id)).body.connection.issuer).toBeNull();
    await connections.remove(id);
  });

  test('of Entra is that of a tenant, and of Google the one that Google has [S-207]', async () => {
    for (const [kind, issuer] of [
      ['entra', 'https://login.microsoftonline.com/common/v2.0'],
      ['google', idp.issuer],
    ] as const) {
      const { id } = await connections.create(kind);
      expect((await connections.change(id, { issuer })).body.details).toMatchObject([
        { field: 'issuer', rule: 'allowed' },
      ]);
      await connections.remove(id);
    }
  });

  test('that publishes no keys fails the test of the connection', async () => {
    answer = metadata();
    const { id } = await connections.create();
    expect((await connections.test(id)).body.code).toBe('CONFLICT');
    await connections.change(id, { issuer: hostile.address });
    answer = (request, response) => {
      if (request.url === '/jwks_uri') response.end('{"keys":[]}');
      else metadata()(request, response);
    };
    expect((await connections.test(id)).status).toBe(400);
    await connections.remove(id);
  });
});

describe('a connection is turned on', () => {
  test('with issuer, client and secret, and a verified domain, one at a time [S-208]', async () => {
    const own = await ownedCompany(service);
    const mine = connectionsOf(service, own);
    const { id } = await mine.create();
    expect((await mine.change(id, { enabled: true })).body).toMatchObject({
      code: 'CONFLICT',
      reason: 'CONNECTION_INCOMPLETE',
    });
    await mine.change(id, { ...idpClient, issuer: idp.issuer });
    const unverified = await mine.change(id, { enabled: true });
    expect([unverified.status, unverified.body.code]).toEqual([409, 'DOMAIN_NOT_VERIFIED']);
    await verifyDomain(service, own, newDomain());
    expect((await mine.change(id, { enabled: true })).body.connection.enabled).toBe(true);
    const second = await mine.create();
    const both = await mine.change(second.id, { ...idpClient, issuer: idp.issuer, enabled: true });
    expect([both.status, both.body.reason]).toEqual([409, 'CONNECTION_ENABLED']);
    // While it is on, nobody else comes to be known by the subjects that it has.
    answer = metadata();
    const moved = await mine.change(id, { issuer: hostile.address });
    expect([moved.status, moved.body.reason]).toEqual([409, 'CONNECTION_ENABLED']);
    expect((await mine.change(id, { enabled: false })).body.connection.enabled).toBe(false);
    expect((await mine.change(id, { issuer: hostile.address })).status).toBe(200);
  });

  test('of ten requests at once, once', async () => {
    const own = await ownedCompany(service);
    await verifyDomain(service, own, newDomain());
    const mine = connectionsOf(service, own);
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await mine.create()).id));
    for (const id of ids) await mine.change(id, { ...idpClient, issuer: idp.issuer });
    const turned = await Promise.all(ids.map((id) => mine.change(id, { enabled: true })));
    expect(turned.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sql('SELECT count(*)::int FROM connection_keys WHERE organization = $1', [own.id])).toEqual([
      { count: 1 },
    ]);
  });

  test('with a declared second factor, where the organization requires one [S-214]', async () => {
    const own = await connectedCompany(service, idp);
    const { id } = own.connection;
    const { secret } = (await send(app, 'POST /two-factor/enable', { token: own.token, body: { password } }))
      .body;
    const verified = await verifyTotp(app, { token: own.token, code: codeAt(secret, new Date()) });
    const token = await switchTo(service, verified.body.session.token, own.id);
    const mine = connectionsOf(service, { ...own, token });
    const path = `PATCH /organization/${own.id}`;
    const body = { settings: { requireTwoFactor: true } };
    const refused = await send(app, path, { token, body });
    expect([refused.status, refused.body.reason]).toEqual([409, 'SECOND_FACTOR_UNDECLARED']);
    expect((await mine.change(id, { provesSecondFactor: true })).body.connection.provesSecondFactor).toBe(
      true,
    );
    const required = await send(app, path, { token, body });
    expect(required.status).toBe(200);
    const later = connectionsOf(service, { ...own, token: required.body.session.token });
    expect((await later.change(id, { provesSecondFactor: false })).body.reason).toBe(
      'SECOND_FACTOR_UNDECLARED',
    );
    expect((await later.change(id, { provesSecondFactor: false, enabled: false })).status).toBe(200);
    expect((await later.change(id, { enabled: true })).body.reason).toBe('SECOND_FACTOR_UNDECLARED');
  });
});

test('identity providers on this machine are refused in production [S-206]', async () => {
  const production = { NODE_ENV: 'production', BCRYPT_COST: '10', AUTH_URL: 'https://example.com/api/auth' };
  const settings = { ...production, SSO_LOOPBACK_ORIGINS: 'http://127.0.0.1:4000' };
  await expect(startService({ settings })).rejects.toThrow('SSO_LOOPBACK_ORIGINS');
});
