import { SamlProvider } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { codeAt } from './support/authenticator.ts';
import { claimsOf, password, send } from './support/client.ts';
import { beginSso, connectionsOf } from './support/connections.ts';
import { switchTo } from './support/organizations.ts';
import { page } from './support/social.ts';
import { postForm, samlCompany, samlSignIn, samlVisitor, visitSaml } from './support/saml.ts';
import { startService } from './support/service.ts';

const idp = await SamlProvider.listen(afterAll);
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: idp.address,
  },
});
const { app } = service;
const company = await samlCompany(service, { metadataUrl: idp.metadataUrl });

describe('signing in by SAML', () => {
  test('makes a member of whoever the IdP names', async () => {
    const visitor = samlVisitor(company.domain);
    const signedIn = await samlSignIn(service, { company, idp, visitor, browser: new Browser(app) });
    expect([signedIn.status, signedIn.body.user]).toMatchObject([
      200,
      { email: visitor.email, name: 'Ada Lovelace' },
    ]);
    expect(claimsOf(signedIn.body.session.token)).toMatchObject({
      organizationId: company.id,
      role: 'member',
      amr: ['sso'],
      acr: 'aal1',
    });
    const again = await samlSignIn(service, { company, idp, visitor, browser: new Browser(app) });
    expect(again.body.user.id).toBe(signedIn.body.user.id);
    const { people, usedAt } = (await connectionsOf(service, company).get(company.connection.id)).body
      .connection;
    expect([people, usedAt]).toEqual([1, expect.any(String)]);
  });

  test('asks with an id and a state of its own, once signed in there or not', async () => {
    const visitor = samlVisitor(company.domain);
    await visitSaml(service, { company, idp, visitor, browser: new Browser(app) });
    await visitSaml(service, { company, idp, visitor, browser: new Browser(app) });
    const [one, other] = idp.requests.slice(-2);
    expect(one).toMatchObject({
      issuer: company.connection.saml?.entityId,
      destination: idp.ssoUrl,
      assertionConsumerServiceURL: company.connection.redirectUri,
    });
    expect(one?.forceAuthn).toBeUndefined();
    expect(one?.id).not.toBe(other?.id);
  });

  test.each<[string, string, string, readonly string[]]>([
    ['https://refeds.org/profile/mfa', 'two factors there are two here', 'aal2', ['sso', 'mfa']],
    ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password', 'one is one', 'aal1', ['sso']],
    ['https://refeds.org/profile/mfa/not', 'what only begins like two is one', 'aal1', ['sso']],
  ])('%s: %s [S-214]', async (contextClass, _what, acr, amr) => {
    const visitor = samlVisitor(company.domain, { contextClass });
    const signedIn = await samlSignIn(service, { company, idp, visitor, browser: new Browser(app) });
    expect(claimsOf(signedIn.body.session.token)).toMatchObject({ acr, amr });
  });

  test('takes an address that is the name, and none of a name that stays', async () => {
    const { email } = samlVisitor(company.domain);
    const form = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    const byAddress = samlVisitor(company.domain, {
      nameId: email,
      nameIdFormat: form,
      attributes: { cn: 'Grace' },
    });
    const signedIn = await samlSignIn(service, {
      company,
      idp,
      visitor: byAddress,
      browser: new Browser(app),
    });
    expect(signedIn.body.user).toMatchObject({ email, name: 'Grace' });
    const persistent = samlVisitor(company.domain, { nameId: email, attributes: { cn: 'Grace' } });
    const { fragment } = await visitSaml(service, {
      company,
      idp,
      visitor: persistent,
      browser: new Browser(app),
    });
    expect(fragment).toEqual({ error: 'EMAIL_MISSING' });
  });

  test('says nothing of addresses in other domains [S-207]', async () => {
    const visitor = samlVisitor('elsewhere.example');
    const { fragment } = await visitSaml(service, { company, idp, visitor, browser: new Browser(app) });
    expect(fragment).toEqual({ error: 'DOMAIN_NOT_VERIFIED' });
  });

  test('is finished on the device that began alone [S-210]', async () => {
    const visitor = samlVisitor(company.domain);
    const { fragment } = await visitSaml(service, { company, idp, visitor, browser: new Browser(app) });
    const body = { ticket: fragment['ticket'] ?? '' };
    expect((await new Browser(app).send('POST /sign-in/sso/ticket', { body })).body.code).toBe(
      'INVALID_TICKET',
    );
  });

  test('reaches no owner who has not linked it, and asks anew whoever links [S-209]', async () => {
    const owned = await samlCompany(service, { metadataUrl: idp.metadataUrl });
    const { owner, id, connection } = owned;
    const attributes = { email: `owner@${owned.domain}` };
    await service.sql('UPDATE users SET email = $2 WHERE id = $1', [owner.id, attributes.email]);
    const visitor = samlVisitor(owned.domain, { attributes });
    const walk = { company: owned, idp, visitor, browser: new Browser(app) };
    expect((await visitSaml(service, walk)).fragment).toEqual({ error: 'LINK_REQUIRED' });

    const enabled = await send(app, 'POST /two-factor/enable', { token: owned.token, body: { password } });
    const code = codeAt(enabled.body.secret, new Date());
    const verified = await send(app, 'POST /two-factor/verify-totp', { token: owned.token, body: { code } });
    const token = await switchTo(service, verified.body.session.token, id);
    const path = `/organization/${id}/connections/${connection.id}`;
    const body = { redirectTo: page, password };
    const begun = await walk.browser.send(`POST ${path}/link`, { token, body });
    const posted = await idp.visit((begun.body as unknown as { url: string }).url);
    expect(idp.requests.at(-1)?.forceAuthn).toBe('true');
    const { ticket } = (await postForm(service, posted)).fragment;
    const linked = await walk.browser.send(`POST ${path}/identity`, { token, body: { ticket, password } });
    expect(linked.status).toBe(201);
    expect((await visitSaml(service, walk)).fragment).toHaveProperty('ticket');
  });
});

test('the responses of a connection are counted, and those of no sign-in are not', async () => {
  const limited = await startService({
    settings: {
      AUTH_URL: 'https://api.example.com/api/auth',
      FRONTEND_URL: 'https://app.example.com',
      SSO_LOOPBACK_ORIGINS: idp.address,
      RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: '3',
    },
  });
  const there = await samlCompany(limited, { metadataUrl: idp.metadataUrl });
  const browser = new Browser(limited.app);
  const url = await beginSso(browser, { slug: there.slug });
  idp.visitor = samlVisitor(there.domain);
  const posted = await idp.visit(url);
  const { action, fields } = posted;
  for (let n = 0; n < 5; n += 1) {
    expect((await postForm(limited, { action, fields: { ...fields, RelayState: 'x' } })).status).toBe(303);
  }
  for (let n = 0; n < 2; n += 1) {
    expect((await postForm(limited, { action, fields: { ...fields, SAMLResponse: 'x' } })).status).toBe(400);
  }
  // Garbage has not used it up.
  expect((await postForm(limited, posted)).fragment).toHaveProperty('ticket');
  const next = await visitSaml(limited, { company: there, idp, visitor: idp.visitor, browser });
  expect(next.fragment).toEqual({ error: 'RATE_LIMITED' });
});
