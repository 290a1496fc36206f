import type { api } from '@tenantry/client';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal, type Reply, type Sent } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { atOrganizations, offering, signedIn } from './support/starts.ts';

const begin = 'POST /api/auth/sign-in/social';
const redeem = 'POST /api/auth/sign-in/ticket';
const passkeyOptions = 'POST /api/auth/sign-in/passkey/options';
const google = () => page.getByRole('button', { name: 'Continue with Google' });
const offer = () => new FakeApi(offering).on(passkeyOptions, new Refusal(404, 'NOT_FOUND'));
const ada = { ...signedIn(), signIn: offering.signIn };

describe('the console at an address that is a number', () => {
  const origin = 'http://127.0.0.1:8080';

  test('offers no passkey to sign in with, since browsers have none there', async () => {
    await open('/sign-in', new FakeApi(offering), { origin });
    await expect.element(google()).toBeVisible();
    await expect
      .element(page.getByRole('button', { name: 'Sign in with a passkey' }))
      .not.toBeInTheDocument();
  });

  test('asks for no passkey as a second factor, at a sign-in or in a session', async () => {
    const challenge = { token: 'a-challenge', methods: ['totp', 'passkey'] };
    const api = new FakeApi(offering).on('POST /api/auth/sign-in/email', { challenge });
    const { leave } = await open('/sign-in', api, { origin });
    await page.getByLabelText('E-mail address').fill('ada@example.com');
    await page.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Code')).toHaveFocus();
    expect(page.getByRole('button', { name: 'Use a passkey' }).elements()).toEqual([]);
    await leave();

    const asking = new FakeApi(ada);
    const { session } = await open('/', asking, { origin });
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    asking.on(
      'DELETE /api/auth/sessions',
      new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', {
        ...{ reason: 'SECOND_FACTOR_REQUIRED', methods: ['passkey', 'totp'] },
      }),
    );
    void session.tenantry.endSessions({ query: { scope: 'all' } }).catch(() => undefined);
    await expect.element(page.getByRole('dialog').getByLabelText('Code')).toBeVisible();
    expect(page.getByRole('button', { name: 'Use a passkey' }).elements()).toEqual([]);
  });

  test('says where one can be added', async () => {
    await open('/account/security', new FakeApi(ada).on('GET /api/auth/sessions', { sessions: [] }), {
      origin,
    });
    const link = page.getByRole('link', { name: 'http://localhost:8080/account/security' });
    await expect.element(link).toHaveAttribute('href', 'http://localhost:8080/account/security');
    await expect.element(page.getByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
  });
});

