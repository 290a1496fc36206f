import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../test/support/chromium.ts';
import { expectNothingElse, heading, reach, signIn, Visitor } from './console/visitor.ts';
import { withTwoFactor } from './matrix/authenticator.ts';
import { Api, newEmail, newPassword } from './matrix/people.ts';
import { startServicesAfter, type RunningServices, type StartedServices } from './matrix/services.ts';

// The console as it is built, under the policy that the gateway sends, with the real services.

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the console', () => {
  let services: StartedServices;
  let browser: Browser;
  let origin: string;
  let api: Api;
  /** Signed up an hour ago, so that their access token has expired. */
  let ada: Visitor;
  const adas = { email: newEmail(), password: newPassword() };

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    services = await startServicesAfter(async (past) => {
      origin = originOf(past);
      ada = await Visitor.at(browser, origin);
      await signUp(await ada.open('/sign-up'), adas);
    });
    api = await Api.of(services);
  });
  afterAll(async () => {
    await browser.close();
    await services.stop();
  });

  const originOf = (running: RunningServices) => running.urlOf('gateway').replace('127.0.0.1', 'localhost');

  async function signUp(page: Page, { email, password }: typeof adas): Promise<void> {
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Welcome, Ada Lovelace');
  }

  /** A browser in which somebody has just signed in. */
  async function signedIn(): Promise<Visitor> {
    const visitor = await Visitor.at(browser, origin);
    const page = await visitor.open('/sign-in');
    await signIn(page, await api.signUp());
    await heading(page, 'Welcome, Robin');
    await page.close();
    return visitor;
  }

  const organizationMenu = (page: Page) => page.getByRole('button', { name: /^Organization:/ });

  async function found(page: Page, name: string): Promise<void> {
    await organizationMenu(page).click();
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill(`${name} ${crypto.randomUUID()}`);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: new RegExp(`^${name}`) }).waitFor();
  }

  it('continues a session whose access token has expired, at the address that was opened [S-131]', async () => {
    const page = await ada.open('/account');
    await heading(page, 'Your account');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
    expect(
      await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).toBe('{}');
    await expectNothingElse(ada);
  });

  it('asks for the second factor in place, and takes a backup code for it', async () => {
    const person = await withTwoFactor(api);
    const visitor = await Visitor.at(browser, origin);
    const page = await visitor.open('/account');
    await heading(page, 'Sign in');
    await signIn(page, { ...person, password: 'not this one' });
    await page.getByRole('alert').waitFor();
    await signIn(page, person);
    await heading(page, 'Enter your code');
    await page.getByLabel('Code').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText(/The next one comes in \d+ s/).waitFor();
    await page.getByLabel('Code').fill(person.backupCode);
    await page.keyboard.press('Enter');
    await heading(page, 'Your account');
    await expectNothingElse(visitor, [
      '401 POST /api/auth/sign-in/email',
      '401 POST /api/auth/two-factor/verify-totp',
    ]);
  });

  it('shows nothing of the former organization in any tab once one has switched [S-133]', async () => {
    const visitor = await signedIn();
    const [first, second] = [await visitor.open('/'), await visitor.open('/account')];
    await heading(second, 'Your account');
    await found(first, 'Engines');
    const dialog = second.getByRole('dialog', { name: 'You changed organization in another tab' });
    await dialog.waitFor();
    expect(await second.getByRole('heading', { name: 'Your account' }).isVisible()).toBe(false);
    await dialog.getByRole('button', { name: 'Continue in the new one' }).click();
    await second.getByRole('heading', { name: /^Engines/ }).waitFor();
    await expectNothingElse(visitor);
  });

  it('goes back to the organization of a tab whose form was not sent yet', async () => {
    const visitor = await signedIn();
    const [first, second] = [await visitor.open('/'), await visitor.open('/account')];
    await second.getByLabel('Name', { exact: true }).fill('Robin the Second');
    await found(first, 'Engines');
    await second.getByRole('button', { name: /^Switch back to/ }).click();
    await second.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await second.getByLabel('Name', { exact: true }).inputValue()).toBe('Robin the Second');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('button', { name: /^Robin the Second/ }).waitFor();
    await expectNothingElse(visitor);
  });

  it('signs out in all tabs together, and shows nothing to somebody who goes back [S-133]', async () => {
    const visitor = await signedIn();
    const [first, second] = [await visitor.open('/'), await visitor.open('/account')];
    await heading(second, 'Your account');
    await first.getByRole('button', { name: /account and sign-out$/ }).click();
    const signedOut = second.getByRole('heading', { name: 'Sign in', exact: true });
    await Promise.all([signedOut.waitFor(), first.getByRole('menuitem', { name: 'Sign out' }).click()]);
    await second.goBack();
    await heading(second, 'Sign in');
    await expectNothingElse(visitor);
  });

  it('can be used by keyboard alone: a menu opens, leads on and closes', async () => {
    const visitor = await Visitor.at(browser, origin);
    const page = await visitor.open('/sign-in');
    const person = await api.signUp();
    await page.locator('input[name="email"]:focus').waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Welcome, Robin' }).waitFor();
    await reach(page, page.getByRole('button', { name: 'Robin: account and sign-out' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Your account' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Your account');
    await expectNothingElse(visitor);
  });
});
