import { randomUUID } from 'node:crypto';
import { startTestRedis } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { claimsOf, newEmail, password, send, signIn, signUp, type Answer } from './support/client.ts';
import { mailedToken } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { inLine } from './support/pairs.ts';
import { startService, type RunningService, type Settings } from './support/service.ts';

const redis = await startTestRedis();
afterAll(() => redis?.stop());

const limited = (settings: Settings) => startService({ settings });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

async function inTurn(times: number, ask: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await ask(n));
  return answers;
}

/** Each for another account: what is counted is the address that asks. */
const attempt = ({ app }: Pick<RunningService, 'app'>, headers: Readonly<Record<string, string>> = {}) =>
  send(app, 'POST /sign-in/email', { body: { email: newEmail(), password }, headers });

describe('sign-ins of one client address', () => {
  test('are 10 a minute and 100 an hour unless configured otherwise, and so are the other figures [S-18]', async () => {
    const { config } = await startService({
      settings: {
        RATE_LIMIT_SIGN_IN_PER_MINUTE: '',
        RATE_LIMIT_SIGN_IN_PER_HOUR: '',
        RATE_LIMIT_SIGN_UP_PER_HOUR: '',
        RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '',
        RATE_LIMIT_MAIL_PER_10_MINUTES: '',
        RATE_LIMIT_MAIL_PER_USER_PER_DAY: '',
        RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: '',
        RATE_LIMIT_EMAIL_CHANGES_PER_DAY: '',
        RATE_LIMIT_REFRESH_PER_MINUTE: '',
        RATE_LIMIT_INVITATIONS_PER_HOUR: '',
        RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: '',
        RATE_LIMIT_ORGANIZATIONS_PER_DAY: '',
        RATE_LIMIT_TAKEN_SLUGS_PER_HOUR: '',
        RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR: '',
        RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE: '',
        RATE_LIMIT_EXPORTS_PER_HOUR: '',
        RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE: '',
        RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE: '',
        RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '',
        RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: '',
        RATE_LIMIT_USERS_PER_HOUR: '',
        RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: '',
        RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: '',
        RATE_LIMIT_REFUSED_USERS_PER_HOUR: '',
        RATE_LIMIT_PASSWORDS_PER_MINUTE: '',
        RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: '',
      },
    });
    expect(config).toMatchObject({
      RATE_LIMIT_SIGN_IN_PER_MINUTE: 10,
      RATE_LIMIT_SIGN_IN_PER_HOUR: 100,
      RATE_LIMIT_SIGN_UP_PER_HOUR: 20,
      RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: 20,
      RATE_LIMIT_MAIL_PER_10_MINUTES: 3,
      RATE_LIMIT_MAIL_PER_USER_PER_DAY: 200,
      RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: 200,
      RATE_LIMIT_EMAIL_CHANGES_PER_DAY: 3,
      RATE_LIMIT_REFRESH_PER_MINUTE: 30,
      RATE_LIMIT_INVITATIONS_PER_HOUR: 20,
      RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: 40,
      RATE_LIMIT_ORGANIZATIONS_PER_DAY: 10,
      RATE_LIMIT_TAKEN_SLUGS_PER_HOUR: 60,
      RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR: 60,
      RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE: 60,
      RATE_LIMIT_EXPORTS_PER_HOUR: 2,
      RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE: 20,
      RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE: 60,
      RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: 60,
      RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: 300,
      RATE_LIMIT_USERS_PER_HOUR: 60,
      RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: 60,
      RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: 120,
      RATE_LIMIT_REFUSED_USERS_PER_HOUR: 10,
      RATE_LIMIT_PASSWORDS_PER_MINUTE: 10,
      RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: 60,
      LOCKOUT_THRESHOLD: 5,
      LOCKOUT_SECONDS: 30,
      LOCKOUT_SECONDS_MAX: 900,
      LOCKOUT_DISABLE_AFTER: 100,
      REQUIRE_EMAIL_VERIFICATION: false,
    });
  });

  test('beyond the limit are refused before anything is hashed, with the body, Retry-After and RateLimit [S-4]', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '10' });
    const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(service)));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({
        code: 'RATE_LIMITED',
        message: 'Too many sign-ins from your network. Try again in about a minute.',
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
      expect(headers).toMatchObject({
        'ratelimit-policy': '"sign-in-60";q=10;w=60',
        'ratelimit-remaining': '0',
      });
    }
    // Each attempt that was hashed was counted as a failure before.
    const counted = await service.sql('SELECT count(*)::int AS n FROM sign_in_failures');
    expect(counted).toEqual([{ n: 10 }]);
  });

  test('are limited by the hour as well', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_HOUR: '4' });
    const answers = await inTurn(6, () => attempt(service));
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(Number(answers[5]?.headers['retry-after'])).toBeGreaterThan(3_500);
  });

  test('count right ones too, and none that nothing is hashed for', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '3' });
    const ada = await signUp(service.app);
    const tooLong = { email: ada.email, password: 'x'.repeat(129) };
    for (const body of [{ email: 'nowhere' }, tooLong, {}, tooLong]) {
      expect((await send(service.app, 'POST /sign-in/email', { body })).status).toBe(400);
    }
    expect((await signIn(service.app, ada.email)).status).toBe(200);
    expect((await signIn(service.app, ada.email)).status).toBe(200);
    expect((await signIn(service.app, ada.email)).status).toBe(200);
    expect((await signIn(service.app, ada.email)).status).toBe(429);
  });

  test('gain nothing by forging X-Forwarded-For', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '3' });
    const answers = await inTurn(6, (n) => attempt(service, { 'x-forwarded-for': `198.51.100.${n}` }));
    expect(statuses(answers)).toEqual([401, 401, 401, 429, 429, 429]);
  });

  test('behind a trusted proxy do not share a bucket, and what a client wrote before it is not believed', async () => {
    const service = await limited({
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '2',
      TRUST_PROXY: '127.0.0.1/32,10.0.0.0/8',
    });
    const from = (chain: string) => attempt(service, { 'x-forwarded-for': chain });
    expect(statuses(await inTurn(3, () => from('198.51.100.1')))).toEqual([401, 401, 429]);
    expect((await from('198.51.100.2')).status).toBe(401);
    expect(statuses(await inTurn(3, (n) => from(`203.0.113.${n}, 198.51.100.1`)))).toEqual([429, 429, 429]);
    // Two proxies of ours in a row.
    expect((await from('198.51.100.1, 10.1.2.3')).status).toBe(429);
    expect((await from('198.51.100.3, 10.1.2.3')).status).toBe(401);
  });

  test('in IPv6 are those of a whole /64', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_IN_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' });
    const from = (address: string) => attempt(service, { 'x-forwarded-for': address });
    expect(statuses(await inTurn(5, (n) => from(`2001:db8:7:8:${n}::${n}`)))).toEqual([
      401, 401, 401, 429, 429,
    ]);
    expect((await from('2001:db8:7:9::1')).status).toBe(401);
  });
});

