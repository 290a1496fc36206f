import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { codeAt } from './support/authenticator.ts';
import { Browser, frontend } from './support/browser.ts';
import { newEmail, password, send, signIn, signUp, type Answer, type SignedUp } from './support/client.ts';
import { letterData } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { startService, type RunningService, type Settings } from './support/service.ts';
import { signInAt } from './support/social.ts';
import { StandInProvider } from './support/stand-in-provider.ts';
import { verifyTotp } from './support/two-factor.ts';

/** The limits as they are by default; sign-ups alone have none. */
const limited = (settings: Settings = {}) =>
  startService({
    // Guesses at once stay under way together, as in production.
    answerStepMs: 250,
    settings: {
      FRONTEND_URL: frontend,
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '',
      RATE_LIMIT_SIGN_IN_PER_HOUR: '',
      ...settings,
    },
  });

type Headers = Readonly<Record<string, string>>;

const guess = ({ app }: RunningService, email = newEmail(), headers: Headers = {}) =>
  send(app, 'POST /sign-in/email', { body: { email, password: 'a wrong password' }, headers });

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const times = (answers: readonly Answer[], wanted: number) =>
  statuses(answers).filter((status) => status === wanted).length;
const all = <T>(length: number, ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length }, (_, n) => ask(n)));

/** Guesses at so many accounts, until the address is refused. */
async function useUp(service: RunningService): Promise<void> {
  const answers = await all(11, () => guess(service));
  expect([times(answers, 401), times(answers, 429)]).toEqual([10, 1]);
}

/** Adds a passkey to an account. */
async function addPasskey(
  { app }: RunningService,
  { token }: SignedUp,
  headers: Headers = {},
): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin: frontend, counter: 0 });
  const { options } = (await send(app, 'POST /passkeys/options', { token, headers })).body;
  const body = { response: authenticator.create(options) };
  expect((await send(app, 'POST /passkeys', { token, body, headers })).status).toBe(201);
  return authenticator;
}

/** How many attempts have come as far as a hash and were not taken back since. */
async function hashed({ sql }: RunningService): Promise<unknown> {
  const [row] = await sql('SELECT coalesce(sum(failures), 0)::int AS n FROM sign_in_failures');
  return row?.['n'];
}

const signInWith = (browser: Browser, email: string, given = password) =>
  browser.send('POST /sign-in/email', { body: { email, password: given } });

/** Somebody, and the browser in which they have signed in. */
async function withBrowser({ app }: RunningService) {
  const user = await signUp(app);
  const browser = new Browser(app);
  expect((await signInWith(browser, user.email)).status).toBe(200);
  return { ...user, browser };
}

