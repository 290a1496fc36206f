import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { brokenWords } from './support/broken-words.ts';
import type { FakeApi } from './support/fake-api.ts';
import { apiOfLeads, leadRow } from './support/leads.ts';
import { open } from './support/open.tsx';
import { apiOfPeople } from './support/people.ts';
import { apiWithQuote, listed, sentQuote } from './support/quotes.ts';
import { signedInAs } from './support/starts.ts';
import { atWork } from './support/work.ts';

/** Of a desktop, a laptop, tablets both ways up, and phones. */
const widths = [1440, 1280, 1100, 1024, 900, 768, 640, 390];

const leads = () => apiOfLeads({ rows: [2, 3, 4, 5, 6].map((n) => leadRow(n)) });
const long = {
  ...sentQuote,
  id: 'long',
  title: 'Gymnasium floor and changing rooms',
  customerName: 'Vestby kommune',
};
const quotes = () => apiWithQuote(sentQuote).on('GET /api/quotation/quotes', listed([long, sentQuote]));

const subjects: readonly { readonly path: string; readonly shows: string; readonly api: () => FakeApi }[] = [
  { path: '/quotes', shows: 'Gymnasium floor and changing rooms', api: quotes },
  { path: '/quotes/a-quote', shows: 'What happened', api: quotes },
  { path: '/leads', shows: 'Lead 6', api: leads },
  { path: '/leads/board', shows: 'Lead 6', api: leads },
  { path: '/customers', shows: 'Karin Åström', api: () => apiWithQuote() },
  { path: '/people', shows: 'Grace Hopper', api: () => apiOfPeople(signedInAs('owner')) },
  { path: '/', shows: 'Kitchen', api: atWork },
];

describe('at every width', () => {
  test.each(subjects)('$path keeps its words whole and stays in the window', async ({ path, shows, api }) => {
    await open(path, api());
    await expect.element(page.getByText(shows).first()).toBeVisible();
    for (const width of widths) {
      await page.viewport(width, 900);
      await expect.poll(brokenWords, { message: `${width} px` }).toEqual([]);
      expect(document.documentElement.scrollWidth, `${width} px`).toBeLessThanOrEqual(width);
    }
  });

  test('every column of the leads has a title where it is shown, and none where it is not', async () => {
    await open('/leads', leads());
    const link = page.getByRole('link', { name: 'Lead 6', exact: true });
    await expect.element(link).toBeVisible();
    const cells = Array.from(link.element().closest('[role="row"]')?.querySelectorAll('[role="cell"]') ?? []);
    const titles = Array.from(document.querySelectorAll('[role="columnheader"]'));
    const seen = (elements: readonly Element[]) => elements.map((each) => each.checkVisibility());
    for (const width of widths) {
      await page.viewport(width, 900);
      await expect.poll(() => seen(cells), { message: `${width} px` }).toEqual(seen(titles));

      expect(seen(cells), `${width} px`).toEqual([true, true, width >= 768, width >= 768, true]);
    }
  });

  test('the board of a tablet has all its columns in the window', async () => {
    await open('/leads/board', leads());
    await expect.element(page.getByRole('region', { name: 'Lost' })).toBeVisible();
    for (const width of widths.filter((each) => each >= 768)) {
      await page.viewport(width, 900);
      const isIn = () =>
        page.getByRole('region', { name: 'Lost' }).element().getBoundingClientRect().right <= width;
      await expect.poll(isIn, { message: `${width} px` }).toBe(true);
    }
  });
});

type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean };

const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

describe('while a page is read, nothing moves', () => {
  /** Has answers come one after the other, each in a frame of its own; gives what waits for the last one. */
  function oneByOne(api: FakeApi): () => Promise<unknown> {
    const { fetch } = api;
    let turn: Promise<unknown> = Promise.resolve();
    const slowly: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      turn = turn.then(frame);
      await turn;
      return answer;
    };
    Object.assign(api, { fetch: slowly });
    return async () => {
      for (let last: unknown; last !== turn;) {
        last = turn;
        await turn;
        await frame();
      }
    };
  }

  test.each(subjects)('$path', async ({ path, shows, api }) => {
    for (const width of [1280, 390]) {
      await page.viewport(width, 900);
      const shifts: Shift[] = [];
      const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[])));
      observer.observe({ type: 'layout-shift' });
      const fake = api();
      const settled = oneByOne(fake);
      const { leave } = await open(path, fake);
      await expect.element(page.getByText(shows).first()).toBeVisible();
      await settled();
      await frame();
      shifts.push(...(observer.takeRecords() as Shift[]));
      observer.disconnect();
      const moved = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
      expect(
        moved.reduce((sum, { value }) => sum + value, 0),
        `${width} px`,
      ).toBeLessThan(0.02);
      await leave();
    }
  });
});
