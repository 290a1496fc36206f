import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { doublePressMs } from '../src/design/use-mutation.ts';
import { Refusal } from './support/fake-api.ts';
import { apiOfLeads } from './support/leads.ts';
import { open } from './support/open.tsx';
import { acme, apiOfOrganization, organizationPath } from './support/organization.ts';
import { apiWithQuote, enveloped, listed } from './support/quotes.ts';
import { organization, signedIn, signedInAs, signedOut } from './support/starts.ts';

const signOut = 'POST /api/auth/sign-out';
const change = 'POST /api/auth/organization/switch';
const statistics = 'GET /api/quotation/statistics';
const line = 'PATCH /api/quotation/quotes/a-quote/work-packages/roof/items/felt';
const dialog = page.getByRole('dialog', { name: 'You have unsaved changes' });
/** Until what was asked may be asked again: at once, that would be the second press of a double click. */
async function stay() {
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await new Promise((resolve) => setTimeout(resolve, doublePressMs));
}
const leave = () => dialog.getByRole('button', { name: 'Leave without saving' }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function askToSignOut() {
  await page.getByRole('button', { name: /account and sign-out$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function goByKeyboard(name: string) {
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Search' })).toHaveFocus();
  await userEvent.keyboard(name);
  await expect.element(page.getByRole('option', { name })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
}

const never = () => new Promise<never>(() => undefined);

const leads = () => apiOfLeads().on(statistics, never).on(`GET ${organizationPath}`, never);

// Where there is room, the ways to other pages are beside this one.
beforeEach(() => page.viewport(1280, 800));

describe('a form with something typed', () => {
  test('is not left unasked: a new quote', async () => {
    const { address } = await open('/quotes/new', apiWithQuote());
    await page.getByLabelText('Title').fill('New roof');
    await follow('Home');
    await stay();
    await expect.element(page.getByLabelText('Title')).toHaveValue('New roof');
    expect(address()).toBe('/quotes/new');
    await follow('Home');
    await leave();
    await expect.poll(address).toBe('/');
  });

  test('is left where it is given up, or where nothing was typed', async () => {
    const { address } = await open('/quotes/new', apiWithQuote());
    await follow('Quotes');
    await expect.poll(address).toBe('/quotes');
    await page.getByRole('link', { name: 'New quote' }).first().click();
    await page.getByLabelText('Title').fill('New roof');
    await follow('Cancel');
    await expect.poll(address).toBe('/quotes');
  });

  test('stays while its page shows the same in another way, and is empty after it was left: a new lead', async () => {
    const { address } = await open('/leads/new', leads());
    const name = page.getByLabelText('Name', { exact: true });
    await name.fill('Karin');
    await page.getByLabelText('Search name or e-mail').fill('Lead');
    await expect.poll(address).toBe('/leads/new?search=Lead');
    await follow('Board');
    await expect.element(name).toHaveValue('Karin');
    expect(address()).toBe('/leads/board/new?search=Lead');
    await follow('Quotes');
    await stay();
    await expect.element(name).toHaveValue('Karin');
    await follow('Quotes');
    await leave();
    await expect.poll(address).toBe('/quotes');
    await follow('Leads');
    await button('New lead').click();
    await expect.element(name).toHaveValue('');
  });
});

test('rows that were pasted to be imported are not left unasked, and are there again on the way back', async () => {
  const { address } = await open('/leads/import', leads());
  const rows = page.getByLabelText('Or paste rows here');
  await rows.fill('name;email\nKarin;karin@example.com');
  await button('Use these rows').click();
  await follow('Home');
  await stay();
  await button('Choose another file').click();
  await expect.element(rows).toHaveValue('name;email\nKarin;karin@example.com');
  await follow('Home');
  await leave();
  await expect.poll(address).toBe('/');
});

describe('what is not saved', () => {
  const globex = organization('Globex');

  test('is not lost by signing out', async () => {
    const api = apiOfOrganization(signedInAs('admin')).on(signOut, () => {
      api.start = signedOut;
      return {};
    });
    await open('/organization', api);
    await page.getByLabelText('City').fill('Göteborg');
    await askToSignOut();
    await stay();
    await expect.element(page.getByLabelText('City')).toHaveValue('Göteborg');
    expect(api.sentTo(signOut)).toEqual([]);
    await expect.element(page.getByRole('button', { name: /account and sign-out$/ })).toHaveFocus();
    await askToSignOut();
    await leave();
    await expect.element(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('is not lost by going on in another organization, from the header or by keyboard', async () => {
    const start = { ...signedInAs('admin'), organizations: [organization('Acme', { active: true }), globex] };
    const api = apiOfOrganization(start, acme)
      .on('GET /api/leads', listed([]))
      .on('GET /api/quotation/customers', listed([]))
      .on('GET /api/users', listed([]))
      .on('GET /api/quotation/quotes', never)
      .on('GET /api/quotation/customers', never)
      .on('GET /api/users', never)
      .on(change, () => {
        api.start = signedIn([globex]);
        return {};
      });
    await open('/organization', api);
    await page.getByLabelText('City').fill('Göteborg');
    await page.getByRole('button', { name: /^Organization:/ }).click();
    await page.getByRole('menuitemradio', { name: /^Globex/ }).click();
    await stay();
    await goByKeyboard('Globex');
    await stay();
    await expect.element(page.getByLabelText('City')).toHaveValue('Göteborg');
    expect(api.sentTo(change)).toEqual([]);
    await goByKeyboard('Globex');
    await leave();
    await expect.element(page.getByRole('heading', { name: 'Globex' })).toBeVisible();
  });

  test('of a draft is saved before its writer is signed out', async () => {
    const order: string[] = [];
    const api = apiWithQuote()
      .on(line, () => {
        order.push('saved');
        return enveloped({});
      })
      .on(signOut, () => {
        order.push('signed out');
        api.start = signedOut;
        return {};
      });
    await open('/quotes/a-quote', api);
    await page.getByLabelText('Description, line 1').fill('Slate');
    await askToSignOut();
    await expect.element(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
    expect(order).toEqual(['saved', 'signed out']);
  });

  test('of a draft keeps its writer where it cannot be saved', async () => {
    const api = apiWithQuote().on(line, new Refusal(403, 'FORBIDDEN'));
    await open('/quotes/a-quote', api);
    await page.getByLabelText('Description, line 1').fill('Slate');
    await askToSignOut();
    await stay();
    await expect.element(page.getByLabelText('Description, line 1')).toHaveValue('Slate');
    expect(api.sentTo(signOut)).toEqual([]);
  });

  test('of a lead outlives its page, and is asked about before the session ends', async () => {
    const api = leads();
    const { address } = await open('/leads/lead-1', api);
    await button('Change: Source').click();
    await page.getByLabelText('Source', { exact: true }).fill('trade fair');
    await follow('Quotes');
    await expect.poll(address).toBe('/quotes');
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('table').getByRole('link').first().click();
    await expect.element(page.getByLabelText('Source', { exact: true })).toHaveValue('trade fair');
    await askToSignOut();
    await stay();
    await expect.element(page.getByLabelText('Source', { exact: true })).toHaveValue('trade fair');
  });
});
