import { createLogger } from '@tenantry/service/logging';
import { patience, testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createGround } from '../src/ground/index.ts';
import { createWings } from '../src/wings.ts';
import { act, check, domainsOf, joinableBy, proveDomain } from './support/domains.ts';
import { letterTo, lettersTo } from './support/mail.ts';
import { startNameServer } from './support/name-server.ts';
import { ask, foundCompany } from './support/organizations.ts';
import { openDatabase, startService } from './support/service.ts';

const names = await startNameServer(afterAll);
// Their own limits: letters are counted as they are where nobody sets others.
const service = await startService({
  settings: { DNS_SERVERS: names.address, RATE_LIMIT_MAIL_PER_10_MINUTES: '3' },
});
const { config, sql } = service;
const logger = createLogger({ name: 'test', level: 'warn', destination: testLog() });
const database = openDatabase(config, logger);
afterAll(() => database.close());

let aheadHours = 0;
const now = () => new Date(Date.now() + aheadHours * 60 * 60 * 1_000);
/** As several instances of the service have them. */
const instances = Array.from({ length: 3 }, () => {
  const ground = createGround({ config, logger, database, now });
  return createWings({ ...ground, readingMsMax: patience(2_000) }).organizations;
});

/** Reads all that is due a number of hours from now. */
async function readAfter(hours: number): Promise<void> {
  aheadHours += hours;
  await Promise.all(
    instances.map(async ({ readings }) => {
      while (await readings.readSome());
    }),
  );
}

async function companyWithDomain() {
  const company = await foundCompany(service);
  const place = { by: company.owner, organizationId: company.id };
  const domain = await proveDomain(service, names, { ...place, joins: 'member' });
  await sql('UPDATE domain_keys SET read_at = $2, due_at = $3 WHERE domain = $1', [
    domain.domain,
    now(),
    new Date(now().getTime() + 24 * 60 * 60 * 1_000),
  ]);
  const state = async () => (await domainsOf(service, place))[0]?.state;
  const told = async (email = company.owner.email) =>
    (await lettersTo(service, email)).filter((template) => template.startsWith('domain-'));
  return { ...company, place, domain, state, told };
}

