import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Browser } from './support/browser.ts';
import { password, send } from './support/client.ts';
import { connectionsOf as confinedBy } from './support/confined.ts';
import {
  atStandIn,
  beginSso,
  connectedCompany,
  ownedCompany,
  redeemSso,
  returnFrom,
  ssoAtStandIn,
  visitStandIn,
} from './support/connections.ts';
import { switchTo } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { StandInProvider } from './support/stand-in-provider.ts';

const idp = await StandInProvider.start({}, afterAll);
let limitsNow = 0;
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: idp.issuer,
    RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: '20',
  },
  limitsNow: () => limitsNow,
});
const { app, sql } = service;
const company = await connectedCompany(service, idp);
const { arrivals } = confinedBy(service).wings.connections;

afterEach(() => {
  idp.departure = {};
  limitsNow += 60_000;
});

interface Listed {
  readonly kind: string;
  readonly code: string;
  readonly address: string | null;
  readonly at: string;
}

const list = (connectionId = company.connection.id, { id, token } = company) =>
  send(app, `GET /organization/${id}/connections/${connectionId}/arrivals`, { token });
async function latest(): Promise<Listed | undefined> {
  const { body } = await list();
  return (body as unknown as { arrivals: Listed[] }).arrivals[0];
}
const visit = (person: Readonly<Record<string, unknown>>) =>
  visitStandIn(service, { company, idp, person, browser: new Browser(app) });
const place = { organizationId: company.id, connectionId: company.connection.id };