describe('sign-ups of one client address', () => {
  const signUpAs = ({ app }: RunningService, email: string, given = password) =>
    send(app, 'POST /sign-up/email', { body: { email, password: given, name: 'Ada' } });

  test('are limited by the hour [S-18]', async () => {
    const service = await limited({ RATE_LIMIT_SIGN_UP_PER_HOUR: '2' });
    const answers = await inTurn(4, () => signUpAs(service, newEmail()));
    expect(statuses(answers)).toEqual([201, 201, 429, 429]);
    expect(answers[3]?.body.message).toBe(
      'Too many accounts created from your network. Try again in about an hour.',
    );
  });

  test('are not used up by typing errors [S-19]', async () => {
    const service = await limited({
      RATE_LIMIT_SIGN_UP_PER_HOUR: '2',
      RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '2',
    });
    const typos = [
      ...(await inTurn(10, () => signUpAs(service, 'ada@nowhere'))),
      ...(await inTurn(10, () => signUpAs(service, newEmail(), 'short'))),
      ...(await inTurn(10, () => signUpAs(service, newEmail(), 'password1'))),
    ];
    expect(new Set(statuses(typos))).toEqual(new Set([400]));
    expect((await signUpAs(service, newEmail())).status).toBe(201);
  });

  test('ask so often an hour whether an address has an account, concurrently or one by one, and create accounts all the same [S-19]', async () => {
    const service = await limited({ RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '3' });
    const ada = await signUp(service.app);
    const guesses = await Promise.all(Array.from({ length: 30 }, () => signUpAs(service, ada.email)));
    expect(statuses(guesses).filter((status) => status === 422)).toHaveLength(3);
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(27);
    expect(refused[0]?.body.message).toBe(
      'Too many refused sign-ups from your network. Try again in about an hour.',
    );
    // Also of an address that is free, which would tell otherwise.
    expect((await signUpAs(service, newEmail())).status).toBe(429);
  });

  test('create accounts in parallel up to the limit, even if only few refusals are allowed', async () => {
    const service = await limited({
      RATE_LIMIT_SIGN_UP_PER_HOUR: '12',
      RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '1',
    });
    const answers = await Promise.all(Array.from({ length: 15 }, () => signUpAs(service, newEmail())));
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(12);
  });

  test('count the same where addresses are confirmed, whether there was an account or not [S-19]', async () => {
    const service = await limited({
      REQUIRE_EMAIL_VERIFICATION: 'true',
      RATE_LIMIT_SIGN_UP_PER_HOUR: '3',
      RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '1',
    });
    const email = newEmail();
    const answers = await inTurn(5, () => signUpAs(service, email));
    expect(statuses(answers)).toEqual([201, 201, 201, 429, 429]);
  });
});