describe('the record of a proven domain is read again [S-240]', () => {
  test('once a day, however many instances do it', async () => {
    const { domain, state } = await companyWithDomain();
    const asked = () => names.asked.filter((name) => name === domain.record.name).length;
    const before = asked();
    await readAfter(23);
    expect(asked() - before).toBe(0);
    await readAfter(2);
    expect(asked() - before).toBe(1);
    for (let n = 0; n < 3; n += 1) await readAfter(1);
    expect([asked() - before, await state()]).toEqual([1, 'verified']);
  });

  test('of organizations in turn: one with many domains delays no other [S-242]', async () => {
    const many = await companyWithDomain();
    for (let n = 0; n < 4; n += 1) await proveDomain(service, names, many.place);
    const stranger = await companyWithDomain();
    const flood = (await domainsOf(service, many.place)).map(({ record }) => record.name);
    aheadHours += 25;
    // Theirs are all due before.
    await sql('UPDATE domain_keys SET due_at = $2 WHERE organization = $1', [many.id, new Date(0)]);
    const before = names.asked.length;
    await instances[0]!.readings.readSome();
    const asked = new Set(names.asked.slice(before));
    expect(asked).toContain(stranger.domain.record.name);
    expect(flood.filter((name) => asked.has(name))).toHaveLength(1);
    await readAfter(0);
  });

  test('owners hear of the first miss, and of the third, which suspends it', async () => {
    const { id, owner, admin, domain, place, state, told } = await companyWithDomain();
    names.zone.delete(domain.record.name);
    await readAfter(25);
    expect([await state(), await told()]).toEqual(['missing', ['domain-record-missing']]);
    const letter = await letterTo(service, owner.email, 'domain-record-missing');
    for (const part of [domain.domain, domain.record.name, domain.record.value, '“Acme”']) {
      expect(letter).toContain(part);
    }
    await readAfter(1);
    await readAfter(24);
    expect([await state(), await told()]).toEqual(['missing', ['domain-record-missing']]);
    await readAfter(25);
    expect([await state(), await told()]).toEqual([
      'suspended',
      ['domain-record-missing', 'domain-suspended'],
    ]);
    expect(await told(admin.email)).toEqual([]);
    expect(await letterTo(service, owner.email, 'domain-suspended')).toContain(domain.domain);
    const [entry] = await sql(
      `SELECT actor_kind, target_id FROM audit_events WHERE organization_id = $1 AND action = 'domain.suspended'`,
      [id],
    );
    expect(entry).toEqual({ actor_kind: 'job', target_id: domain.id });
    expect((await domainsOf(service, place))[0]).toMatchObject({
      suspendedAt: expect.any(String) as string,
      readAt: null,
      verifiedAt: expect.any(String) as string,
    });
    // It stays so, and asks no more.
    await readAfter(50);
    expect(await told()).toHaveLength(2);
  });

  test('a suspended domain speaks for nobody until its record is found again', async () => {
    const { owner, domain, place, state } = await companyWithDomain();
    const [person] = await sql(
      `INSERT INTO users (id, email, name, email_verified_at, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'Peter', now(), now(), now()) RETURNING id`,
      [`peter@${domain.domain}`],
    );
    const joining = instances[0]!.joining;
    expect(await joining.joinable(String(person?.['id']))).toHaveLength(1);
    names.zone.delete(domain.record.name);
    for (let n = 0; n < 3; n += 1) await readAfter(25);
    expect(await joining.joinable(String(person?.['id']))).toEqual([]);
    expect(await joinableBy(service, owner)).toEqual([]);
    expect(await sql('SELECT 1 FROM domain_keys WHERE domain = $1', [domain.domain])).toEqual([]);
    names.zone.set(domain.record.name, { texts: [domain.record.value] });
    expect((await check(service, place, domain.id)).body.domain).toMatchObject({
      state: 'verified',
      suspendedAt: null,
    });
    expect(await state()).toBe('verified');
    expect(await joining.joinable(String(person?.['id']))).toHaveLength(1);
  });

  test('a record that is found again starts over', async () => {
    const { domain, state, told } = await companyWithDomain();
    for (const isThere of [false, false, true, false, false]) {
      if (isThere) names.zone.set(domain.record.name, { texts: [domain.record.value] });
      else names.zone.set(domain.record.name, { texts: ['another'] });
      await readAfter(25);
    }
    expect(await state()).toBe('missing');
    expect(await told()).toEqual(['domain-record-missing', 'domain-record-missing']);
  });

  test('in the language of each owner', async () => {
    const { domain, owner } = await companyWithDomain();
    await ask(service, 'PATCH /user', { token: owner.token, body: { language: 'sv' } });
    names.zone.delete(domain.record.name);
    for (let n = 0; n < 3; n += 1) await readAfter(25);
    expect(await letterTo(service, owner.email, 'domain-record-missing')).toContain(
      `DNS-posten för ${domain.domain} saknas`,
    );
    expect(await letterTo(service, owner.email, 'domain-suspended')).toContain('har stängts av');
  });

  test('a name server that fails says nothing for a week, and is asked every hour', async () => {
    const { domain, state, told } = await companyWithDomain();
    for (const said of ['fails', 'refuses', 'silent'] as const) {
      names.zone.set(domain.record.name, said);
      await readAfter(48);
      expect([said, await state(), await told()]).toEqual([said, 'verified', []]);
    }
    const asked = names.asked.length;
    await readAfter(2);
    expect(names.asked.length).toBeGreaterThan(asked);
    names.zone.set(domain.record.name, 'fails');
    await readAfter(24);
    expect([await state(), await told()]).toEqual(['missing', ['domain-record-missing']]);
    await readAfter(25);
    await readAfter(25);
    expect([await state(), await told()]).toEqual([
      'suspended',
      ['domain-record-missing', 'domain-suspended'],
    ]);
  });

  test('a check by an owner while it is read counts, and not the reading', async () => {
    const { domain, place, state, told } = await companyWithDomain();
    let answer = (): void => undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    names.zone.set(domain.record.name, { after, texts: ['another'] });
    const before = names.asked.length;
    const reading = readAfter(25);
    await vi.waitFor(() => expect(names.asked.length).toBeGreaterThan(before), { timeout: patience() });
    names.zone.set(domain.record.name, { texts: [domain.record.value] });
    expect((await check(service, place, domain.id)).status).toBe(200);
    answer();
    await reading;
    expect([await state(), await told()]).toEqual(['verified', []]);
  });

  test('a domain that is deleted while it is read is gone, and nobody hears of it', async () => {
    const { domain, place, told } = await companyWithDomain();
    let answer = (): void => undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    names.zone.set(domain.record.name, { after, texts: ['another'] });
    const before = names.asked.length;
    const reading = readAfter(25);
    await vi.waitFor(() => expect(names.asked.length).toBeGreaterThan(before), { timeout: patience() });
    expect((await act(service, place, ['DELETE', domain.id])).status).toBe(204);
    answer();
    await reading;
    expect([await domainsOf(service, place), await told()]).toEqual([[], []]);
  });
});