describe('twenty people behind one address', () => {
  test('sign in together on unknown devices, and again after lunch [S-22]', async () => {
    const service = await limited();
    const people = await all(20, () => signUp(service.app));
    const browsers = people.map(() => new Browser(service.app));
    for (let round = 0; round < 2; round += 1) {
      const answers = await all(20, (n) => signInWith(browsers[n]!, people[n]!.email));
      expect(times(answers, 200)).toBe(20);
    }
  });

  test('sign in on their devices after a stranger has used up what the address may guess [S-22]', async () => {
    const service = await limited();
    const ada = await withBrowser(service);
    await useUp(service);
    expect((await signIn(service.app, ada.email)).status).toBe(429);
    expect((await signInWith(ada.browser, ada.email)).status).toBe(200);
    expect((await signInWith(ada.browser, ada.email, 'a typing error')).status).toBe(401);
    expect((await signInWith(ada.browser, ada.email)).status).toBe(200);
  });

  test('sign in on their devices while a stranger guesses in parallel [S-22]', async () => {
    const service = await limited();
    const ada = await withBrowser(service);
    const [answer, ...guesses] = await Promise.all([
      signInWith(ada.browser, ada.email),
      ...Array.from({ length: 250 }, () => guess(service)),
    ]);
    expect(answer.status).toBe(200);
    expect(times(guesses, 401)).toBe(10);
  });

  test('sign in by passkeys that succeed, and no oftener by others [S-22]', async () => {
    const service = await limited({ PASSKEY_RP_ID: 'app.example.com', RATE_LIMIT_SIGN_IN_PER_MINUTE: '3' });
    const ada = await signUp(service.app);
    await prove(service, ada);
    const authenticator = await addPasskey(service, ada);
    const enter = async (misdeeds = {}) => {
      const { body } = await send(service.app, 'POST /sign-in/passkey/options');
      const { options, token } = body;
      const given = authenticator.get(options, misdeeds);
      return send(service.app, 'POST /sign-in/passkey', { body: { token, response: given } });
    };
    for (let n = 0; n < 6; n += 1) expect((await enter()).status).toBe(200);
    const refused = [];
    for (let n = 0; n < 4; n += 1) refused.push((await enter({ challenge: 'AAAA' })).status);
    expect(refused).toEqual([401, 401, 401, 429]);
    expect((await enter()).status).toBe(429);
  });

  test('prove a passkey or a code on their devices after strangers have used up the guesses there [S-23]', async () => {
    const service = await limited({ PASSKEY_RP_ID: 'app.example.com', MAILED_SIGN_IN: 'true' });
    const headers = { 'x-device-id': 'adas-phone-0001' };
    const ada = await signUp(service.app, 'Ada', headers);
    await prove(service, ada);
    const authenticator = await addPasskey(service, ada, headers);
    await useUp(service);
    const enter = async (on: Headers) => {
      const { body } = await send(service.app, 'POST /sign-in/passkey/options', { headers: on });
      const { options, token } = body;
      const given = { token, response: authenticator.get(options) };
      return (await send(service.app, 'POST /sign-in/passkey', { body: given, headers: on })).status;
    };
    expect(await enter({})).toBe(429);
    expect(await enter(headers)).toBe(200);
    const asked = await send(service.app, 'POST /sign-in/mailed', { body: { email: ada.email }, headers });
    const { id: requestId } = asked.body.request;
    const { code: mailed } = await letterData(service, ada.email, 'sign-in-code');
    const body = { requestId, code: mailed.replace(' ', '') };
    expect((await send(service.app, 'POST /sign-in/mailed/verify', { body, headers })).status).toBe(200);
    // What is guessed there is counted as on any device that is known.
    const wrong = { requestId, code: '00000000' };
    const guesses = await all(12, () =>
      send(service.app, 'POST /sign-in/mailed/verify', { body: wrong, headers }),
    );
    expect(times(guesses, 429)).toBeGreaterThan(0);
  });

  test('prove the second factor by a passkey on their devices after strangers have used up the guesses there', async () => {
    const service = await limited({ PASSKEY_RP_ID: 'app.example.com' });
    const ada = await withBrowser(service);
    const authenticator = await addPasskey(service, ada);
    const begun = await send(service.app, 'POST /two-factor/enable', {
      token: ada.token,
      body: { password },
    });
    const code = codeAt(begun.body.secret, new Date());
    expect((await verifyTotp(service.app, { token: ada.token, code })).status).toBe(200);
    const stranger = new Browser(service.app);
    const challenged = async (browser: Browser) => {
      const { challenge } = (await signInWith(browser, ada.email)).body;
      return { browser, challengeToken: challenge.token };
    };
    const there = await challenged(stranger);
    await useUp(service);
    const prove = async ({ browser, challengeToken }: typeof there) => {
      const asked = await browser.send('POST /two-factor/passkey/options', { body: { challengeToken } });
      const body = { challengeToken, response: authenticator.get(asked.body.options) };
      return (await browser.send('POST /two-factor/verify-passkey', { body })).status;
    };
    expect(await prove(there)).toBe(429);
    expect(await prove(await challenged(ada.browser))).toBe(200);
  });

  test('sign in at a provider, and by its letter, on their devices after strangers have used up the guesses there', async () => {
    const local = await StandInProvider.start({}, afterAll);
    const service = await limited({
      OIDC_PROVIDERS: `Local IdP|${local.issuer}|ours|canary-client-secret`,
    });
    const ada = await withBrowser(service);
    await prove(service, ada);
    const walk = { provider: 'local-idp', at: local, person: { sub: 'ada', email: ada.email } };
    await useUp(service);
    expect((await signInAt(service.app, walk)).status).toBe(429);

    // The first sign-in needs a letter, the next one only the ticket.
    const { body } = await signInAt(service.app, walk, ada.browser);
    expect(body.codeRequired).toBe(true);
    const { code } = await letterData(service, ada.email, 'sign-in-code');
    const shown = { requestId: body.request.id, code: code.replace(' ', '') };
    expect((await ada.browser.send('POST /sign-in/mailed/verify', { body: shown })).status).toBe(200);
    expect((await signInAt(service.app, walk, ada.browser)).status).toBe(200);
  });

  test('sign in by right codes, and a known device has its own budget of letters [S-22]', async () => {
    const service = await limited({ MAILED_SIGN_IN: 'true', RATE_LIMIT_SIGN_IN_PER_MINUTE: '3' });
    const [phone, other] = [{ 'x-device-id': 'adas-phone' }, { 'x-device-id': 'evas-phone' }];
    const ada = await signUp(service.app, 'Ada', phone);
    await prove(service, ada);
    const ask = (email: string, headers: Headers) =>
      send(service.app, 'POST /sign-in/mailed', { body: { email }, headers });
    const enter = async (isRight: boolean) => {
      const asked = await ask(ada.email, phone);
      expect(asked.status).toBe(200);
      const { id: requestId } = asked.body.request;
      const { code: mailed } = await letterData(service, ada.email, 'sign-in-code');
      const code = isRight ? mailed.replace(' ', '') : '00000000';
      return send(service.app, 'POST /sign-in/mailed/verify', { body: { requestId, code }, headers: phone });
    };
    for (let n = 0; n < 3; n += 1) expect((await enter(true)).status).toBe(200);
    // The account has had its three from this device. An address has three, whatever its devices are called.
    expect((await ask(ada.email, phone)).status).toBe(429);
    const asked = [];
    for (let n = 0; n < 4; n += 1) asked.push(await ask(newEmail(), n % 2 ? phone : other));
    expect(statuses(asked)).toEqual([200, 200, 200, 429]);
    expect((await guess(service)).status).toBe(429);
  });
});

