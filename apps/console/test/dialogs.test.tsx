import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FakeApi } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiOfPeople } from './support/people.ts';
import { apiWithQuote, sentQuote } from './support/quotes.ts';
import { signedInAs } from './support/starts.ts';

const dialog = page.getByRole('dialog').first();
const question = page.getByRole('dialog', { name: 'You have unsaved changes' });
const pressEscape = () => userEvent.keyboard('{Escape}');

interface TypedIn {
  readonly href: string;
  readonly api: () => FakeApi;
  /** The buttons that open it. */
  readonly by: readonly string[];
  readonly label: string;
}

const people = { href: '/people', api: () => apiOfPeople(signedInAs('owner')) };
const sent = { href: '/quotes/a-quote', api: () => apiWithQuote(sentQuote) };
const dialogs: Readonly<Record<string, TypedIn>> = {
  'an invitation': { ...people, by: ['Invite people'], label: 'E-mail addresses' },
  'a new account': { ...people, by: ['Create account'], label: 'First name' },
  'a person': { ...people, by: ['Manage Grace Hopper'], label: 'Last name' },
  'the letter of a draft': { ...sent, api: () => apiWithQuote(), by: ['Send'], label: 'Message' },
  'another letter': { ...sent, by: ['Mail again'], label: 'Message' },
  'a refusal': { ...sent, by: ['More', 'Decline for the customer'], label: 'Reason' },
};

async function openDialog({ href, api, by, label }: TypedIn) {
  const answers = api();
  await open(href, answers);
  for (const name of by) {
    const main = page.getByRole('main');
    await main.getByRole('button', { name, exact: true }).or(main.getByRole('menuitem', { name })).click();
  }
  return { api: answers, field: dialog.getByLabelText(label) };
}

describe.each(Object.entries(dialogs))('a dialog with %s', (_name, typedIn) => {
  test('keeps what was typed, however often Escape is pressed', async () => {
    const { field } = await openDialog(typedIn);
    await field.fill('Karin');
    await pressEscape();
    await expect.element(question).toBeVisible();
    await pressEscape();
    await expect.element(question).not.toBeInTheDocument();
    await pressEscape();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect.element(field).toHaveValue('Karin');
    await expect.element(field).toHaveFocus();
    await pressEscape();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('closes by Escape where nothing was typed', async () => {
    const { field } = await openDialog(typedIn);
    await expect.element(field).toBeVisible();
    await pressEscape();
    await expect.element(dialog).not.toBeInTheDocument();
  });
});
