import { readEmail } from '@tenantry/text';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { signedIn, signedOut } from './support/starts.ts';

const signUp = 'POST /api/auth/sign-up/email';
const tooShort = { field: 'password', rule: 'minLength', params: { limit: 8 }, message: '' };

async function fillIn(name: string, email = 'ada@example.com') {
  await page.getByLabelText('Your name').fill(name);
  await page.getByLabelText('E-mail address').fill(email);
  await page.getByLabelText('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Create account' }).click();
}

describe('creating an account', () => {
  test('says what a password must be before one is refused', async () => {
    await open('/sign-up', new FakeApi(signedOut));
    await expect
      .element(page.getByLabelText('Password'))
      .toHaveAccessibleDescription(/At least 8 characters/);
  });

  test('tells what is wrong at its field, and gives the focus to the first one', async () => {
    const details = [{ field: 'name', rule: 'minLength', params: { limit: 1 }, message: '' }, tooShort];
    await open(
      '/sign-up',
      new FakeApi(signedOut).on(signUp, new Refusal(400, 'VALIDATION_ERROR', { details })),
    );
    await fillIn('');
    await expect.element(page.getByLabelText('Your name')).toHaveFocus();
    await expect.element(page.getByLabelText('Your name')).toHaveAccessibleDescription('Fill this in.');
    await expect
      .element(page.getByLabelText('Password'))
      .toHaveAccessibleDescription(/Use at least 8 characters/);
  });

  test('signs in, and tells the language and time zone of the browser', async () => {
    const api = new FakeApi(signedOut).on(signUp, () => {
      api.start = signedIn();
      return { user: {}, session: {} };
    });
    await open('/sign-up', api, { language: 'sv' });
    await page.getByLabelText('Ditt namn').fill('Ada Lovelace');
    await page.getByLabelText('E-postadress').fill('ada@example.com');
    await page.getByLabelText('Ditt företag').fill('Ada & Co');
    await page.getByLabelText('Lösenord').fill('correct horse');
    await page.getByRole('button', { name: 'Skapa konto' }).click();
    await expect.element(page.getByRole('heading', { name: 'Välkommen, Ada Lovelace' })).toBeVisible();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(api.sentTo(signUp)).toMatchObject([
      { name: 'Ada Lovelace', organizationName: 'Ada & Co', language: 'sv', timeZone },
    ]);
  });

  test('takes an address at an international domain as it is typed', async () => {
    const api = new FakeApi(signedOut).on(signUp, { user: {}, session: null });
    await open('/sign-up', api);
    await fillIn('Max', 'max@müller-dach.example');
    await expect.element(page.getByText('We sent an e-mail to max@müller-dach.example.')).toBeVisible();
    // Browsers give either form of what was typed.
    const [{ email }] = api.sentTo(signUp) as [{ readonly email: string }];
    expect(readEmail(email)).toBe('max@xn--mller-dach-9db.example');
  });

  test('asks to follow the link in a letter, where addresses are confirmed first', async () => {
    await open('/sign-up', new FakeApi(signedOut).on(signUp, { user: {}, session: null }));
    await fillIn('Ada');
    await expect.element(page.getByText('We sent an e-mail to ada@example.com.')).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Check your e-mail' })).toHaveFocus();
  });
});
