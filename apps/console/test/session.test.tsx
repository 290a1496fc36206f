import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiOfPeople } from './support/people.ts';
import { organization, signedIn, signedInAs, signedOut } from './support/starts.ts';

const signIn = 'POST /api/auth/sign-in/email';
const change = 'POST /api/auth/organization/switch';
const save = 'PATCH /api/auth/user';
const acme = organization('Acme');
const globex = organization('Globex');

const apiOfAccount = (start = signedIn()) =>
  new FakeApi(start).on('GET /api/auth/sessions', { sessions: [] });

async function rename() {
  await page.getByLabelText('Name').fill('Ada King');
  await page.getByRole('button', { name: 'Save' }).click();
}

describe('a session that ends while a page is open', () => {
  const ended = new Refusal(401, 'UNAUTHENTICATED', { reason: 'SESSION_ENDED' });

  test('leaves the page and what was typed, and continues there after a sign-in', async () => {
    const api = apiOfAccount().on(save, () => {
      api.start = signedOut;
      return ended;
    });
    const { address } = await open('/account', api);
    await rename();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect.element(dialog.getByLabelText('E-mail address')).toHaveValue('ada@example.com');
    api.on(save, {}).on(signIn, () => {
      api.start = signedIn();
      return { user: {}, session: {} };
    });
    await dialog.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByLabelText('Name')).toHaveValue('Ada King');
    expect(address()).toBe('/account');
  });

  test('continues in the organization of the page, whichever one a sign-in begins in', async () => {
    const api = apiOfAccount(signedIn([acme, globex])).on(save, () => {
      api.start = signedOut;
      return ended;
    });
    await open('/account', api);
    await rename();
    api.on(signIn, () => {
      api.start = signedIn([globex, acme]);
      return { user: {}, session: {} };
    });
    api.on(change, () => {
      api.start = signedIn([acme, globex]);
      return {};
    });
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(api.sentTo(change)).toEqual([{ organizationId: acme.id }]);
    await expect.element(page.getByLabelText('Name')).toHaveValue('Ada King');
  });

  test('leads to the sign-in page where it was confined to an organization', async () => {
    const member = signedInAs('member');
    const confined = { ...member, session: { ...member.session, confinedTo: acme.id } };
    const api = new FakeApi(confined).on('GET /api/leads', () => {
      api.start = signedOut;
      return ended;
    });
    const { address } = await open('/leads', api);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect.element(dialog.getByText(/^You were signed in as ada@example.com/)).toBeVisible();
    // None of these would begin such a session.
    await expect.element(dialog.getByLabelText('Password')).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('E-mail')).toHaveFocus();
    expect(address()).toBe('/sign-in');
  });

  test('is left by somebody who is not that person', async () => {
    const api = apiOfAccount().on(save, () => {
      api.start = signedOut;
      return ended;
    });
    await open('/account', api);
    await rename();
    await page.getByRole('button', { name: 'Sign in as someone else' }).click();
    await expect.element(page.getByLabelText('E-mail')).toHaveFocus();
  });
});

