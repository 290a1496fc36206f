import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageAt } from '../src/pages.tsx';
import { destinations } from '../src/shell/destinations.ts';
import { expectAccessible } from './support/accessibility.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { leadRow } from './support/leads.ts';
import { open } from './support/open.tsx';
import { organization, signedIn, signedOut } from './support/starts.ts';

const change = 'POST /api/auth/organization/switch';
const acme = organization('Acme');
const globex = organization('Globex', { role: 'member' });

const menu = page.getByRole('button', { name: /^Organization:/ });
const list = page.getByRole('group', { name: 'Your organizations' });

describe('the appearance', () => {
  test('is chosen in the menu of the account, and kept by this browser', async () => {
    const root = document.documentElement;
    onTestFinished(() => root.removeAttribute('data-theme'));
    const chosen = new Map<string, string>();
    const storage = {
      getItem: (name: string) => chosen.get(name) ?? null,
      setItem: (name: string, value: string) => void chosen.set(name, value),
    };
    await open('/', new FakeApi(signedIn([acme])), { kept: () => storage });
    await page.getByRole('button', { name: 'Ada Lovelace: account and sign-out' }).click();
    const appearance = page.getByRole('group', { name: 'Appearance' });
    await expect
      .element(appearance.getByRole('menuitemradio', { name: 'Like the device' }))
      .toHaveAttribute('aria-checked', 'true');
    for (const [label, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
    ] as const) {
      await appearance.getByRole('menuitemradio', { name: label }).click();
      expect(getComputedStyle(root).colorScheme).toBe(theme);
      expect(chosen.get('theme')).toBe(theme);
    }
    await expectAccessible();
  });

  test('is reached in the menu by arrow keys, which go round, and Tab closes the menu', async () => {
    await open('/', new FakeApi(signedIn([acme])));
    const account = page.getByRole('button', { name: 'Ada Lovelace: account and sign-out' });
    await account.click();
    const entry = (name: string) => page.getByRole('menuitem', { name });
    await expect.element(entry('Your account')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByRole('menuitemradio', { name: 'Like the device' })).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(entry('Sign out')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(entry('Your account')).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(entry('Sign out')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(account).toHaveAttribute('aria-haspopup', 'menu');
  });
});

describe('the organizations in the header', () => {
  test('open to choose from, with the role in each, and close on Escape, which gives the focus back', async () => {
    await open('/', new FakeApi(signedIn([acme, globex])));
    await menu.click();
    await expect
      .element(list.getByRole('menuitemradio', { name: 'Acme Owner' }))
      .toHaveAttribute('aria-checked', 'true');
    await expect.element(list.getByRole('menuitemradio', { name: 'Globex Member' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(menu).toHaveFocus();
  });

  test('are switched between, and the page of the previous one is left', async () => {
    const api = new FakeApi(signedIn([acme, globex])).on('GET /api/auth/sessions', { sessions: [] });
    api.on(change, () => {
      api.start = signedIn([globex, acme]);
      return {};
    });
    const { address } = await open('/account', api);
    await menu.click();
    await list.getByRole('menuitemradio', { name: /Globex/ }).click();
    await expect.element(page.getByRole('heading', { name: 'Globex' })).toBeVisible();
    await expect.element(menu).toHaveTextContent('Globex');
    expect(address()).toBe('/');
    expect(api.sentTo(change)).toEqual([{ organizationId: globex.id }]);
  });

  test('are searched where there are many', async () => {
    const many = ['Ada', 'Bo', 'Åkeri', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal'].map((name) => organization(name));
    await open('/', new FakeApi(signedIn(many)));
    await menu.click();
    await expect.element(page.getByLabelText('Search')).toHaveFocus();
    await userEvent.keyboard('akeri');
    await expect.poll(() => list.getByRole('menuitemradio').elements()).toHaveLength(1);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(list.getByRole('menuitemradio', { name: /Åkeri/ })).toHaveFocus();
    await page.getByLabelText('Search').fill('xyz');
    await expect.element(page.getByText('None of your organizations matches.')).toBeVisible();
  });

  test('explain one that asks for two-factor authentication, and lead to where it is set up', async () => {
    const locked = organization('Globex', { accessible: false, twoFactorRequired: true });
    await open('/', new FakeApi(signedIn([acme, locked])));
    await menu.click();
    await expect
      .element(page.getByRole('menuitem', { name: /^Globex Requires two-factor authentication/ }))
      .toHaveAttribute('href', '/account/security');
    expect(list.getByRole('menuitemradio').elements()).toHaveLength(1);
  });

  test('gain a new one, whose short name is proposed from its name', async () => {
    const create = 'POST /api/auth/organization/create';
    const api = new FakeApi(signedIn([acme])).on(create, { organization: globex }).on(change, () => {
      api.start = signedIn([globex, acme]);
      return {};
    });
    await open('/', api);
    await menu.click();
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveFocus();
    await page.getByLabelText('Name', { exact: true }).fill('Globex & Söner');
    await expect.element(page.getByLabelText('Short name')).toHaveValue('globex-soner');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect.element(page.getByRole('heading', { name: 'Globex' })).toBeVisible();
    expect(api.sentTo(create)).toEqual([{ name: 'Globex & Söner', slug: 'globex-soner' }]);
  });

  test('keep a short name that somebody chose, and tell one that is taken', async () => {
    const details = [{ field: 'slug', rule: 'unique', message: '' }];
    const taken = new Refusal(409, 'SLUG_TAKEN', { details });
    await open(
      '/organizations/new',
      new FakeApi(signedIn([acme])).on('POST /api/auth/organization/create', taken),
    );
    await page.getByLabelText('Short name').fill('my-own');
    await page.getByLabelText('Name', { exact: true }).fill('Globex');
    await expect.element(page.getByLabelText('Short name')).toHaveValue('my-own');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect.element(page.getByLabelText('Short name')).toHaveFocus();
    await expect
      .element(page.getByLabelText('Short name'))
      .toHaveAccessibleDescription(/This is already taken/);
  });
});

describe('the way to other pages', () => {
  const navigation = page.getByRole('navigation', { name: 'Pages' });

  test('names the pages that there are, and marks the one that is open', async () => {
    await open('/', new FakeApi(signedIn()));
    await expect
      .element(navigation.getByRole('link', { name: 'Home' }))
      .toHaveAttribute('aria-current', 'page');
    const links = navigation.getByRole('link').elements();
    const paths = destinations.map(({ path }): string | null => path);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !paths.includes(link.getAttribute('href')))).toEqual([]);
    expect(destinations.filter(({ path }) => pageAt(path) === undefined)).toEqual([]);
  });
});

describe('the page at an address', () => {
  test.each([
    ['/', '/'],
    ['/leads', '/leads/{-$id}'],
    ['/leads/a-lead', '/leads/{-$id}'],
    ['/leads/board', '/leads/board/{-$id}'],
    ['/leads/board/a-lead', '/leads/board/{-$id}'],
    ['/leads/import', '/leads/import'],
    ['/customers/import', '/customers/import'],
    ['/customers/karin', '/customers/$id'],
    ['/quotes/new', '/quotes/new'],
    ['/quotes/a-quote', '/quotes/$id'],
    ['/nowhere', undefined],
  ])('%s is %s', (address, path) => {
    expect(pageAt(address)?.path).toBe(path);
  });
});

describe('search and commands', () => {
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const answer = (data: unknown) => ({ data, error: null, meta: {} });
  const finding = () =>
    new FakeApi(signedIn([acme, globex]))
      .on('GET /api/leads', {
        ...answer([leadRow(2, { name: 'Bo Newman' })]),
        meta: { total: 1, page: 1, pageSize: 5 },
      })
      .on('GET /api/auth/sessions', { sessions: [] });

  test('open by Ctrl K from everywhere, and do what is chosen by keyboard', async () => {
    const api = finding();
    const { address } = await open('/', api);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(palette.getByRole('combobox')).toHaveFocus();
    await userEvent.keyboard('new');
    const options = palette.getByRole('option');
    await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
    await expect.element(palette.getByRole('option', { name: 'Bo Newman' })).toBeVisible();
    expect(api.requests.find(({ query }) => query['search'] !== undefined)?.query['search']).toBe('new');
    await expectAccessible();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveFocus();
    expect(address()).toBe('/organizations/new');
  });

  test('close on Escape, and give the focus back', async () => {
    await open('/', finding());
    const button = page.getByRole('button', { name: 'Search' });
    await button.click();
    await expect.element(palette.getByRole('combobox')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(palette).not.toBeInTheDocument();
    await expect.element(button).toHaveFocus();
  });

  test('explain single keys, which can be switched off', async () => {
    await open('/organizations/new', finding());
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    // In its field, keys are text.
    (page.getByLabelText('Name', { exact: true }).element() as HTMLElement).blur();
    await userEvent.keyboard('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.element(help.getByText('g h')).toBeVisible();
    await expectAccessible();
    await help.getByLabelText('Single-key shortcuts').click();
    await userEvent.keyboard('{Escape}');
    await expect.element(help).not.toBeInTheDocument();
    await userEvent.keyboard('?');
    await userEvent.keyboard('gh');
    await expect.element(help).not.toBeInTheDocument();
    await expect.element(page.getByRole('heading', { name: 'New organization' })).toBeVisible();
  });
});

describe('the account in the header', () => {
  test.each([
    [1280, 800],
    [390, 700],
  ])(
    'opens within a window of %i by %i pixels, however long the page is and far it was scrolled',
    async (width, height) => {
      await page.viewport(width, height);
      onTestFinished(() => page.viewport(1280, 800));
      await open('/', new FakeApi(signedIn()));
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
      document.body.style.blockSize = '4000px';
      onTestFinished(() => void document.body.style.removeProperty('block-size'));
      for (const y of [0, 600]) {
        scrollTo(0, y);
        await page.getByRole('button', { name: 'Ada Lovelace: account and sign-out' }).click();
        const signOut = page.getByRole('menuitem', { name: 'Sign out' });
        await expect.element(signOut).toBeInViewport({ ratio: 1 });
        await userEvent.keyboard('{Escape}');
        await expect.element(signOut).not.toBeInTheDocument();
      }
    },
  );

  test('is signed out from, and leads to the sign-in without a way back to what was open', async () => {
    const api = new FakeApi(signedIn()).on('GET /api/auth/sessions', { sessions: [] });
    api.on('POST /api/auth/sign-out', () => {
      api.start = signedOut;
      return {};
    });
    const { address } = await open('/account', api);
    await page.getByRole('button', { name: 'Ada Lovelace: account and sign-out' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect.element(page.getByLabelText('E-mail')).toHaveFocus();
    expect(address()).toBe('/sign-in');
  });
});
