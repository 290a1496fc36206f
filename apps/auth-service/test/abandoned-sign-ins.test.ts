import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import { claimsOf, password, send, type Answer } from './support/client.ts';
import { letterData, letterTo, lettersTo } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { redeem, signInAt, ticketOf, type Walk } from './support/social.ts';
import { reaching, StandInProvider } from './support/stand-in-provider.ts';
import { enrol, nextCode, startByClock, verifyTotp, wrongCode, type Enrolled } from './support/two-factor.ts';

/**
 * Whoever reads a mailbox, or knows a password, has proven one factor. If the second one does not follow, the sign-in must
 * leave nothing: above all no other way in.
 */
const google = await StandInProvider.start({ issuer: 'https://accounts.google.com' }, afterAll);
const apple = await StandInProvider.start({ issuer: 'https://appleid.apple.com' }, afterAll);
const local = await StandInProvider.start({}, afterAll);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const appleKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const service = await startByClock({
  settings: {
    FRONTEND_URL: frontend,
    MAILED_SIGN_IN: 'true',
    PASSKEY_RP_ID: 'app.example.com',
    APPLE_CLIENT: `com.example.web:TEAM:KEY:${appleKey}`,
    GOOGLE_CLIENT: 'our-id:canary-client-secret',
    OIDC_PROVIDERS: `Local IdP|${local.issuer}|ours|canary-client-secret`,
  },
  callOutside: reaching({
    'https://accounts.google.com': google,
    'https://appleid.apple.com': apple,
  }),
});
const { app, clock, sql } = service;

const atGoogle = (email: string): Walk => ({
  provider: 'google',
  at: google,
  person: { sub: randomUUID(), email, email_verified: true },
});
const atApple = (email: string): Walk => ({
  provider: 'apple',
  at: apple,
  person: { sub: randomUUID(), email, email_verified: 'true' },
});
const atLocal = (email: string): Walk => ({
  provider: 'local-idp',
  at: local,
  person: { sub: randomUUID(), email },
});

/** A user with a second factor, at an address that Google vouches for. */
async function protectedUser(): Promise<Enrolled> {
  const ada = await enrol(app, clock);
  await prove(service, ada);
  const email = `ada.${ada.id}@gmail.com`;
  await sql('UPDATE users SET email = $2 WHERE id = $1', [ada.id, email]);
  return { ...ada, email };
}

/** Adds a passkey to an account. */
async function addPasskey({ token }: Pick<Enrolled, 'token'>): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin: frontend });
  const { options } = (await send(app, 'POST /passkeys/options', { token })).body;
  const body = { response: authenticator.create(options) };
  expect((await send(app, 'POST /passkeys', { token, body })).status).toBe(201);
  return authenticator;
}

/** Reads the code of a letter that a browser has requested. */
async function shown(browser: Browser, email: string, requestId: string): Promise<Answer> {
  const { code } = await letterData(service, email, 'sign-in-code');
  return browser.send('POST /sign-in/mailed/verify', { body: { requestId, code } });
}

type FirstStep = (user: Enrolled, browser: Browser, walk: Walk) => Promise<Answer>;

/** By a provider that does not vouch for the address: a letter proves it. */
async function byProviderAndLetter({ email }: Enrolled, browser: Browser, walk: Walk): Promise<Answer> {
  const { body } = await signInAt(app, walk, browser);
  expect(body.codeRequired).toBe(true);
  return shown(browser, email, body.request.id);
}

async function byCode({ email }: Enrolled, browser: Browser): Promise<Answer> {
  const { body } = await browser.send('POST /sign-in/mailed', { body: { email } });
  return shown(browser, email, body.request.id);
}

async function byLink({ email }: Enrolled, browser: Browser): Promise<Answer> {
  await browser.send('POST /sign-in/mailed', { body: { email } });
  const { token } = await letterData(service, email, 'sign-in-code');
  return browser.send('POST /sign-in/mailed/verify', { body: { token } });
}

const byProvider: FirstStep = (_user, browser, walk) => signInAt(app, walk, browser);
const byPassword: FirstStep = ({ email }, browser) =>
  browser.send('POST /sign-in/email', { body: { email, password } });

