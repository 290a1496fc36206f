import { X509Certificate } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { selfSigned, SamlProvider, type SelfSignedOptions } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { connectionsOf, newDomain, ownedCompany, verifyDomain } from './support/connections.ts';
import { listenUntil } from './support/loopback-server.ts';
import { samlCompany, samlVisitor, visitSaml } from './support/saml.ts';
import { startService } from './support/service.ts';

const [idp, overlapping] = await Promise.all([SamlProvider.listen(afterAll), SamlProvider.listen(afterAll)]);
const hostile = await listenUntil(afterAll);
let answer: RequestListener = (_request, response) => response.writeHead(404).end();
hostile.server.on('request', (...exchange) => {
  answer(...exchange);
});
const start = Date.now();
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: [idp.address, overlapping.address, hostile.address].join(','),
  },
});
const { app, sql } = service;
const company = await ownedCompany(service);
await verifyDomain(service, company, newDomain());
const connections = connectionsOf(service, company);
const draft = await connections.create('saml');
const dayMs = 24 * 60 * 60 * 1_000;

const certificateOf = (options: SelfSignedOptions = {}) => selfSigned(options).certificate;
const manual = (certificates: readonly string[] = [certificateOf()]) => ({
  entityId: 'urn:acme:idp',
  ssoUrl: 'https://idp.acme.example/sso',
  certificates,
});

/** Has the certificates of a connection end, as if a year had gone by. */
async function endCertificates(id: string): Promise<void> {
  const ended = certificateOf({ from: new Date(start - 2 * dayMs), to: new Date(start - dayMs) });
  const base64 = ended.replaceAll(/-----[A-Z ]+-----|\n/g, '');
  await sql(
    `UPDATE connections SET metadata = jsonb_set(metadata, '{certificates}', jsonb_build_array($2::text)) WHERE id = $1`,
    [id, base64],
  );
}

const metadata = async () => (await fetch(idp.metadataUrl)).text();

