import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, password, refresh, send, signIn } from './support/client.ts';
import { connectionsOf as confinedBy } from './support/confined.ts';
import {
  atStandIn,
  connectionsOf,
  newDomain,
  returnFrom,
  ssoAtStandIn,
  verifyDomain,
  visitStandIn,
} from './support/connections.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import { enter, personalOrganizationOf, switchTo } from './support/organizations.ts';
import { newAccount, newKey, tokenFor } from './support/service-accounts.ts';
import { page } from './support/social.ts';
import {
  askToRequire,
  moveTo,
  strictCompany,
  triedCompany,
  tryConnection,
} from './support/sso-requirement.ts';
import { StandInProvider } from './support/stand-in-provider.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyTotp,
  type Enrolled,
} from './support/two-factor.ts';

const idp = await StandInProvider.start({}, afterAll);
const service = await startByClock({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: idp.issuer,
  },
});
const { app, clock, sql } = service;
const sessionsOf = confinedBy(service, () => new Date(clock()));

const requirementOf = ({ id, token }: { readonly id: string; readonly token: string }) =>
  send(app, `GET /organization/${id}/sso-requirement`, { token });
const refusedBy = (organizationId: string) => ({ organizationId, reason: 'SSO_REQUIRED' });
/** Signs an owner in with the password and a code. */
async function signInTwice({ email, secret }: Enrolled) {
  const challengeToken = await challengeOf(app, email);
  return verifyTotp(app, { challengeToken, code: nextCode(secret, clock) });
}
const actionsIn = async (organizationId: string) =>
  (await sql('SELECT action FROM audit_events WHERE organization_id = $1 ORDER BY id', [organizationId])).map(
    ({ action }) => String(action),
  );
const bypassesIn = async (id: string) =>
  (await actionsIn(id)).filter((action) => action === 'connection.bypassed').length;
const bypassLettersTo = async (email: string) =>
  (await lettersTo(service, email)).filter((template) => template === 'owner-bypassed-sso').length;

