import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { apiOfActivity } from './support/activity.ts';
import { apiOfLeads, hostileName, one, leadRow } from './support/leads.ts';
import { open } from './support/open.tsx';
import { apiWithQuote, declinedQuote, draftQuote } from './support/quotes.ts';
import { signedInAs } from './support/starts.ts';

// A4 with margins, at 96 dots an inch.
const paper = { width: 680, height: 900 };
const manyWords = 'Roofing felt of the heaviest kind, laid in three layers and welded at every seam. '.repeat(
  12,
);

beforeEach(() => page.viewport(paper.width, paper.height));

/** Shows the page as it is printed. */
async function print(): Promise<void> {
  const media = async (name: string): Promise<void> => {
    await cdp().send('Emulation.setEmulatedMedia', { media: name });
  };
  onTestFinished(() => media(''));
  await media('print');
  await expect.poll(() => matchMedia('print').matches).toBe(true);
}

const main = () => document.querySelector('main') as HTMLElement;
const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });

/** Elements that hide some of what is in them, or stand out of the paper. */
const cut = () =>
  [...main().querySelectorAll<HTMLElement>('*'), main()].filter((element) => {
    if (!isShown(element)) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    const hides = (overflow: string, inside: number, room: number) =>
      overflow !== 'visible' && inside > room + 1;
    return (
      hides(overflowX, element.scrollWidth, element.clientWidth) ||
      hides(overflowY, element.scrollHeight, element.clientHeight) ||
      element.getBoundingClientRect().right > document.documentElement.clientWidth + 1
    );
  });

/** What is printed is whole, and there is nothing to press or to type into. */
async function expectPaper(): Promise<void> {
  const sourcesOf = (elements: readonly Element[]) =>
    elements.map(({ outerHTML }) => outerHTML.slice(0, 200));
  const pressed = () => [
    ...document.querySelectorAll('button, input, select, textarea, nav, header:not(main *), [popover]'),
  ];
  await expect.poll(() => sourcesOf(pressed().filter(isShown))).toEqual([]);
  await expect.poll(() => sourcesOf(cut())).toEqual([]);
  // Everything is on as many pages as it takes, and not in a part that scrolls.
  const { scrollHeight } = document.documentElement;
  expect(scrollHeight).toBeGreaterThanOrEqual(Math.floor(main().getBoundingClientRect().height));
}

const printed = () => expect.element(page.getByRole('main'));

describe('on paper', () => {
  test('a lead has all that is known of it, its quotes and its history, and no list', async () => {
    const notes = `${manyWords}\nThe last line of the notes.`;
    const api = apiOfLeads().on('GET /api/leads/lead-1', one({ ...leadRow(1), notes }));
    await open('/leads/lead-1', api);
    await expect.element(page.getByText('The last line of the notes.')).toBeVisible();
    await print();
    await expectPaper();
    for (const text of [hostileName, 'lead1@example.com', '+46 70 123 45 67', 'The last line of the notes.'])
      await printed().toHaveTextContent(text);
    await expect.element(page.getByRole('region', { name: 'Quotes' })).toBeVisible();
    await expect.element(page.getByRole('region', { name: 'History' })).toBeVisible();
    await expect.element(page.getByRole('table', { name: 'Leads' })).not.toBeInTheDocument();
    expect(page.getByRole('link', { name: 'New quote' }).elements()).toEqual([]);
  });

  test('a draft is the sheet that it becomes, with every line as it is typed', async () => {
    const descriptions = Array.from({ length: 60 }, (_, n) => (n === 0 ? manyWords : `Line ${n}`));
    const workPackages = draftQuote.workPackages.map(({ items, ...roof }) => ({
      ...roof,
      items: descriptions.flatMap((description, n) =>
        items.map((item) => ({ ...item, id: `line-${n}`, description })),
      ),
    }));
    const line = 'PATCH /api/quotation/quotes/a-quote/work-packages/roof/items/line-59';
    const unsaved = () => new Promise<never>(() => undefined);
    await open('/quotes/a-quote', apiWithQuote({ ...draftQuote, workPackages }).on(line, unsaved));
    await page.getByLabelText('Description, line 60').fill('Typed just now');
    await print();
    await expectPaper();
    await printed().toHaveTextContent(manyWords.trim());
    await expect.element(page.getByRole('cell', { name: 'Typed just now', exact: false })).toBeVisible();
    expect(page.getByRole('row').elements()).toHaveLength(1 + 60 + 1);
    await printed().toHaveTextContent('Valid until 31 Jan 2099');
  });

  test('a quote that was sent has its lines, its total and what became of it', async () => {
    await open('/quotes/a-quote', apiWithQuote({ ...declinedQuote, description: manyWords }));
    await expect.element(page.getByText('Too late for this year.')).toBeVisible();
    await print();
    await expectPaper();
    for (const text of [manyWords.trim(), 'Roofing felt, laid', 'SEK 4,399.85', 'Too late for this year.'])
      await printed().toHaveTextContent(text);
    expect(page.getByRole('link', { name: '← Quotes' }).elements()).toEqual([]);
  });

  test('the activity has its days and sentences, and no filters', async () => {
    await open('/activity', apiOfActivity(signedInAs('admin')));
    await expect.element(page.getByText('Ada Lovelace sent the quote Q-2026-0007')).toBeVisible();
    await print();
    await expectPaper();
    for (const text of ['24 November 2026', '23 November 2026', 'Ada Lovelace sent the quote Q-2026-0007'])
      await printed().toHaveTextContent(text);
  });
});
