import { expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { apiWithCustomerFiles } from './support/customer-files.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import {
  acceptedQuote,
  apiWithQuote,
  contractedQuote,
  customerAsLead,
  declinedQuote,
  draftQuote,
  enveloped,
  link,
  listed,
  mover,
  seller,
  sentQuote,
} from './support/quotes.ts';
import type { Row } from './support/row.ts';
import { signedIn, signedOut } from './support/starts.ts';

const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
const never = () => new Promise<never>(() => undefined);

async function lookAt(field: string, button: string): Promise<void> {
  await page.getByLabelText(field).fill('Namn;E-post\nNäs AB;info@nas.example');
  await press(button)();
}

async function isWritten(): Promise<void> {
  await expect.element(page.getByRole('textbox').first()).toBeVisible();
}

/** Pages of quotes, by state. */
export const quoteRows: readonly Row[] = [
  { path: '/quotes', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  { path: '/quotes', state: 'member', api: () => apiWithQuote(), shows: 'Quotes' },
  { path: '/quotes', state: 'in Swedish', api: () => apiWithQuote(), shows: 'Offerter', language: 'sv' },
  { path: '/quotes', state: 'forbidden', api: () => new FakeApi(signedIn()), shows: 'You have no access' },
  {
    ...{ path: '/quotes', state: 'empty', shows: 'No quotes yet' },
    api: () => apiWithQuote().on('GET /api/quotation/quotes', listed([])),
  },
  {
    ...{ path: '/quotes?search=xyz', state: 'nothing found', shows: 'Nothing found' },
    api: () => apiWithQuote().on('GET /api/quotation/quotes', listed([])),
  },
  {
    ...{ path: '/quotes', state: 'loading', shows: 'Quotes' },
    api: () => apiWithQuote().on('GET /api/quotation/quotes', never),
  },
  {
    ...{ path: '/quotes', state: 'failed', shows: 'Quotes' },
    api: () => apiWithQuote().on('GET /api/quotation/quotes', new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  { path: '/quotes/new', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  { path: '/quotes/new', state: 'member', api: () => new FakeApi(seller), shows: 'New quote' },
  { path: '/quotes/a-quote', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  {
    path: '/quotes/a-quote',
    state: 'draft',
    api: () => apiWithQuote(),
    shows: 'New roof',
    act: isWritten,
  },
  {
    ...{ path: '/quotes/a-quote', state: 'draft in Swedish', api: () => apiWithQuote(), language: 'sv' },
    ...{ shows: 'New roof', act: isWritten },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'about to be sent', shows: 'Send Q-2026-0001' },
    api: () => apiWithQuote({ ...draftQuote, customerName: '', workPackages: [] }),
    act: press('Send'),
  },
  { path: '/quotes/a-quote', state: 'sent', api: () => apiWithQuote(sentQuote), shows: 'What happened' },
  {
    ...{ path: '/quotes/a-quote', state: 'sent, in Swedish', api: () => apiWithQuote(sentQuote) },
    ...{ shows: 'Vad som har hänt', language: 'sv' },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'declined', api: () => apiWithQuote(declinedQuote) },
    shows: 'What happened',
  },
  {
    ...{ path: '/quotes/a-quote', state: 'accepted', api: () => apiWithQuote(acceptedQuote) },
    shows: 'What happened',
  },
  {
    ...{ path: '/quotes/a-quote', state: 'accepted, of a lead that may be moved', shows: 'Lead' },
    api: () =>
      apiWithQuote(acceptedQuote, mover).on('GET /api/leads/karin', customerAsLead('qualified', ['won'])),
  },
  {
    ...{ path: '/quotes/a-quote', state: 'accepted, of a lead that may not be moved, in Swedish' },
    ...{ shows: 'Lead', language: 'sv' },
    api: () =>
      apiWithQuote(acceptedQuote, mover).on('GET /api/leads/karin', customerAsLead('contacted', ['lost'])),
  },
  {
    ...{ path: '/quotes/a-quote', state: 'with its contract', api: () => apiWithQuote(contractedQuote) },
    ...{ shows: 'Contract', act: press('Show contract') },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'with its contract, in Swedish', language: 'sv' },
    ...{ api: () => apiWithQuote(contractedQuote), shows: 'Avtal', act: press('Visa avtalet') },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'compared with its revision', api: () => apiWithQuote(sentQuote) },
    ...{ shows: 'Revision 1 and 2 side by side', act: press('Compare with this one') },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'declined for the customer', api: () => apiWithQuote(sentQuote) },
    shows: 'Decline for the customer?',
    act: async () => {
      await press('More')();
      await page.getByRole('menuitem', { name: 'Decline for the customer' }).click();
    },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'about to be mailed again', api: () => apiWithQuote(sentQuote) },
    ...{ shows: 'Mail the quote again', act: press('Mail again') },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'with a link to copy by hand', shows: 'Copy the link by hand' },
    api: () =>
      apiWithQuote(sentQuote).on('POST /api/quotation/quotes/a-quote/link', enveloped({ url: link })),
    act: async () => {
      vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
      onTestFinished(() => void vi.restoreAllMocks());
      await press('Copy link')();
    },
  },
  {
    ...{ path: '/quotes/a-quote', state: 'not found', shows: 'Quote not found' },
    api: () => apiWithQuote().on('GET /api/quotation/quotes/a-quote', new Refusal(404, 'NOT_FOUND')),
  },
  { path: '/customers', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  { path: '/customers', state: 'member', api: () => apiWithQuote(), shows: 'Customers' },
  { path: '/customers', state: 'in Swedish', api: () => apiWithQuote(), shows: 'Kunder', language: 'sv' },
  {
    ...{ path: '/customers', state: 'empty', shows: 'No customers yet' },
    api: () => apiWithQuote().on('GET /api/quotation/customers', listed([])),
  },
  {
    ...{ path: '/customers', state: 'a new one', shows: 'New customer' },
    api: () => apiWithQuote(),
    act: press('New customer'),
  },
  { path: '/customers/import', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  { path: '/customers/import', state: 'member', api: apiWithCustomerFiles, shows: 'Import customers' },
  {
    ...{ path: '/customers/import', state: 'looked at, with values that are left out' },
    ...{ api: apiWithCustomerFiles, shows: 'What will be imported' },
    act: () => lookAt('Or paste rows here', 'Use these rows'),
  },
  {
    ...{ path: '/customers/import', state: 'looked at in Swedish', language: 'sv' },
    ...{ api: apiWithCustomerFiles, shows: 'Vad som importeras' },
    act: () => lookAt('Eller klistra in rader här', 'Använd raderna'),
  },
  { path: '/customers/karin', state: 'signed out', api: () => new FakeApi(signedOut), shows: 'Sign in' },
  { path: '/customers/karin', state: 'member', api: () => apiWithQuote(), shows: 'Karin Åström' },
  {
    ...{ path: '/customers/karin', state: 'being changed', shows: 'Karin Åström' },
    api: () => apiWithQuote(),
    act: () => page.getByRole('button', { name: 'Change details' }).click(),
  },
  {
    ...{ path: '/customers/karin', state: 'not found', shows: 'Customer not found' },
    api: () => apiWithQuote().on('GET /api/quotation/customers/karin', new Refusal(404, 'NOT_FOUND')),
  },
];