describe('signing out leaves nothing of the page behind where the state of the session is unknown after it', () => {
  const start = 'GET /api/auth/start';
  const away = new Refusal(503, 'UPSTREAM_UNAVAILABLE');

  test('in its own tab', async () => {
    const api = apiOfAccount();
    api.on('POST /api/auth/sign-out', () => {
      api.on(start, away);
      return {};
    });
    const { documents } = await open('/account', api);
    await page.getByRole('button', { name: /account and sign-out$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect.poll(() => documents).toEqual(['/sign-in']);
  });

  test('in every other tab', async () => {
    const api = apiOfAccount();
    const { documents } = await open('/account', api);
    await expect.element(page.getByLabelText('Name')).toBeVisible();
    api.on(start, away);
    const tab = new BroadcastChannel('tenantry ');
    tab.postMessage('signed-out');
    await expect.poll(() => documents).toEqual(['/sign-in']);
    tab.close();
  });
});

test('a page that Back shows again, of somebody who has signed out meanwhile, is left', async () => {
  const api = apiOfAccount();
  await open('/account', api);
  await expect.element(page.getByLabelText('Name')).toBeVisible();
  api.start = signedOut;
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await expect.element(page.getByLabelText('E-mail')).toHaveFocus();
});

describe('a step that asks who somebody is', () => {
  const endAll = 'DELETE /api/auth/sessions';
  const elsewhere = {
    ...{
      id: 'other',
      current: false,
      device: null,
      browser: 'Firefox',
      system: 'Linux',
      ipAddress: '192.0.2.1',
    },
    ...{
      createdAt: '2026-11-20T12:00:00Z',
      lastActiveAt: '2026-11-20T12:00:00Z',
      lastUsedAt: '2026-11-20T12:00:00Z',
    },
  };

  const apiThatAsks = () =>
    new FakeApi(signedIn()).on('GET /api/auth/sessions', { sessions: [elsewhere] }).on(endAll, ({ body }) => {
      const { password } = (body ?? {}) as { password?: string };
      if (password === undefined) {
        return new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'PASSWORD_REQUIRED' });
      }
      const details = [{ field: 'password', rule: 'credential', message: '' }];
      return password === 'correct horse'
        ? { revoked: 1 }
        : new Refusal(401, 'INVALID_CREDENTIALS', { details });
    });

  test('says by whose single sign-on a session began', async () => {
    const organizations = signedIn().organizations;
    const confinedTo = organizations[0]?.id ?? null;
    const api = new FakeApi(signedIn()).on('GET /api/auth/sessions', {
      sessions: [{ ...elsewhere, confinedTo, connectionId: 'a-connection' }],
    });
    await open('/account/security', api);
    await expect.element(page.getByText(/Through single sign-on of Acme/)).toBeVisible();
  });

  test('asks for the password, again where it is wrong, then does what was asked for', async () => {
    const api = apiThatAsks();
    await open('/account/security', api);
    await page.getByRole('button', { name: 'End all others' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await expect.element(dialog.getByLabelText('Password')).toHaveFocus();
    await userEvent.keyboard('wrong{Enter}');
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await dialog.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('One session was ended.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('is left by Escape, which gives the focus back and changes nothing', async () => {
    await open('/account/security', apiThatAsks());
    const button = page.getByRole('button', { name: 'End all others' });
    await button.click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(button).toHaveFocus();
  });
});

describe('a page that cannot be loaded', () => {
  test('says so with the id of the request, and tries again', async () => {
    const api = new FakeApi(signedOut).on('GET /api/auth/start', new Refusal(503, 'UPSTREAM_UNAVAILABLE'));
    await open('/sign-in', api);
    await expect.element(page.getByRole('alert')).toHaveTextContent('a-request');
    api.start = signedOut;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  test('is an address that there is no page at', async () => {
    await open('/nowhere', new FakeApi(signedOut));
    await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });

  test('leaves what is open while there is no connection', async () => {
    const { session } = await open('/sign-in', new FakeApi(signedOut));
    await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    session.setOffline(true);
    await expect.element(page.getByText(/You are offline/)).toBeVisible();
    session.setOffline(false);
    await expect.element(page.getByText(/You are offline/)).not.toBeInTheDocument();
  });
});

test('what was never read says without a connection that it cannot be, and appears with one', async () => {
  await page.viewport(1280, 800);
  const api = apiOfPeople(signedInAs('admin')).on('GET /api/auth/sessions', { sessions: [] });
  const { session } = await open('/account', api);
  const connect = (isConnected: boolean) => {
    session.setOffline(!isConnected);
    dispatchEvent(new Event(isConnected ? 'online' : 'offline'));
  };
  onTestFinished(() => connect(true));
  await expect.element(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  connect(false);
  await page.getByRole('link', { name: 'People', exact: true }).click();
  const said = page.getByText('This appears as soon as you are connected.', { exact: false });
  await expect.element(said.first()).toBeVisible();
  connect(true);
  await expect.element(page.getByText('Grace Hopper')).toBeVisible();
  await expect.element(said).not.toBeInTheDocument();
});