describe('a sign-in by a provider', () => {
  test('leaves for it, and says where to come back to and to continue', async () => {
    const api = offer().on(begin, {
      url: 'https://accounts.example.com/x',
      expiresAt: '2026-11-30T12:00:00Z',
    });
    const { documents } = await open('/sign-in?next=%2Faccount', api);
    await google().click();
    await expect.poll(() => documents).toEqual(['https://accounts.example.com/x']);
    const redirectTo = 'https://app.example.com/sign-in/return?for=sign-in&next=%2Faccount';
    expect(api.sentTo(begin)).toEqual([{ provider: 'google', redirectTo }]);
  });

  test('redeems its ticket once, out of the address bar, and continues', async () => {
    const api = offer()
      .on('GET /api/auth/sessions', { sessions: [] })
      .on(redeem, () => {
        api.start = ada;
        return { user: {}, session: {} };
      });
    const { address } = await open('/sign-in/return?for=sign-in&next=%2Faccount#ticket=a-ticket', api);
    await expect.element(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    expect(address()).toBe('/account');
    expect(api.sentTo(redeem)).toEqual([{ ticket: 'a-ticket' }]);
  });

  test('never continues to another origin, and shows an error, known or not', async () => {
    const api = offer().on(redeem, () => {
      api.start = ada;
      return { user: {}, session: {} };
    });
    const next = encodeURIComponent('https://evil.example/');
    const { address } = await open(`/sign-in/return?for=sign-in&next=${next}#ticket=a-ticket`, api);
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect(address()).toBe('/');
  });

  test('asks for the second factor where the account has one', async () => {
    const challenge = { token: 'a-challenge', methods: ['totp', 'backup-code'] };
    await open(
      '/sign-in/return?for=sign-in#ticket=a',
      offer().on(redeem, { twoFactorRequired: true, challenge }),
    );
    await expect.element(page.getByLabelText('Code')).toHaveFocus();
  });

  test.each(['ACCESS_DENIED', 'toString'])('that was refused says so: %s', async (error) => {
    await open(`/sign-in/return?for=sign-in#error=${error}`, offer());
    await expect.element(page.getByRole('heading', { name: 'That did not work' })).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Go to sign-in' })).toBeVisible();
  });
});

describe('a sign-in at an organization', () => {
  const beginSso = 'POST /api/auth/sign-in/sso';
  const redeemSso = 'POST /api/auth/sign-in/sso/ticket';
  const redirectTo = 'https://app.example.com/sign-in/return?for=organization&next=%2Faccount';
  const visit = { url: 'https://idp.example.com/x', expiresAt: '2026-11-30T12:00:00Z' };

  const address = () => page.getByLabelText('E-mail address');
  const way = () => page.getByRole('button', { name: 'Continue with your organization' });
  const give = (email: string) => userEvent.keyboard(`${email}{Enter}`);
  const elsewhere = () => new FakeApi(atOrganizations);

  test('asks for the address first, by keyboard alone, and leaves for its identity provider', async () => {
    const api = elsewhere().on(beginSso, { ...visit, expiresAt: '2999-01-01T00:00:00Z' });
    const { documents } = await open('/sign-in?next=%2Faccount', api);
    await expect.element(address()).toHaveFocus();
    expect(page.getByLabelText('Password').elements()).toEqual([]);
    await give('ada@acme.example');
    await expect.element(way()).toHaveFocus();
    expect(documents).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => documents).toEqual([visit.url]);
    expect(api.sentTo(beginSso)).toEqual([{ email: 'ada@acme.example', redirectTo }]);
  });

  test('begins anew where what had begun is over', async () => {
    const api = elsewhere().on(beginSso, { ...visit, expiresAt: '2020-01-01T00:00:00Z' });
    const { documents } = await open('/sign-in', api);
    await give('ada@acme.example');
    await way().click();
    await expect.poll(() => documents).toEqual([visit.url]);
    expect(api.sentTo(beginSso)).toHaveLength(2);
  });

  test('takes the password of an address that no organization signs in, and is filled in by a password manager', async () => {
    const api = elsewhere()
      .on(beginSso, new Refusal(404, 'NOT_FOUND'))
      .on('POST /api/auth/sign-in/email', () => {
        api.start = ada;
        return { user: {}, session: {} };
      });
    await open('/sign-in', api);
    await expect.element(address()).toHaveAttribute('autocomplete', 'username webauthn');
    await give('ada@example.com');
    const password = page.getByLabelText('Password', { exact: true });
    await expect.element(password).toHaveFocus();
    // A manager reads whose password it is from the same form.
    const { form } = password.element() as HTMLInputElement;
    expect([...new FormData(form as HTMLFormElement).keys()]).toEqual(['email', 'password']);
    await expect.element(password).toHaveAttribute('autocomplete', 'current-password');
    await expect.element(address()).toHaveAttribute('autocomplete', 'username webauthn');
    await expect.element(address()).toHaveValue('ada@example.com');
    expect(way().elements()).toEqual([]);
    await give('correct horse');
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect(api.sentTo('POST /api/auth/sign-in/email')).toEqual([
      { email: 'ada@example.com', password: 'correct horse' },
    ]);
  });

  test('asks by the domain alone, and shows the same whether there is an account or not [S-207]', async () => {
    const api = elsewhere().on(beginSso, new Refusal(404, 'NOT_FOUND'));
    await open('/sign-in', api);
    await give('nobody@example.com');
    await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
    const asked = api.requests.map(({ operation }) => operation);
    expect(asked).toEqual(['GET /api/auth/start', beginSso]);
  });

  test('goes back to another address, and to a letter for the one that was given', async () => {
    const api = elsewhere().on(beginSso, new Refusal(404, 'NOT_FOUND'));
    await open('/sign-in', api);
    await give('ada@exampel.com');
    await page.getByRole('button', { name: 'Use another address' }).click();
    await expect.element(address()).toHaveValue('ada@exampel.com');
    await address().fill('ada@example.com');
    await userEvent.keyboard('{Enter}');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect.element(address()).toHaveValue('ada@example.com');
    await page.getByRole('button', { name: 'Use your password' }).click();
    await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
  });

  test('says what is wrong with an address', async () => {
    const refusal = new Refusal(400, 'VALIDATION_ERROR', {
      details: [{ field: 'email', message: 'must match format "email"', rule: 'format' }],
    });
    await open('/sign-in', elsewhere().on(beginSso, refusal));
    await give('ada');
    await expect.element(address()).toHaveAttribute('aria-invalid', 'true');
    await expect.element(address()).toHaveFocus();
  });

  test.each(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE'] as const)(
    'keeps nobody out where it cannot learn what an address has: %s',
    async (code) => {
      const api = elsewhere().on(beginSso, new Refusal(code === 'RATE_LIMITED' ? 429 : 503, code));
      await open('/sign-in', api);
      await give('ada@acme.example');
      await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
      await way().click();
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  );

  test('is not offered where no organization signs people in', async () => {
    await open('/sign-in', offer());
    await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
    expect(way().elements()).toEqual([]);
  });

  test('starts at once where a link names the organization', async () => {
    const api = offer().on(beginSso, visit);
    const { documents } = await open('/sign-in?organization=acme&next=%2Faccount', api);
    await expect.poll(() => documents).toEqual([visit.url]);
    expect(api.sentTo(beginSso)).toEqual([{ slug: 'acme', redirectTo }]);
  });

  test('does not start where somebody is signed in', async () => {
    const api = new FakeApi(ada).on(beginSso, visit);
    const { documents } = await open('/sign-in?organization=acme', api);
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    expect([documents, api.sentTo(beginSso)]).toEqual([[], []]);
  });

  test('says where a link leads to no organization', async () => {
    await open('/sign-in?organization=nobody', offer().on(beginSso, new Refusal(404, 'NOT_FOUND')));
    await expect.element(page.getByText('No organization signs people in by this link.')).toBeVisible();
  });

  test('redeems its ticket, and says why it was refused', async () => {
    const api = offer()
      .on('GET /api/auth/sessions', { sessions: [] })
      .on(redeemSso, () => {
        api.start = ada;
        return { user: {}, session: {} };
      });
    const { address } = await open('/sign-in/return?for=organization&next=%2Faccount#ticket=a-ticket', api);
    await expect.poll(address).toBe('/account');
    expect(api.sentTo(redeemSso)).toEqual([{ ticket: 'a-ticket' }]);
  });

  test('says that an owner links it first', async () => {
    await open('/sign-in/return?for=organization#error=LINK_REQUIRED', offer());
    await expect.element(page.getByText('You own this organization.')).toBeVisible();
  });
});

describe('a change that adds a way to sign in asks for the password, where the service does', () => {
  const link = 'POST /api/auth/identities/link';
  const change = 'POST /api/auth/email/change';
  const codes = 'POST /api/auth/two-factor/backup-codes';
  const created = 'POST /api/auth/passkeys/options';
  const twoFactor: api.TwoFactorState = { enabled: true, methods: ['backup-code'], backupCodesLeft: 2 };
  const press = (name: string) => () => page.getByRole('button', { name }).click();
  const asking = (answer: Reply) => (sent: Sent) =>
    (sent.body as { password?: string } | undefined)?.password === 'correct horse'
      ? answer
      : new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'PASSWORD_REQUIRED' });

  test.each([
    {
      ...{
        what: 'an account at a provider',
        operation: link,
        from: '/account/security',
        act: press('Link Google'),
      },
      ...{ answer: { url: 'https://accounts.example.com/x', expiresAt: '' }, start: ada },
    },
    {
      ...{ what: 'coming back from one', operation: 'POST /api/auth/identities', start: ada },
      ...{ from: '/sign-in/return?for=link&next=%2Faccount#ticket=a-ticket', act: undefined, answer: {} },
    },
    {
      ...{
        what: 'another address',
        operation: change,
        from: '/account',
        start: ada,
        answer: { success: true },
      },
      act: async () => {
        await page.getByLabelText('New address').fill('countess@example.com');
        await userEvent.keyboard('{Enter}');
      },
    },
    {
      ...{
        what: 'a passkey',
        operation: created,
        from: '/account/security',
        start: ada,
        act: press('Add a passkey'),
      },
      answer: new Refusal(409, 'TOO_MANY_PASSKEYS'),
    },
    {
      ...{
        what: 'new backup codes',
        operation: codes,
        from: '/account/security',
        act: press('New backup codes'),
      },
      ...{ start: { ...ada, twoFactor }, answer: { backupCodes: ['one-two'] } },
    },
  ])('$what', async ({ operation, from, act, answer, start }) => {
    const api = new FakeApi(start)
      .on('GET /api/auth/sessions', { sessions: [] })
      .on(operation, asking(answer));
    await open(from, api);
    await act?.();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await expect.element(dialog.getByText('Enter your password to continue.')).toBeVisible();
    await dialog.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    const [first, second, ...more] = api.sentTo(operation);
    expect([second, more]).toEqual([{ ...(first as object | undefined), password: 'correct horse' }, []]);
  });
});