test('looking at invitations is limited by client address, for all tokens [S-65]', async () => {
  const service = await limited({ RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE: '2' });
  const answers = await inTurn(4, (n) => send(service.app, `GET /invitations/tri_${n}`));
  expect(statuses(answers)).toEqual([400, 400, 429, 429]);
});

test('refreshes are limited by session, and one session does not use up what is another’s [S-18]', async () => {
  const service = await limited({ RATE_LIMIT_REFRESH_PER_MINUTE: '3' });
  const ada = await signUp(service.app);
  const refresh = (refreshToken: string) => send(service.app, 'POST /refresh', { body: { refreshToken } });
  const { refreshToken: phone } = (await signIn(service.app, ada.email)).body.session;
  const { refreshToken: laptop } = (await signIn(service.app, ada.email)).body.session;
  let current = phone;
  const answers = await inTurn(5, async () => {
    const answer = await refresh(current);
    if (answer.status === 200) current = answer.body.session.refreshToken;
    return answer;
  });
  expect(statuses(answers)).toEqual([200, 200, 200, 429, 429]);
  expect((await refresh(laptop)).status).toBe(200);
  // Made-up tokens are counted by address: they name no session.
  expect(statuses(await inTurn(4, (n) => refresh(`trt_${'A'.repeat(90)}${n}`)))).toEqual([
    401, 401, 401, 429,
  ]);
});

test('invitations are limited by organization [S-18]', async () => {
  const service = await limited({ RATE_LIMIT_INVITATIONS_PER_HOUR: '2' });
  const [ada, eve] = [await signUp(service.app), await signUp(service.app, 'Eve')];
  await prove(service, ada, eve);
  const invite = (user: typeof ada) => {
    const organizationId = String(claimsOf(user.token)['organizationId']);
    const body = { email: newEmail(), role: 'member' };
    return send(service.app, `POST /organization/${organizationId}/invitations`, { token: user.token, body });
  };
  expect(statuses(await inTurn(4, () => invite(ada)))).toEqual([201, 201, 429, 429]);
  expect((await invite(eve)).status).toBe(201);
});

