import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { signedIn, signedOut } from './support/starts.ts';

const signIn = 'POST /api/auth/sign-in/email';
const verify = 'POST /api/auth/two-factor/verify-totp';
const verifyBackup = 'POST /api/auth/two-factor/verify-backup-code';

/** An API at which the right password signs in. */
function apiWithPassword(): FakeApi {
  const api = new FakeApi(signedOut);
  return api.on(signIn, () => {
    api.start = signedIn();
    return { user: {}, session: {} };
  });
}

async function enterPassword() {
  await page.getByLabelText('E-mail address').fill('ada@example.com');
  await page.getByLabelText('Password').fill('correct horse');
  await userEvent.keyboard('{Enter}');
}

describe('the language of the sign-in', () => {
  test('is chosen by its own name, and kept by this browser', async () => {
    const { lang } = document.documentElement;
    onTestFinished(() => void (document.documentElement.lang = lang));
    const chosen = new Map<string, string>();
    const kept = () => ({
      getItem: (name: string) => chosen.get(name) ?? null,
      setItem: (name: string, value: string) => void chosen.set(name, value),
    });
    const { leave } = await open('/sign-in', new FakeApi(signedOut), { kept });
    await page.getByRole('button', { name: 'Svenska' }).click();
    await expect.element(page.getByRole('heading', { name: 'Logga in' })).toBeVisible();
    expect(document.documentElement.lang).toBe('sv');
    await expect
      .element(page.getByRole('button', { name: 'Svenska' }))
      .toHaveAttribute('aria-current', 'true');
    await leave();
    await open('/sign-up', new FakeApi(signedOut), { kept });
    await expect.element(page.getByRole('button', { name: 'English' })).toBeVisible();
    expect(document.documentElement.textContent).toContain('Lösenord');
  });

  test('gives way to the one that somebody has chosen for the account', async () => {
    const start = signedIn();
    const kept = () => ({ getItem: () => 'sv', setItem: () => undefined });
    await open('/', new FakeApi({ ...start, user: { ...start.user, language: 'en' } }), { kept });
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
  });
});

describe('signing in', () => {
  test('continues to the page that was asked for', async () => {
    const { address } = await open(
      '/account',
      apiWithPassword().on('GET /api/auth/sessions', { sessions: [] }),
    );
    await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(address()).toBe('/sign-in?next=%2Faccount');
    await enterPassword();
    await expect.element(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    expect(address()).toBe('/account');
  });

  test('is not asked of somebody who is signed in', async () => {
    const { address } = await open('/sign-in?next=//evil.example', new FakeApi(signedIn()));
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect(address()).toBe('/');
  });

  test('tells a wrong password, and gives the focus back to it', async () => {
    await open('/sign-in', new FakeApi(signedOut).on(signIn, new Refusal(401, 'INVALID_CREDENTIALS')));
    await enterPassword();
    await expect.element(page.getByRole('alert')).toHaveTextContent('The address or the password is wrong.');
    await expect.element(page.getByLabelText('Password')).toHaveFocus();
  });

  test('asks for a code in place, which a backup code can stand in for', async () => {
    const api = apiWithPassword().on(signIn, {
      challenge: { token: 'a-challenge', methods: ['totp', 'backup-code'] },
    });
    api.on(verify, new Refusal(401, 'INVALID_CODE')).on(verifyBackup, () => {
      api.start = signedIn();
      return {};
    });
    await open('/sign-in', api);
    await enterPassword();
    await expect.element(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    await expect.element(page.getByLabelText('Code')).toHaveFocus();
    await userEvent.keyboard('123 456{Enter}');
    await expect.element(page.getByText(/The next one comes in \d+ s/)).toBeVisible();
    await page.getByLabelText('Code').fill('abcd-efgh');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect(api.sentTo(verify)).toEqual([{ challengeToken: 'a-challenge', code: '123456' }]);
    expect(api.sentTo(verifyBackup)).toEqual([{ challengeToken: 'a-challenge', code: 'abcd-efgh' }]);
  });

  test('explains a browser that drops the cookie', async () => {
    await open('/sign-in', new FakeApi(signedOut).on(signIn, { user: {}, session: {} }));
    await enterPassword();
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('Your browser did not keep you signed in');
  });

  test('says how long to wait, and counts down', async () => {
    await open('/sign-in', new FakeApi(signedOut).on(signIn, new Refusal(429, 'RATE_LIMITED')));
    await enterPassword();
    const alert = page.getByRole('alert');
    await expect.element(alert).toHaveTextContent(/Try again in \d+ seconds\./);
    const secondsLeft = () => Number(/in (\d+) second/.exec(alert.element().textContent)?.[1]);
    const first = secondsLeft();
    expect(first).toBeLessThanOrEqual(40);
    await expect.poll(secondsLeft).toBeLessThan(first);
  });
});
