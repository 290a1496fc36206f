import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { selfSigned, type PostedResponse } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { beginSso, connectionsOf, redeemSso, type ConnectedCompany } from './support/connections.ts';
import {
  hasXmlsec1,
  minutesFromNow,
  responseOf,
  signed,
  signedByXmlsec1,
  type Departures,
  type ResponseParts,
} from './support/saml-documents.ts';
import { postForm, samlCompany } from './support/saml.ts';
import { startService } from './support/service.ts';

const service = await startService({
  settings: { AUTH_URL: 'https://api.example.com/api/auth', FRONTEND_URL: 'https://app.example.com' },
});
const { app, sql, logs } = service;
const [signer, stranger] = [selfSigned(), selfSigned({ name: 'evil.example' })];
const elliptic = selfSigned({ key: 'P-256' });
const issuer = 'https://idp.example/entity';
const at = { entityId: issuer, ssoUrl: 'https://idp.example/sso' };
const company = await samlCompany(service, {
  ...at,
  certificates: [signer.certificate, elliptic.certificate],
});

/** A sign-in that has begun, and what the IdP is to say of it. */
interface Begun {
  readonly browser: Browser;
  readonly parts: ResponseParts;
  readonly post: (document: string) => ReturnType<typeof postForm>;
}

async function begin(of: ConnectedCompany = company): Promise<Begun> {
  const browser = new Browser(app);
  const { searchParams } = new URL(await beginSso(browser, { slug: of.slug }));
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const requestId = /ID="([^"]+)"/.exec(request)?.[1] ?? '';
  const { redirectUri: acsUrl, saml } = of.connection;
  const nameId = `eve-${randomUUID()}`;
  const parts = {
    issuer,
    acsUrl,
    audience: saml?.entityId ?? '',
    requestId,
    nameId,
    email: `${nameId}@${of.domain}`,
  };
  const form = (document: string): PostedResponse => ({
    action: acsUrl,
    fields: {
      RelayState: searchParams.get('RelayState') ?? '',
      SAMLResponse: Buffer.from(document).toString('base64'),
    },
  });
  return { browser, parts, post: (document) => postForm(service, form(document)) };
}

const genuine = ({ parts }: Begun, departures: Departures = {}): string =>
  signed(responseOf(parts, departures), signer);

/** The one element of a name in a document, as text. */
function elementIn(document: string, name: string): string {
  const [element] = new RegExp(`<((?:\\w+:)?${name})[ >][^]*?</\\1>`).exec(document) ?? [];
  if (element === undefined) throw new Error(`no ${name}`);
  return element;
}

const victim = `owner@${company.domain}`;

