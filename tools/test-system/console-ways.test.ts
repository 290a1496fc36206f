import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading, reach, signIn, type Visitor } from './console/visitor.ts';
import { totp } from './matrix/authenticator.ts';
import { mailedLink } from './matrix/mailbox.ts';
import { newEmail, newPassword, type Person } from './matrix/people.ts';

// The ways into the console, and what asks again who somebody is, with the real services.

/** Time steps of an authenticator, of 30 seconds. */
const anHourOfSteps = 120;

/** Addresses are confirmed first, and the gateway takes the address of a browser from the proxy before it. */
const settings = { REQUIRE_EMAIL_VERIFICATION: 'true', TRUST_PROXY: '127.0.0.1/32' };

describe.skipIf(!hasBrowser)('ways into the console', () => {
  let stack: ConsoleStack;
  /** Who signed in an hour ago, so that the access token has expired and the proof is old: with two factors, and with one. */
  const longAgo = {} as { twoFactors: Visitor; secret: string; password: Visitor; person: Person };

  beforeAll(async () => {
    stack = await ConsoleStack.start(settings, async (past) => {
      const [person, careful] = [await past.api.signUp(), await past.api.signUp()];
      const [password, account] = await past.signedIn(person, '/account');
      await heading(account, 'Your account');
      const [twoFactors, page] = await past.signedIn(careful, '/account/security');
      const { secret } = await turnOnTwoFactor(page, careful, -anHourOfSteps);
      await Promise.all([account.close(), page.close()]);
      Object.assign(longAgo, { twoFactors, secret, password, person });
    });
  });
  afterAll(() => stack.stop());

  const mailed = (to: string, path: RegExp) => mailedLink(stack.services.mailDirectory, to, path);

  /** Turns two-factor authentication on with an authenticator whose clock is so many steps ahead. */
  async function turnOnTwoFactor(page: Page, { password }: Pick<Person, 'password'>, stepsAhead = 0) {
    await press(page, 'Turn on');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Continue');
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await page.waitForFunction('document.querySelector("dialog img").naturalWidth > 100');
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    await dialog.getByLabel('Code').fill(totp(secret, stepsAhead));
    await page.keyboard.press('Enter');
    const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const backupCodes = await codes.allInnerTexts();
    await press(page, 'I have saved them');
    await page.getByText(`It is on. ${backupCodes.length} backup codes are left.`).waitFor();
    return { secret, backupCodes };
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /account and sign-out$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
  }

  /** Changes the own name on the page of the account. */
  async function rename(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await press(page, 'Save');
  }

  it('refuse a sign-in before the address is confirmed by the letter', async () => {
    const person = { email: newEmail(), password: newPassword() };
    const visitor = await stack.visitor();
    const page = await visitor.open('/sign-up');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await press(page, 'Create account');
    await heading(page, 'Check your e-mail');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, person);
    // A sign-in does not reveal which addresses wait to be confirmed, but everybody is told what to do.
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor();
    await page.getByRole('link', { name: 'Did not get the confirmation e-mail?' }).waitFor();

    await page.goto(await mailed(person.email, /\/verify-email#token=[\w.~-]+/));
    await page.waitForURL(({ hash }) => hash === '');
    await press(page, 'Confirm');
    await page.getByText(`${person.email} is confirmed.`).waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(page, person);
    await heading(page, 'Welcome, Ada Lovelace');
    await expectNothingElse(visitor, ['401 POST /api/auth/sign-in/email']);
  });

  describe('by invitation', () => {
    let inviter: Person;
    const organization = `Engines ${crypto.randomUUID()}`;

    beforeAll(async () => {
      inviter = await stack.api.signUp();
      const path = `PATCH /api/auth/organization/${inviter.organizationId}` as const;
      await stack.api.call(path, { name: organization }, inviter);
    });

    const invitations = () => `/api/auth/organization/${inviter.organizationId}/invitations` as const;
    async function invite(email: string): Promise<{ id: string; link: string }> {
      const body = { email, role: 'member' };
      const { invitation } = await stack.api.call<{ invitation: { id: string } }>(
        `POST ${invitations()}`,
        body,
        inviter,
      );
      return { id: invitation.id, link: await mailed(email, /\/accept-invitation#token=[\w.~-]+/) };
    }
    const refusedLook = expect.stringMatching(/^400 GET \/api\/auth\/invitations\//) as string;

    it('somebody with an account joins at the press of a button', async () => {
      const guest = await stack.api.signUp();
      const { link } = await invite(guest.email);
      const [visitor, page] = await stack.signedIn(guest, '/');
      await heading(page, 'Welcome, Robin');
      await page.goto(link);
      await heading(page, `Join ${organization}`);
      await press(page, 'Accept');
      await page.getByRole('button', { name: `Organization: ${organization}` }).waitFor();
      await expectNothingElse(visitor);
    });

    it('somebody who is signed in as another signs out, and continues with the address that is invited', async () => {
      const [other, guest] = [await stack.api.signUp(), await stack.api.signUp()];
      const { link } = await invite(guest.email);
      const [visitor, page] = await stack.signedIn(other, '/');
      await heading(page, 'Welcome, Robin');
      await page.goto(link);
      await page.getByText(`You are signed in as ${other.email}`).waitFor();
      await press(page, 'Sign out and continue with that address');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await signIn(page, guest);
      await press(page, 'Accept');
      await page.getByRole('button', { name: `Organization: ${organization}` }).waitFor();
      await expectNothingElse(visitor);
    });

    it('somebody new is confirmed by it, and joins with the account', async () => {
      const guest = { email: newEmail(), password: newPassword() };
      const { link } = await invite(guest.email);
      const visitor = await stack.visitor();
      const page = await visitor.context.newPage();
      await page.goto(link);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByText(`You will join ${organization}.`).waitFor();
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(guest.email);
      await page.getByLabel('Your name').fill('Grace Hopper');
      await page.getByLabel('Password', { exact: true }).fill(guest.password);
      await press(page, 'Create account');
      await page.getByRole('button', { name: `Organization: ${organization}` }).waitFor();
      await expectNothingElse(visitor);
    });

    it('somebody declines, and the link says so from then on', async () => {
      const { link } = await invite(newEmail());
      const visitor = await stack.visitor();
      const page = await visitor.context.newPage();
      await page.goto(link);
      await heading(page, `Join ${organization}`);
      await press(page, 'Decline');
      await page.getByText('Decline this invitation?').waitFor();
      await press(page, 'Decline');
      await heading(page, 'Declined');
      const again = await visitor.context.newPage();
      await again.goto(link);
      await again.getByRole('alert').getByText('This invitation was declined.').waitFor();
      await expectNothingElse(visitor, [refusedLook]);
    });

    it('one that was withdrawn says so, and whom to ask', async () => {
      const { id, link } = await invite(newEmail());
      await stack.api.call(`DELETE ${invitations()}/${id}`, undefined, inviter);
      const visitor = await stack.visitor();
      const page = await visitor.context.newPage();
      await page.goto(link);
      await page.getByRole('alert').getByText('This invitation was withdrawn.').waitFor();
      await expectNothingElse(visitor, [refusedLook]);
    });
  });

  it('ask for a code once two-factor authentication is on, and take each backup code once', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/account/security');
    const { secret, backupCodes } = await turnOnTwoFactor(page, person);
    await signOut(page);
    await signIn(page, person);
    await heading(page, 'Enter your code');
    // The code of this half minute was used to turn it on.
    await page.getByLabel('Code').fill(totp(secret, 1));
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome, Robin');
    const [backupCode = ''] = backupCodes;
    for (const isUsed of [false, true]) {
      await signOut(page);
      await signIn(page, person);
      await page.getByLabel('Code').fill(backupCode);
      await page.keyboard.press('Enter');
      if (isUsed) await page.getByRole('alert').getByText('This code is wrong or was used before.').waitFor();
      else await heading(page, 'Welcome, Robin');
    }
    await expectNothingElse(visitor, ['401 POST /api/auth/two-factor/verify-backup-code']);
  });

  it('ask for a fresh code before a sensitive change, in a session that has gone on for an hour', async () => {
    const { twoFactors: visitor, secret } = longAgo;
    const page = await visitor.open('/account/security');
    await press(page, 'New backup codes');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Code').fill(totp(secret));
    await press(page, 'Confirm');
    await page.getByRole('list', { name: 'Backup codes' }).waitFor();
    await press(page, 'I have saved them');
    await expectNothingElse(visitor, ['401 POST /api/auth/two-factor/backup-codes']);
  });

  it('ask for the password before such a session deletes an organization', async () => {
    const { password: visitor, person } = longAgo;
    const page = await visitor.open('/organization/danger');
    const label = page.locator('label', { hasText: /^Type .+ to confirm$/ });
    const [, slug = ''] = (await label.innerText()).split(' ');
    await page.getByLabel(`Type ${slug} to confirm`).fill(slug);
    await press(page, 'Delete organization');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await press(page, 'Confirm');
    // The personal one that begins in its place.
    await heading(page, 'First steps');
    await expectNothingElse(visitor, [`401 DELETE /api/auth/organization/${person.organizationId}`]);
  });

  it('take a passkey in place of password and code', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/account/security');
    const authenticator = await addAuthenticator(page);
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await press(page, 'Add a passkey');
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).getByText('Not used yet').waitFor();
    // It would answer by itself to what the sign-in offers below the field for the address.
    await authenticator.setPresent(false);
    await signOut(page);
    const offered = page.getByRole('button', { name: 'Sign in with a passkey' });
    await offered.waitFor();
    await authenticator.setPresent(true);
    await offered.click();
    await heading(page, 'Welcome, Robin');
    await expectNothingElse(visitor);
  });

  it('say why a device makes no passkey, and make one where it can', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/account/security');
    const add = async (name: string) => {
      await page.getByLabel('Name of the new passkey').fill(name);
      await press(page, 'Add a passkey');
    };
    const told = (text: string) => page.getByRole('alert').getByText(text).waitFor();
    const isListed = (name: string) => page.getByRole('listitem').filter({ hasText: name }).waitFor();

    // Chromium tells no page more than that: neither of a device that verifies nobody, nor of one that verified somebody else.
    const notAllowed = 'No passkey was used: it was cancelled';
    const withoutScreenLock = await addAuthenticator(page, { hasUserVerification: false });
    await add('Old phone');
    await told(notAllowed);
    await withoutScreenLock.remove();

    const laptop = await addAuthenticator(page);
    await laptop.setVerified(false);
    await add('Laptop of somebody else');
    await told(notAllowed);
    await laptop.setVerified(true);
    await add('Laptop');
    await isListed('Laptop');
    await add('Laptop again');
    await told('This device already has a passkey for your account.');
    await laptop.remove();

    await addAuthenticator(page);
    await add('Another');
    await isListed('Another');
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /Laptop (?:of|again)|Old phone/ })
        .count(),
    ).toBe(0);
    await expectNothingElse(visitor);
  });

  it('lead back in where the cookies were lost, and what was typed is kept and saved', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/account');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await visitor.context.clearCookies();
    await rename(page, 'Robin the Second');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Robin the Second');
    await press(page, 'Save');
    await page.getByRole('button', { name: /^Robin the Second:/ }).waitFor();
    await expectNothingElse(visitor, ['401 PATCH /api/auth/user']);
  });

  it('ask who it is where a session continues at another address, and then do what was requested', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/account');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await visitor.context.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.7' });
    await rename(page, 'Robin the Traveller');
    const dialog = page.getByRole('dialog', { name: 'You are on another network' });
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await press(page, 'Confirm');
    await page.getByRole('button', { name: /^Robin the Traveller:/ }).waitFor();
    await expectNothingElse(visitor, ['401 PATCH /api/auth/user']);
  });

  it('lead to an organization of one’s own by keyboard alone', async () => {
    const person = await stack.api.signUp();
    const visitor = await stack.visitor();
    const page = await visitor.open('/sign-in');
    await page.locator('input[name="email"]:focus').waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome, Robin');
    await reach(page, page.getByRole('button', { name: /^Organization:/ }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await reach(page, page.getByRole('menuitem', { name: 'New organization' }), 'ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'New organization');
    await page.locator('input[name="name"]:focus').waitFor();
    const name = `Engines ${crypto.randomUUID()}`;
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Organization: ${name}` }).waitFor();
    await expectNothingElse(visitor);
  });
});

/** An authenticator that is built into the device of a page, where somebody is who touches it. */
async function addAuthenticator(page: Page, { hasUserVerification = true } = {}) {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification, isUserVerified: hasUserVerification, automaticPresenceSimulation: true },
    },
  });
  return {
    /** Whether somebody is there who touches it. */
    setPresent: (enabled: boolean) =>
      devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Whether it recognizes them. */
    setVerified: (isUserVerified: boolean) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: () => devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}
