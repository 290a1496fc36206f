import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { recordRevocation } from '../src/tokens/revocations/revocations.ts';
import { claimsOf, send, signUp } from './support/client.ts';
import {
  ask,
  enter,
  foundCompany,
  mailedInvitation,
  switchTo,
  type Company,
} from './support/organizations.ts';
import { act, newAccount, newKey, tokenFor } from './support/service-accounts.ts';
import { openDatabase, startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;
const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
const database = openDatabase(service.config, logger);
afterAll(() => database.close());

type Entry = Readonly<Record<string, unknown>>;

/** What the feed gives a verifier that begins now, of one organization. */
async function toldOf({ id }: Pick<Company, 'id'>, kinds?: string): Promise<Entry[]> {
  const headers = kinds === undefined ? {} : { 'revocation-kinds': kinds };
  const answer = await app.inject({ url: '/internal/revocations?wait=0', headers });
  const { entries } = answer.json<{ entries: Entry[] }>();
  return entries.filter(({ organizationId }) => organizationId === id);
}
const rowsOf = async ({ id }: Pick<Company, 'id'>) =>
  (await sql('SELECT count(*)::int AS n FROM revocations WHERE organization = $1', [id]))[0]?.['n'];

/** A company of 13, whose owner has a second factor and may ask for one. */
async function foundCompanyOf13(): Promise<Company> {
  const company = await foundCompany(service);
  for (let n = 0; n < 10; n += 1) await enter(service, company.id, await signUp(app), 'member');
  await sql(`UPDATE sessions SET factors = '{pwd,otp}' WHERE user_id = $1`, [company.owner.id]);
  await sql(
    `INSERT INTO two_factor (user_id, encrypted_secret, secret_id, enabled_at, created_at)
     VALUES ($1, decode(repeat('00', 60), 'hex'), 'x', now(), now())`,
    [company.owner.id],
  );
  return company;
}

async function toggle({ id, owner }: Company, requireTwoFactor: boolean): Promise<void> {
  const body = { settings: { requireTwoFactor } };
  const { status } = await send(app, `PATCH /organization/${id}`, { token: owner.token, body });
  expect(status).toBe(200);
}

test('a role that was held for a moment ends with all tokens of it [S-71]', async () => {
  const { id, owner, member } = await foundCompany(service);
  const become = (role: string) =>
    ask(service, `PATCH /organization/${id}/members/${member.id}`, { token: owner.token, body: { role } });
  await become('admin');
  const claims = claimsOf(await switchTo(service, member.token, id));
  expect(claims['role']).toBe('admin');
  await become('member');
  const told = (await toldOf({ id })).filter(({ sub }) => sub === member.id);
  expect(told).toHaveLength(1);
  expect(Number(told[0]?.['issuedBefore'])).toBeGreaterThan(Number(claims['iat']));
});

test('a token is not issued ahead, however far the time is from which it is valid, and ends before its revocation is forgotten [S-71]', async () => {
  const { id, owner, member } = await foundCompany(service);
  const account = await newAccount(service, { by: owner, organizationId: id });
  const made = await newKey(service, { by: owner, organizationId: id }, account.id);
  const ahead = `tokens_from = now() + INTERVAL '5 minutes'`;
  await sql(`UPDATE members SET ${ahead} WHERE organization_id = $1 AND user_id = $2`, [id, member.id]);
  await sql(`UPDATE service_accounts SET ${ahead} WHERE organization_id = $1`, [id]);
  const [ofMember, ofAccount] = await Promise.all([
    switchTo(service, member.token, id).then(claimsOf),
    tokenFor(service, made).then(claimsOf),
  ]);
  await send(app, `DELETE /organization/${id}/members/${member.id}`, { token: owner.token });
  const body = { role: 'admin' };
  await act(service, { by: owner, organizationId: id }, ['PATCH', account.id], body);
  const told = await toldOf({ id });
  for (const { sub, iat, exp } of [ofMember, ofAccount]) {
    const entry = told.find((one) => one['sub'] === sub);
    expect(Number(entry?.['issuedBefore'])).toBeGreaterThan(Number(iat));
    // Verifiers accept tokens five seconds late.
    expect(Number(entry?.['until'])).toBeGreaterThan(Number(exp) + 5);
  }
});

describe('an organization that begins to require a second factor again and again', () => {
  test('adds one entry for itself, and one for each member where a verifier knows no organizations [S-72]', async () => {
    const company = await foundCompanyOf13();
    for (let n = 0; n < 50; n += 1) await toggle(company, n % 2 === 0);
    expect(await rowsOf(company)).toBe(14);

    const told = await toldOf(company, 'organization');
    expect(told).toEqual([
      {
        kind: 'organization',
        organizationId: company.id,
        issuedBefore: expect.any(Number) as number,
        until: expect.any(Number) as number,
      },
    ]);
    const toldBefore = await toldOf(company);
    expect(toldBefore).toHaveLength(13);
    expect(new Set(toldBefore.map(({ sub }) => sub)).size).toBe(13);
    for (const entry of toldBefore) {
      const { issuedBefore, until } = told[0] ?? {};
      expect(entry).toEqual({
        ...{ kind: 'member', sub: entry['sub'], organizationId: company.id },
        ...{ issuedBefore, until },
      });
    }
  });

  test('is sent to a verifier that lists further kinds, and not to one that lists others', async () => {
    const company = await foundCompanyOf13();
    await toggle(company, true);
    expect(await toldOf(company, 'planet, organization')).toHaveLength(1);
    expect(await toldOf(company, 'planet')).toHaveLength(13);
  });

  test('gives members who join a moment later tokens that are not revoked', async () => {
    const company = await foundCompanyOf13();
    await toggle(company, true);
    const [told] = await toldOf(company, 'organization');
    const newcomer = await signUp(app);
    const invitation = { email: newcomer.email, role: 'member' };
    await ask(service, `POST /organization/${company.id}/invitations`, {
      token: company.owner.token,
      body: invitation,
    });
    const token = await mailedInvitation(service, newcomer.email);
    await send(app, 'POST /invitations/accept', { token: newcomer.token, body: { token } });
    const [member] = await sql(
      'SELECT tokens_from FROM members WHERE organization_id = $1 AND user_id = $2',
      [company.id, newcomer.id],
    );
    expect((member?.['tokens_from'] as Date).getTime() / 1_000).toBe(told?.['issuedBefore']);
  });

  test('can do so a limited number of times an hour, by all members together [S-72]', async () => {
    const { app: limited, sql: run } = await startService({
      settings: { RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR: '3' },
    });
    const owner = await signUp(limited);
    const body = { name: 'Acme', slug: `acme-${owner.id.slice(0, 8)}` };
    const { id } = (await send(limited, 'POST /organization/create', { token: owner.token, body })).body
      .organization;
    const rename = (name: string) =>
      send(limited, `PATCH /organization/${id}`, { token: owner.token, body: { name } });
    // What changes nothing and what is refused is not counted.
    for (let n = 0; n < 10; n += 1) expect((await rename('Acme')).status).toBe(200);
    for (let n = 0; n < 5; n += 1) expect((await rename('')).status).toBe(400);
    for (let n = 0; n < 3; n += 1) expect((await rename(`Acme ${n}`)).status).toBe(200);
    const refused = await rename('Acme');
    expect(refused).toMatchObject({
      status: 429,
      body: { message: 'Too many changes to this organization. Try again in about an hour.' },
      headers: { 'ratelimit-policy': '"organization-changes-3600";q=3;w=3600' },
    });
    const trail = `SELECT id FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'`;
    expect(await run(trail, [id])).toHaveLength(3);
    const events = `SELECT id FROM events WHERE organization = $1 AND type = 'organization.updated'`;
    expect(await run(events, [id])).toHaveLength(3);
  });
});

describe('a revocation', () => {
  test('replaces the earlier one of the same member or user [S-72]', async () => {
    const company = await foundCompany(service);
    const change = (role: string) =>
      send(app, `PATCH /organization/${company.id}/members/${company.member.id}`, {
        token: company.owner.token,
        body: { role },
      });
    for (let n = 0; n < 6; n += 1) expect((await change(n % 2 ? 'member' : 'admin')).status).toBe(200);
    expect(await rowsOf(company)).toBe(1);

    const { id: userId } = await signUp(app);
    for (let n = 0; n < 3; n += 1) {
      await database
        .within({ userId })
        .transaction((tx) => recordRevocation(tx, { kind: 'user', userId, at: new Date() }));
    }
    expect(await sql('SELECT kind FROM revocations WHERE sub = $1', [userId])).toEqual([{ kind: 'user' }]);
  });

  test('of members that commits late moves their tokens on, in whichever scope its transaction ends', async () => {
    const { id: organizationId, admin, member } = await foundCompany(service);
    await database.within({ userId: member.id }).transaction(async (tx) => {
      await tx.within({ organizationId, userId: member.id }, async (inner) => {
        for (const { id: userId } of [admin, member])
          await recordRevocation(inner, { kind: 'member', userId, at: new Date() });
      });
      await recordRevocation(tx, { kind: 'user', userId: member.id, at: new Date() });
      // Half a second is what a revocation looks ahead.
      await sleep(600);
    });
    const told = await sql(
      `SELECT m.tokens_from = r.issued_before AS same, r.issued_before - r.created_at > INTERVAL '1.5 s' AS later
       FROM revocations r JOIN members m ON m.organization_id = r.organization AND m.user_id = r.sub
       WHERE r.organization = $1`,
      [organizationId],
    );
    expect(told).toEqual([
      { same: true, later: true },
      { same: true, later: true },
    ]);
  });

  test('never replaces one that reaches further [S-72]', async () => {
    const { id: userId } = await signUp(app);
    const revoke = (at: Date) =>
      database.within({ userId }).transaction((tx) => recordRevocation(tx, { kind: 'user', userId, at }));
    await revoke(new Date(Date.now() + 10_000));
    const further = await sql('SELECT id, issued_before FROM revocations WHERE sub = $1', [userId]);
    await revoke(new Date());
    const kept = await sql('SELECT id, issued_before FROM revocations WHERE sub = $1', [userId]);
    expect(kept).toEqual(expect.arrayContaining(further));
    const { tokens_from: tokensFrom } = (await sql('SELECT * FROM users WHERE id = $1', [userId]))[0] ?? {};
    expect(tokensFrom).toEqual(further[0]?.['issued_before']);
  });
});
