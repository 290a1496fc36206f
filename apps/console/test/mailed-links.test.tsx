import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { organization, signedIn, signedOut } from './support/starts.ts';

const reset = 'POST /api/auth/password/reset';
const verify = 'POST /api/auth/email/verify';
const accept = 'POST /api/auth/invitations/accept';
const reject = 'POST /api/auth/invitations/reject';
const show = 'GET /api/auth/invitations/a-token';
const invitation = {
  ...{ organizationName: 'Globex', inviterName: 'Grace Hopper', role: 'member' },
  ...{ email: 'ada@example.com', expiresAt: '2026-11-30T12:00:00Z' },
};
const acme = organization('Acme');
const globex = organization('Globex', { role: 'member' });
const link = '/accept-invitation#token=a-token';

describe('the token of a mailed link', () => {
  test('leaves the address bar immediately, and is sent once the form is [S-132]', async () => {
    const api = new FakeApi(signedOut).on(reset, { success: true });
    const { address } = await open('/reset-password#token=a-token', api);
    await expect.element(page.getByLabelText('New password')).toBeVisible();
    await expect.poll(address).toBe('/reset-password');
    await page.getByLabelText('New password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    expect(api.sentTo(reset)).toEqual([{ token: 'a-token', newPassword: 'correct horse' }]);
  });

  test('confirms an address at the press of a button, and not before [S-132]', async () => {
    const api = new FakeApi(signedOut).on(verify, { success: true, email: 'ada@example.com' });
    await open('/verify-email#token=a-token', api);
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await expect.element(confirm).toBeVisible();
    expect(api.sentTo(verify)).toEqual([]);
    await confirm.click();
    await expect.element(page.getByText(/ada@example.com is confirmed/)).toBeVisible();
  });

  test('that is opened on another device leads to a new password at once', async () => {
    const api = new FakeApi(signedOut)
      .on(verify, { success: true, email: 'ada@example.com', resetToken: 'another-token' })
      .on(reset, { success: true });
    await open('/verify-email#token=a-token', api);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Choose a password' }).click();
    await page.getByLabelText('New password').fill('correct horse');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await expect.element(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    expect(api.sentTo(reset)).toEqual([{ token: 'another-token', newPassword: 'correct horse' }]);
  });

  test('that is over leads to another letter', async () => {
    const api = new FakeApi(signedOut)
      .on(verify, new Refusal(400, 'INVALID_TOKEN'))
      .on('POST /api/auth/email/resend', { success: true });
    await open('/verify-email#token=a-token', api);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabelText('E-mail address').fill('ada@example.com');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/an e-mail is on its way/)).toBeVisible();
  });
});

describe('an invitation', () => {
  test('is accepted by whom it is for, who continues in the organization', async () => {
    const api = new FakeApi(signedIn([acme]))
      .on(show, { invitation })
      .on(accept, { organization: globex })
      .on('POST /api/auth/organization/switch', () => {
        api.start = signedIn([globex, acme]);
        return {};
      });
    const { address } = await open(link, api);
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect.element(page.getByRole('heading', { name: 'Globex' })).toBeVisible();
    await expect.poll(address).toBe('/');
    expect(api.sentTo(accept)).toEqual([{ token: 'a-token' }]);
  });

  test('shows both addresses to somebody else, who can change to the other', async () => {
    const theirs = { ...invitation, email: 'grace@example.com' };
    const api = new FakeApi(signedIn([acme]))
      .on(show, { invitation: theirs })
      .on('POST /api/auth/sign-out', () => {
        api.start = signedOut;
        return {};
      });
    const { address } = await open(link, api);
    await expect
      .element(page.getByText(/signed in as ada@example.com, and the invitation is for grace@example.com/))
      .toBeVisible();
    await page.getByRole('button', { name: /^Sign out/ }).click();
    await expect.element(page.getByRole('link', { name: 'Create an account' })).toBeVisible();
    expect(address()).toBe('/accept-invitation');
  });

  test('fills in the address of a new account, and goes with it', async () => {
    const signUp = 'POST /api/auth/sign-up/email';
    const api = new FakeApi(signedOut).on(show, { invitation }).on(signUp, () => {
      api.start = signedIn([globex]);
      return { user: {}, session: {} };
    });
    await open(link, api);
    await page.getByRole('link', { name: 'Create an account' }).click();
    const email = page.getByLabelText('E-mail address');
    await expect.element(email).toHaveValue('ada@example.com');
    await expect.element(email).toHaveAttribute('readonly');
    await page.getByLabelText('Your name').fill('Ada Lovelace');
    await page.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect(api.sentTo(signUp)).toMatchObject([{ email: 'ada@example.com', invitationToken: 'a-token' }]);
  });

  test('is declined only after a second press', async () => {
    const api = new FakeApi(signedOut).on(show, { invitation }).on(reject, {});
    await open(link, api);
    await page.getByRole('button', { name: 'Decline' }).click();
    expect(api.sentTo(reject)).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect.element(page.getByRole('heading', { name: 'Declined' })).toBeVisible();
  });
});
