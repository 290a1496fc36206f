import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, newEmail, password, send, signUp, type SignedUp } from './support/client.ts';
import {
  beginSso,
  connectedCompany,
  connectionsOf,
  redeemSso,
  returnFrom,
  type ConnectedCompany,
} from './support/connections.ts';
import { connectionsOf as confinedBy } from './support/confined.ts';
import { letterTo, lettersTo } from './support/mail.ts';
import { ask, prove, rolesIn, switchTo } from './support/organizations.ts';
import { ProviderBrowser, RealProvider, type Visitor } from './support/real-provider.ts';
import { startService } from './support/service.ts';
import { page } from './support/social.ts';
import { codeNow } from './support/two-factor.ts';

const [idp, idpOfOwners] = await Promise.all([RealProvider.listen(afterAll), RealProvider.listen(afterAll)]);
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: `${idp.issuer},${idpOfOwners.issuer}`,
  },
});
const { app, sql, logs } = service;
const sessionsOf = confinedBy(service);
const company = await connectedCompany(service, idp);
const companyOfOwners = await connectedCompany(service, idpOfOwners);

/** A company, and its IdP. */
interface Place {
  readonly company: ConnectedCompany;
  readonly idp: RealProvider;
}

/** Somebody with an account at an IdP, in one browser. */
class Somebody {
  readonly accountId = randomUUID();
  readonly email: string;
  readonly browser = new Browser(app);
  readonly #there = new ProviderBrowser();
  readonly #at: Place;

  constructor(
    email = `ada.${randomUUID()}@${company.domain}`,
    claims: object = {},
    at: Place = { company, idp },
  ) {
    this.email = email;
    this.#at = at;
    at.idp.accounts.set(this.accountId, { email, name: 'Ada Lovelace', ...claims });
  }

