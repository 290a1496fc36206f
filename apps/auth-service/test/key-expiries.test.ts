import { patience } from '@tenantry/test-kit';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { createGround } from '../src/ground/index.ts';
import { createWings } from '../src/wings.ts';
import { send } from './support/client.ts';
import { letterTo, lettersTo } from './support/mail.ts';
import { ask, enter, foundCompany } from './support/organizations.ts';
import { inDays, newAccount, newKey } from './support/service-accounts.ts';
import { openDatabase, startService } from './support/service.ts';

// Their own limits: letters are counted as they are where nobody sets others.
const service = await startService({ settings: { RATE_LIMIT_MAIL_PER_10_MINUTES: '3' } });
const { app, config, sql } = service;
const logger = createLogger({ name: 'test', level: 'warn', destination: testLog() });
const database = openDatabase(config, logger);
afterAll(() => database.close());

/** As several instances of the service have them. */
const instances = Array.from(
  { length: 3 },
  () => createWings(createGround({ config, logger, database, now: () => new Date() })).organizations,
);
async function announce(): Promise<void> {
  await Promise.all(
    instances.map(async ({ keyExpiries }) => {
      while (await keyExpiries.announceSome());
    }),
  );
}
const expiring = (ids: readonly string[], inTime: string) =>
  sql(`UPDATE api_keys SET expires_at = now() + $2::interval WHERE id = ANY($1)`, [ids, inTime]);
const told = async (email: string) =>
  (await lettersTo(service, email)).filter((template) => template === 'keys-expire').length;

async function companyWithKeys() {
  const company = await foundCompany(service);
  const place = { by: company.owner, organizationId: company.id };
  const { id } = await newAccount(service, place);
  const keys = [await newKey(service, place, id), await newKey(service, place, id, { name: 'Laptop' })];
  const apiKeys = keys.map(({ apiKey }) => apiKey);
  const [ids, endings] = [apiKeys.map((key) => key.id), apiKeys.map(({ ending }) => ending)];
  return { ...company, place, account: id, ids, endings };
}

describe('before keys expire', () => {
  test('the owners are told once of all of them, two weeks ahead, however many instances do it', async () => {
    const { ids, endings, owner, admin } = await companyWithKeys();
    await expiring(ids, '14 days 1 hour');
    await announce();
    expect(await told(owner.email)).toBe(0);
    await expiring(ids, '13 days 23 hours');
    for (let n = 0; n < 3; n += 1) await announce();
    expect([await told(owner.email), await told(admin.email)]).toEqual([1, 0]);
    const letter = await letterTo(service, owner.email, 'keys-expire');
    for (const name of ['“Acme”', ...endings.map((ending) => `” (…${ending})`)])
      expect(letter).toContain(name);
    expect(letter).toContain('“Laptop”');
  });

  test('in the language of each owner', async () => {
    const { ids, owner } = await companyWithKeys();
    await ask(service, 'PATCH /user', { token: owner.token, body: { language: 'sv' } });
    await expiring(ids, '1 day');
    await announce();
    const letter = await letterTo(service, owner.email, 'keys-expire');
    expect(letter).toContain('Nycklar i din organisation går snart ut');
    expect(letter).toContain('”Laptop” (…');
  });

  test('an owner of many organizations hears of each', async () => {
    const companies = [];
    for (let n = 0; n < 5; n += 1) companies.push(await companyWithKeys());
    const { owner } = companies[0]!;
    for (const { id } of companies.slice(1)) await enter(service, id, owner, 'owner');
    await expiring(
      companies.flatMap(({ ids }) => ids),
      '1 day',
    );
    await announce();
    expect(await told(owner.email)).toBe(5);
  });

  test('nobody is told of a key that was made for less than two weeks', async () => {
    const { place, account, owner } = await companyWithKeys();
    await newKey(service, place, account, { expiresAt: inDays(13) });
    await announce();
    expect(await told(owner.email)).toBe(0);
  });

  test('a letter says no name that somebody without a confirmed address has chosen [S-15]', async () => {
    const { id, account, owner, admin } = await companyWithKeys();
    const { apiKey } = await newKey(service, { by: admin, organizationId: id }, account, {
      name: 'Win a prize',
    });
    await sql('UPDATE users SET email_verified_at = NULL WHERE id = $1', [admin.id]);
    await expiring([apiKey.id], '1 day');
    await announce();
    const letter = await letterTo(service, owner.email, 'keys-expire');
    expect(letter).toContain(`Key (…${apiKey.ending})`);
    expect(letter).not.toContain('prize');
  });

  test('an address that is not confirmed is told nothing', async () => {
    const { ids, owner } = await companyWithKeys();
    await sql('UPDATE users SET email_verified_at = NULL WHERE id = $1', [owner.id]);
    await expiring(ids, '1 day');
    await announce();
    expect(await told(owner.email)).toBe(0);
    await announce();
  });
});

test('owners of an organization that is restored are told what does not come back', async () => {
  const { id, owner, admin } = await companyWithKeys();
  expect((await send(app, `DELETE /organization/${id}`, { token: owner.token })).status).toBe(200);
  const restored = await app.inject({
    method: 'POST',
    url: `/internal/organizations/${id}/restore`,
    headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0]}` },
    payload: {},
  });
  expect(restored.statusCode).toBe(200);
  await expect
    .poll(() => letterTo(service, owner.email, 'organization-restored'), { timeout: patience() })
    .toContain('Its service accounts, their keys,');
  expect(await lettersTo(service, admin.email)).not.toContain('organization-restored');
});
