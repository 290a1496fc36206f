import { randomUUID } from 'node:crypto';
import { patience, type SaidOfName } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeMail } from '../src/organizations/domains/free-mail.ts';
import { password, send, signUp } from './support/client.ts';
import {
  act,
  addDomain,
  askToAdd,
  check,
  domainsOf,
  newDomain,
  proveDomain,
  type ListedDomain,
} from './support/domains.ts';
import { startNameServer } from './support/name-server.ts';
import { ask, found, foundCompany, prove, type Company } from './support/organizations.ts';
import { startService } from './support/service.ts';

const names = await startNameServer(afterAll);
const service = await startService({
  settings: { DNS_SERVERS: names.address },
  readingMsMax: patience(2_000),
});
const { app, config, sql } = service;
let company: Company;

beforeAll(async () => {
  company = await foundCompany(service);
});

const placeOf = ({ id, owner }: Company) => ({ by: owner, organizationId: id });
const newPlace = async () => placeOf(await foundCompany(service));
const provenBy = async (organizationId: string) =>
  (await sql('SELECT domain FROM domain_keys WHERE organization = $1 ORDER BY domain', [organizationId])).map(
    ({ domain }) => domain,
  );
const actionsOn = async (domainId: string) =>
  (await sql('SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id', [domainId])).map(
    ({ action }) => action,
  );