describe('an organization that begins to require single sign-on', () => {
  test('lets no session of its people in but by the connection, and ends the tokens that they have [S-270]', async () => {
    const company = await triedCompany(service, idp);
    const { id, member } = company;
    const before = await switchTo(service, member.token, id);
    const { status, body } = await askToRequire(service, company);
    expect([status, body]).toMatchObject([200, { requirement: { required: true } }]);
    const [revoked] = await sql(
      'SELECT issued_before AS at FROM revocations WHERE sub = $1 AND organization = $2',
      [member.id, id],
    );
    expect(Number(claimsOf(before)['iat'])).toBeLessThan((revoked?.['at'] as Date).getTime() / 1_000);
    expect((await send(app, 'GET /session', { token: before })).body).toMatchObject({
      organization: null,
      session: { organizationRefused: refusedBy(id) },
    });
    const renewed = await refresh(app, member.refreshToken);
    expect(claimsOf(renewed.body.session.token)).toMatchObject({ organizationId: null, role: null });
    expect(renewed.body.session).toMatchObject({ organizationRefused: refusedBy(id) });
    for (const request of [`GET /organization/${id}`, `GET /organization/${id}/members`]) {
      const refused = await send(app, request, { token: renewed.body.session.token });
      expect([refused.status, refused.body.code]).toEqual([403, 'SSO_REQUIRED']);
    }
    const { organizations } = (await send(app, 'GET /organization/list', member)).body;
    expect(organizations.find((one) => one.id === id)).toMatchObject({
      ssoRequired: true,
      accessible: false,
    });
    // The organization of their own is not concerned.
    const own = await switchTo(service, member.token, personalOrganizationOf(member));
    expect(claimsOf(own)).toMatchObject({ role: 'owner' });
  });

  test('gives its owner, who has required it, another token for the one that it revokes [S-270]', async () => {
    const company = await triedCompany(service, idp);
    const { body } = await askToRequire(service, company);
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: company.id, role: 'owner' });
    // Nothing changes the second time.
    const again = await askToRequire(service, { ...company, token: body.session.token });
    expect([again.status, again.body.session]).toEqual([200, undefined]);
    expect((await actionsIn(company.id)).filter((action) => action === 'connection.required')).toHaveLength(
      1,
    );
    expect(await lettersTo(service, company.owner.email)).toContain('sso-requirement-changed');
  });

  test('lets people in by the connection, with every role but that of an owner [S-270]', async () => {
    const company = await strictCompany(service, idp);
    for (const user of [company.member, company.admin]) {
      const person = atStandIn(company.domain, { email: user.email });
      const { status, body } = await ssoAtStandIn(service, { company, idp, person });
      expect([status, body.user.id]).toEqual([200, user.id]);
      expect(claimsOf(body.session.token)).toMatchObject({ organizationId: company.id });
      const reached = await send(app, `GET /organization/${company.id}`, { token: body.session.token });
      expect(reached.status).toBe(200);
    }
  });

  test('does not concern guests and programs', async () => {
    const company = await triedCompany(service, idp);
    const guest = await moveTo(service, company.member, 'guests.example');
    const place = { by: { token: company.token }, organizationId: company.id };
    const { id: accountId } = await newAccount(service, place);
    const key = await newKey(service, place, accountId);
    await askToRequire(service, company);
    expect(claimsOf(await switchTo(service, guest.token, company.id))).toMatchObject({ role: 'member' });
    expect(claimsOf(await tokenFor(service, key))).toMatchObject({ organizationId: company.id });
  });

  test.each([
    ['verified', false],
    ['suspended', true],
  ])(
    'makes no guest of a member who leaves an address in a domain that is %s [S-271]',
    async (_, isSuspended) => {
      const company = await strictCompany(service, idp);
      const { member, id, domain } = company;
      if (isSuspended) {
        await sql('UPDATE domains SET suspended_at = now() WHERE domain = $1', [domain]);
        await sql('DELETE FROM domain_keys WHERE domain = $1', [domain]);
      }
      const newEmail = `mia.${randomUUID()}@private.example`;
      const body = { newEmail, password };
      expect((await send(app, 'POST /email/change', { token: member.token, body })).status).toBe(200);
      const token = await mailedToken(service, newEmail, 'confirm-new-address');
      expect((await send(app, 'POST /email/verify', { token: member.token, body: { token } })).status).toBe(
        200,
      );
      const { session } = (await signIn(app, newEmail)).body;
      const switched = await send(app, 'POST /organization/switch', {
        token: session.token,
        body: { organizationId: id },
      });
      expect([switched.status, switched.body.code]).toEqual([403, 'SSO_REQUIRED']);
      // Removed and invited anew, they are one.
      await sql('DELETE FROM members WHERE organization_id = $1 AND user_id = $2', [id, member.id]);
      await enter(service, id, member, 'member');
      expect(claimsOf(await switchTo(service, session.token, id))).toMatchObject({ role: 'member' });
    },
  );

  test('concerns people with an address in a domain that it verifies later, at once [S-270]', async () => {
    const company = await triedCompany(service, idp);
    const further = newDomain();
    const guest = await moveTo(service, company.member, further);
    await askToRequire(service, company);
    const before = await switchTo(service, guest.token, company.id);
    await verifyDomain(service, company, further);
    const refused = await send(app, `GET /organization/${company.id}`, { token: before });
    expect([refused.status, refused.body.code]).toEqual([403, 'SSO_REQUIRED']);
  });

  test('lets everybody in again once it no longer does', async () => {
    const company = await strictCompany(service, idp);
    const { status, body } = await askToRequire(service, company, false);
    expect([status, body]).toMatchObject([200, { requirement: { required: false } }]);
    expect(claimsOf(await switchTo(service, company.member.token, company.id))).toMatchObject({
      role: 'member',
    });
    expect(await actionsIn(company.id)).toContain('connection.no-longer-required');
    const letters = await lettersTo(service, company.owner.email);
    expect(letters.filter((template) => template === 'sso-requirement-changed')).toHaveLength(2);
  });

  test('does not require it when it is restored: connections and domains do not come back', async () => {
    const company = await strictCompany(service, idp);
    const { id, token, owner } = company;
    expect((await send(app, `DELETE /organization/${id}`, { token, body: { password } })).status).toBe(200);
    const headers = { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}` };
    const restored = await app.inject({
      method: 'POST',
      url: `/internal/organizations/${id}/restore`,
      headers,
      payload: {},
    });
    expect(restored.statusCode).toBe(200);
    expect(claimsOf(await switchTo(service, owner.token, id))).toMatchObject({ role: 'owner' });
    expect(claimsOf(await switchTo(service, company.member.token, id))).toMatchObject({ role: 'member' });
  });
});

describe('an owner, where single sign-on is required', () => {
  test('gets in with two factors of their own, which all owners hear of, once for each session [S-272]', async () => {
    const company = await strictCompany(service, idp);
    const { id, owner } = company;
    const other = await moveTo(service, await enrol(app, clock, 'Otto Owner'), company.domain);
    await enter(service, id, other, 'owner');
    // Whoever has required it is in already.
    const [bypasses, letters] = [await bypassesIn(id), await bypassLettersTo(other.email)];

    const { session } = (await signInTwice(owner)).body;
    expect(claimsOf(session.token)).toMatchObject({ organizationId: id, role: 'owner', acr: 'aal2' });
    expect([await bypassesIn(id), await bypassLettersTo(other.email)]).toEqual([bypasses + 1, letters + 1]);
    const letter = await letterTo(service, other.email, 'owner-bypassed-sso');
    for (const part of ['“Olivia Owner”', owner.email, '“Acme”']) expect(letter).toContain(part);

    // The session goes on, is renewed and stepped up, in silence.
    const renewed = (await refresh(app, session.refreshToken)).body.session;
    const code = nextCode(owner.secret, clock);
    const stepped = await verifyTotp(app, { token: renewed.token, code, refreshToken: renewed.refreshToken });
    expect(stepped.status).toBe(200);
    const again = (await refresh(app, stepped.body.session.refreshToken)).body.session;
    expect(claimsOf(again.token)).toMatchObject({ organizationId: id });
    expect((await send(app, `GET /organization/${id}`, { token: again.token })).status).toBe(200);
    expect(await bypassesIn(id)).toBe(bypasses + 1);
    // The next one is another.
    await signInTwice(owner);
    expect([await bypassesIn(id), await bypassLettersTo(other.email)]).toEqual([bypasses + 2, letters + 2]);
  });

  test('is heard of before a session does anything there, whichever organization its token is for [S-272]', async () => {
    const company = await strictCompany(service, idp);
    const { id, owner } = company;
    await sql('UPDATE users SET last_organization_id = $2 WHERE id = $1', [
      owner.id,
      personalOrganizationOf(owner),
    ]);
    const { session } = (await signInTwice(owner)).body;
    expect(claimsOf(session.token)).toMatchObject({ organizationId: personalOrganizationOf(owner) });
    const before = await bypassesIn(id);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send(app, `GET /organization/${id}`, { token: session.token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await bypassesIn(id)).toBe(before + 1);
    await switchTo(service, session.token, id);
    expect(await bypassesIn(id)).toBe(before + 1);
  });

  test('is asked for the second factor, and not for single sign-on [S-272]', async () => {
    const company = await strictCompany(service, idp);
    const plain = await moveTo(service, { ...company.admin, name: 'Adam Admin' }, company.domain);
    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`, [
      company.id,
      plain.id,
    ]);
    const switched = await send(app, 'POST /organization/switch', {
      token: plain.token,
      body: { organizationId: company.id },
    });
    expect([switched.status, switched.body.code]).toEqual([403, 'TWO_FACTOR_REQUIRED']);
  });

  test('who is one no more needs single sign-on, at once [S-270]', async () => {
    const company = await strictCompany(service, idp);
    const other = await moveTo(service, await enrol(app, clock, 'Otto Owner'), company.domain);
    await enter(service, company.id, other, 'owner');
    const token = await switchTo(service, other.token, company.id);
    const demoted = await send(app, `PATCH /organization/${company.id}/members/${other.id}`, {
      token: company.token,
      body: { role: 'admin' },
    });
    expect(demoted.status).toBe(200);
    const refused = await send(app, `GET /organization/${company.id}`, { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'SSO_REQUIRED']);
    const [revoked] = await sql(
      `SELECT kind FROM revocations WHERE sub = $1 AND organization = $2 AND NOT within_organization`,
      [other.id, company.id],
    );
    expect(revoked).toEqual({ kind: 'member' });
  });

  test('gets in while the identity provider is broken, and can stop requiring it [S-273]', async () => {
    const company = await strictCompany(service, idp);
    idp.departure = { tokenAnswer: { status: 500, body: 'broken' } };
    try {
      const person = atStandIn(company.domain, { email: company.member.email });
      const refused = await visitStandIn(service, { company, idp, person, browser: new Browser(app) });
      expect(refused).toHaveProperty('error');
    } finally {
      idp.departure = {};
    }
    const { token } = (await signInTwice(company.owner)).body.session;
    expect((await askToRequire(service, { id: company.id, token }, false)).status).toBe(200);
    const off = await connectionsOf(service, { id: company.id, token }).change(company.connection.id, {
      enabled: false,
    });
    expect(off.status).toBe(200);
  });
});

