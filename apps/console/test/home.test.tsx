import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { noLeads, Refusal } from './support/fake-api.ts';
import { apiWithQuote, seller, sentQuote } from './support/quotes.ts';
import { signedInAs } from './support/starts.ts';
import { open } from './support/open.tsx';
import { atWork, newcomer } from './support/work.ts';

const rest = { error: null, meta: {} };

describe('the first page', () => {
  test('says what to do, each quote once: those that end within a week, were opened, have no answer', async () => {
    const api = atWork();
    await open('/', api);
    const ending = page.getByRole('region', { name: 'Ends within a week 1' });
    await expect.element(ending.getByText('A boathouse with everything that belongs to it')).toBeVisible();
    const opened = page.getByRole('region', { name: 'Opened, not answered 1' });
    await expect.element(opened.getByText('Opened 2 days ago')).toBeVisible();
    const unanswered = page.getByRole('region', { name: 'Not answered 1', exact: true });
    await expect.element(unanswered.getByRole('listitem')).toHaveTextContent(/^Kitchen.*Sent 9 days ago/);
    await expect.element(page.getByRole('region', { name: 'Leads not contacted yet 1' })).toBeVisible();
    const accepted = page.getByRole('region', { name: 'Accepted this week 1' });
    await expect.element(accepted.getByRole('listitem')).toHaveTextContent(/^Fence/);
    const asked = api.requests
      .filter(({ operation }) => operation === 'GET /api/quotation/quotes')
      .map(({ query }) => query);
    expect(new Set(asked.map(({ sort }) => sort))).toEqual(new Set(['-updatedAt', 'sentAt', 'validUntil']));
    const { validUntilFrom = '', validUntilTo = '' } = asked.find(({ sort }) => sort === 'validUntil') ?? {};
    expect(Date.parse(validUntilTo) - Date.parse(validUntilFrom)).toBe(7 * 86_400_000);
  });

  test('does not ask on and on for what cannot be read, and says so', async () => {
    const statistics = 'GET /api/quotation/statistics';
    const api = atWork().on(statistics, new Refusal(403, 'FORBIDDEN'));
    await open('/', api);
    await expect.element(page.getByRole('alert').first()).toBeVisible();
    const frames = async (count: number) => {
      for (let n = 0; n < count; n += 1) await new Promise(requestAnimationFrame);
    };
    await frames(30);
    const asked = api.sentTo(statistics).length;
    await frames(30);
    expect(api.sentTo(statistics)).toHaveLength(asked);
    await expect.element(page.getByRole('alert').first()).toBeVisible();
  });

  test('has one row of money, with no sum of two currencies', async () => {
    await open('/', atWork());
    const money = page.getByRole('region', { name: 'What quotes are worth' });
    const worth = (title: string) =>
      money
        .getByText(title)
        .element()
        .closest('div')
        ?.querySelector('dd')
        ?.innerText.replaceAll('\u00a0', ' ');
    await expect.element(money).toBeVisible();
    expect(worth('Waiting for an answer')).toBe('JP¥90,000\nSEK 1,250.00');
    expect(worth('Accepted in twelve weeks')).toBe('SEK 12,500.50');
    await expect.element(money.getByText('2 quotes · 67% of all answers')).toBeVisible();
  });

  test('draws no chart before something happened in two weeks', async () => {
    await open('/', atWork().on('GET /api/leads/statistics', { data: { ...noLeads, total: 1 }, ...rest }));
    await expect.element(page.getByRole('region', { name: 'Leads not contacted yet 1' })).toBeVisible();
    expect(page.getByRole('region', { name: /^\d+ leads? added/ }).elements()).toEqual([]);
  });

  test('counts the quotes of twelve weeks, each currency separately', async () => {
    const api = atWork();
    await open('/', api);
    const name = '3 quotes sent and 2 accepted in the last twelve weeks';
    const chart = page.getByRole('region', { name, exact: true });
    await expect.element(chart.getByText(/^JP¥90,000, SEK.2,500.00$/)).toBeVisible();
    await chart.getByText('Show the numbers').click();
    await expect
      .element(chart.getByRole('row', { name: /^16 Nov 2026 2, JP¥90,000, SEK.800.00 0 0$/ }))
      .toBeVisible();
    const asked = api.requests.find(({ operation }) => operation === 'GET /api/quotation/statistics');
    expect(asked?.query['interval']).toBe('week');
  });

  test('tells an organization without leads and quotes what to do first, and claims nothing of them', async () => {
    const api = newcomer();
    api.start = signedInAs('owner');
    await open('/', api);
    const nothing = page.getByRole('region', { name: 'Nothing waits for you yet' });
    await expect.element(nothing.getByRole('link', { name: 'Write your first quote' })).toBeVisible();
    await expect.element(page.getByText(/^Every quote you sent/)).not.toBeInTheDocument();
    await expect.element(page.getByText('What quotes are worth')).not.toBeInTheDocument();
  });

  test('says of an organization with drafts alone that no quote has been sent', async () => {
    const statuses = [{ status: 'draft', quotes: 1, amounts: [] }];
    const api = newcomer();
    const statistics = 'GET /api/quotation/statistics';
    const [nothing, acceptance] = [
      { quotes: 0, amounts: [] },
      { accepted: 0, decided: 0 },
    ];
    api.on(statistics, {
      data: { statuses, waiting: nothing, expired: nothing, series: [], acceptance },
      ...{ error: null, meta: {} },
    });
    await open('/', api);
    await expect.element(page.getByText('No quote has been sent yet.')).toBeVisible();
  });

  test('asks for no first step again once somebody has dismissed them', async () => {
    const chosen = new Map<string, string>();
    const storage = {
      getItem: (name: string) => chosen.get(name) ?? null,
      setItem: (name: string, value: string) => void chosen.set(name, value),
    };
    const kept = () => storage;
    const { leave } = await open('/', newcomer(), { kept });
    const steps = page.getByRole('region', { name: 'First steps' });
    await expect.element(steps).toBeVisible();
    await steps.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(steps).not.toBeInTheDocument();
    await leave();
    await open('/', newcomer(), { kept });
    await expect.element(page.getByRole('region', { name: 'Nothing waits for you yet' })).toBeVisible();
    await expect.element(steps).not.toBeInTheDocument();
  });
});

describe('an address that is not confirmed', () => {
  const user = { ...seller.user, email: 'ada@nymålat.example', emailVerified: false };
  const unconfirmed = () => apiWithQuote(sentQuote, { ...seller, user });
  const resend = 'POST /api/auth/email/resend';

  test.each(['/quotes', '/customers'])('is said above %s, and the link is sent again', async (path) => {
    const api = unconfirmed().on(resend, {});
    await open(path, api);
    const banner = page.getByRole('status').filter({ hasText: 'Confirm your address' });
    await expect.element(banner).toHaveTextContent('ada@nymålat.example');
    await banner.getByRole('button', { name: 'Send the link again' }).click();
    await expect.element(page.getByText('A new link is on its way to ada@nymålat.example.')).toBeVisible();
    expect(api.sentTo(resend)).toEqual([{ email: 'ada@nymålat.example' }]);
  });
});
