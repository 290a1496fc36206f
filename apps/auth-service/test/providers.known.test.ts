import {
  generateKeyPairSync,
  randomInt,
  randomUUID,
  verify as verifySignature,
  type KeyObject,
} from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { newEmail, send } from './support/client.ts';
import { reaching, StandInProvider } from './support/stand-in-provider.ts';
import { begin, fragmentOf, redeem, signInAt } from './support/social.ts';
import { startByClock } from './support/two-factor.ts';

const tenant = randomUUID();
const gitHubUser = { user: { id: 4_711, name: 'Octo Cat' }, emails: [] as object[] };
const apple = await StandInProvider.start({ issuer: 'https://appleid.apple.com' }, afterAll);
const entra = await StandInProvider.start(
  {
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    metadata: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
  },
  afterAll,
);
const gitHub = await StandInProvider.start({ gitHub: gitHubUser as never }, afterAll);

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const service = await startByClock({
  settings: {
    FRONTEND_URL: 'https://app.example.com',
    APPLE_CLIENT: `com.example.web:TEAM:KEY:${Buffer.from(pem).toString('base64')}`,
    MICROSOFT_CLIENT: 'our-id:canary-client-secret',
    GITHUB_CLIENT: 'our-id:canary-client-secret',
  },
  callOutside: reaching({
    'https://appleid.apple.com': apple,
    'https://login.microsoftonline.com': entra,
    'https://github.com': gitHub,
    'https://api.github.com': gitHub,
  }),
});
const { app, sql } = service;

/** What Apple's page posts in the browser, from its own site and without our cookies. */
async function postFromApple(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/callback/apple',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
      'sec-fetch-site': 'cross-site',
      ...headers,
    },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, location: answer.headers.location };
}

function isSignedBy(jwt: string, publicKey: KeyObject): boolean {
  const [header, payload, signature = ''] = jwt.split('.');
  return verifySignature(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

describe('Apple', () => {
  test('posts a form from its own site, says "true" as a text, and gives the name once', async () => {
    const browser = new Browser(app);
    const email = newEmail();
    const url = await begin(browser, 'apple');
    expect(new URL(url).searchParams.get('response_mode')).toBe('form_post');
    const person = { sub: randomUUID(), email, email_verified: 'true' };
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email });
    const answer = await postFromApple({ ...apple.agree(url, person), user });
    expect(answer.status).toBe(303);
    const { ticket = '' } = fragmentOf(new URL(answer.location ?? ''));
    const { body } = await redeem(browser, ticket);
    expect([body.user.name, body.user.email]).toEqual(['Ada Lovelace', email]);
    const [row] = await sql('SELECT email_verified_at FROM users WHERE id = $1', [body.user.id]);
    expect(row?.['email_verified_at']).not.toBeNull();
  });

  test.each([
    ['the first name alone', { firstName: 'Ada', lastName: '' }, 'Ada'],
    ['the last name alone', { firstName: null, lastName: ' Lovelace ' }, 'Lovelace'],
  ])('gives a name in part: %s', async (_, name, shown) => {
    const browser = new Browser(app);
    const url = await begin(browser, 'apple');
    const given = apple.agree(url, { sub: randomUUID(), email: newEmail(), email_verified: 'true' });
    const answer = await postFromApple({ ...given, user: JSON.stringify({ name }) });
    const { ticket = '' } = fragmentOf(new URL(answer.location ?? ''));
    expect((await redeem(browser, ticket)).body.user.name).toBe(shown);
  });

  test('is shown a client secret that is made for the request and signed by our key', async () => {
    const browser = new Browser(app);
    for (let times = 0; times < 2; times += 1) {
      const url = await begin(browser, 'apple');
      await postFromApple(apple.agree(url, { sub: randomUUID(), email: newEmail() }));
    }
    const secrets = apple.tokenRequests.slice(-2).map((form) => form.get('client_secret') ?? '');
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) {
      expect(isSignedBy(secret, key.publicKey)).toBe(true);
      expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'KEY' });
      expect(decodeJwt(secret)).toMatchObject({
        iss: 'TEAM',
        sub: 'com.example.web',
        aud: 'https://appleid.apple.com',
      });
    }
  });

  test('has no cookie read and none set, and posts nothing but forms there', async () => {
    const browser = new Browser(app);
    const url = await begin(browser, 'apple');
    const given = apple.agree(url, { sub: randomUUID(), email: newEmail() });
    const json = await postFromApple(given, { 'content-type': 'application/json' });
    expect(json.status).toBe(415);
    const answer = await postFromApple(given, { cookie: '__Secure-device=x; __Host-access=y' });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([303, undefined]);
  });

  test('stays the only one to post forms: other routes refuse them, and foreign pages', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/ticket',
      headers,
      payload: 'ticket=x',
    });
    expect(form.statusCode).toBe(415);
    const foreign = { origin: 'https://appleid.apple.com' };
    const page = await send(app, 'POST /sign-in/ticket', { headers: foreign, body: { ticket: 'x' } });
    expect(page.body.code).toBe('ORIGIN_NOT_ALLOWED');
  });
});