/** What comes and goes with an attempt to sign in, and is of no use without the second factor. */
const ofTheAttempt = [
  'feed_marks',
  'mail_budgets',
  'mail_outbox',
  'mailed_sign_ins',
  'sign_in_failures',
  'sign_in_flows',
  'two_factor_challenges',
];

/** A digest of every other table. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await sql(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`);
  const names = tables.map(({ name }) => String(name)).filter((name) => !ofTheAttempt.includes(name));
  expect(names).toEqual(expect.arrayContaining(['identities', 'identity_keys', 'known_devices', 'users']));
  const digests = names.map(async (name) => {
    const [row] = await sql(`SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${name} t`);
    return [name, row?.['digest']] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

const identitiesOf = ({ id }: Pick<Enrolled, 'id'>) =>
  sql('SELECT provider, last_used_at FROM identities WHERE user_id = $1 ORDER BY provider', [id]);

const waysInLetters = async (email: string) =>
  (await lettersTo(service, email)).filter((name) => name === 'way-in-changed').length;

describe('a sign-in that is abandoned at the second factor leaves nothing [S-50]', () => {
  test.each<[string, FirstStep, (email: string) => Walk]>([
    ['by the password', byPassword, atLocal],
    ['by a mailed code', byCode, atLocal],
    ['by a mailed link', byLink, atLocal],
    ['by Google, which vouches for the address', byProvider, atGoogle],
    ['by Apple, which vouches for any address', byProvider, atApple],
    ['by any other provider, whose letter is read', byProviderAndLetter, atLocal],
  ])('%s', async (_, firstStep, at) => {
    const ada = await protectedUser();
    const before = await everything();
    const browser = new Browser(app);
    const { body } = await firstStep(ada, browser, at(ada.email));
    expect(body.twoFactorRequired).toBe(true);
    const { token: challengeToken } = body.challenge;
    const code = wrongCode(ada.secret, clock);
    await browser.send('POST /two-factor/verify-totp', { body: { challengeToken, code } });
    await sql('UPDATE two_factor SET failures = 0 WHERE user_id = $1', [ada.id]);
    expect(await everything()).toEqual(before);
    expect(await waysInLetters(ada.email)).toBe(0);
  });

  test('by a provider that is linked already: its use is not recorded', async () => {
    const ada = await protectedUser();
    const walk = atGoogle(ada.email);
    const first = new Browser(app);
    const { token: challengeToken } = (await signInAt(app, walk, first)).body.challenge;
    const code = nextCode(ada.secret, clock);
    await first.send('POST /two-factor/verify-totp', { body: { challengeToken, code } });
    const before = await everything();
    const moved = { ...walk, person: { ...walk.person, email: `other.${ada.id}@gmail.com` } };
    expect((await signInAt(app, moved)).body.twoFactorRequired).toBe(true);
    expect(await everything()).toEqual(before);
  });

  test('on the device that signed up: the mailbox is proven, and nothing is linked', async () => {
    const browser = new Browser(app);
    const email = `ada.${randomUUID()}@gmail.com`;
    const body = { email, password, name: 'Ada' };
    const { user, session } = (await browser.send('POST /sign-up/email', { body })).body;
    const headers = { authorization: `Bearer ${session.token}` };
    const { secret } = (await browser.send('POST /two-factor/enable', { headers, body: { password } })).body;
    const given = { code: nextCode(secret, clock) };
    expect((await browser.send('POST /two-factor/verify-totp', { headers, body: given })).status).toBe(200);
    const first = await signInAt(app, atGoogle(email), browser);
    expect(first.body.twoFactorRequired).toBe(true);
    expect(await identitiesOf(user)).toEqual([]);
    const [row] = await sql('SELECT email_verified_at FROM users WHERE id = $1', [user.id]);
    expect(row?.['email_verified_at']).not.toBeNull();
  });
});

describe('a sign-in that is finished links the account at the provider with its session', () => {
  test.each<[string, string, FirstStep, (email: string) => Walk]>([
    ['Google', 'google', byProvider, atGoogle],
    ['Apple', 'apple', byProvider, atApple],
    ['Local IdP', 'local-idp', byProviderAndLetter, atLocal],
  ])('of %s, and the letter names it [S-50]', async (name, provider, firstStep, at) => {
    const ada = await protectedUser();
    const browser = new Browser(app);
    const walk = at(ada.email);
    const { token: challengeToken } = (await firstStep(ada, browser, walk)).body.challenge;
    clock.advance({ seconds: 200 });
    const body = { challengeToken, code: nextCode(ada.secret, clock) };
    const finished = await browser.send('POST /two-factor/verify-totp', { body });
    expect(finished.status).toBe(200);
    expect(await identitiesOf(ada)).toMatchObject([{ provider }]);
    expect(await letterTo(service, ada.email, 'way-in-changed')).toContain(name);
    expect(await waysInLetters(ada.email)).toBe(1);
    const again = await signInAt(app, walk);
    expect(again.body.twoFactorRequired).toBe(true);
    expect(await waysInLetters(ada.email)).toBe(1);
  });

  test('with a backup code as the second factor', async () => {
    const ada = await protectedUser();
    const browser = new Browser(app);
    const { token: challengeToken } = (await signInAt(app, atGoogle(ada.email), browser)).body.challenge;
    const body = { challengeToken, code: ada.backupCodes[0]! };
    expect((await browser.send('POST /two-factor/verify-backup-code', { body })).status).toBe(200);
    expect(await identitiesOf(ada)).toMatchObject([{ provider: 'google' }]);
  });

  test('with a passkey as the second factor [S-50]', async () => {
    const ada = await protectedUser();
    const authenticator = await addPasskey(ada);
    const browser = new Browser(app);
    const { token: challengeToken } = (await signInAt(app, atGoogle(ada.email), browser)).body.challenge;
    const asked = await browser.send('POST /two-factor/passkey/options', { body: { challengeToken } });
    expect(await identitiesOf(ada)).toEqual([]);
    const body = { challengeToken, response: authenticator.get(asked.body.options) };
    const finished = await browser.send('POST /two-factor/verify-passkey', { body });
    expect(claimsOf(finished.body.session.token)).toMatchObject({ amr: ['fed', 'pop'] });
    expect(await identitiesOf(ada)).toMatchObject([{ provider: 'google' }]);
  });
});

describe('a sign-in whose account at the provider waits for the second factor', () => {
  test('begins once for a ticket, however often it is shown at the same time [S-50]', async () => {
    const ada = await protectedUser();
    const browser = new Browser(app);
    const ticket = await ticketOf(app, browser, atGoogle(ada.email));
    const answers = await Promise.all([redeem(browser, ticket), redeem(browser, ticket)]);
    const outcomes = answers.map(({ body }) => (body.twoFactorRequired ? 'challenge' : body.code)).toSorted();
    expect(outcomes).toEqual(['INVALID_TICKET', 'challenge']);
    expect((await redeem(browser, ticket)).body.code).toBe('INVALID_TICKET');
  });

  test.each<[string, (user: Enrolled, walk: Walk) => Promise<unknown>]>([
    [
      'is linked to another account meanwhile',
      async ({ id }, { person }) => {
        await sql('UPDATE users SET email = $2 WHERE id = $1', [id, `away.${id}@gmail.com`]);
        expect((await signInAt(app, { provider: 'google', at: google, person })).status).toBe(200);
      },
    ],
    ['no longer exists', () => sql('DELETE FROM sign_in_flows')],
    ['has expired', () => sql(`UPDATE sign_in_flows SET expires_at = created_at + INTERVAL '1 second'`)],
  ])('is refused if that %s [S-50]', async (_, happens) => {
    const ada = await protectedUser();
    const browser = new Browser(app);
    const walk = atGoogle(ada.email);
    const { token: challengeToken } = (await signInAt(app, walk, browser)).body.challenge;
    await happens(ada, walk);
    const body = { challengeToken, code: nextCode(ada.secret, clock) };
    const refused = await browser.send('POST /two-factor/verify-totp', { body });
    expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    expect(await identitiesOf(ada)).toEqual([]);
    expect((await verifyTotp(app, { token: ada.token, code: body.code })).status).toBe(200);
  });

  test('is told at once that the account has no room for another', async () => {
    const ada = await protectedUser();
    await sql(
      `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
       SELECT $1, gen_random_uuid(), 'google', 'i', n::text, now() FROM generate_series(1, 20) n`,
      [ada.id],
    );
    const answer = await signInAt(app, atGoogle(ada.email));
    expect([answer.status, answer.body.code]).toEqual([409, 'TOO_MANY_IDENTITIES']);
  });
});
