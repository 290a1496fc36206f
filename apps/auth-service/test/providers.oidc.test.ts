import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, newEmail, password, send, signUp } from './support/client.ts';
import { letterData } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { ProviderBrowser, RealProvider, type Visitor } from './support/real-provider.ts';
import { startService } from './support/service.ts';
import { begin, comeBack, fragmentOf, page, redeem, type SocialBody } from './support/social.ts';

const AUTH_URL = 'https://api.example.com/api/auth';
const client = { clientId: 'ours', clientSecret: 'canary-client-secret' };
const idp = await RealProvider.start(
  { ...client, redirectUri: `${AUTH_URL}/callback/company-idp` },
  afterAll,
);
const service = await startService({
  settings: {
    AUTH_URL,
    FRONTEND_URL: 'https://app.example.com',
    OIDC_PROVIDERS: `Company IdP|${idp.issuer}|${client.clientId}|${client.clientSecret}`,
  },
});
const { app, sql, logs } = service;

/** Somebody with an account at the provider, in one browser. */
class Somebody {
  readonly accountId: string = randomUUID();
  readonly email: string;
  readonly browser = new Browser(app);
  readonly #there = new ProviderBrowser();

  constructor(email = newEmail()) {
    this.email = email;
    idp.accounts.set(this.accountId, { email, email_verified: true, name: 'Ada Lovelace' });
  }

  /** What the page is returned to with. */
  async visit(url: string, doing: Partial<Visitor> = {}): Promise<Record<string, string>> {
    idp.visitor = { accountId: this.accountId, ...doing };
    const parameters = await this.#there.visit(url);
    return fragmentOf((await comeBack(app, 'company-idp', parameters)).location);
  }

  async signIn(doing: Partial<Visitor> = {}) {
    const { ticket = '' } = await this.visit(await begin(this.browser, 'company-idp'), doing);
    return redeem(this.browser, ticket);
  }

  async link(token: string) {
    // The browser is another device than the one that signed up.
    const body = { provider: 'company-idp', redirectTo: page, password };
    const begun = await this.browser.send('POST /identities/link', { token, body });
    const { ticket } = await this.visit((begun.body as SocialBody).url);
    return this.browser.send('POST /identities', { token, body: { ticket, password } });
  }
}

describe('with a certified provider', () => {
  test('a new account begins, with name and address from UserInfo, and is known again', async () => {
    const ada = new Somebody();
    const first = await ada.signIn();
    expect([first.status, first.body.user.name, first.body.user.email]).toEqual([
      200,
      'Ada Lovelace',
      ada.email,
    ]);
    expect(claimsOf(first.body.session.token)).toMatchObject({ amr: ['fed'], acr: 'aal1' });
    idp.accounts.set(ada.accountId, { email: newEmail(), name: 'Countess Lovelace' });
    const again = await ada.signIn();
    expect([again.status, again.body.user.id]).toEqual([200, first.body.user.id]);
  });

  test('an account of a known address is linked by a letter alone', async () => {
    const owner = await signUp(app);
    await prove(service, owner);
    const ada = new Somebody(owner.email);
    const asked = await ada.signIn();
    expect(asked.body).toMatchObject({ codeRequired: true });
    expect(asked.body.session).toBeUndefined();
    const { code } = await letterData(service, owner.email, 'sign-in-code');
    const body = { requestId: asked.body.request.id, code };
    expect((await ada.browser.send('POST /sign-in/mailed/verify', { body })).body.user.id).toBe(owner.id);
    expect((await ada.signIn()).body.user.id).toBe(owner.id);
  });

  test('a user links an account whatever its address, and signs in by it and by the password', async () => {
    const user = await signUp(app);
    const ada = new Somebody();
    const linked = await ada.link(user.token);
    expect([linked.status, (linked.body as SocialBody).identity.email]).toEqual([201, ada.email]);
    expect((await ada.signIn()).body.user.id).toBe(user.id);
    const body = { email: user.email, password };
    expect((await send(app, 'POST /sign-in/email', { body })).status).toBe(200);
    expect((await ada.link(user.token)).body.code).toBe('IDENTITY_IN_USE');
  });

  test('a sign-in is as recent as the password typed there, and a step-up has it typed again', async () => {
    const ada = new Somebody();
    const { session } = (await ada.signIn({ secondsSinceLogin: 3_600 })).body;
    const refused = await ada.browser.send('DELETE /user', { token: session.token });
    expect([refused.status, refused.body.reason]).toEqual([401, 'SIGN_IN_REQUIRED']);
    idp.shown.length = 0;
    // Without a session of ours the provider answers of the one that it has, and shows nothing.
    await ada.visit(await begin(new Browser(app), 'company-idp'));
    expect(idp.shown).toEqual([]);
    const renewed = await ada.signIn();
    expect(idp.shown).toContain('login');
    const { token } = renewed.body.session;
    expect((await ada.browser.send('DELETE /user', { token })).status).toBe(204);
  });

  test('a user who cancels there returns with an error code and is not signed in', async () => {
    const ada = new Somebody();
    const url = await begin(ada.browser, 'company-idp');
    expect(await ada.visit(url, { refuses: true })).toEqual({ error: 'ACCESS_DENIED' });
    expect(await sql('SELECT id FROM users WHERE email = $1', [ada.email])).toEqual([]);
    expect(logs()).not.toContain('canary-description');
  });

  test('a code that it gave counts once, also there [S-48]', async () => {
    const ada = new Somebody();
    idp.visitor = { accountId: ada.accountId };
    const parameters = await new ProviderBrowser().visit(await begin(ada.browser, 'company-idp'));
    const back = async () => fragmentOf((await comeBack(app, 'company-idp', parameters)).location);
    expect(await back()).toHaveProperty('ticket');
    expect(await back()).not.toHaveProperty('ticket');
    const { state = '' } = Object.fromEntries(
      new URL(await begin(ada.browser, 'company-idp')).searchParams,
    ) as { state?: string };
    const replayed = await comeBack(app, 'company-idp', { ...parameters, state });
    expect(fragmentOf(replayed.location)).toEqual({ error: 'PROVIDER_REFUSED' });
  });
});
