import { patience } from '@tenantry/test-kit';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { mailedLink } from '../matrix/mailbox.ts';
import { newEmail, newPassword } from '../matrix/people.ts';
import type { Hand } from './hands.ts';
import type { ConsoleStack } from './stack.ts';
import { expectNothingElse, heading, type Visitor } from './visitor.ts';

const seconds = 1_000;

/** Who walks from a sign-up to an accepted quote, and how. */
export interface Walk {
  readonly stack: ConsoleStack;
  readonly hand: Hand;
  readonly seller: Visitor;
  readonly buyer: Visitor;
  /** Looks at every page on the way. */
  readonly look?: (page: Page) => Promise<void>;
}

interface Walking extends Required<Walk> {
  readonly page: Page;
}

/** Walks from a sign-up to a quote that the customer has accepted. @returns the page of the quote */
export async function walkToAcceptance(walk: Walk): Promise<Page> {
  const [seller, customer] = [newEmail(), newEmail()];
  const look = walk.look ?? (() => Promise.resolve());
  const page = await signUp({ ...walk, look }, seller);
  const walking = { ...walk, look, page };
  await describeOrganization(walking);
  await writeLead(walking, customer);
  await writeQuote(walking);
  await sendQuote(walking, customer);
  await accept(walking, customer);
  await page.getByText('Accepted by Karin Åström').waitFor({ timeout: patience(60 * seconds) });
  await page.getByText('Opened by the customer').waitFor();
  await look(page);
  return page;
}

/** Makes a contract of a quote that was accepted. */
export async function makeContract(page: Page, hand: Hand): Promise<void> {
  const pdf = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/contract/pdf'));
  await hand.press(button(page, 'Create contract'));
  expect((await pdf).headers()['content-type']).toBe('application/pdf');
  await page.getByText('Contract created').waitFor();
}

async function signUp({ stack, hand, seller, look }: Required<Walk>, email: string): Promise<Page> {
  const first = await seller.open('/sign-up');
  await first.locator('input[name="name"]:focus').waitFor();
  await look(first);
  await type(first, 'Ada Lovelace', email, '', newPassword());
  await first.keyboard.press('Enter');
  await heading(first, 'Welcome, Ada Lovelace');
  await look(first);
  await first.close();

  const page = await seller.context.newPage();
  await page.goto(await mailedTo(stack, email, /\/verify-email#token=[\w.~-]+/));
  await hand.press(button(page, 'Confirm'));
  await hand.press(page.getByRole('link', { name: 'Continue' }));
  await heading(page, 'Welcome, Ada Lovelace');
  return page;
}

async function describeOrganization({ page, hand, look }: Walking): Promise<void> {
  await hand.press(page.getByRole('link', { name: 'Say who you are' }));
  await hand.enter(page.getByLabel('Street or box'));
  await type(page, 'Storgatan 5', '', '', '114 55', 'Stockholm', 'Sweden', 'SE556012579001');
  await submit(page);
  await look(page);
  const parts = page.getByRole('navigation', { name: 'Parts of the settings' });
  await hand.press(parts.getByRole('link', { name: 'Quotes' }));
  await hand.enter(page.getByLabel('Currency'));
  await type(page, 'Swedish Krona', '25');
  await submit(page);
  await look(page);
}

/** Sends a form of the settings by Enter. */
async function submit(page: Page): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await page.keyboard.press('Enter');
  expect((await answered).ok()).toBe(true);
  await page.getByText('Saved', { exact: true }).waitFor();
}

async function writeLead({ page, hand, look }: Walking, email: string): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await hand.press(pages.getByRole('link', { name: 'Leads', exact: true }));
  await heading(page, 'No leads yet');
  await look(page);
  await hand.press(button(page, 'New lead'));
  await page.locator('input[name="name"]:focus').waitFor();
  await look(page);
  await type(page, 'Karin Åström', email);
  await page.keyboard.press('Enter');
  await heading(page, 'Karin Åström');
  await look(page);
}

async function writeQuote({ page, hand, look }: Walking): Promise<void> {
  await hand.press(page.getByRole('link', { name: 'New quote' }));
  await heading(page, 'New quote');
  await expect.poll(() => page.getByLabel('Customer', { exact: true }).inputValue()).toBe('Karin Åström');
  await look(page);
  await page.locator('input[name="title"]:focus').waitFor();
  await type(page, 'New roof');
  await page.keyboard.press('Enter');

  await hand.enter(page.getByLabel('Description, line 1'));
  await type(page, 'Roof tiles', '420', '', '89.90');
  await page.keyboard.press('Enter');
  await page.locator('textarea[aria-label="Description, line 2"]:focus').waitFor();
  await type(page, 'Scaffold', '2', '', '7,450.25');
  // 420 × 89.90 = 37,758.00 and 2 × 7,450.25 = 14,900.50; VAT 25 % of 52,658.50 is 13,164.63, as 13,164.625 rounds.
  await page.getByText('SEK 65,823.13').first().waitFor();
  await page.locator('main').getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await look(page);
  await page.reload();
  await expect.poll(() => page.getByLabel('Description, line 2').inputValue()).toBe('Scaffold');
  await page.getByText('SEK 65,823.13').first().waitFor();
}

async function sendQuote({ page, hand, look }: Walking, customer: string): Promise<void> {
  const pdf = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/pdf'));
  await hand.press(button(page, 'Preview'));
  expect((await pdf).headers()['content-type']).toBe('application/pdf');
  await page.getByRole('figure', { name: 'Page 1 of 1' }).waitFor();
  await look(page);
  await hand.press(button(page, 'Send'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Your organization has no logo.').waitFor();
  await expect.poll(() => dialog.getByLabel('To', { exact: true }).inputValue()).toBe(customer);
  await look(page);
  await hand.press(button(dialog, 'Send quote'));
  await page.getByText(`Mailed to ${customer}`).waitFor();
  await look(page);
}

async function accept({ stack, hand, buyer, look }: Walking, customer: string): Promise<void> {
  const offer = await buyer.context.newPage();
  await offer.goto(await mailedTo(stack, customer, /\/api\/quotation\/offer\?token=[\w.~-]+/));
  await offer.getByText('SEK 65,823.13').first().waitFor();
  await look(offer);
  await hand.enter(offer.getByLabel('Your name'));
  await offer.keyboard.type('Karin Åström');
  await offer.keyboard.press('Enter');
  await offer.getByText(/^Accepted by Karin Åström on/).waitFor();
  await look(offer);
  await expectNothingElse(buyer);
}

/** A lead is no customer before its first quote is created. */
export const refusedOnTheWalk = [expect.stringMatching(/^404 GET \/api\/quotation\/customers\/[\w-]+$/)];

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

const mailedTo = (stack: ConsoleStack, to: string, path: RegExp): Promise<string> =>
  mailedLink(stack.services.mailDirectory, to, path);

/** Types texts one after the other, with Tab in between. */
export async function type(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
}