describe('what arrives from an identity provider', () => {
  test('is noted: a sign-in, with the address as it says it', async () => {
    const person = atStandIn(company.domain);
    expect((await ssoAtStandIn(service, { company, idp, person })).status).toBe(200);
    expect(await latest()).toMatchObject({ kind: 'sign-in', code: 'SIGNED_IN', address: person.email });
  });

  test.each([
    ['DOMAIN_NOT_VERIFIED', { email: 'eve@elsewhere.example' }, 'eve@elsewhere.example'],
    [
      'EMAIL_NOT_VERIFIED',
      { email: `ada@${company.domain}`, email_verified: false },
      `ada@${company.domain}`,
    ],
    ['EMAIL_MISSING', { email: 'no address' }, 'no address'],
    ['SUBJECT_UNUSABLE', { sub: 'with blanks' }, null],
  ])('is noted with the reason where it is refused: %s [S-276]', async (code, claims, address) => {
    expect(await visit(atStandIn(company.domain, claims))).toHaveProperty('error');
    expect(await latest()).toMatchObject({ code, address });
  });

  test.each([
    ['ANSWER_INVALID', { signedBy: 'another-key' }],
    ['ISSUED_FOR_OTHERS', { claims: { aud: 'another' } }],
    ['TIMES_INVALID', { claims: { exp: 1 } }],
    ['CLIENT_REFUSED', { tokenAnswer: { status: 401, body: JSON.stringify({ error: 'invalid_client' }) } }],
    ['PROVIDER_UNAVAILABLE', { tokenAnswer: { status: 503, body: 'away' } }],
  ] as const)('is noted with what is wrong with its answer: %s [S-276]', async (code, departure) => {
    idp.departure = departure;
    expect(await visit(atStandIn(company.domain))).toHaveProperty('error');
    expect(await latest()).toMatchObject({ code, address: null });
  });

  test('is noted where the session is refused at last, and an owner who has not linked', async () => {
    const { owner } = company;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [owner.id, `olga@${company.domain}`]);
    expect(await visit(atStandIn(company.domain, { email: `olga@${company.domain}` }))).toEqual({
      error: 'LINK_REQUIRED',
    });
    expect(await latest()).toMatchObject({ code: 'LINK_REQUIRED', address: `olga@${company.domain}` });

    const late = atStandIn(company.domain);
    const browser = new Browser(app);
    const { ticket = '' } = await visitStandIn(service, { company, idp, person: late, browser });
    await sql(
      `INSERT INTO users (id, email, name, disabled_at, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'Ada', now(), now(), now())`,
      [late.email],
    );
    expect((await redeemSso(browser, ticket)).status).toBe(401);
    expect(await latest()).toMatchObject({ code: 'INVALID_CREDENTIALS', address: late.email });
  });

  test('stays bounded: the last hundred of each kind, and no more than the limit lets through [S-276]', async () => {
    for (let n = 0; n < 130; n += 1) {
      await arrivals.note({ ...place, protocol: 'oidc', code: 'REFUSED', address: `n${n}@example.com` });
    }
    await arrivals.note({ ...place, protocol: 'scim', code: 'USER_CREATED', address: 'ada@example.com' });
    const listed = ((await list()).body as unknown as { arrivals: Listed[] }).arrivals;
    const signIns = listed.filter(({ kind }) => kind === 'sign-in');
    expect([signIns.length, listed.length]).toEqual([100, 101]);
    expect([signIns[0]?.address, signIns.at(-1)?.address]).toEqual(['n129@example.com', 'n30@example.com']);

    const before = await sql('SELECT sign_in_slot AS slot FROM connections WHERE id = $1', [
      place.connectionId,
    ]);
    const answers: unknown[] = [];
    for (let n = 0; n < 25; n += 1) answers.push((await visit(atStandIn('elsewhere.example')))['error']);
    expect(answers.filter((error) => error === 'RATE_LIMITED')).toHaveLength(5);
    const after = await sql('SELECT sign_in_slot AS slot FROM connections WHERE id = $1', [
      place.connectionId,
    ]);
    expect((Number(after[0]?.['slot']) - Number(before[0]?.['slot']) + 100) % 100).toBe(20);
  });

  test('is noted once for each of several at the same time', async () => {
    const addresses = Array.from({ length: 20 }, (_, n) => `together-${n}@example.com`);
    await Promise.all(
      addresses.map((address) =>
        arrivals.note({ ...place, protocol: 'scim', code: 'USER_CHANGED', address }),
      ),
    );
    const listed = ((await list()).body as unknown as { arrivals: Listed[] }).arrivals;
    const noted = listed.flatMap(({ address }) => (address?.startsWith('together-') ? [address] : []));
    expect(noted.toSorted()).toEqual(addresses.toSorted());
  });

  test('is listed in the order in which it came, whatever the clock is set to meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const codes = ['SIGNED_IN', 'REPEATED', 'LINKED', 'GUEST_REFUSED'] as const;
    const startedAt = Date.now();
    for (const [index, code] of codes.entries()) {
      vi.setSystemTime(startedAt - index * 5);
      await arrivals.note({ ...place, protocol: 'oidc', code, address: null });
    }
    const { body } = await list();
    const latestCodes = (body as unknown as { arrivals: Listed[] }).arrivals
      .slice(0, 4)
      .map(({ code }) => code);
    expect(latestCodes).toEqual(codes.toReversed());
  });

  test('holds no more than an address, whatever the identity provider says [S-276]', async () => {
    const hostile = `a\u0000\u202eb\n${'x'.repeat(1_000)}`;
    await arrivals.note({ ...place, protocol: 'scim', code: 'REQUEST_INVALID', address: hostile });
    const noted = await latest();
    expect(noted?.address).toBe(`a b ${'x'.repeat(250)}`);
    // A connection that is gone takes nothing down.
    await arrivals.note({
      ...place,
      connectionId: company.id,
      protocol: 'oidc',
      code: 'REFUSED',
      address: null,
    });
  });

  test('forgets the address of a user who is erased', async () => {
    const { member } = company;
    const address = member.email;
    await arrivals.note({ ...place, protocol: 'scim', code: 'USER_CHANGED', address });
    expect(await latest()).toMatchObject({ code: 'USER_CHANGED', address });
    expect(
      (await send(app, 'DELETE /user', { token: member.token, body: { password } })).status,
    ).toBeLessThan(300);
    expect(await latest()).toMatchObject({ code: 'USER_CHANGED', address: null });
  });

  test('is counted by protocol and outcome, by no word of an organization or its identity provider', async () => {
    const counted = async () =>
      (await app.metrics.metrics()).match(/^tenantry_connection_sign_ins_total.*$/gm)?.sort() ?? [];
    const before = await counted();
    expect(before).toContain('tenantry_connection_sign_ins_total{protocol="saml",outcome="REPEATED"} 0');
    expect(before).not.toContainEqual(expect.stringContaining('USER_CREATED'));
    await ssoAtStandIn(service, { company, idp, person: atStandIn(company.domain) });
    await visit(atStandIn('hostile.example', { name: 'hostile', hostile: 'hostile' }));
    idp.departure = { tokenAnswer: { status: 400, body: JSON.stringify({ error: 'hostile' }) } };
    await visit(atStandIn(company.domain));
    const valueOf = (lines: readonly string[], outcome: string) =>
      Number(lines.find((line) => line.includes(`protocol="oidc",outcome="${outcome}"`))?.split(' ')[1]);
    const after = await counted();
    const grown = ['SIGNED_IN', 'DOMAIN_NOT_VERIFIED', 'PROVIDER_REFUSED'].map(
      (outcome) => valueOf(after, outcome) - valueOf(before, outcome),
    );
    expect([grown, after.length]).toEqual([[1, 1, 1], before.length]);
  });

  test('is for owners of its organization alone, and goes with the connection [S-276]', async () => {
    const { id, admin } = company;
    const token = await switchTo(service, admin.token, id);
    expect((await list(company.connection.id, { ...company, token })).status).toBe(403);
    const other = await ownedCompany(service);
    expect((await list(company.connection.id, { ...company, ...other })).status).toBe(404);
    const begun = await beginSso(new Browser(app), { slug: company.slug });
    expect(
      await returnFrom(service, company.connection.redirectUri, { state: 'unknown', begun }),
    ).toMatchObject({
      code: 'INVALID_STATE',
    });
    await sql('DELETE FROM connections WHERE id = $1', [company.connection.id]);
    expect(await sql('SELECT 1 FROM arrivals WHERE organization_id = $1', [id])).toEqual([]);
  });
});