describe('single sign-on is required', () => {
  test('after its owner has linked it, has signed in by it, and has come back in a way of their own [S-274]', async () => {
    const company = await triedCompany(service, idp);
    const { id, token, owner, connection } = company;
    await sql('DELETE FROM connection_identities WHERE organization_id = $1', [id]);
    const untried = await askToRequire(service, company);
    expect([untried.status, untried.body.code, untried.body.reason]).toEqual([
      409,
      'CONFLICT',
      'CONNECTION_UNTRIED',
    ]);

    const person = atStandIn(company.domain, {
      email: owner.email,
      amr: ['mfa'],
      auth_time: Math.floor(clock() / 1_000),
    });
    const browser = new Browser(app);
    const path = `/organization/${id}/connections/${connection.id}`;
    const begun = await browser.send(`POST ${path}/link`, { token, body: { redirectTo: page, password } });
    expect(begun.status).toBe(200);
    const { url } = begun.body as unknown as { url: string };
    const { ticket } = await returnFrom(service, connection.redirectUri, idp.agree(url, person));
    const linked = await browser.send(`POST ${path}/identity`, { token, body: { ticket, password } });
    expect(linked.status).toBe(201);
    // Linked is not tried.
    expect((await askToRequire(service, company)).body.reason).toBe('CONNECTION_UNTRIED');
    expect((await requirementOf(company)).body).toMatchObject({
      requirement: { required: false, requirableUntil: null },
    });

    const { status, body } = await ssoAtStandIn(service, { company, idp, person });
    expect(status).toBe(200);
    // It cannot be required in the session that it starts: an identity provider would shut owners in.
    const confined = await askToRequire(service, { id, token: body.session.token });
    expect([confined.status, confined.body.code]).toEqual([403, 'SIGN_IN_REQUIRED']);
    const { requirement } = (await requirementOf(company)).body as unknown as {
      requirement: { requirableUntil: string };
    };
    expect(Date.parse(requirement.requirableUntil) - clock()).toBeGreaterThan(59 * 60_000);
    expect((await askToRequire(service, company)).status).toBe(200);
  });

  test('by owners alone, recently authenticated, with two factors [S-274]', async () => {
    const company = await triedCompany(service, idp);
    const { id, admin, owner } = company;
    const token = await switchTo(service, admin.token, id);
    for (const refused of [await askToRequire(service, { id, token }), await requirementOf({ id, token })]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    clock.advance({ minutes: 6 });
    const stale = await askToRequire(service, company);
    expect([stale.status, stale.body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    // Of one factor, whatever else holds.
    const plain = await moveTo(service, { ...admin, name: 'Adam Admin' }, company.domain);
    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`, [
      id,
      plain.id,
    ]);
    await tryConnection(service, company, { userId: plain.id, at: new Date(clock()) });
    const weak = (await signIn(app, plain.email)).body.session.token;
    const one = await send(app, `PUT /organization/${id}/sso-requirement`, {
      token: weak,
      body: { required: true, password },
    });
    expect([one.status, one.body.code]).toEqual([409, 'TWO_FACTOR_REQUIRED']);
    expect(owner.id).not.toBe(plain.id);
  });

  test('within the hour, after the last change of the connection, and while it is on [S-274]', async () => {
    const company = await triedCompany(service, idp);
    const { id, owner, connection } = company;
    const fresh = async () => ({ id, token: (await signInTwice(owner)).body.session.token });
    clock.advance({ minutes: 61 });
    expect((await askToRequire(service, await fresh())).body.reason).toBe('CONNECTION_UNTRIED');
    await tryConnection(service, company, { userId: owner.id, at: new Date(clock()) });
    const caller = await fresh();
    const renamed = await connectionsOf(service, caller).change(connection.id, {
      clientSecret: 'canary-another-secret',
    });
    expect(renamed.status).toBe(200);
    expect((await askToRequire(service, caller)).body.reason).toBe('CONNECTION_UNTRIED');
    await connectionsOf(service, caller).change(connection.id, { enabled: false });
    await tryConnection(service, company, { userId: owner.id, at: new Date(clock()) });
    expect((await askToRequire(service, caller)).body.reason).toBe('CONNECTION_OFF');
  });

  test('says who would not get in: members in its domains who have never signed in by it', async () => {
    const company = await triedCompany(service, idp);
    const { id, member } = company;
    const guest = await moveTo(service, await enrol(app, clock, 'Gustav Guest'), 'guests.example');
    await enter(service, id, guest, 'member');
    const lockedOut = async () =>
      ((await requirementOf(company)).body as unknown as { requirement: { lockedOut: object } }).requirement
        .lockedOut;
    expect(await lockedOut()).toEqual({ total: 2, names: ['Adam Admin', 'Mia Member'] });
    const person = atStandIn(company.domain, { email: member.email });
    expect((await ssoAtStandIn(service, { company, idp, person })).status).toBe(200);
    expect(await lockedOut()).toEqual({ total: 1, names: ['Adam Admin'] });
  });

  test('until its owner stops requiring it: its connection and its last domain stay [S-275]', async () => {
    const company = await strictCompany(service, idp);
    const { id, token, connection } = company;
    const connections = connectionsOf(service, company);
    const [domain] = await sql('SELECT id FROM domains WHERE organization_id = $1', [id]);
    const removeDomain = (domainId: unknown) =>
      send(app, `DELETE /organization/${id}/domains/${String(domainId)}`, { token });
    const further = newDomain();
    await verifyDomain(service, company, further);
    const [second] = await sql('SELECT id FROM domains WHERE organization_id = $1 AND domain = $2', [
      id,
      further,
    ]);
    expect((await removeDomain(second?.['id'])).status).toBe(204);
    for (const { status, body } of [
      await connections.change(connection.id, { enabled: false }),
      await connections.remove(connection.id),
      await removeDomain(domain?.['id']),
    ]) {
      expect([status, body.code, (body as { reason?: string }).reason]).toEqual([
        409,
        'CONFLICT',
        'SSO_STILL_REQUIRED',
      ]);
    }
    const person = atStandIn(company.domain, { email: company.member.email });
    expect((await ssoAtStandIn(service, { company, idp, person })).status).toBe(200);
    await askToRequire(service, company, false);
    expect((await removeDomain(domain?.['id'])).status).toBe(204);
    expect((await connections.remove(connection.id)).status).toBe(204);
  });

  test('no more once its last domain is suspended, which owners hear of [S-275]', async () => {
    const company = await strictCompany(service, idp);
    const { id, domain, member, owner } = company;
    const read = { organizationId: id, domain, at: new Date(clock()) };
    const { organizations } = sessionsOf.wings;
    await sql('UPDATE domain_keys SET misses = 2, due_at = $2 WHERE domain = $1', [domain, read.at]);
    while (await organizations.readings.readSome());
    const [row] = await sql('SELECT require_sso FROM organizations WHERE id = $1', [id]);
    expect(row).toEqual({ require_sso: false });
    expect(await lettersTo(service, owner.email)).toEqual(
      expect.arrayContaining(['domain-suspended', 'sso-requirement-changed']),
    );
    expect(await letterTo(service, owner.email, 'sso-requirement-changed')).toContain('suspended');
    expect(claimsOf(await switchTo(service, member.token, id))).toMatchObject({ role: 'member' });
  });
});

describe('a sign-in while single sign-on begins to be required', () => {
  test('gets no token that outlives that [S-270]', async () => {
    const company = await triedCompany(service, idp);
    const { id, member } = company;
    await sql('UPDATE users SET last_organization_id = $2 WHERE id = $1', [member.id, id]);
    const [required, ...answers] = await Promise.all([
      askToRequire(service, company),
      ...Array.from({ length: 4 }, () => signIn(app, member.email)),
      refresh(app, member.refreshToken),
    ]);
    expect(required.status).toBe(200);
    const [revoked] = await sql(
      `SELECT issued_before AS at FROM revocations WHERE sub = $1 AND organization = $2`,
      [member.id, id],
    );
    const from = (revoked?.['at'] as Date).getTime() / 1_000;
    for (const { body } of answers) {
      const { organizationId, iat } = claimsOf(body.session.token);
      expect(organizationId !== id || Number(iat) < from).toBe(true);
    }
  });
});