/** A person of the tenant, in claims. */
const entraPerson = (claims: object = {}) => ({
  iss: `https://login.microsoftonline.com/${tenant}/v2.0`,
  sub: randomUUID(),
  tid: tenant,
  oid: randomUUID(),
  email: newEmail(),
  ...claims,
});

/** One code point of two code units. */
const wide = '\u{1f600}';

describe('the name of an account', () => {
  test.each<[string, object, string]>([
    ['both parts', { given_name: 'Ada', family_name: 'Lovelace' }, 'Ada Lovelace'],
    ['both parts where the name is empty', { name: '', given_name: 'Ada', family_name: 'King' }, 'Ada King'],
    [
      'both parts where the name is blank',
      { name: ' \u200b\t', given_name: 'Ada', family_name: 'King' },
      'Ada King',
    ],
    [
      'both parts where the name is no text',
      { name: null, given_name: 'Ada', family_name: 'King' },
      'Ada King',
    ],
    ['the one part', { given_name: ' ', family_name: 'Lovelace' }, 'Lovelace'],
    ['the whole name before its parts', { name: 'Countess', given_name: 'Ada' }, 'Countess'],
    [
      'as much of both as fits',
      { given_name: wide.repeat(60), family_name: 'x'.repeat(60) },
      `${wide.repeat(60)} ${'x'.repeat(39)}`,
    ],
  ])('is %s', async (_, claims, shown) => {
    const email = newEmail();
    const walk = { provider: 'microsoft', at: entra, person: entraPerson({ email, ...claims }) };
    expect((await signInAt(app, walk)).body.user.name).toBe(shown);
  });

  test('is the mailbox where the provider gives none', async () => {
    const email = newEmail();
    const walk = {
      provider: 'microsoft',
      at: entra,
      person: entraPerson({ email, given_name: '', name: '\n' }),
    };
    expect((await signInAt(app, walk)).body.user.name).toBe(email.split('@')[0]);
  });
});

