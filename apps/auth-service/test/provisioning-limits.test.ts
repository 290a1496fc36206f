import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newEmail, password, signIn, signUp, type SignedUp } from './support/client.ts';
import { enter, found, foundCompany, personalOrganizationOf } from './support/organizations.ts';
import { startService, type RunningService } from './support/service.ts';

interface Asked {
  readonly actor: SignedUp;
  readonly organizationId?: string;
  readonly email?: string;
  readonly password?: string;
  readonly clientAddress?: string;
  readonly key?: string;
}

/** Creates an account as users-service requests it on behalf of a user. */
async function create({ app, config }: RunningService, asked: Asked) {
  const { actor, organizationId = personalOrganizationOf(actor), clientAddress, email = newEmail() } = asked;
  const answer = await app.inject({
    method: 'POST',
    url: '/internal/users',
    headers: {
      ...{ authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` },
      'idempotency-key': asked.key ?? randomUUID(),
      ...(clientAddress !== undefined && { 'x-client-address': clientAddress }),
    },
    payload: {
      ...{ organizationId, actorUserId: actor.id, email, name: 'Grace Hopper' },
      password: asked.password ?? password,
    },
  });
  const body = answer.json<{ code?: string; message?: string }>();
  return { status: answer.statusCode, headers: answer.headers, body };
}

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
const times = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const with429 = (answers: readonly { readonly status: number }[]) =>
  statuses(answers).filter((status) => status === 429).length;

/** How many hashes have waited for their turn, apart from those behind others of their own address. */
async function hashesThatWaited({ app }: RunningService): Promise<number> {
  const text = await app.metrics.metrics();
  return Number(/^tenantry_share_wait_seconds_count\{shared="password-hashing"\} (\d+)$/m.exec(text)?.[1]);
}

describe('90 accounts that a free account creates concurrently [S-4]', () => {
  test('delay no sign-in: each is next in turn, and none is refused', async () => {
    // One hash at a time, of some 40 ms.
    const service = await startService({ settings: { BCRYPT_COST: '9', UV_THREADPOOL_SIZE: '2' } });
    const [eve, ...honest] = [
      await signUp(service.app),
      await signUp(service.app),
      await signUp(service.app),
    ];
    const flood = times(90, () => create(service, { actor: eve, clientAddress: '203.0.113.9' }));
    for (const { email } of [...honest, ...honest]) {
      expect((await signIn(service.app, email)).status).toBe(200);
    }
    // A hash waits for the one that runs, and the next one of the flood waits for it. The rest of the flood waits for itself.
    expect(await hashesThatWaited(service)).toBeLessThanOrEqual(2 * 6);
    const answers = await flood;
    expect(new Set(statuses(answers))).toEqual(new Set([201, 503]));
    for (const { status, headers, body } of answers) {
      if (status !== 503) continue;
      expect({ code: body.code, retry: headers['retry-after'] }).toEqual({
        code: 'UPSTREAM_UNAVAILABLE',
        retry: '5',
      });
    }
  });

  test('are limited per hour: further ones are refused before hashing', async () => {
    const service = await startService({ settings: { RATE_LIMIT_USERS_PER_HOUR: '5' } });
    const eve = await signUp(service.app);
    const answers = await times(90, () => create(service, { actor: eve }));
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({
      body: { code: 'RATE_LIMITED', message: 'Too many users created. Try again in about an hour.' },
      headers: { 'ratelimit-policy': '"users-3600";q=5;w=3600', 'ratelimit-remaining': '0' },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(await service.sql('SELECT user_id FROM credentials')).toHaveLength(6);
  });
});

describe('accounts that are created', () => {
  test('are limited by user, in however many organizations [S-20]', async () => {
    const service = await startService({ settings: { RATE_LIMIT_USERS_PER_HOUR: '2' } });
    const eve = await signUp(service.app);
    const organizations = [await found(service, eve.token), await found(service, eve.token)];
    const answers = [];
    for (const { id: organizationId } of [...organizations, ...organizations]) {
      answers.push(await create(service, { actor: eve, organizationId }));
    }
    expect(statuses(answers)).toEqual([201, 201, 429, 429]);
    expect((await create(service, { actor: await signUp(service.app) })).status).toBe(201);
  });

  test('are limited by organization, across its users [S-20]', async () => {
    const service = await startService({ settings: { RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: '2' } });
    const { id: organizationId, owner, admin } = await foundCompany(service);
    const answers = [];
    for (const actor of [owner, admin, owner, admin])
      answers.push(await create(service, { actor, organizationId }));
    expect(statuses(answers)).toEqual([201, 201, 429, 429]);
    expect(answers[3]?.body.message).toContain('Too many users created in this organization.');
    // What the organization may not do is not counted for the user.
    expect((await create(service, { actor: admin })).status).toBe(201);
  });

  test('are limited by client address, IPv6 by its /64 [S-20]', async () => {
    const service = await startService({ settings: { RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: '2' } });
    const from = async (clientAddress: string) =>
      create(service, { actor: await signUp(service.app), clientAddress });
    const answers = [];
    for (let n = 1; n < 5; n += 1) answers.push(await from(`2001:db8:7:8::${n}`));
    expect(statuses(answers)).toEqual([201, 201, 429, 429]);
    expect((await from('2001:db8:7:9::1')).status).toBe(201);
  });

  test('by a service that sends no client address are limited all the same', async () => {
    const service = await startService({
      settings: { RATE_LIMIT_USERS_PER_HOUR: '1', RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: '1' },
    });
    const [ada, eve] = [await signUp(service.app), await signUp(service.app)];
    expect((await create(service, { actor: ada })).status).toBe(201);
    expect((await create(service, { actor: ada })).status).toBe(429);
    expect((await create(service, { actor: eve, clientAddress: 'not an address' })).status).toBe(201);
  });

  test('appear in the trail with the client address of their creation', async () => {
    const service = await startService();
    const eve = await signUp(service.app);
    await create(service, { actor: eve, clientAddress: '203.0.113.9' });
    const trail = await service.sql(
      `SELECT host(ip_address) AS address FROM audit_events WHERE action = 'user.created'`,
    );
    expect(trail).toEqual([{ address: '203.0.113.9' }]);
  });

  test('are counted once, however often their request is repeated, from wherever', async () => {
    const service = await startService({ settings: { RATE_LIMIT_USERS_PER_HOUR: '2' } });
    const eve = await signUp(service.app);
    const asked = { actor: eve, email: newEmail(), key: randomUUID() };
    for (let n = 1; n < 6; n += 1) {
      expect((await create(service, { ...asked, clientAddress: `203.0.113.${n}` })).status).toBe(201);
    }
    expect((await create(service, { actor: eve })).status).toBe(201);
  });
});

describe('asking by creation whether an address has an account', () => {
  test('is limited per hour, in parallel or in sequence, by user, by organization and by address [S-20]', async () => {
    const service = await startService({ settings: { RATE_LIMIT_REFUSED_USERS_PER_HOUR: '3' } });
    const [victim, eve] = [await signUp(service.app), await signUp(service.app)];
    const guess = (asked: Asked) => create(service, { ...asked, email: victim.email });
    const first = await times(40, () => guess({ actor: eve, clientAddress: '203.0.113.9' }));
    expect(statuses(first).filter((status) => status === 422)).toHaveLength(3);
    expect(with429(first)).toBe(37);
    expect(first.find(({ status }) => status === 429)?.body.message).toBe(
      'Too many refused attempts to create a user. Try again in about an hour.',
    );
    // A free address is refused too: otherwise that would tell.
    expect((await create(service, { actor: eve })).status).toBe(429);
    // Another organization does not help, nor another user of the same address.
    const { id: organizationId } = await found(service, eve.token);
    expect((await guess({ actor: eve, organizationId })).status).toBe(429);
    const mallory = await signUp(service.app);
    expect((await guess({ actor: mallory, clientAddress: '203.0.113.9' })).status).toBe(429);
    // Nor does another user of the same organization.
    const helper = await signUp(service.app);
    await enter(service, personalOrganizationOf(eve), helper, 'admin');
    expect((await guess({ actor: helper, organizationId: personalOrganizationOf(eve) })).status).toBe(429);
    expect((await create(service, { actor: mallory, clientAddress: '203.0.113.10' })).status).toBe(201);
  });

  test('does not use up the limit of creations, and neither do refused passwords', async () => {
    const service = await startService({
      settings: { RATE_LIMIT_USERS_PER_HOUR: '1', RATE_LIMIT_REFUSED_USERS_PER_HOUR: '5' },
    });
    const [victim, eve] = [await signUp(service.app), await signUp(service.app)];
    for (let n = 0; n < 4; n += 1) {
      expect((await create(service, { actor: eve, email: victim.email })).status).toBe(422);
      expect((await create(service, { actor: eve, password: 'password1' })).status).toBe(400);
    }
    expect((await create(service, { actor: eve })).status).toBe(201);
  });

  test('is not for those who may not create accounts: they are refused before anything is counted or hashed', async () => {
    const service = await startService({ settings: { RATE_LIMIT_REFUSED_USERS_PER_HOUR: '1' } });
    const { id: organizationId, member, owner } = await foundCompany(service);
    const answers = await times(10, () =>
      create(service, { actor: member, organizationId, email: owner.email }),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([403]));
    expect((await create(service, { actor: owner, organizationId })).status).toBe(201);
  });
});