describe('a domain', () => {
  test('counts once its record is found, and is listed with it', async () => {
    const place = await newPlace();
    const domain = newDomain();
    const added = await addDomain(service, place, domain);
    expect(added).toMatchObject({
      ...{ domain, joins: 'nobody', state: 'pending', verifiedAt: null, readAt: null },
      record: { type: 'TXT', name: `_tenantry-challenge.${domain}` },
      createdBy: { userId: expect.any(String) as string, name: 'Olga Owner' },
    });
    expect(added.record.value).toMatch(/^[\w-]{43}$/);
    expect(await provenBy(place.organizationId)).toEqual([]);
    names.zone.set(added.record.name, { texts: ['v=spf1 -all', added.record.value] });
    const { status, body } = await check(service, place, added.id);
    expect([status, body.domain.state]).toEqual([200, 'verified']);
    expect(await domainsOf(service, place)).toEqual([body.domain]);
    expect(await provenBy(place.organizationId)).toEqual([domain]);
    expect((await check(service, place, added.id)).body.domain.verifiedAt).toBe(body.domain.verifiedAt);
    expect(await actionsOn(added.id)).toEqual(['domain.added', 'domain.verified']);
  });

  test.each([
    ['  ACME-Upper.Example. ', 'acme-upper.example'],
    ['müller-dach.example', 'xn--mller-dach-9db.example'],
    ['MÜLLER-Haus.example', 'xn--mller-haus-9db.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['eu.acme.co.uk', 'eu.acme.co.uk'],
    ['acme.github.io', 'acme.github.io'],
  ])('written %s is stored as addresses of accounts have it', async (written, stored) => {
    const { status, body } = await askToAdd(service, await newPlace(), written);
    expect([status, body]).toMatchObject([201, { domain: { domain: stored } }]);
  });

  test.each([
    ['acme', 'domain'],
    ['acme..example', 'domain'],
    ['https://acme.example', 'domain'],
    ['ada@acme.example', 'domain'],
    ['127.0.0.1', 'domain'],
    ['xn--a.example', 'domain'],
    ['_dmarc.acme.example', 'domain'],
    [`${'a.'.repeat(115)}example`, 'domain'],
    ['com', 'domain'],
    ['co.uk', 'publicSuffix'],
    ['CO.UK.', 'publicSuffix'],
    ['github.io', 'publicSuffix'],
    ['公司.cn', 'publicSuffix'],
    ['gmail.com', 'freeMail'],
    ['Outlook.COM', 'freeMail'],
    ['mail.gmail.com', 'freeMail'],
    ['yahoo.co.uk', 'freeMail'],
  ])('written %s is refused', async (written, rule) => {
    const { status, body } = await askToAdd(service, placeOf(company), written);
    expect([
      status,
      body.details.map((detail) => [detail.field, (detail as { rule?: string }).rule]),
    ]).toEqual([400, [['domain', rule]]]);
  });

  test('of no name at all, or with a field of somebody else’s, is refused', async () => {
    const path = `POST /organization/${company.id}/domains`;
    for (const body of [
      {},
      { domain: 'acme.example' },
      { domain: '', joins: 'nobody' },
      { domain: 'acme.example', joins: 'owner' },
      { domain: 'acme.example', joins: 'nobody', verifiedAt: new Date().toISOString() },
      { domain: ['acme.example'], joins: 'nobody' },
    ]) {
      expect((await send(app, path, { token: company.owner.token, body })).status).toBe(400);
    }
  });

  test('is added once, and is another one with another value once it was deleted', async () => {
    const place = await newPlace();
    const { id, domain, record } = await addDomain(service, place);
    expect(await askToAdd(service, place, domain.toUpperCase())).toMatchObject({
      status: 400,
      body: { details: [{ field: 'domain', rule: 'unique' }] },
    });
    expect((await act(service, place, ['DELETE', id])).status).toBe(204);
    const again = await addDomain(service, place, domain);
    expect([again.id, again.record.value]).not.toContain(id);
    expect(again.record.value).not.toBe(record.value);
    expect((await check(service, place, id)).status).toBe(404);
  });

  test('of an organization that has twenty is one too many, in parallel requests too', async () => {
    const place = await newPlace();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => askToAdd(service, place, newDomain())),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    for (const { body } of refused) {
      expect(body).toMatchObject({ code: 'QUOTA_EXCEEDED', reason: 'DOMAINS' });
    }
    expect(await domainsOf(service, place)).toHaveLength(20);
  });

  test('says who may join, which takes a recent proof to open and none to close', async () => {
    const { id, owner } = await foundCompany(service);
    const place = { by: owner, organizationId: id };
    const domain = await proveDomain(service, names, place);
    await sql(`UPDATE sessions SET authenticated_at = now() - INTERVAL '10 minutes' WHERE user_id = $1`, [
      owner.id,
    ]);
    const opened = await act(service, place, ['PATCH', domain.id], { joins: 'member' });
    expect([opened.status, opened.body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    expect((await askToAdd(service, place, newDomain(), 'member')).status).toBe(401);
    const change = { joins: 'member', password };
    expect((await act(service, place, ['PATCH', domain.id], change)).status).toBe(200);
    expect((await act(service, place, ['PATCH', domain.id], { joins: 'nobody' })).status).toBe(200);
    expect((await act(service, place, ['PATCH', domain.id], { joins: 'nobody' })).status).toBe(200);
    expect((await domainsOf(service, place))[0]).toMatchObject({ joins: 'nobody', state: 'verified' });
    expect(await actionsOn(domain.id)).toEqual([
      'domain.added',
      'domain.verified',
      ...['domain.joins-changed', 'domain.joins-changed'],
    ]);
  });
});

describe('a domain without its record does not speak [S-240]', () => {
  test.each<[string, SaidOfName | undefined, string]>([
    ['no name in the DNS', undefined, 'RECORD_MISSING'],
    ['a name without such records', 'no-data', 'RECORD_MISSING'],
    ['another value', { texts: ['x'.repeat(43)] }, 'RECORD_DIFFERENT'],
    ['an answer of 55 KB', { texts: Array.from({ length: 190 }, () => 'x'.repeat(250)) }, 'RECORD_DIFFERENT'],
    ['a server that fails', 'fails', 'RECORD_UNREADABLE'],
    ['a server that refuses', 'refuses', 'RECORD_UNREADABLE'],
    ['a server that is silent', 'silent', 'RECORD_UNREADABLE'],
    ['an answer that never comes to its end', 'stalls', 'RECORD_UNREADABLE'],
  ])('%s', async (_what, said, reason) => {
    const place = await newPlace();
    const { id, record } = await addDomain(service, place);
    if (said !== undefined) names.zone.set(record.name, said);
    expect(await check(service, place, id)).toMatchObject({
      status: 409,
      body: { code: 'DOMAIN_NOT_VERIFIED', reason },
    });
    expect((await domainsOf(service, place))[0]).toMatchObject({ state: 'pending', verifiedAt: null });
    expect(await provenBy(place.organizationId)).toEqual([]);
  });

  test('its value in the middle of another, or at another name, is not its record', async () => {
    const place = await newPlace();
    const { id, domain, record } = await addDomain(service, place);
    names.zone.set(domain, { texts: [record.value] });
    names.zone.set(record.name, { texts: [`x${record.value}`, `${record.value}x`] });
    expect((await check(service, place, id)).status).toBe(409);
  });

  test('its value behind an alias, in a large answer or in blanks is', async () => {
    for (const said of [
      (value: string): SaidOfName => ({ alias: 'proofs.example', texts: [value] }),
      (value: string): SaidOfName => ({
        texts: [...Array.from({ length: 100 }, () => 'x'.repeat(250)), value],
      }),
      (value: string): SaidOfName => ({ texts: [` ${value} `] }),
    ]) {
      const place = await newPlace();
      const { id, record } = await addDomain(service, place);
      names.zone.set(record.name, said(record.value));
      expect((await check(service, place, id)).status).toBe(200);
    }
  });

  test('the value of another organization proves nothing', async () => {
    const [ours, theirs] = [await newPlace(), await newPlace()];
    const domain = newDomain();
    const [our, their] = [await addDomain(service, ours, domain), await addDomain(service, theirs, domain)];
    names.zone.set(our.record.name, { texts: [our.record.value] });
    expect((await check(service, theirs, their.id)).body).toMatchObject({ reason: 'RECORD_DIFFERENT' });
    expect((await check(service, ours, our.id)).status).toBe(200);
  });
});

describe('a domain that another organization has proven cannot be claimed [S-240]', () => {
  async function rivals() {
    const [first, second] = [await newPlace(), await newPlace()];
    const domain = newDomain();
    const both: [ListedDomain, ListedDomain] = [
      await addDomain(service, first, domain),
      await addDomain(service, second, domain),
    ];
    names.zone.set(both[0].record.name, { texts: both.map(({ record }) => record.value) });
    return { first, second, domain, both };
  }

  test('it is refused without a word of whose it is, and only once its record is there', async () => {
    const { first, second, domain, both } = await rivals();
    expect((await check(service, first, both[0].id)).status).toBe(200);
    const { status, body } = await check(service, second, both[1].id);
    expect([status, body.code]).toEqual([409, 'DOMAIN_TAKEN']);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`Acme|${first.organizationId}`));
    expect(await provenBy(first.organizationId)).toEqual([domain]);
    const stranger = await newPlace();
    const claim = await addDomain(service, stranger, domain);
    expect((await check(service, stranger, claim.id)).body).toMatchObject({ reason: 'RECORD_DIFFERENT' });
  });

  test('of two that prove it at once one has it', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { first, second, both } = await rivals();
      const answers = await Promise.all([
        check(service, first, both[0].id),
        check(service, second, both[1].id),
        check(service, first, both[0].id),
        check(service, second, both[1].id),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
      expect([
        ...(await provenBy(first.organizationId)),
        ...(await provenBy(second.organizationId)),
      ]).toHaveLength(1);
    }
  });

  test('once it is deleted there it can', async () => {
    const { first, second, both } = await rivals();
    await check(service, first, both[0].id);
    expect((await act(service, first, ['DELETE', both[0].id])).status).toBe(204);
    expect((await check(service, second, both[1].id)).status).toBe(200);
  });
});