describe('the ways to sign in', () => {
  const remove = 'DELETE /api/auth/passkeys/a-passkey';
  const used = { createdAt: '2026-11-20T12:00:00Z', lastUsedAt: null };
  const passkey = { id: 'a-passkey', name: 'Phone', backedUp: false, ...used };
  const apiOfAccount = (others: { readonly password?: boolean; readonly mailed?: boolean }) => {
    const ways = { password: false, mailed: false, ...others, passkeys: [passkey], identities: [] };
    return new FakeApi(ada).on('GET /api/auth/sessions', { sessions: [] }).on('GET /api/auth/ways-in', ways);
  };

  test('offer no removal of the last one', async () => {
    await open('/account/security', apiOfAccount({}));
    await expect.element(page.getByRole('listitem').filter({ hasText: 'Phone' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Remove Phone' })).not.toBeInTheDocument();
  });

  test('say why the last one stays, where another one was removed elsewhere meanwhile', async () => {
    const refused = new Refusal(409, 'LAST_WAY_IN');
    await open('/account/security', apiOfAccount({ password: true }).on(remove, refused));
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await expect.element(page.getByText(/the last way to sign in/)).toBeVisible();
  });

  test('ask somebody without a password for none', async () => {
    await open('/account/security', apiOfAccount({}));
    await expect.element(page.getByRole('link', { name: 'Choose a password' })).toBeVisible();
    await expect.element(page.getByLabelText('Current password')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await expect.element(page.getByRole('dialog').getByText(/scan a QR code/)).toBeVisible();
    await expect.element(page.getByRole('dialog').getByLabelText('Password')).not.toBeInTheDocument();
  });

  test('link an account at a provider, and come back to it', async () => {
    const link = 'POST /api/auth/identities/link';
    const api = apiOfAccount({ password: true }).on(link, {
      url: 'https://accounts.example.com/x',
      expiresAt: '',
    });
    const { documents } = await open('/account/security', api);
    await page.getByRole('button', { name: 'Link Google' }).click();
    await expect.poll(() => documents).toEqual(['https://accounts.example.com/x']);
    const redirectTo = 'https://app.example.com/sign-in/return?for=link&next=%2Faccount%2Fsecurity';
    expect(api.sentTo(link)).toEqual([{ provider: 'google', redirectTo }]);
  });

  test('of somebody without a password confirm a sensitive change by a mailed code', async () => {
    const demand = {
      reason: 'SIGN_IN_REQUIRED',
      details: [{ field: 'session', rule: 'recent', message: '', params: { methods: ['mailed'] } }],
    };
    const verify = 'POST /api/auth/sign-in/mailed/verify';
    let isRecent = false;
    const api = apiOfAccount({ mailed: true })
      .on(remove, () => (isRecent ? {} : new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', demand)))
      .on('POST /api/auth/sign-in/mailed', {
        request: { id: 'a-request', expiresAt: '2026-11-30T12:00:00Z' },
      })
      .on(verify, () => {
        isRecent = true;
        return { user: {}, session: {} };
      });
    await open('/account/security', api);
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await dialog.getByLabelText('Code from the e-mail').fill('12345678');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => api.sentTo(remove)).toHaveLength(2);
    expect(api.sentTo('POST /api/auth/sign-in/mailed')).toEqual([{ email: 'ada@example.com' }]);
  });
});
