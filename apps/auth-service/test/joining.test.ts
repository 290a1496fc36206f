import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsOf, password, send, signIn, signUp, type SignedUp } from './support/client.ts';
import { act, joinableBy, join, newDomain, proveDomain, type ListedDomain } from './support/domains.ts';
import { mailedToken } from './support/mail.ts';
import { startNameServer } from './support/name-server.ts';
import {
  ask,
  enter,
  foundCompany,
  mailedInvitation,
  rolesIn,
  switchTo,
  traces,
  type Company,
} from './support/organizations.ts';
import { newAccount, newKey, tokenFor } from './support/service-accounts.ts';
import { startService, type RunningService } from './support/service.ts';

const names = await startNameServer(afterAll);
const service = await startService({ settings: { DNS_SERVERS: names.address } });
const { app, sql } = service;
let company: OpenCompany;

interface OpenCompany extends Company {
  readonly domain: ListedDomain;
}

beforeAll(async () => {
  company = await openCompany();
});

/** A company that lets people with an address in its domain join. */
async function openCompany(running: RunningService = service, joins = 'member'): Promise<OpenCompany> {
  const founded = await foundCompany(running);
  const place = { by: founded.owner, organizationId: founded.id };
  return { ...founded, domain: await proveDomain(running, names, { ...place, joins }) };
}

const placeOf = ({ id, owner }: Company) => ({ by: owner, organizationId: id });

let count = 0;

/** Somebody with an address in a domain. */
async function personAt(
  domain: string,
  { confirmed = true, running = service }: { confirmed?: boolean; running?: RunningService } = {},
): Promise<SignedUp> {
  const user = await signUp(running.app, 'Peter Person');
  const email = `peter-${(count += 1)}@${domain}`;
  const verifiedAt = confirmed ? new Date() : null;
  await running.sql('UPDATE users SET email = $2, email_verified_at = $3 WHERE id = $1', [
    user.id,
    email,
    verifiedAt,
  ]);
  return { ...user, email };
}