  /** What the page is returned to with. */
  async visit(url: string, doing: Partial<Visitor> = {}) {
    const { idp: there, company: here } = this.#at;
    there.visitor = { accountId: this.accountId, ...doing };
    return returnFrom(service, here.connection.redirectUri, await this.#there.visit(url));
  }

  async arrive(doing: Partial<Visitor> = {}): Promise<Record<string, string>> {
    return this.visit(await beginSso(this.browser, { email: this.email }), doing);
  }

  async signIn(doing: Partial<Visitor> = {}) {
    const { ticket = '', ...refused } = await this.arrive(doing);
    if (ticket === '') throw new Error(JSON.stringify(refused));
    return redeemSso(this.browser, ticket);
  }
}

/** A user with a confirmed address in the domain. */
async function confirmedUser(): Promise<SignedUp> {
  const user = await signUp(app, 'Grace Hopper');
  const email = `grace.${randomUUID()}@${company.domain}`;
  await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
  await prove(service, user);
  return { ...user, email };
}

describe('with a certified provider', () => {
  test('a newcomer becomes a member of the organization, has no other, and is known again [S-211]', async () => {
    const ada = new Somebody();
    const first = await ada.signIn();
    expect([first.status, first.body.user.name, first.body.user.email]).toEqual([
      200,
      'Ada Lovelace',
      ada.email,
    ]);
    const claims = claimsOf(first.body.session.token);
    expect(claims).toMatchObject({ amr: ['sso'], acr: 'aal1', organizationId: company.id, role: 'member' });
    const memberships = await sql('SELECT organization_id FROM members WHERE user_id = $1', [
      first.body.user.id,
    ]);
    expect(memberships).toEqual([{ organization_id: company.id }]);
    const entries = await sql(
      'SELECT action FROM audit_events WHERE organization_id = $1 AND actor_user_id = $2 ORDER BY id',
      [company.id, first.body.user.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(['connection.member-added', 'session.started']);
    // The IdP never changes an account.
    idp.accounts.set(ada.accountId, {
      email: `ada.${randomUUID()}@${company.domain}`,
      name: 'Countess Lovelace',
    });
    const again = await ada.signIn();
    expect([again.body.user.id, again.body.user.email, again.body.user.name]).toEqual([
      first.body.user.id,
      ada.email,
      'Ada Lovelace',
    ]);
  });

  test('an account with a confirmed address is linked and written to, and joins as a member [S-211]', async () => {
    const user = await confirmedUser();
    const signedIn = await new Somebody(user.email).signIn();
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, user.id]);
    expect(claimsOf(signedIn.body.session.token)).toMatchObject({
      organizationId: company.id,
      role: 'member',
    });
    expect(await lettersTo(service, user.email)).toContain('way-in-changed');
    // Their own trail says so, and that of the company; that of their other organization does not.
    const own = await sql(
      `SELECT details FROM user_audit_events WHERE user_id = $1 AND action = 'connection.linked'`,
      [user.id],
    );
    expect(own).toEqual([{ details: { connection: company.connection.id } }]);
    const told = await sql(
      `SELECT organization_id AS id FROM audit_events WHERE actor_user_id = $1 AND action = 'connection.linked'`,
      [user.id],
    );
    expect(told).toEqual([{ id: company.id }]);
    // Everything else goes on as it was.
    expect((await send(app, 'GET /session', { token: user.token })).body.user.name).toBe('Grace Hopper');
  });

  test('a member keeps the role, and is not written to again', async () => {
    const user = await confirmedUser();
    const somebody = new Somebody(user.email);
    await somebody.signIn();
    await sql(`UPDATE members SET role = 'admin' WHERE organization_id = $1 AND user_id = $2`, [
      company.id,
      user.id,
    ]);
    const again = await somebody.signIn();
    expect(claimsOf(again.body.session.token)).toMatchObject({ role: 'admin' });
    expect((await lettersTo(service, user.email)).filter((one) => one === 'way-in-changed')).toHaveLength(1);
  });

  test('two factors there are two factors here, one is one [S-214]', async () => {
    const strong = await new Somebody().signIn({ amr: ['pwd', 'mfa'] });
    expect(claimsOf(strong.body.session.token)).toMatchObject({ amr: ['sso', 'mfa'], acr: 'aal2' });
    const weak = await new Somebody().signIn({ amr: ['pwd'] });
    expect(claimsOf(weak.body.session.token)).toMatchObject({ amr: ['sso'], acr: 'aal1' });
  });

  test('a user who cancels there returns with an error code and is not signed in', async () => {
    const ada = new Somebody();
    expect(await ada.arrive({ refuses: true })).toEqual({ error: 'ACCESS_DENIED' });
    expect(await sql('SELECT id FROM users WHERE email = $1', [ada.email])).toEqual([]);
    expect(logs()).not.toContain('canary-description');
  });

  test('an address in another domain signs in nobody, whatever the provider calls verified [S-207]', async () => {
    const eve = new Somebody(newEmail(), { email_verified: true });
    const url = await beginSso(eve.browser, { slug: company.slug });
    expect(await eve.visit(url)).toEqual({ error: 'DOMAIN_NOT_VERIFIED' });
  });

  test('an address that is not confirmed may be somebody else’s: nothing is taken over [S-211]', async () => {
    const user = await signUp(app, 'Early Bird');
    const email = `early.${randomUUID()}@${company.domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
    expect(await new Somebody(email).arrive()).toEqual({ error: 'EMAIL_NOT_VERIFIED' });
    expect((await send(app, 'GET /session', { token: user.token })).status).toBe(200);
    expect(
      await sql('SELECT 1 FROM members WHERE user_id = $1 AND organization_id = $2', [user.id, company.id]),
    ).toEqual([]);
  });

  test('an account that the organization made is its own, confirmed or not', async () => {
    const email = `made.${randomUUID()}@${company.domain}`;
    const created = await app.inject({
      method: 'POST',
      url: '/internal/users',
      headers: {
        authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
        'idempotency-key': randomUUID(),
      },
      payload: {
        organizationId: company.id,
        actorUserId: company.owner.id,
        email,
        name: 'Made Here',
        password,
      },
    });
    expect(created.statusCode).toBe(201);
    expect((await new Somebody(email).signIn()).body.user.name).toBe('Made Here');
  });

  test('whoever is disabled, or was removed, stays out [S-211]', async () => {
    const ada = new Somebody();
    const { user } = (await ada.signIn()).body;
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
    expect(await ada.arrive()).toEqual({ error: 'INVALID_CREDENTIALS' });
    await sql('UPDATE users SET disabled_at = NULL WHERE id = $1', [user.id]);
    await sql('DELETE FROM members WHERE user_id = $1', [user.id]);
    await sql('INSERT INTO removed_members (organization_id, user_id, removed_at) VALUES ($1, $2, now())', [
      company.id,
      user.id,
    ]);
    expect(await ada.arrive()).toEqual({ error: 'MEMBER_REMOVED' });
  });

  test('an address that the provider gives to somebody else does not give them the account', async () => {
    const ada = new Somebody();
    await ada.signIn();
    expect(await new Somebody(ada.email).arrive()).toEqual({ error: 'IDENTITY_IN_USE' });
  });
});

describe('no identity provider reaches an owner', () => {
  /** Makes the owner's address one of the domain, and signs them in with two factors. */
  const place = { company: companyOfOwners, idp: idpOfOwners };
  const { owner, connection, domain, id, token } = companyOfOwners;

  async function ownerWithTwoFactors() {
    const email = `owner.${randomUUID()}@${domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [owner.id, email]);
    const { secret } = (await send(app, 'POST /two-factor/enable', { token, body: { password } })).body;
    const code = codeNow(secret, (() => Date.now()) as never);
    const verified = await send(app, 'POST /two-factor/verify-totp', {
      token,
      body: { code },
    });
    return { email, token: await switchTo(service, verified.body.session.token, id) };
  }

  test('who has not linked it, and it makes none [S-209]', async () => {
    expect(
      (
        await send(app, `POST /organization/${id}/connections/${connection.id}/link`, {
          token,
          body: { redirectTo: page, password, codeChallenge: 'x'.repeat(43) },
        })
      ).body.code,
    ).toBe('TWO_FACTOR_REQUIRED');
    const olgas = await ownerWithTwoFactors();
    const olga = new Somebody(olgas.email, {}, place);
    expect(await olga.arrive()).toEqual({ error: 'LINK_REQUIRED' });

    // They link it in a session of their own.
    const path = `/organization/${id}/connections/${connection.id}`;
    const begun = await olga.browser.send(`POST ${path}/link`, {
      token: olgas.token,
      body: { redirectTo: page, password },
    });
    expect([begun.status, begun.body.code]).toEqual([200, undefined]);
    const { ticket } = await olga.visit((begun.body as unknown as { url: string }).url);
    // A ticket to link signs nobody in.
    expect((await redeemSso(olga.browser, String(ticket))).body.code).toBe('INVALID_TICKET');
    const linked = await olga.browser.send(`POST ${path}/identity`, {
      token: olgas.token,
      body: { ticket, password },
    });
    expect([linked.status, linked.body]).toMatchObject([201, { connection: { isLinked: true } }]);

    // The own second factor still comes first.
    const signedIn = await olga.signIn();
    expect(signedIn.body.twoFactorRequired).toBe(true);
    const strong = await olga.signIn({ amr: ['mfa'], secondsSinceLogin: 0 });
    expect(strong.status).toBe(200);

    const reached = { userId: owner.id, organizationId: id, connectionId: connection.id };
    const confined = await sessionsOf.start({ ...reached, acr: 'aal2' });
    const unlinked = await olga.browser.send(`DELETE ${path}/identity`, { token: olgas.token });
    expect(unlinked.status).toBe(204);
    expect(await olga.arrive()).toEqual({ error: 'LINK_REQUIRED' });
    const trail = await sql(
      `SELECT action FROM user_audit_events WHERE user_id = $1 AND action LIKE 'connection.%' ORDER BY created_at, id`,
      [owner.id],
    );
    expect(trail.map(({ action }) => action)).toEqual(['connection.linked', 'connection.unlinked']);
    // What it had begun ends too, here and at every verifier; the session that unlinked goes on.
    const ended = await send(app, 'GET /session', confined);
    expect([ended.status, ended.body.reason]).toEqual([401, 'SESSION_ENDED']);
    const revoked = await sql('SELECT kind FROM revocations WHERE sid = $1', [confined.sessionId]);
    expect(revoked).toEqual([{ kind: 'session' }]);
    const challenges = await sql('SELECT id FROM two_factor_challenges WHERE user_id = $1', [owner.id]);
    expect(challenges).toEqual([]);
    expect((await olga.browser.send('GET /session', { token: olgas.token })).status).toBe(200);
    expect(Object.values(await rolesIn(service, id)).filter((role) => role === 'owner')).toHaveLength(1);
  });

  test('a member who becomes one is out of its reach until they link it [S-209]', async () => {
    const ada = new Somebody(`ada.${randomUUID()}@${domain}`, {}, place);
    const { user, session } = (await ada.signIn()).body;
    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`, [id, user.id]);
    expect(session.token).toBeTruthy();
    expect(await ada.arrive()).toEqual({ error: 'LINK_REQUIRED' });
    await sql(`UPDATE members SET role = 'member' WHERE organization_id = $1 AND user_id = $2`, [
      id,
      user.id,
    ]);
  });
});

test('a connection that no longer proves a second factor ends the sessions in which it did [S-314]', async () => {
  const connections = connectionsOf(service, company);
  const { id } = company.connection;
  await connections.change(id, { provesSecondFactor: true });
  const signIn = { userId: company.member.id, organizationId: company.id, connectionId: id } as const;
  const { token, headers } = await sessionsOf.start({ ...signIn, acr: 'aal2' });
  expect((await send(app, 'GET /session', { token, headers })).status).toBe(200);
  const renamed = await connections.change(id, { name: 'Another name' });
  expect(renamed.body.connection.provesSecondFactor).toBe(true);
  expect((await send(app, 'GET /session', { token, headers })).status).toBe(200);
  const withdrawn = await connections.change(id, { provesSecondFactor: false });
  expect(withdrawn.body.connection.enabled).toBe(true);
  expect((await send(app, 'GET /session', { token, headers })).status).toBe(401);
});

describe('a connection that is turned off or deleted', () => {
  test('finishes nothing that had begun, and ends its sessions [S-210]', async () => {
    const connections = connectionsOf(service, company);
    const { id } = company.connection;
    const [ada, late, later] = [new Somebody(), new Somebody(), new Somebody()];
    const { session } = (await ada.signIn()).body;
    const begun = await beginSso(late.browser, { slug: company.slug });
    const { ticket = '' } = await later.arrive();
    expect((await connections.change(id, { enabled: false })).body.connection.enabled).toBe(false);

    expect((await send(app, 'GET /session', { token: session.token })).status).toBe(401);
    const revoked = await sql(`SELECT kind FROM revocations WHERE sid = $1`, [session.id]);
    expect(revoked).toEqual([{ kind: 'session' }]);
    expect((await late.visit(begun))['code']).toBe('INVALID_STATE');
    expect((await redeemSso(later.browser, ticket)).body.code).toBe('INVALID_TICKET');
    expect(
      (await new Browser(app).send('POST /sign-in/sso', { body: { redirectTo: page, slug: company.slug } }))
        .status,
    ).toBe(404);

    // Neither does it once it is on again.
    const pending = new Somebody();
    expect((await connections.change(id, { enabled: true })).status).toBe(200);
    const inBetween = await beginSso(pending.browser, { slug: company.slug });
    await connections.change(id, { enabled: false });
    await connections.change(id, { enabled: true });
    expect((await pending.visit(inBetween))['code']).toBe('INVALID_STATE');
    expect((await redeemSso(later.browser, ticket)).body.code).toBe('INVALID_TICKET');
    expect((await pending.signIn()).status).toBe(200);
  });

  test('is gone with the organization, and does not come back with it [S-210]', async () => {
    const ada = new Somebody();
    const { session } = (await ada.signIn()).body;
    const begun = await beginSso(ada.browser, { slug: company.slug });
    const body = { password };
    expect(
      (await ask(service, `DELETE /organization/${company.id}`, { token: company.token, body })).status,
    ).toBe(200);
    expect((await send(app, 'GET /session', { token: session.token })).status).toBe(401);
    expect((await ada.visit(begun))['code']).toBe('INVALID_STATE');
    const authorization = `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`;
    const url = `/internal/organizations/${company.id}/restore`;
    const restored = await app.inject({ method: 'POST', url, headers: { authorization }, payload: {} });
    expect(restored.statusCode).toBe(200);
    expect(await sql('SELECT id FROM connections WHERE organization_id = $1', [company.id])).toEqual([]);
    expect(await sql('SELECT id FROM connection_keys WHERE organization = $1', [company.id])).toEqual([]);
    expect(await letterTo(service, company.owner.email, 'organization-restored')).toContain('single sign-on');
  });
});