describe.skipIf(!redis)('with Redis', () => {
  const settings = {
    RATE_LIMIT_SIGN_IN_PER_MINUTE: '4',
    REDIS_URL: redis?.url ?? '',
    TRUST_PROXY: '127.0.0.1',
  };
  const healthOf = async ({ app }: RunningService) => (await app.inject('/api/health')).statusCode;
  const ready = (service: RunningService) => expect.poll(() => healthOf(service)).toBe(200);

  test('killed: sign-ins continue and stay limited; instances share counts again when it is back [S-24]', async () => {
    const [first, second] = [await limited(settings), await limited(settings)];
    await Promise.all([ready(first), ready(second)]);
    const from = (service: RunningService, ip: string) => attempt(service, { 'x-forwarded-for': ip });
    const shared = await inTurn(6, (n) => from(n % 2 ? first : second, '192.0.2.1'));
    expect(statuses(shared)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(statuses(await inTurn(2, () => from(first, '192.0.2.2')))).toEqual([401, 401]);

    await redis?.kill();
    expect(statuses(await inTurn(4, () => from(first, '192.0.2.2')))).toEqual([401, 401, 429, 429]);
    const ada = await signUp(first.app);
    expect((await signIn(first.app, ada.email)).status).toBe(200);
    await expect.poll(() => healthOf(first)).toBe(503);
    expect((await first.app.inject('/api/health/ready')).statusCode).toBe(200);

    await redis?.restart();
    await Promise.all([ready(first), ready(second)]);
    const again = await inTurn(6, (n) => from(n % 2 ? first : second, '192.0.2.3'));
    expect(statuses(again)).toEqual([401, 401, 401, 401, 429, 429]);
  });

  test('what is given back is given back to all instances', async () => {
    const figures = { ...settings, RATE_LIMIT_ORGANIZATIONS_PER_DAY: '1' };
    const first = await limited(figures);
    const alike = { ...figures, AUTH_SECRET: first.config.AUTH_SECRET };
    const second = await startService({ database: first.database, settings: alike });
    await Promise.all([ready(first), ready(second)]);
    const [ada, eve] = [await signUp(first.app), await signUp(first.app)];
    const create = ({ app }: RunningService, { token }: typeof ada, slug: string) =>
      send(app, 'POST /organization/create', { token, body: { name: 'Acme', slug } });
    const slug = `acme-${randomUUID().slice(0, 8)}`;
    expect((await create(first, eve, slug)).status).toBe(201);
    const taken = await inTurn(4, (n) => create(n % 2 ? first : second, ada, slug));
    expect(statuses(taken)).toEqual([409, 409, 409, 409]);
    expect((await create(first, ada, `${slug}-2`)).status).toBe(201);
    expect((await create(second, ada, `${slug}-3`)).status).toBe(429);
  });

  test('no address of a person is readable in it', async () => {
    const service = await limited(settings);
    await ready(service);
    const { email, token } = await signUp(service.app);
    await send(service.app, 'POST /password/forgot', { body: { email } });
    await send(service.app, 'POST /two-factor/enable', { token, body: { password } });
    const { Redis } = await import('ioredis');
    const client = new Redis(redis?.url ?? '');
    const keys = await client.keys('*');
    client.disconnect();
    expect(keys.filter((key) => key.startsWith('tenantry:rate:passwords'))).not.toEqual([]);
    expect(keys.join()).not.toContain(email);
  });
});

describe('passwords given by one signed-in user', () => {
  const battery = 'a battery of my own';
  const uses = [
    ['POST /password/change', { currentPassword: password, newPassword: battery }],
    ['POST /two-factor/enable', { password }],
    ['POST /email/change', { newEmail: newEmail(), password }],
    ['DELETE /sessions?scope=others', { password }],
  ] as const;

  test.each(uses)('are limited together before anything is hashed: %s [S-4]', async (request, body) => {
    const { app } = await limited({ RATE_LIMIT_PASSWORDS_PER_MINUTE: '3' });
    const ada = await signUp(app);
    for (let n = 0; n < 3; n += 1) {
      await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
    }
    const refused = await send(app, request, { token: ada.token, body });
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('RATE_LIMITED');
    expect(refused.headers['retry-after']).toBeDefined();
    // Neither another user nor this one’s next sign-in pays for it.
    const eve = await signUp(app);
    expect(
      (await send(app, 'POST /two-factor/enable', { token: eve.token, body: { password } })).status,
    ).toBe(200);
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test('are also limited by address, for all accounts [S-4]', async () => {
    const { app } = await limited({ RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: '2' });
    const answers = await inTurn(3, async () => {
      const { token } = await signUp(app);
      return send(app, 'POST /two-factor/enable', { token, body: { password } });
    });
    expect(statuses(answers)).toEqual([200, 200, 429]);
  });

  test('also count a reset, whose token concurrent requests may share', async () => {
    const service = await limited({ RATE_LIMIT_PASSWORDS_PER_MINUTE: '3' });
    const ada = await signUp(service.app);
    await send(service.app, 'POST /password/forgot', { body: { email: ada.email } });
    const token = await mailedToken(service, ada.email, 'reset-password');
    const reset = (newPassword: string) =>
      send(service.app, 'POST /password/reset', { body: { token, newPassword } });
    // What the policy refuses is not hashed, and leaves the token as it is.
    expect(statuses(await inTurn(5, () => reset('short')))).toEqual([400, 400, 400, 400, 400]);
    const tries = Array.from({ length: 10 }, () => () => reset(battery));
    const answers = await inLine({ service, user: ada }, tries);
    expect(answers).toEqual([200, 400, 400, ...Array<number>(7).fill(429)]);
  });
});

describe('one user', () => {
  const found = (service: RunningService, token: string) =>
    send(service.app, 'POST /organization/create', {
      token,
      body: { name: 'Acme', slug: `acme-${randomUUID().slice(0, 8)}` },
    });

  test('is limited to so many organizations a day, separately from other users [S-18]', async () => {
    const service = await limited({ RATE_LIMIT_ORGANIZATIONS_PER_DAY: '2' });
    const [ada, eve] = [await signUp(service.app), await signUp(service.app)];
    expect(statuses(await inTurn(3, () => found(service, eve.token)))).toEqual([201, 201, 429]);
    expect((await found(service, ada.token)).status).toBe(201);
  });

  test('creates as many organizations as may be, after however many slugs that were taken [S-19]', async () => {
    const service = await limited({
      RATE_LIMIT_ORGANIZATIONS_PER_DAY: '2',
      RATE_LIMIT_TAKEN_SLUGS_PER_HOUR: '10',
    });
    const eve = await signUp(service.app);
    const create = (slug: string) =>
      send(service.app, 'POST /organization/create', { token: eve.token, body: { name: 'Acme', slug } });
    const slug = `acme-${randomUUID().slice(0, 8)}`;
    expect((await create(slug)).status).toBe(201);
    expect(statuses(await inTurn(10, () => create(slug)))).toEqual(Array(10).fill(409));
    expect((await create(`${slug}-2`)).body.message).toBe(
      'Too many slugs tried that are taken. Try again in about an hour.',
    );
    const other = await signUp(service.app);
    const found = (n: number) =>
      send(service.app, 'POST /organization/create', {
        token: other.token,
        body: { name: 'Acme', slug: n % 2 ? slug : `${slug}-${n}` },
      });
    const answers = await inTurn(5, found);
    expect(statuses(answers)).toEqual([201, 409, 201, 429, 429]);
    expect(answers[4]).toMatchObject({
      body: { message: 'Too many organizations created. Try again in about a day.' },
      headers: { 'retry-after': expect.stringMatching(/^86[34]\d\d$/) as string },
    });
  });

  test('can still invite after refused invitations [S-19]', async () => {
    const service = await limited({
      RATE_LIMIT_INVITATIONS_PER_HOUR: '1',
      RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: '1',
    });
    const eve = await signUp(service.app);
    await prove(service, eve);
    const id = claimsOf(eve.token)['organizationId'] as string;
    const invite = (email: string) =>
      send(service.app, `POST /organization/${id}/invitations`, {
        token: eve.token,
        body: { email, role: 'member' },
      });
    expect(statuses(await inTurn(3, () => invite('nowhere')))).toEqual([400, 400, 400]);
    expect(statuses(await inTurn(3, () => invite(eve.email)))).toEqual([409, 409, 409]);
    expect((await invite(newEmail())).status).toBe(201);
    expect((await invite(newEmail())).body.message).toBe(
      'Too many invitations sent by this organization. Try again in about an hour.',
    );
  });

  test('invites so many people in an hour, however many organizations do it [S-18]', async () => {
    const service = await limited({ RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: '2' });
    const eve = await signUp(service.app);
    await prove(service, eve);
    const { token } = eve;
    const answers = await inTurn(3, async () => {
      const { id } = (await found(service, token)).body.organization;
      const body = { email: newEmail(), role: 'member' };
      return send(service.app, `POST /organization/${id}/invitations`, { token, body });
    });
    expect(statuses(answers)).toEqual([201, 201, 429]);
  });
});