describe('Microsoft', () => {
  const person = entraPerson;

  test('is known by tenant and object, whatever the subject and address', async () => {
    const ada = person();
    const walk = { provider: 'microsoft', at: entra, person: ada };
    const first = await signInAt(app, walk);
    expect(first.status).toBe(200);
    const again = await signInAt(app, { ...walk, person: { ...ada, sub: randomUUID(), email: newEmail() } });
    expect(again.body.user.id).toBe(first.body.user.id);
    const tid = randomUUID();
    const iss = `https://login.microsoftonline.com/${tid}/v2.0`;
    const elsewhere = { ...ada, tid, iss, email: newEmail() };
    expect((await signInAt(app, { ...walk, person: elsewhere })).body.user.id).not.toBe(first.body.user.id);
  });

  test('proves no address: an account of it takes a letter (nOAuth) [S-49]', async () => {
    const ada = person({ email_verified: true, xms_edov: true });
    const body = { email: ada.email, password: 'correct horse battery', name: 'Ada' };
    await send(app, 'POST /sign-up/email', { body });
    const { body: answer } = await signInAt(app, { provider: 'microsoft', at: entra, person: ada });
    expect(answer.codeRequired).toBe(true);
  });

  test.each([
    ['another tenant than its issuer', { tid: randomUUID() }],
    ['no tenant', { tid: undefined }],
    ['no object', { oid: undefined }],
    [
      'a tenant that leads elsewhere',
      { tid: '../../evil', iss: 'https://login.microsoftonline.com/../../evil/v2.0' },
    ],
  ])('with %s is refused', async (_, claims) => {
    await expect(signInAt(app, { provider: 'microsoft', at: entra, person: person(claims) })).rejects.toThrow(
      'PROVIDER_REFUSED',
    );
  });
});

describe('GitHub', () => {
  const walk = { provider: 'github', at: gitHub, person: {} };

  test('is identified by the account number; its verified primary address proves nothing here', async () => {
    const email = newEmail();
    gitHubUser.user = { id: 1_001, name: 'Octo Cat' };
    gitHubUser.emails = [
      { email: newEmail(), primary: false, verified: true },
      { email, primary: true, verified: true },
    ];
    const { body } = await signInAt(app, walk);
    expect([body.user.email, body.user.name]).toEqual([email, 'Octo Cat']);
    const [row] = await sql('SELECT email_verified_at FROM users WHERE id = $1', [body.user.id]);
    expect(row?.['email_verified_at']).toBeNull();
    gitHubUser.user = { id: 1_002, name: 'Mallory' };
    expect((await signInAt(app, walk)).body.codeRequired).toBe(true);
  });

  test.each([
    ['null', null],
    ['blank', ' \t'],
  ])('is called by the login where the name is %s', async (_, name) => {
    gitHubUser.user = { id: randomInt(1_000_000), name, login: 'octocat' } as never;
    gitHubUser.emails = [{ email: newEmail(), primary: true, verified: true }];
    expect((await signInAt(app, walk)).body.user.name).toBe('octocat');
  });

  test('without a verified primary address has none', async () => {
    gitHubUser.user = { id: 1_003, name: 'Octo Cat' };
    gitHubUser.emails = [{ email: newEmail(), primary: true, verified: false }];
    expect((await signInAt(app, walk)).body.code).toBe('EMAIL_MISSING');
  });

  test('is refused where it answers an error with 200, or no account [S-48]', async () => {
    gitHub.departure = { tokenAnswer: { status: 200, body: '{"error":"bad_verification_code"}' } };
    await expect(signInAt(app, walk)).rejects.toThrow('PROVIDER_REFUSED');
    gitHub.departure = {};
    gitHubUser.user = { id: '4711' as never, name: 'Octo Cat' };
    await expect(signInAt(app, walk)).rejects.toThrow('PROVIDER_REFUSED');
  });
});

describe('a setting that cannot work', () => {
  test.each<[string, Record<string, string>]>([
    ['a provider whose issuer is reached in the clear', { OIDC_PROVIDERS: 'a|http://idp.test|id|s' }],
    ['two providers of one name', { OIDC_PROVIDERS: 'a b|https://x.test|i|s,A-B|https://y.test|i|s' }],
    ['a provider with the name of a known one', { OIDC_PROVIDERS: 'Google|https://x.test|i|s' }],
    ['a key for Apple that is none', { APPLE_CLIENT: 'a:b:c:AAAA' }],
    ['a client without a secret', { GOOGLE_CLIENT: 'id' }],
    ['a redirect URI that runs a script', { REDIRECT_URIS: 'javascript:alert(1)' }],
  ])('stops the start: %s', async (_, settings) => {
    const { startService } = await import('./support/service.ts');
    await expect(startService({ settings, database: service.database })).rejects.toThrow(
      'its configuration is not valid',
    );
  });
});