describe('whoever has a confirmed address in a domain that lets them', () => {
  test('sees its organization, joins it as a member, and acts in it', async () => {
    const { id, domain } = company;
    const person = await personAt(domain.domain);
    expect(await joinableBy(service, person)).toEqual([
      { id, name: 'Acme', domain: domain.domain, twoFactorRequired: false },
    ]);
    const { status, body } = await join(service, person, id);
    const theRest = { slug: expect.any(String) as string, createdAt: expect.any(String) as string };
    expect([status, body.organization]).toEqual([200, { id, name: 'Acme', ...theRest, role: 'member' }]);
    expect(await joinableBy(service, person)).toEqual([]);
    expect(claimsOf(await switchTo(service, person.token, id))).toMatchObject({ role: 'member' });
    const { events, audit } = await traces(service, { organizationId: id, userId: person.id });
    expect(events.map(({ type }) => type)).toContain('member.added');
    expect(audit).toEqual([
      {
        action: 'member.joined',
        actor: person.id,
        target: person.id,
        details: { domain: domain.domain, role: 'member' },
      },
    ]);
  });

  test('joins once, however often and in parallel', async () => {
    const person = await personAt(company.domain.domain);
    const answers = await Promise.all(Array.from({ length: 8 }, () => join(service, person, company.id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await join(service, person, company.id)).body.organization.role).toBe('member');
    const { events, audit } = await traces(service, { organizationId: company.id, userId: person.id });
    expect([events.filter(({ type }) => type === 'member.added').length, audit.length]).toEqual([1, 1]);
  });

  test('keeps the role that they have', async () => {
    const person = await personAt(company.domain.domain);
    await enter(service, company.id, person, 'admin');
    expect((await join(service, person, company.id)).body.organization.role).toBe('admin');
  });

  test('hears that a second factor is required, and gets in with one', async () => {
    const founded = await openCompany();
    const person = await personAt(founded.domain.domain);
    await sql('UPDATE organizations SET require_two_factor = true WHERE id = $1', [founded.id]);
    expect(await joinableBy(service, person)).toMatchObject([{ twoFactorRequired: true }]);
    expect((await join(service, person, founded.id)).status).toBe(200);
    const switched = await send(app, 'POST /organization/switch', {
      token: person.token,
      body: { organizationId: founded.id },
    });
    expect([switched.status, switched.body.code]).toEqual([403, 'TWO_FACTOR_REQUIRED']);
  });

  test('leaves, and may come back', async () => {
    const person = await personAt(company.domain.domain);
    await join(service, person, company.id);
    const left = await send(app, `POST /organization/${company.id}/leave`, { token: person.token });
    expect(left.status).toBeLessThan(300);
    expect(await joinableBy(service, person)).toHaveLength(1);
    expect((await join(service, person, company.id)).status).toBe(200);
  });
});

describe('only confirmed addresses join [S-241]', () => {
  test('an address that is not confirmed is told nothing, and joins nothing', async () => {
    const person = await personAt(company.domain.domain, { confirmed: false });
    expect(await joinableBy(service, person)).toEqual([]);
    for (const id of [company.id, person.id]) {
      const { status, body } = await join(service, person, id);
      expect([status, body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    }
  });

  test.each([
    ['another domain', () => newDomain()],
    ['a subdomain', () => `eu.${company.domain.domain}`],
    ['a domain that ends alike', () => `x${company.domain.domain}`],
    ['a domain above', () => 'example'],
  ])('an address in %s does not', async (_what, domain) => {
    const person = await personAt(domain());
    expect(await joinableBy(service, person)).toEqual([]);
    const { status, body } = await join(service, person, company.id);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('a domain that lets nobody join lets nobody join, and looks like none', async () => {
    const closed = await openCompany(service, 'nobody');
    const person = await personAt(closed.domain.domain);
    expect(await joinableBy(service, person)).toEqual([]);
    const refused = await join(service, person, closed.id);
    const unknown = await join(service, person, person.id);
    expect([refused.status, unknown.status]).toEqual([404, 404]);
    expect(refused.body.message).toBe(unknown.body.message);
  });

  test('a domain that is deleted or closed meanwhile lets nobody join', async () => {
    const founded = await openCompany();
    const person = await personAt(founded.domain.domain);
    const place = placeOf(founded);
    await act(service, place, ['PATCH', founded.domain.id], { joins: 'nobody' });
    expect((await join(service, person, founded.id)).status).toBe(404);
    await act(service, place, ['PATCH', founded.domain.id], { joins: 'member' });
    const [joined, deleted] = await Promise.all([
      join(service, person, founded.id),
      act(service, place, ['DELETE', founded.domain.id]),
    ]);
    expect([deleted.status, [200, 404].includes(joined.status)]).toEqual([204, true]);
    const late = await personAt(founded.domain.domain);
    expect((await join(service, late, founded.id)).status).toBe(404);
  });

  test('proving a domain moves nobody who has an address there', async () => {
    const domain = newDomain();
    const [person, unconfirmed] = [await personAt(domain), await personAt(domain, { confirmed: false })];
    const founded = await foundCompany(service);
    await proveDomain(service, names, { ...placeOf(founded), domain, joins: 'member' });
    expect(Object.keys(await rolesIn(service, founded.id))).not.toContain('Peter Person');
    for (const { email } of [person, unconfirmed]) expect((await signIn(app, email)).status).toBe(200);
  });
});

describe('whoever was removed by others does not come back by their address [S-241]', () => {
  async function removed() {
    const founded = await openCompany();
    const person = await personAt(founded.domain.domain);
    await join(service, person, founded.id);
    return { ...founded, person };
  }
  const remove = (founded: Company, { id }: SignedUp) =>
    send(app, `DELETE /organization/${founded.id}/members/${id}`, { token: founded.owner.token });

  test('an owner removed them', async () => {
    const { person, ...founded } = await removed();
    expect((await remove(founded, person)).status).toBe(204);
    expect(await joinableBy(service, person)).toEqual([]);
    expect((await join(service, person, founded.id)).status).toBe(404);
  });

  test('an owner disabled their account, and removed them', async () => {
    const { person, ...founded } = await removed();
    const [disabling] = await sql(
      `UPDATE users SET disabled_at = now(), disabled_by_organization_id = $2 WHERE id = $1 RETURNING id`,
      [person.id, founded.id],
    );
    expect(disabling).toBeDefined();
    expect((await join(service, person, founded.id)).status).toBe(401);
    // Which gives the account back.
    expect((await remove(founded, person)).status).toBe(204);
    const { token } = (await signIn(app, person.email)).body.session;
    expect((await join(service, { token }, founded.id)).status).toBe(404);
  });

  test('an owner disabled their account, and they claim it as who has the mailbox', async () => {
    const { person, ...founded } = await removed();
    await sql(
      `UPDATE users SET email_verified_at = NULL, disabled_at = now(), disabled_by_organization_id = $2 WHERE id = $1`,
      [person.id, founded.id],
    );
    await send(app, 'POST /password/forgot', { body: { email: person.email } });
    const token = await mailedToken(service, person.email, 'reset-password');
    const newPassword = 'a horse that is correct';
    expect((await send(app, 'POST /password/reset', { body: { token, newPassword } })).status).toBe(200);
    const again = await send(app, 'POST /sign-in/email', {
      body: { email: person.email, password: newPassword },
    });
    expect(again.status).toBe(200);
    expect(await joinableBy(service, again.body.session)).toEqual([]);
    expect((await join(service, again.body.session, founded.id)).status).toBe(404);
  });

  const disable = (founded: Company, { id }: SignedUp) =>
    sql('UPDATE users SET disabled_at = now(), disabled_by_organization_id = $2 WHERE id = $1', [
      id,
      founded.id,
    ]);

  test.each([
    ['disabled', disable],
    ['removed', remove],
  ])('nor after the organization was deleted and restored: %s before', async (_, end) => {
    const { person, ...founded } = await removed();
    await end(founded, person);
    const { token } = founded.owner;
    expect(
      (await send(app, `DELETE /organization/${founded.id}`, { token, body: { password } })).status,
    ).toBe(200);
    const restored = await app.inject({
      method: 'POST',
      url: `/internal/organizations/${founded.id}/restore`,
      headers: { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0]}` },
      payload: {},
    });
    expect(restored.statusCode).toBe(200);
    const { domain } = founded.domain;
    await proveDomain(service, names, { ...placeOf(founded), domain, joins: 'member' });
    const again = (await signIn(app, person.email)).body.session;
    expect((await join(service, again, founded.id)).status).toBe(404);
  });

  test('an invitation lets them in again, and then their address does too', async () => {
    const { person, ...founded } = await removed();
    await remove(founded, person);
    const { token } = founded.owner;
    const path = `POST /organization/${founded.id}/invitations`;
    await ask(service, path, { token, body: { email: person.email, role: 'member' } });
    expect((await join(service, person, founded.id)).status).toBe(404);
    const invitation = { token: await mailedInvitation(service, person.email) };
    const accepted = await ask(service, 'POST /invitations/accept', {
      token: person.token,
      body: invitation,
    });
    expect(accepted.status).toBe(200);
    await send(app, `POST /organization/${founded.id}/leave`, { token: person.token });
    expect((await join(service, person, founded.id)).status).toBe(200);
  });
});

describe('joining counts', () => {
  test('in the places of the organization and of the account', async () => {
    const small = await startService({
      settings: {
        DNS_SERVERS: names.address,
        MAX_PEOPLE_PER_ORGANIZATION: '4',
        MAX_ORGANIZATIONS_PER_USER: '2',
      },
    });
    const founded = await openCompany(small);
    const people = await Promise.all(
      Array.from({ length: 3 }, () => personAt(founded.domain.domain, { running: small })),
    );
    const answers = await Promise.all(people.map((person) => join(small, person, founded.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body);
    for (const body of refused) expect(body).toMatchObject({ code: 'QUOTA_EXCEEDED', reason: 'PEOPLE' });
  });

  test('among the changes of the account, so that nobody fills trails by joining and leaving', async () => {
    const limited = await startService({
      settings: { DNS_SERVERS: names.address, RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '2' },
    });
    const founded = await openCompany(limited);
    const person = await personAt(founded.domain.domain, { running: limited });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await join(limited, person, founded.id)).status);
      await send(limited.app, `POST /organization/${founded.id}/leave`, { token: person.token });
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

test('a key of a service account neither sees nor joins an organization', async () => {
  const place = placeOf(company);
  const { id } = await newAccount(service, place);
  const key = await newKey(service, place, id);
  for (const token of [key.key, await tokenFor(service, key)]) {
    for (const request of ['GET /organization/joinable', 'POST /organization/join']) {
      const body = request.startsWith('POST') ? { organizationId: company.id } : undefined;
      const answer = await send(app, request, { token, ...(body && { body }) });
      expect([answer.status, answer.body.code]).toEqual([403, 'USER_REQUIRED']);
    }
  }
});

test('an organization that is named badly is refused, and so is a stranger', async () => {
  const person = await personAt(company.domain.domain);
  for (const body of [{}, { organizationId: 'acme' }, { organizationId: company.id, role: 'owner' }]) {
    expect((await send(app, 'POST /organization/join', { token: person.token, body })).status).toBe(400);
  }
  expect((await send(app, 'POST /organization/join', { body: { organizationId: company.id } })).status).toBe(
    401,
  );
  expect((await send(app, 'GET /organization/joinable')).status).toBe(401);
});