describe('deleting', () => {
  test('a domain that is being checked leaves nothing behind', async () => {
    for (let n = 0; n < 5; n += 1) {
      const place = await newPlace();
      const { id, record } = await addDomain(service, place);
      names.zone.set(record.name, { texts: [record.value] });
      const [checked, deleted] = await Promise.all([
        check(service, place, id),
        act(service, place, ['DELETE', id]),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(checked.status);
      expect(await provenBy(place.organizationId)).toEqual([]);
    }
  });

  test('an organization drops its domains, and a restore does not bring them back', async () => {
    const { id, owner } = await foundCompany(service);
    const place = { by: owner, organizationId: id };
    const { domain } = await proveDomain(service, names, place);
    const deleted = await send(app, `DELETE /organization/${id}`, { token: owner.token, body: { password } });
    expect(deleted.status).toBe(200);
    expect(await sql('SELECT 1 FROM domain_keys WHERE domain = $1', [domain])).toEqual([]);
    const restored = await app.inject({
      method: 'POST',
      url: `/internal/organizations/${id}/restore`,
      headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0]}` },
      payload: {},
    });
    expect(restored.statusCode).toBe(200);
    expect(await domainsOf(service, place)).toEqual([]);
    const another = await newPlace();
    expect((await proveDomain(service, names, { ...another, domain })).state).toBe('verified');
  });
});

describe('who may', () => {
  test('owners change domains, admins see them, and members neither', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const place = { by: owner, organizationId: id };
    const domain = await addDomain(service, place);
    expect(await domainsOf(service, { ...place, by: admin })).toEqual([domain]);
    const listed = await send(app, `GET /organization/${id}/domains`, { token: member.token });
    expect([listed.status, listed.body.code]).toEqual([403, 'FORBIDDEN']);
    for (const by of [admin, member]) {
      const others = { ...place, by };
      const answers = [
        await askToAdd(service, others, newDomain()),
        await check(service, others, domain.id),
        await act(service, others, ['PATCH', domain.id], { joins: 'member' }),
        await act(service, others, ['DELETE', domain.id]),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [403, 'FORBIDDEN']),
      );
    }
  });

  test('another organization is 404, in the path and for the domain', async () => {
    const [ours, theirs] = [await newPlace(), await newPlace()];
    const [our, their] = [await addDomain(service, ours), await addDomain(service, theirs)];
    const path = { by: ours.by, organizationId: theirs.organizationId };
    const asked = names.asked.length;
    const answers = [
      await askToAdd(service, path, newDomain()),
      await check(service, path, their.id),
      await check(service, ours, their.id),
      await check(service, ours, randomUUID()),
      await act(service, ours, ['PATCH', their.id], { joins: 'member' }),
      await act(service, ours, ['DELETE', their.id]),
      await act(service, path, ['DELETE', our.id]),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(names.asked).toHaveLength(asked);
    expect(await domainsOf(service, theirs)).toEqual([their]);
  });
});

test('checks are limited by organization, and by address for all organizations there [S-242]', async () => {
  const limited = await startService({
    settings: {
      DNS_SERVERS: names.address,
      RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE: '2',
      RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE: '5',
    },
  });
  const owner = await signUp(limited.app);
  await prove(limited, owner);
  const statuses: number[][] = [];
  const asked = names.asked.length;
  for (let n = 0; n < 3; n += 1) {
    const place = { by: owner, organizationId: (await found(limited, owner.token)).id };
    const { id } = await addDomain(limited, place);
    const answers = [
      await check(limited, place, id),
      await check(limited, place, id),
      await check(limited, place, id),
    ];
    statuses.push(answers.map(({ status }) => status));
  }
  expect(statuses).toEqual([
    [409, 409, 429],
    [409, 409, 429],
    [409, 429, 429],
  ]);
  expect(names.asked.length - asked).toBe(5);
});

test('the trail says who added, proved and deleted a domain', async () => {
  const place = await newPlace();
  const { id, domain } = await proveDomain(service, names, place);
  await act(service, place, ['DELETE', id]);
  const { body } = await ask<{ events: { action: string; target: object; actor: { name: string } }[] }>(
    service,
    `GET /organization/${place.organizationId}/audit?targetId=${id}`,
    { token: place.by.token },
  );
  expect(body.events.map(({ action }) => action)).toEqual([
    'domain.deleted',
    'domain.verified',
    'domain.added',
  ]);
  for (const { target, actor } of body.events) {
    expect([target, actor.name]).toEqual([{ type: 'domain', id, name: domain }, 'Olga Owner']);
  }
});

test('the list of free mail is in lower case and A-labels, each once', () => {
  for (const domain of freeMail) expect(domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
});
