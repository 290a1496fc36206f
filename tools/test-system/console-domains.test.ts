import { randomUUID } from 'node:crypto';
import { canarySecret, SamlProvider } from '@tenantry/test-kit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyboard } from './console/hands.ts';
import { nameThere, startSignInProvider, type SignInProvider } from './console/identity-provider.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { expectNothingElse, heading, type Visitor } from './console/visitor.ts';
import { addRecord } from './matrix/name-server.ts';
import type { Person, Tenant } from './matrix/people.ts';

// How an organization proves its domain in the console, and its people join by it or sign in at their identity provider: with the
// real services, a name server, an OpenID provider and one of SAML.

describe.skipIf(!hasBrowser)('domains and single sign-on in the console', () => {
  let idp: SignInProvider;
  let saml: SamlProvider;
  const closing: (() => void)[] = [];
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    idp = await startSignInProvider();
    saml = await SamlProvider.listen((end) => closing.push(end));
    stack = await ConsoleStack.start({ SSO_LOOPBACK_ORIGINS: `${idp.issuer},${saml.address}` });
    team = await stack.api.newTenant();
  });
  afterAll(async () => {
    await stack.stop();
    idp.close();
    for (const close of closing) close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  const press = (page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> =>
    keyboard.press(page.getByRole(role, { name, exact: true }));

  async function type(page: Page, label: string, text: string): Promise<void> {
    await keyboard.enter(page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }

  /** Somebody without an account, who goes from the sign-in page to the provider and comes back signed in. */
  async function signInThere(email: string): Promise<[Visitor, Page]> {
    const visitor = await stack.visitor();
    const page = await visitor.open('/sign-in');
    await visitOrganization(page, email);
    await heading(page, 'Sign in at Acme');
    await type(page, 'Address at work', email);
    await type(page, 'Password at work', 'any');
    await page.keyboard.press('Enter');
    await heading(page, `Welcome, ${nameThere}`);
    return [visitor, page];
  }

  /** The address, and the way that it has. */
  async function visitOrganization(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail address').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await button(page, 'Continue with your organization').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
  }

  async function roleOf(email: string, owner: Person): Promise<string | undefined> {
    const { members } = await stack.api.call<{ members: readonly { email: string; role: string }[] }>(
      `GET /api/auth/organization/${owner.organizationId}/members`,
      undefined,
      owner,
    );
    return members.find((each) => each.email === email)?.role;
  }

  /** Types a domain on the page of domains. */
  async function add(page: Page, domain: string): Promise<void> {
    await heading(page, 'Domains and single sign-on');
    await type(page, 'Domain', domain.toUpperCase());
    await page.keyboard.press('Enter');
    await page.locator('h2:focus', { hasText: `${domain} Not proven` }).waitFor();
  }

  /** Puts the record that the page shows into the DNS, and checks it. */
  async function prove(page: Page, domain: string): Promise<void> {
    const record = page.locator('dd').filter({ hasText: /^[\w-]{43}$/ });
    const value = (await record.textContent()) ?? '';
    await addRecord(stack.services.zoneDirectory, { name: `_tenantry-challenge.${domain}`, value });
    await press(page, 'button', `Check now: ${domain}`);
    await page.getByRole('heading', { name: `${domain} Proven` }).waitFor();
  }

  it('an owner proves one by keyboard alone, lets people join, and a colleague does', async () => {
    const domain = `acme-${randomUUID()}.example`;
    const [visitor, page] = await stack.signedIn(team.owner, '/organization/security');
    await heading(page, 'Organization');
    await press(page, 'link', 'Domains and single sign-on');
    await add(page, domain);

    await press(page, 'button', `Check now: ${domain}`);
    await page.getByRole('alert').filter({ hasText: 'The record was not found.' }).waitFor();
    await prove(page, domain);

    const joins = page.getByLabel(`Anyone with a confirmed address in ${domain} may join as a member`);
    await keyboard.enter(joins);
    await page.keyboard.press('Space');
    await page.getByText(`People with an address in ${domain} may join now.`).waitFor();
    const refused = '409 POST /api/auth/organization/*/domains/*/verify';
    expect(visitor.refusals.map((each) => each.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*'))).toEqual([
      refused,
    ]);
    await expectNothingElse(visitor, visitor.refusals);

    const colleague = await stack.api.signUp({ email: `robin@${domain}` });
    const [early, before] = await stack.signedIn(colleague, '/');
    await heading(before, 'Welcome, Robin');
    expect(await before.getByRole('button', { name: 'Join', exact: true }).count()).toBe(0);
    await expectNothingElse(early);

    await stack.api.confirm(colleague);
    const [later, home] = await stack.signedIn(colleague, '/');
    await press(home, 'button', 'Join');
    await home.getByRole('button', { name: 'Join', exact: true }).waitFor({ state: 'detached' });
    expect(await roleOf(colleague.email, team.owner)).toBe('member');
    await expectNothingElse(later);
  });

  it('an owner sets up single sign-on by keyboard alone, a colleague comes in by it, and is out once it is off [S-210]', async () => {
    const domain = `acme-${randomUUID()}.example`;
    const { owner } = await stack.api.newTenant();
    const [visitor, page] = await stack.signedIn(owner, '/organization/access');
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await add(page, domain);
    await prove(page, domain);

    await press(page, 'button', 'OpenID Connect');
    const title = 'Single sign-on: OpenID Connect';
    await page.locator('h2:focus', { hasText: `${title} Off` }).waitFor();
    await press(page, 'button', 'Copy address');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const redirectUri = await page.evaluate('navigator.clipboard.readText()');
    const client = { clientId: 'tenantry-at-acme', clientSecret: canarySecret() };
    idp.register({ ...client, redirectUri: String(redirectUri) });
    await type(page, 'Issuer', idp.issuer);
    await type(page, 'Client id', client.clientId);
    await type(page, 'Client secret', client.clientSecret);
    await page.keyboard.press('Enter');
    await page.getByText('A secret is stored.').waitFor();
    await button(page, 'Save').and(page.locator(':focus')).waitFor();
    await press(page, 'button', 'Test');
    await page.getByText(`${idp.issuer} answers as it should, and signs with one key.`).waitFor();
    await press(page, 'button', 'Turn on');
    await page.locator('p:focus', { hasText: 'It is on. Nobody has signed in by it yet.' }).waitFor();

    const [guest, away] = await signInThere(`grace@${domain}`);
    await press(away, 'button', /^Organization: /);
    const menu = away.getByRole('group', { name: 'Your organizations' });
    await menu.waitFor();
    expect(await menu.getByRole('menuitemradio').allInnerTexts()).toEqual([
      expect.stringMatching(/^Robin's organization\s+Member\s*$/),
    ]);
    expect(await roleOf(`grace@${domain}`, owner)).toBe('member');

    await page.reload();
    await page.getByText('It is on. One member has signed in by it.').waitFor();
    await press(page, 'button', 'Turn off');
    await page.locator('p:focus', { hasText: 'One member uses it' }).waitFor();
    await press(page, 'button', 'Turn off');
    await page.locator('p:focus', { hasText: 'It is off.' }).waitFor();
    await expectNothingElse(visitor);

    // Every service has heard of it.
    await expect.poll(() => away.evaluate('fetch("/api/leads").then(({ status }) => status)')).toBe(401);
    await press(away, 'link', 'Leads');
    await heading(away, 'Your session has ended');
    await press(away, 'button', 'Go to sign-in');
    // Nobody has single sign-on any more: the password is asked for with the address.
    await heading(away, 'Sign in');
    await away.getByLabel('Password', { exact: true }).waitFor();
    expect(guest.refusals.filter((each) => !each.startsWith('401 '))).toEqual([]);
    await expectNothingElse(guest, guest.refusals);
  });

  it('an owner sets up SAML by keyboard alone, a colleague comes in by it, and the tile there begins a sign-in [S-253]', async () => {
    const domain = `acme-${randomUUID()}.example`;
    const { owner } = await stack.api.newTenant();
    const [visitor, page] = await stack.signedIn(owner, '/organization/access');
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await add(page, domain);
    await prove(page, domain);

    await press(page, 'button', 'SAML');
    await page.locator('h2:focus', { hasText: 'Single sign-on: SAML Off' }).waitFor();
    const copied = async (action: string) => {
      await press(page, 'button', action);
      await page.getByRole('button', { name: 'Copied' }).last().waitFor();
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const acsUrl = await copied('Copy ACS URL');
    expect(await copied('Copy entity id')).toBe(acsUrl.replace(/acs$/, 'metadata'));
    await type(page, 'Metadata', saml.metadataUrl);
    await press(page, 'button', 'Save');
    await page.getByText(/^Certificate CN=samlp\.example, until /).waitFor();
    // The same, one by one.
    await keyboard.enter(page.getByLabel('By its metadata'));
    await page.keyboard.press('ArrowDown');
    await type(page, 'Its sign-in address (HTTP-Redirect)', saml.ssoUrl);
    await page.getByLabel('Signing certificate', { exact: true }).fill(saml.signer.certificate);
    await press(page, 'button', 'Save');
    await expect.poll(() => page.getByLabel('Signing certificate', { exact: true }).inputValue()).toBe('');
    await press(page, 'button', 'Test');
    await page.getByText(`${saml.entityId} answers as it should, and signs with one key.`).waitFor();
    await press(page, 'button', 'Turn on');
    await page.locator('p:focus', { hasText: 'It is on. Nobody has signed in by it yet.' }).waitFor();
    await expectNothingElse(visitor);

    const email = `grace@${domain}`;
    saml.visitor = {
      nameId: randomUUID(),
      nameIdFormat: persistent,
      attributes: { email, displayName: nameThere },
    };
    const guest = await stack.visitor();
    const there = await guest.open('/sign-in');
    await visitOrganization(there, email);
    await heading(there, `Welcome, ${nameThere}`);
    expect(await roleOf(email, owner)).toBe('member');
    expect(saml.requests.at(-1)).toMatchObject({ assertionConsumerServiceURL: acsUrl });
    await expectNothingElse(guest);

    // Others sign in on the same page, with what their address has.
    const other = await stack.visitor();
    const first = await other.open('/sign-in');
    await first.getByLabel('E-mail address').and(first.locator(':focus')).waitFor();
    await first.keyboard.type(owner.email);
    await first.keyboard.press('Enter');
    await first.getByLabel('Password', { exact: true }).and(first.locator(':focus')).waitFor();
    expect(await button(first, 'Continue with your organization').count()).toBe(0);
    await first.keyboard.type(owner.password);
    await first.keyboard.press('Enter');
    await heading(first, 'Welcome, Robin');
    expect(other.refusals).toEqual(['404 POST /api/auth/sign-in/sso']);
    await expectNothingElse(other, other.refusals);

    // As the tile of an IdP posts it: nobody has asked.
    const begun = saml.requests.length;
    const tile = await stack.visitor();
    const unasked = await tile.open('/sign-in');
    await unasked.goto(saml.tilesFor(acsUrl));
    await press(unasked, 'button', 'Tenantry');
    await heading(unasked, `Welcome, ${nameThere}`);
    expect(saml.requests).toHaveLength(begun + 1);
    await expectNothingElse(tile);
  });
});

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