describe('a stranger [S-22]', () => {
  test('with an account of their own gains no guess by signing in to it sequentially', async () => {
    const service = await limited();
    const eve = await signUp(service.app);
    const guesses = [];
    for (let n = 0; n < 20; n += 1) {
      guesses.push(await guess(service));
      if (n < 9) expect((await signIn(service.app, eve.email)).status).toBe(200);
    }
    expect(statuses(guesses)).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)]);
    // Nor is a right one let through then, which would tell that it is right.
    expect((await signIn(service.app, eve.email)).status).toBe(429);
    expect(await hashed(service)).toBe(10);
  });

  test('with accounts of their own gains no guess by signing in to them in parallel', async () => {
    const service = await limited();
    const own = await all(5, () => signUp(service.app));
    const answers = await all(120, (n) =>
      n % 3 === 0 ? signIn(service.app, own[(n / 3) % 5]!.email) : guess(service),
    );
    // Towards the end some are refused for what their own sign-ins in progress might come to.
    const guesses = answers.filter((_, n) => n % 3 !== 0);
    expect(times(guesses, 401) + times(guesses, 429)).toBe(80);
    const further = await all(20, () => guess(service));
    expect(times([...guesses, ...further], 401)).toBe(10);
    expect(await hashed(service)).toBe(10);
  });

  test('signs in to one account as often as before, and to many as often as twenty people may', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '2' });
    const own = await all(25, () => signUp(service.app));
    const one = await all(5, () => signIn(service.app, own[0]!.email));
    expect([times(one, 200), times(one, 429)]).toEqual([2, 3]);
    const many = await all(50, (n) => signIn(service.app, own[n % 25]!.email));
    expect([times(many, 200), times(many, 429)]).toEqual([38, 12]);
  });

  test('signs in from devices that are known as often as twenty people may', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '2' });
    const own = await all(25, () => signUp(service.app, 'Eve', { 'x-device-id': 'eves-phone' }));
    const answers = await all(75, (n) =>
      signIn(service.app, own[n % 25]!.email, { 'x-device-id': 'eves-phone' }),
    );
    expect(times(answers, 200)).toBe(40);
  });

  test('gains nothing by the device of an account of their own', async () => {
    const service = await limited();
    const [eve, ada] = [await withBrowser(service), await withBrowser(service)];
    const answers = await all(30, (n) =>
      signInWith(eve.browser, n === 0 ? ada.email : newEmail(), 'a wrong password'),
    );
    expect([times(answers, 401), times(answers, 429)]).toEqual([10, 20]);
    expect((await signInWith(eve.browser, ada.email)).status).toBe(429);
  });

  test.each([
    [
      'a cookie with a signature of their own',
      'cookie',
      (n: number) => `${'A'.repeat(22)}.${n}${'B'.repeat(42)}`,
    ],
    ['a cookie without a signature', 'cookie', () => 'none'],
    ['a name that they make up', 'x-device-id', (n: number) => `made-up-${n}`],
  ])('gains nothing by %s', async (_how, header, nameOf) => {
    const service = await limited();
    const ada = await withBrowser(service);
    const answers = await all(30, (n) => {
      const given = header === 'cookie' ? `__Secure-device=${nameOf(n)}` : nameOf(n);
      return guess(service, n === 0 ? ada.email : newEmail(), { origin: frontend, [header]: given });
    });
    expect([times(answers, 401), times(answers, 429)]).toEqual([10, 20]);
  });

  test('gains nothing by the name in a signed cookie under another signature', async () => {
    const service = await limited({ LOCKOUT_THRESHOLD: '100' });
    const ada = await withBrowser(service);
    const [name = ''] = (ada.browser.cookies.device ?? '').split('.');
    const cookie = `__Secure-device=${name}.${'C'.repeat(43)}`;
    const guessOnce = () => guess(service, ada.email, { origin: frontend, cookie });
    // As she has signed in a moment ago, the account has room for nine at once.
    const answers = await all(30, guessOnce);
    for (let n = 0; n < 3; n += 1) answers.push(await guessOnce());
    expect(times(answers, 401)).toBe(10);
  });

  test('who has stolen a device is locked as before, and guesses ten times a minute from all addresses together', async () => {
    const settings = { TRUST_PROXY: '127.0.0.1' };
    const steal = (cookie: string, n: number) => ({
      origin: frontend,
      cookie,
      'x-forwarded-for': `203.0.113.${n}`,
    });
    const service = await limited(settings);
    const ada = await withBrowser(service);
    const locked = await all(30, (n) => guess(service, ada.email, steal(ada.browser.cookie, n)));
    expect(times(locked, 401)).toBe(5);
    expect(await hashed(service)).toBe(5);

    const lenient = await limited({ ...settings, LOCKOUT_THRESHOLD: '100' });
    const eva = await withBrowser(lenient);
    const answers = await all(30, (n) => guess(lenient, eva.email, steal(eva.browser.cookie, n)));
    expect([times(answers, 401), times(answers, 429)]).toEqual([10, 20]);
    // Another account's limit is its own, and so is the address's.
    expect(times(await all(12, () => guess(lenient, newEmail(), steal(eva.browser.cookie, 1))), 401)).toBe(
      10,
    );
  });

  test('cannot learn by any number of requests which accounts are locked', async () => {
    const service = await limited({ LOCKOUT_THRESHOLD: '2' });
    const ada = await signUp(service.app);
    const answers = [];
    for (let n = 0; n < 12; n += 1) answers.push((await guess(service, ada.email)).body.code);
    const [wrong, locked, limit] = ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED'];
    expect(answers).toEqual([wrong, wrong, ...Array<string>(8).fill(locked), limit, limit]);
  });

  test('cannot tell from responses whether a device is known, with or without an account', async () => {
    const service = await limited();
    const ada = await withBrowser(service);
    const same = { 'x-request-id': 'same' };
    const answers = [
      await guess(service, ada.email, { ...same, origin: frontend, cookie: ada.browser.cookie }),
      await guess(service, newEmail(), { ...same, origin: frontend, cookie: ada.browser.cookie }),
    ].map(({ status, body, headers }) => ({ status, body, headers: { ...headers, date: '' } }));
    expect(answers[0]).toEqual(answers[1]);
  });
});
