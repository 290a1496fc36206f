import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { mailing, signedIn, signedOut } from './support/starts.ts';

const request = 'POST /api/auth/sign-in/mailed';
const verify = 'POST /api/auth/sign-in/mailed/verify';
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();
const byMail = () => page.getByRole('button', { name: 'Send me a code' });
const welcome = () => page.getByRole('heading', { name: 'Welcome, Ada Lovelace' });

/** An API that mails letters; each request has an id of its own. */
function apiThatMails(): FakeApi {
  const api = new FakeApi(mailing);
  let count = 0;
  api.on(request, () => ({ request: { id: `request-${(count += 1)}`, expiresAt: inTenMinutes() } }));
  return api.on(verify, () => {
    api.start = signedIn();
    return { user: {}, session: {} };
  });
}

async function askForCode(): Promise<void> {
  await byMail().click();
  await page.getByLabelText('E-mail address').fill('ada@example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Code from the e-mail')).toHaveFocus();
}

describe('a mailed code', () => {
  test('is offered only where the API mails codes', async () => {
    await open('/sign-in', new FakeApi(signedOut));
    await expect.element(page.getByLabelText('Password')).toBeVisible();
    await expect.element(byMail()).not.toBeInTheDocument();
  });

  test('signs in with the request that it belongs to, spaces or not', async () => {
    const api = apiThatMails();
    await open('/sign-in', api);
    await askForCode();
    await expect.element(page.getByText(/works for another 10 minutes/)).toBeVisible();
    await userEvent.keyboard('1234 5678{Enter}');
    await expect.element(welcome()).toBeVisible();
    expect(api.sentTo(request)).toEqual([{ email: 'ada@example.com' }]);
    expect(api.sentTo(verify)).toEqual([{ requestId: 'request-1', code: '12345678' }]);
  });

  test('that is wrong is told, and the code of another letter is sent with its own request', async () => {
    const api = apiThatMails().on(verify, new Refusal(401, 'INVALID_CODE'));
    await open('/sign-in', api);
    await askForCode();
    await userEvent.keyboard('00000000{Enter}');
    await expect.element(page.getByRole('alert')).toHaveTextContent(/wrong or has expired/);
    await expect.element(page.getByLabelText('Code from the e-mail')).toHaveFocus();
    await page.getByRole('button', { name: 'Send another code' }).click();
    await expect.element(page.getByText(/Another e-mail is on its way/)).toBeVisible();
    await page.getByLabelText('Code from the e-mail').fill('12345678');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => api.sentTo(verify)).toHaveLength(2);
    expect(api.sentTo(verify)[1]).toEqual({ requestId: 'request-2', code: '12345678' });
  });

  test('is followed by the second factor where the account has one', async () => {
    const api = apiThatMails().on(verify, {
      twoFactorRequired: true,
      challenge: { token: 'a-challenge', methods: ['totp', 'backup-code'] },
    });
    await open('/sign-in', api);
    await askForCode();
    await userEvent.keyboard('12345678{Enter}');
    await expect.element(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  });

  test('can be left for the password', async () => {
    await open('/sign-in', apiThatMails());
    await askForCode();
    await page.getByRole('button', { name: 'Use your password' }).click();
    await expect.element(page.getByLabelText('Password')).toBeVisible();
  });
});

describe('a mailed link to sign in with', () => {
  const link = '/sign-in?next=%2Faccount#token=a-token';
  const press = () => page.getByRole('button', { name: 'Sign in' });

  test('leaves the address bar immediately, and signs in at the press of a button alone', async () => {
    const api = apiThatMails().on('GET /api/auth/sessions', { sessions: [] });
    const { address } = await open(link, api);
    await expect.element(press()).toBeVisible();
    await expect.poll(address).toBe('/sign-in?next=%2Faccount');
    expect(api.sentTo(verify)).toEqual([]);
    await press().click();
    await expect.element(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    expect(api.sentTo(verify)).toEqual([{ token: 'a-token' }]);
  });

  test('is followed by the second factor where the account has one', async () => {
    const api = apiThatMails().on(verify, {
      twoFactorRequired: true,
      challenge: { token: 'a-challenge', methods: ['totp', 'backup-code'] },
    });
    await open(link, api);
    await press().click();
    await expect.element(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  });

  test('says on another device where its code is to be typed', async () => {
    await open(link, apiThatMails().on(verify, new Refusal(400, 'OPENED_ELSEWHERE')));
    await press().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(/enter the code there/);
  });

  test('that is over leads to another letter', async () => {
    await open(link, apiThatMails().on(verify, new Refusal(400, 'INVALID_TOKEN')));
    await press().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(/no longer valid/);
    await page.getByLabelText('E-mail address').fill('ada@example.com');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Code from the e-mail')).toHaveFocus();
  });
});