/** An assertion as the signed one, of somebody else, unsigned. */
function forged(document: string, parts: ResponseParts): string {
  const assertion = elementIn(document, 'Assertion').replace(elementIn(document, 'Signature'), '');
  return assertion
    .replaceAll(parts.email, victim)
    .replaceAll(parts.nameId, 'owner')
    .replace(/ID="_a/, 'ID="_f');
}

type Forgery = (document: string, begun: Begun) => string;

/** Around the signed assertion. */
const byAssertion =
  (
    forge: (pieces: {
      document: string;
      assertion: string;
      signature: string;
      bare: string;
      evil: string;
    }) => string,
  ): Forgery =>
  (document, { parts }) => {
    const [assertion, signature] = [elementIn(document, 'Assertion'), elementIn(document, 'Signature')];
    const bare = assertion.replace(signature, '');
    return forge({ document, assertion, signature, bare, evil: forged(document, parts) });
  };

/** What an IdP signs, and another one or nobody. */
const resigned =
  (sign: (xml: string) => string): Forgery =>
  (_document, { parts }) =>
    sign(responseOf({ ...parts, email: victim, nameId: 'owner' }));

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const forgeries: Record<string, Forgery> = {
  // wrapped
  'an unsigned assertion before the signed one': byAssertion(({ document, assertion, evil }) =>
    document.replace(assertion, evil + assertion),
  ),
  'an unsigned assertion after the signed one': byAssertion(({ document, assertion, evil }) =>
    document.replace(assertion, assertion + evil),
  ),
  'the signed assertion inside of an unsigned one': byAssertion(({ document, assertion, evil }) =>
    document.replace(assertion, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
  ),
  'the signed assertion in the signature of an unsigned one': byAssertion(
    ({ document, assertion, signature, bare, evil }) => {
      const moved = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
      return document.replace(assertion, evil.replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
    },
  ),
  'the signature in an unsigned assertion, and the signed one beside it': byAssertion(
    ({ document, assertion, signature, bare, evil }) =>
      document.replace(assertion, evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`) + bare),
  ),
  'the signed assertion in an extension, an unsigned one in its place': byAssertion(
    ({ document, assertion, evil }) =>
      document
        .replace(assertion, evil)
        .replace('<samlp:Status>', `<samlp:Extensions>${assertion}</samlp:Extensions>$&`),
  ),
  'the signed response in the status of an unsigned one': (_document, { parts }) => {
    const inner = signed(responseOf(parts), signer, { at: 'Response' });
    const outer = forged(signed(responseOf(parts), signer), parts);
    return responseOf(parts)
      .replace(/<saml:Assertion.*<\/saml:Assertion>/, outer)
      .replace('</samlp:Status>', `<samlp:StatusDetail>${inner}</samlp:StatusDetail></samlp:Status>`);
  },
  'the signed response in the signature of an unsigned one': (_document, { parts }) => {
    const inner = signed(responseOf(parts), signer, { at: 'Response' });
    const signature = elementIn(inner, 'Signature');
    const bare = inner.replace(signature, '');
    const moved = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
    const evil = forged(signed(responseOf(parts), signer), parts);
    return bare
      .replace(/<saml:Assertion.*<\/saml:Assertion>/, evil)
      .replace(/ID="_r/, 'ID="_x')
      .replace('</saml:Issuer>', `</saml:Issuer>${moved}`);
  },
  // doubled
  'the signed assertion twice': byAssertion(({ document, assertion }) =>
    document.replace(assertion, assertion + assertion),
  ),
  'two signatures, of the assertion and of the response': (document) =>
    signed(document, signer, { at: 'Response' }),
  'two SignedInfo, of which one is signed': byAssertion(({ document }) => {
    const info = elementIn(document, 'SignedInfo');
    return document.replace(info, `${info.replace(/DigestValue>[^<]+/, 'DigestValue>AAAA')}${info}`);
  }),
  'two digests in the reference': byAssertion(({ document }) => {
    const digest = elementIn(document, 'DigestValue');
    return document.replace(digest, digest + digest);
  }),
  'another element with the identifier that is signed': byAssertion(({ document, bare }) => {
    const id = /ID="(_a[^"]+)"/.exec(bare)?.[1] ?? '';
    return document.replace('<samlp:Status>', `<samlp:Extensions Id="${id}"/><samlp:Status>`);
  }),
  'two references': (_document, { parts }) =>
    signed(responseOf(parts), signer, { others: ["//*[local-name(.)='Response']"] }),
  // reordered
  'the signature outside of what it signs': byAssertion(({ document, assertion, signature, bare }) =>
    document.replace(assertion, bare + signature),
  ),
  'the assertion outside of the response': byAssertion(({ document, assertion }) =>
    document
      .replace(assertion, '')
      .replace('</samlp:Status>', `</samlp:Status><samlp:Extensions>${assertion}</samlp:Extensions>`),
  ),
  'the transforms in the other order': (_document, { parts }) =>
    signed(responseOf(parts), signer, { transforms: [exclusive, `${dsig}enveloped-signature`] }),
  // commented
  'a comment in the identifier': (document, { parts }) =>
    document.replace(parts.nameId, `owner<!---->${parts.nameId}`),
  'a comment in the address': (document, { parts }) =>
    document.replace(`>${parts.email}`, `>${victim}<!---->.${parts.email}`),
  'a comment in the digest': (document) => document.replace('DigestValue>', 'DigestValue><!--AAAA-->'),
  'an instruction in the identifier': (document, { parts }) =>
    document.replace(parts.nameId, `owner<?x?>${parts.nameId}`),
  'a CDATA section as the identifier': (document, { parts }) =>
    document.replace(parts.nameId, `<![CDATA[owner]]>`),
  // decoyed
  'an assertion of another namespace in place of the signed one': byAssertion(
    ({ document, assertion, evil }) =>
      document.replace(
        assertion,
        `<x:Assertion xmlns:x="urn:decoy">${assertion}</x:Assertion>${evil.replaceAll('saml:', 'saml:')}`,
      ),
  ),
  'an encrypted assertion beside the signed one': (document) =>
    document.replace('</samlp:Response>', '<saml:EncryptedAssertion/></samlp:Response>'),
  'an algorithm in the key that is not that of the signature': byAssertion(({ document, signature }) =>
    document.replace(
      signature,
      signature.replace(
        '<ds:SignedInfo>',
        `<ds:KeyInfo><ds:SignatureMethod Algorithm="${dsig}rsa-sha1"/></ds:KeyInfo>$&`,
      ),
    ),
  ),
  'the identifier of a part, of which alone the signature is': (_document, { parts }) =>
    signed(responseOf(parts).replace('<saml:Subject>', '<saml:Subject ID="_s">'), signer, {
      signs: "//*[local-name(.)='Subject']",
    }),
  'a reference to whatever the document is': (_document, { parts }) =>
    signed(responseOf(parts), signer, { signsAll: true, at: 'Response', signs: '/*' }),
  // changed
  'another identifier': (document, { parts }) => document.replaceAll(`>${parts.nameId}<`, '>owner<'),
  'another address': (document, { parts }) => document.replace(`>${parts.email}`, `>${victim}`),
  'another form of the identifier': (document) =>
    document.replace('nameid-format:persistent', 'nameid-format:transient'),
  // unsigned
  'no signature': byAssertion(({ document, signature }) => document.replace(signature, '')),
  'a signature of nothing': byAssertion(({ document, signature }) =>
    document.replace(signature, `<ds:Signature xmlns:ds="${dsig}"/>`),
  ),
  'a signature of another, whose certificate it embeds': resigned((xml) => signed(xml, stranger)),
  'a signature of another, with the certificate of the IdP': resigned((xml) =>
    signed(xml, { ...stranger, certificate: signer.certificate }),
  ),
  'HMAC with the certificate as its key': resigned((xml) =>
    signed(xml, signer, { algorithm: `${more}hmac-sha256` }),
  ),
  'RSA with SHA-1': resigned((xml) => signed(xml, signer, { algorithm: `${dsig}rsa-sha1` })),
  'a digest of SHA-1': resigned((xml) => signed(xml, signer, { digest: `${dsig}sha1` })),
  'no transform that takes the signature out': resigned((xml) =>
    signed(xml, signer, { transforms: [exclusive] }),
  ),
  'a third transform': resigned((xml) =>
    signed(xml, signer, { transforms: [`${dsig}enveloped-signature`, exclusive, exclusive] }),
  ),
  'another canonicalization of what is signed': resigned((xml) =>
    signed(xml, signer, { canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
  ),
};

describe('a response of the IdP yields nothing that it has not signed [S-251]', () => {
  test.each(Object.entries(forgeries))('%s', async (_what, forge) => {
    const begun = await begin();
    const document = genuine(begun);
    const answer = await begun.post(forge(document, begun));
    expect(answer.fragment).not.toHaveProperty('ticket');
    expect([400, 303]).toContain(answer.status);
    if (answer.status === 303) expect(answer.fragment).toEqual({ error: 'PROVIDER_REFUSED' });
    else expect(answer.body).toContain('SAMLResponse');
    // It has not used the sign-in up, and the document that it was made of is a good one.
    const { fragment } = await begun.post(document);
    expect((await redeemSso(begun.browser, fragment['ticket'] ?? '')).body.user.email).toBe(
      begun.parts.email,
    );
  });

  test('of whoever was not to be signed in, nobody is known', async () => {
    expect(await sql('SELECT email FROM users WHERE email = $1', [victim])).toEqual([]);
  });
});

describe('what the IdP signs is taken [S-251]', () => {
  test.each<[string, (begun: Begun) => string]>([
    [
      'the response in place of the assertion',
      ({ parts }) => signed(responseOf(parts), signer, { at: 'Response' }),
    ],
    ['without its certificate', ({ parts }) => signed(responseOf(parts), signer, { embeds: false })],
    [
      'by another of its keys, of P-256',
      ({ parts }) => signed(responseOf(parts), elliptic, { algorithm: `${more}ecdsa-sha256` }),
    ],
    [
      'with SHA-512',
      ({ parts }) =>
        signed(responseOf(parts), signer, {
          algorithm: `${more}rsa-sha512`,
          digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
        }),
    ],
  ])('%s', async (_what, document) => {
    const begun = await begin();
    const { fragment } = await begun.post(document(begun));
    expect((await redeemSso(begun.browser, fragment['ticket'] ?? '')).body.user.email).toBe(
      begun.parts.email,
    );
  });
});

test.skipIf(!hasXmlsec1)('what xmlsec1 signs is taken, where it is installed [S-251]', async () => {
  const begun = await begin();
  const document = signedByXmlsec1(responseOf(begun.parts), signer);
  const changed = document.replace(`>${begun.parts.email}`, `>${victim}`);
  expect((await begun.post(changed)).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
  const { fragment } = await begun.post(document);
  expect((await redeemSso(begun.browser, fragment['ticket'] ?? '')).body.user.email).toBe(begun.parts.email);
});

describe('a signed response counts for what it was made for [S-252]', () => {
  const elsewhere = 'https://elsewhere.example/acs';
  test.each<[string, Departures, string]>([
    ['not for another destination', { destination: elsewhere }, 'foreign-destination'],
    [
      'not for a destination that begins as ours',
      { destination: `${company.connection.redirectUri}/` },
      'foreign-destination',
    ],
    ['not without a destination', { destination: undefined }, 'foreign-destination'],
    ['not for another recipient', { recipient: elsewhere }, 'foreign-recipient'],
    ['not without a recipient', { recipient: undefined }, 'foreign-recipient'],
    [
      'not by another issuer of the response',
      { responseIssuer: 'https://accounts.google.com' },
      'foreign-issuer',
    ],
    ['not without an issuer of the response', { responseIssuer: undefined }, 'foreign-issuer'],
    [
      'not by another issuer of the assertion',
      { assertionIssuer: 'https://accounts.google.com' },
      'foreign-issuer',
    ],
    ['not for another audience', { audiences: ['https://elsewhere.example'] }, 'foreign-audience'],
    [
      'not for our audience within another',
      { audiences: [company.connection.saml?.entityId ?? '', elsewhere] },
      'foreign-audience',
    ],
    ['not for everybody', { audiences: [] }, 'foreign-audience'],
    ['not for another request', { inResponseTo: '_another' }, 'foreign-request'],
    ['not unasked', { inResponseTo: undefined }, 'foreign-request'],
    ['not where its bearer answers another request', { confirmedRequest: '_another' }, 'foreign-request'],
    ['not once it has ended', { notOnOrAfter: minutesFromNow(-3) }, 'expired'],
    ['not once its bearer’s time has ended', { confirmedUntil: minutesFromNow(-3) }, 'expired'],
    ['not where its bearer’s time has no end', { confirmedUntil: undefined }, 'no-end'],
    ['not once the session there has ended', { sessionEnd: minutesFromNow(-3) }, 'expired'],
    ['not before it begins', { notBefore: minutesFromNow(3) }, 'not-yet'],
    ['not at a time that cannot be read', { notOnOrAfter: 'tomorrow' }, 'expired'],
    [
      'not for who holds a key',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
      'no-confirmation',
    ],
    [
      'not for who is known there for a visit',
      { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      'unusable-identifier',
    ],
    [
      'not for a name that another gave',
      { nameIdAttributes: ' NameQualifier="https://elsewhere.example"' },
      'unusable-identifier',
    ],
    [
      'not for a name that others know',
      { nameIdAttributes: ' SPNameQualifier="https://elsewhere.example"' },
      'unusable-identifier',
    ],
  ])('%s', async (_what, departures, problem) => {
    const begun = await begin();
    const answer = await begun.post(genuine(begun, departures));
    expect(answer).toMatchObject({ status: 303, fragment: { error: 'PROVIDER_REFUSED' } });
    expect(logs()).toContain(`"problem":"${problem}"`);
    expect((await begun.post(genuine(begun))).fragment).toHaveProperty('ticket');
  });

  test('not under a condition that is not known', async () => {
    const begun = await begin();
    const document = genuine(begun, { conditions: '<saml:OnWednesdays/>' });
    expect((await begun.post(document)).status).toBe(400);
  });

  test('not for somebody else’s request, nor for that of another connection', async () => {
    const [one, other] = [await begin(), await begin()];
    expect((await one.post(genuine(other))).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
    const second = await samlCompany(service, { ...at, certificates: [signer.certificate] });
    const there = await begin(second);
    expect((await one.post(genuine(there))).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
    expect((await there.post(genuine(there))).fragment).toHaveProperty('ticket');
  });

  test('once, of five at once', async () => {
    const begun = await begin();
    const document = genuine(begun);
    const answers = await Promise.all(Array.from({ length: 5 }, () => begun.post(document)));
    const tickets = answers.flatMap(({ fragment }) => fragment['ticket'] ?? []);
    expect(tickets).toHaveLength(1);
    const redeemed = await Promise.all(
      Array.from({ length: 5 }, () => redeemSso(begun.browser, tickets[0] ?? '')),
    );
    expect(redeemed.filter(({ status }) => status === 200)).toHaveLength(1);
    // Nothing is left that it could be shown for.
    const again = await begun.post(document);
    expect(again).toMatchObject({
      status: 303,
      page: `https://app.example.com/sign-in?organization=${company.slug}`,
    });
  });

  test('once, where two requests have one id', async () => {
    const [one, other] = [await begin(), await begin()];
    const id = `_a${randomUUID()}`;
    expect((await one.post(genuine(one, { id }))).fragment).toHaveProperty('ticket');
    expect((await other.post(genuine(other, { id }))).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
    expect(logs()).toContain('"problem":"repeated"');
  });
});

describe('a form that is no response [S-253]', () => {
  const acs = company.connection.redirectUri;
  test.each<[string, string]>([
    ['no base64', '*'],
    ['no base64 after 200,000 spaces', `${' '.repeat(200_000)}*`],
    ['no base64 after 200,000 letters', `${'A'.repeat(200_000)}*`],
    ['no XML', Buffer.from('hello').toString('base64')],
    ['no UTF-8', Buffer.from([0xff, 0xfe]).toString('base64')],
    ['another document', Buffer.from('<a/>').toString('base64')],
    ['nothing', ''],
  ])('is refused, and leaves the sign-in as it was: %s', async (_what, SAMLResponse) => {
    const begun = await begin();
    const RelayState = new URL(await beginSso(begun.browser, { slug: company.slug })).searchParams.get(
      'RelayState',
    );
    const fields = { RelayState: RelayState ?? '', SAMLResponse };
    expect((await postForm(service, { action: acs, fields })).status).toBe(400);
    expect((await begun.post(genuine(begun))).fragment).toHaveProperty('ticket');
  });

  test('is not read where it belongs to no sign-in: the tile of an IdP begins one', async () => {
    const begun = await begin();
    const SAMLResponse = Buffer.from(genuine(begun)).toString('base64');
    const page = `https://app.example.com/sign-in?organization=${company.slug}`;
    for (const fields of [
      { SAMLResponse },
      { SAMLResponse, RelayState: 'https://app.example.com/' },
      {},
    ] as Record<string, string>[]) {
      expect(await postForm(service, { action: acs, fields })).toMatchObject({
        status: 303,
        page,
        fragment: {},
      });
    }
  });

  test('by whoever else answers, says nothing: the IdP turns somebody away', async () => {
    const begun = await begin();
    const denied = responseOf(begun.parts, { status: 'Responder' }).replace(
      /<saml:Assertion.*<\/saml:Assertion>/,
      '',
    );
    const turned = denied.replace(
      'status:Responder"/>',
      'status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>',
    );
    expect((await begun.post(denied)).fragment).toEqual({ error: 'PROVIDER_REFUSED' });
    expect((await begun.post(turned)).fragment).toEqual({ error: 'ACCESS_DENIED' });
    expect((await begun.post(genuine(begun))).fragment).toHaveProperty('ticket');
  });

  test('uses up no sign-ins of others: each address may bring a few', async () => {
    const narrow = await startService({
      settings: {
        AUTH_URL: 'https://api.example.com/api/auth',
        FRONTEND_URL: 'https://app.example.com',
        RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE: '3',
        RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: '5',
      },
      limitsNow: () => 0,
    });
    const attacked = await samlCompany(narrow, { ...at, certificates: [signer.certificate] });
    const RelayState = new URL(
      await beginSso(new Browser(narrow.app), { slug: attacked.slug }),
    ).searchParams.get('RelayState');
    const post = (remoteAddress: string) =>
      postForm(
        narrow,
        {
          action: attacked.connection.redirectUri,
          fields: { RelayState: RelayState ?? '', SAMLResponse: '*' },
        },
        { remoteAddress },
      );
    const codes = [];
    for (let n = 0; n < 6; n++) codes.push((await post('192.0.2.1')).fragment['error'] ?? 'garbage');
    const refused = ['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'];
    expect(codes).toEqual(['garbage', 'garbage', 'garbage', ...refused]);
    expect((await post('198.51.100.1')).status).toBe(400);
  });

  test('is posted to connections of SAML that are on, and to nothing else', async () => {
    const { body } = await app.inject({ method: 'POST', url: new URL(acs).pathname, payload: {} });
    expect(JSON.parse(body)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    const unknown = acs.replace(company.connection.id, randomUUID());
    expect((await postForm(service, { action: unknown, fields: {} })).status).toBe(400);
    expect(
      (await app.inject({ url: new URL(acs.replace(/acs$/, 'callback?state=x')).pathname })).statusCode,
    ).toBe(400);
  });
});

test('a connection that is turned off, also for a moment, finishes nothing that had begun [S-210]', async () => {
  const other = await samlCompany(service, { ...at, certificates: [signer.certificate] });
  const [before, ticketed] = [await begin(other), await begin(other)];
  const ticket = (await ticketed.post(genuine(ticketed))).fragment['ticket'] ?? '';
  const connections = connectionsOf(service, other);
  await connections.change(other.connection.id, { enabled: false });
  expect((await before.post(genuine(before))).status).toBe(400);
  await connections.change(other.connection.id, { enabled: true });
  const late = await before.post(genuine(before));
  expect(late).toMatchObject({ status: 303, fragment: {} });
  expect((await redeemSso(ticketed.browser, ticket)).body.code).toBe('INVALID_TICKET');
  await connections.remove(other.connection.id);
  expect((await before.post(genuine(before))).status).toBe(400);
});

test('another connection with the same entity id and name signs in nobody of this one [S-255]', async () => {
  const begun = await begin();
  const { fragment } = await begun.post(genuine(begun));
  const { user } = (await redeemSso(begun.browser, fragment['ticket'] ?? '')).body;
  const hostile = await samlCompany(service, { ...at, certificates: [signer.certificate] });
  const there = await begin(hostile);
  const parts = { ...there.parts, nameId: begun.parts.nameId };
  const answer = await there.post(signed(responseOf(parts), signer));
  const signedIn = await redeemSso(there.browser, answer.fragment['ticket'] ?? '');
  expect(signedIn.status).toBe(200);
  expect(signedIn.body.user.id).not.toBe(user.id);
});

test.each([
  ['a longer one', (name: string) => `${name}x`],
  ['another case', (name: string) => name.toUpperCase()],
])('a name is compared whole, with its form: %s is another person [S-255]', async (_what, change) => {
  const begun = await begin();
  const name = begun.parts.nameId;
  await redeemSso(begun.browser, (await begun.post(genuine(begun))).fragment['ticket'] ?? '');
  for (const [nameId, nameIdFormat] of [
    [change(name), 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    [name, 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'],
  ] as const) {
    const next = await begin();
    const parts = { ...next.parts, nameId, email: begun.parts.email };
    const { fragment } = await next.post(signed(responseOf(parts, { nameIdFormat }), signer));
    expect(fragment).toEqual({ error: 'IDENTITY_IN_USE' });
  }
});