describe('a connection of SAML', () => {
  test('begins with what is registered there, and has metadata that says so', async () => {
    const base = `https://api.example.com/api/auth/sso/${company.id}/${draft.id}`;
    expect(draft).toMatchObject({
      kind: 'saml',
      issuer: null,
      redirectUri: `${base}/acs`,
      saml: { entityId: `${base}/metadata`, ssoUrl: null, certificates: [] },
    });
    const read = await app.inject({ url: new URL(`${base}/metadata`).pathname });
    expect([read.statusCode, read.headers['content-type']]).toEqual([200, 'application/samlmetadata+xml']);
    expect(read.body).toContain(`entityID="${base}/metadata"`);
    expect(read.body).toContain(`Location="${base}/acs"`);
    const oidc = await connections.create('oidc');
    for (const id of [oidc.id, company.id]) {
      const other = await app.inject({ url: `/api/auth/sso/${company.id}/${id}/metadata` });
      expect(other.statusCode).toBe(404);
    }
    await connections.remove(oidc.id);
  });

  test('takes the address of its metadata, its metadata, or parts of it', async () => {
    const byUrl = await connections.change(draft.id, { saml: { metadataUrl: idp.metadataUrl } });
    expect([byUrl.status, byUrl.body.connection]).toMatchObject([
      200,
      {
        issuer: idp.entityId,
        saml: {
          ssoUrl: idp.ssoUrl,
          metadataUrl: idp.metadataUrl,
          certificates: [
            {
              subject: 'CN=samlp.example',
              fingerprint: new X509Certificate(idp.signer.certificate).fingerprint256,
            },
          ],
        },
      },
    ]);
    expect((await connections.test(draft.id)).body).toMatchObject({
      test: { issuer: idp.entityId, signingKeys: 1 },
    });
    const pasted = await connections.change(draft.id, { saml: { metadata: await metadata() } });
    expect(pasted.body.connection).toMatchObject({ issuer: idp.entityId, saml: { metadataUrl: null } });
    const certificates = [certificateOf(), certificateOf({ key: 'P-256' }), certificateOf({ key: 'P-384' })];
    const parts = await connections.change(draft.id, { saml: manual(certificates) });
    expect(parts.body.connection.saml?.certificates).toHaveLength(3);
    expect((await connections.test(draft.id)).body).toMatchObject({ test: { signingKeys: 3 } });
    const changes = await sql(
      `SELECT details->'changes' AS changes FROM audit_events WHERE organization_id = $1 AND target_id = $2
         AND action = 'connection.updated' ORDER BY id`,
      [company.id, draft.id],
    );
    expect(changes.map((one) => one['changes'])).toEqual([
      ['issuer', 'metadataUrl', 'certificates'],
      ['metadataUrl'],
      ['issuer', 'certificates'],
    ]);
  });

  test.each<[string, () => object | Promise<object>, string]>([
    ['no certificate', () => manual([]), 'saml.certificates'],
    ['what is no certificate', () => manual(['hello']), 'saml.certificates[0]'],
    ['what is none beside one that is', () => manual([certificateOf(), 'hello']), 'saml.certificates[1]'],
    ['a key in place of one', () => manual([selfSigned().privateKey]), 'saml.certificates[0]'],
    ['RSA of 1,024 bits', () => manual([certificateOf({ key: 'small-rsa' })]), 'saml.certificates[0]'],
    ['P-521', () => manual([certificateOf({ key: 'P-521' })]), 'saml.certificates[0]'],
    [
      'one that has ended',
      () => manual([certificateOf({ from: new Date(start - 2 * dayMs), to: new Date(start - dayMs) })]),
      'saml.certificates[0]',
    ],
    ['four', () => manual(Array.from({ length: 4 }, () => certificateOf())), 'saml.certificates'],
    ['no entity id', () => ({ ...manual(), entityId: '' }), 'saml.entityId'],
    ['no page', () => ({ ...manual(), ssoUrl: '' }), 'saml.ssoUrl'],
    ['an entity id that is no URI', () => ({ ...manual(), entityId: 'acme' }), 'saml.entityId'],
    ['a page of this machine', () => ({ ...manual(), ssoUrl: 'https://127.0.0.1/sso' }), 'saml.ssoUrl'],
    ['a page without TLS', () => ({ ...manual(), ssoUrl: 'http://idp.acme.example/sso' }), 'saml.ssoUrl'],
    ['a script in place of a page', () => ({ ...manual(), ssoUrl: 'javascript:alert(1)' }), 'saml.ssoUrl'],
    ['what is no page', () => ({ ...manual(), ssoUrl: 'sso' }), 'saml.ssoUrl'],
    [
      'metadata without a certificate',
      async () => ({ metadata: (await metadata()).replaceAll(/<KeyDescriptor[^]*?<\/KeyDescriptor>/g, '') }),
      'saml',
    ],
    ['metadata with a DOCTYPE', async () => ({ metadata: `<!DOCTYPE x>${await metadata()}` }), 'saml'],
    [
      'metadata of a service',
      async () => ({ metadata: (await metadata()).replaceAll('IDPSSODescriptor', 'SPSSODescriptor') }),
      'saml',
    ],
    ['no metadata', () => ({ metadata: 'hello' }), 'saml'],
  ])('is not saved with %s [S-254]', async (_what, given, field) => {
    const before = (await connections.get(draft.id)).body.connection;
    const refused = await connections.change(draft.id, { saml: await given() });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(`"field":"${field}"`),
    ]);
    expect((await connections.get(draft.id)).body.connection).toEqual(before);
  });

  test.each(['https://10.0.0.1/metadata', 'https://[::ffff:127.0.0.1]/metadata', 'http://idp.acme.example/'])(
    'is not read at %s [S-206]',
    async (metadataUrl) => {
      const refused = await connections.change(draft.id, { saml: { metadataUrl } });
      expect(refused.status).toBe(400);
    },
  );

  test('is not read by a redirect, where the answer is too large, or none [S-206]', async () => {
    const saml = { metadataUrl: `${hostile.address}/metadata` };
    answer = (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    expect((await connections.change(draft.id, { saml })).status).toBe(503);
    answer = (_request, response) => response.end('x'.repeat(300 * 1_024));
    expect((await connections.change(draft.id, { saml })).status).toBe(503);
    answer = (_request, response) => response.writeHead(404).end();
    expect((await connections.change(draft.id, { saml })).status).toBe(400);
  });

  test('has no fields of other kinds, which have none of its own', async () => {
    const oidc = await connections.create('oidc');
    for (const changes of [{ issuer: 'https://a.example' }, { clientId: 'a' }, { clientSecret: 'a' }]) {
      expect((await connections.change(draft.id, changes)).status).toBe(400);
    }
    expect((await connections.change(oidc.id, { saml: manual() })).status).toBe(400);
    await connections.remove(oidc.id);
  });

  test('is turned on with a certificate alone that has not ended, and keeps its entity id while it is on [S-254]', async () => {
    const other = await connections.create('saml');
    expect((await connections.change(other.id, { enabled: true })).body.reason).toBe('CONNECTION_INCOMPLETE');
    await connections.change(other.id, { saml: manual() });
    await endCertificates(other.id);
    expect((await connections.change(other.id, { enabled: true })).body.reason).toBe('CERTIFICATES_ENDED');
    expect(((await connections.test(other.id)).body as { reason?: string }).reason).toBe(
      'CERTIFICATES_ENDED',
    );
    await connections.change(other.id, { saml: manual() });
    expect((await connections.change(other.id, { enabled: true })).status).toBe(200);
    const renewed = await connections.change(other.id, { saml: manual([certificateOf()]) });
    expect(renewed.status).toBe(200);
    const moved = await connections.change(other.id, { saml: { ...manual(), entityId: 'urn:acme:other' } });
    expect([moved.status, moved.body.reason]).toEqual([409, 'CONNECTION_ENABLED']);
    await connections.remove(other.id);
  });
});

test('two certificates overlap without a failed sign-in [S-254]', async () => {
  const [former, next] = [overlapping.signer, selfSigned({ name: 'next.example' })];
  const saml = { entityId: overlapping.entityId, ssoUrl: overlapping.ssoUrl };
  const there = await samlCompany(service, { ...saml, certificates: [former.certificate] });
  const signIn = async () => {
    const walk = {
      company: there,
      idp: overlapping,
      visitor: samlVisitor(there.domain),
      browser: new Browser(app),
    };
    const { fragment } = await visitSaml(service, walk);
    return 'ticket' in fragment;
  };
  const give = (...certificates: string[]) =>
    connectionsOf(service, there).change(there.connection.id, { saml: { ...saml, certificates } });
  expect(await signIn()).toBe(true);
  await give(former.certificate, next.certificate);
  expect(await signIn()).toBe(true);
  overlapping.signer = next;
  expect(await signIn()).toBe(true);
  await give(next.certificate);
  expect(await signIn()).toBe(true);
  overlapping.signer = former;
  expect(await signIn()).toBe(false);
});

test('a certificate that has ended signs nobody in [S-254]', async () => {
  const there = await samlCompany(service, { metadataUrl: idp.metadataUrl });
  const walk = () => ({ company: there, idp, visitor: samlVisitor(there.domain), browser: new Browser(app) });
  expect((await visitSaml(service, walk())).fragment).toHaveProperty('ticket');
  await endCertificates(there.connection.id);
  expect((await visitSaml(service, walk())).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
});
