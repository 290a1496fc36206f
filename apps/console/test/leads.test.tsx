import type { api } from '@tenantry/client';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refusal, type FakeApi } from './support/fake-api.ts';
import { apiOfLeads, leadRow, one, pageOf } from './support/leads.ts';
import { open } from './support/open.tsx';

const table = page.getByRole('table', { name: 'Leads' });
const panel = (name: string) => page.getByRole('region', { name });
const readLead = (n: number, more: object = {}) => one({ ...leadRow(n), notes: null, ...more });
/** What can be undone for five seconds can be undone for as long as the test takes. */
function holdUndo(): void {
  const later = setTimeout;
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) =>
      ms === 5_000 ? 0 : later(run, ms)) as typeof setTimeout);
  onTestFinished(() => set.mockRestore());
}
const withLead = (api: FakeApi, n: number, more: object = {}) =>
  api.on(`GET /api/leads/lead-${n}`, readLead(n, more)).on(`GET /api/leads/lead-${n}/history`, pageOf([]));

beforeEach(() => page.viewport(1280, 800));

describe('a list of leads', () => {
  test('opens one beside it, which arrows change, and the address says all of it', async () => {
    const { address } = await open('/leads?sort=name', withLead(withLead(apiOfLeads(), 2), 3));
    await table.getByRole('link', { name: 'Lead 2' }).click();
    await expect.element(panel('Lead 2')).toBeVisible();
    expect(address()).toBe('/leads/lead-2?sort=name');
    (table.getByRole('link', { name: 'Lead 2' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(panel('Lead 3')).toBeVisible();
    await expect.element(table.getByRole('link', { name: 'Lead 3' })).toHaveFocus();
    expect(address()).toBe('/leads/lead-3?sort=name');
    await panel('Lead 3').getByRole('button', { name: 'Close' }).click();
    await expect.poll(address).toBe('/leads?sort=name');
    await expect.element(table.getByRole('link', { name: 'Lead 3' })).toHaveFocus();
  });

  test('of ten thousand draws few rows, and finds the last one immediately', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => leadRow(n));
    const api = apiOfLeads().on('GET /api/leads', pageOf(rows, 10_000));
    await open('/leads', api);
    await expect.element(table).toHaveAttribute('aria-rowcount', '10001');
    const link = table.getByRole('link', { name: 'Lead 2', exact: true });
    await expect.element(link).toBeVisible();
    (link.element() as HTMLElement).focus();
    await userEvent.keyboard('{End}');
    await expect.element(table.getByRole('row').last()).toHaveAttribute('aria-rowindex', '10001');
    await expect.element(table.getByRole('link', { name: 'Lead 99' })).toHaveFocus();
    expect(table.getByRole('row').elements().length).toBeLessThan(60);
    const lists = api.requests.filter(({ operation }) => operation === 'GET /api/leads');
    expect(lists.length).toBeLessThanOrEqual(4);
  });

  test('that is scrolled stays where it is scrolled to, and the focus on its row', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => leadRow(n));
    await open('/leads', apiOfLeads().on('GET /api/leads', pageOf(rows, 10_000)));
    const link = table.getByRole('link', { name: 'Lead 2', exact: true });
    await expect.element(link).toBeVisible();
    const focused = link.element() as HTMLElement;
    focused.focus();
    const scroller = table.element();
    for (const top of [1_100, 2_200, 264_000]) {
      scroller.scrollTop = top;
      await expect
        .element(table.getByRole('row').nth(2))
        .toHaveAttribute('aria-rowindex', String(top / 44 - 4));
      await new Promise((resolve) => setTimeout(resolve));
      expect(scroller.scrollTop).toBe(top);
      expect(document.activeElement).toBe(focused);
    }
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(table.getByRole('link', { name: 'Lead 3', exact: true })).toHaveFocus();
    expect(scroller.scrollTop).toBeLessThan(200);
  });

  test('is where it was after Back, also if it was scrolled while the page was still changing', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => leadRow(n));
    const api = apiOfLeads()
      .on('GET /api/leads', pageOf(rows, 10_000))
      .on('GET /api/quotation/customers', pageOf([]));
    const { address, back, onceMoved } = await open('/leads', api);
    await expect.element(table.getByRole('link', { name: 'Lead 2', exact: true })).toBeVisible();
    onceMoved(() => {
      table.element().scrollTop = 264_000;
      table.element().dispatchEvent(new Event('scroll'));
      // The browser's own event comes with the next frame, and that may be after the page has changed.
      const isOwn = (event: Event) => event.isTrusted && event.stopImmediatePropagation();
      window.addEventListener('scroll', isOwn, { capture: true });
      onTestFinished(() => window.removeEventListener('scroll', isOwn, { capture: true }));
    });
    await page.getByRole('button', { name: /^New \d/ }).click();
    await expect.poll(address).toBe('/leads?status=new');
    await expect
      .element(page.getByRole('button', { name: /^New \d/ }))
      .toHaveAttribute('aria-pressed', 'true');
    await expect.element(table).toHaveAttribute('aria-busy', 'false');
    expect(table.element().scrollTop).toBe(264_000);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await expect.element(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
    back();
    await expect.poll(address).toBe('/leads?status=new');
    await expect.poll(() => table.element().scrollTop).toBe(264_000);
  });

  test('keeps the state that was chosen right after the last key of a search', async () => {
    const { address } = await open('/leads', apiOfLeads());
    await page.getByLabelText('Search name or e-mail').fill('karin');
    await page.getByRole('button', { name: /^New \d/ }).click();
    await expect.poll(address).toBe('/leads?search=karin&status=new');
  });

  test('that is refused is no empty list', async () => {
    await open('/leads', apiOfLeads().on('GET /api/leads', new Refusal(503, 'UPSTREAM_UNAVAILABLE')));
    await expect.element(page.getByRole('alert')).toBeVisible();
    expect(page.getByText('No leads yet').elements()).toEqual([]);
    expect(page.getByText('0 leads').elements()).toEqual([]);
  });

  test('that could not be read says so, and appears by itself once it can be', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const rows = 'GET /api/leads';
    const api = apiOfLeads().on(rows, new Refusal(503, 'UPSTREAM_UNAVAILABLE'));
    await open('/leads', api);
    await vi.advanceTimersByTimeAsync(10_000);
    const alert = page.getByRole('alert');
    await expect.element(alert).toBeVisible();
    const shown = alert.element();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(api.sentTo(rows).length).toBeGreaterThan(4);
    expect(shown.isConnected).toBe(true);
    api.on(rows, pageOf([leadRow(2)]));
    await vi.advanceTimersByTimeAsync(15_000);
    await expect.element(page.getByRole('link', { name: 'Lead 2' })).toBeVisible();
    expect(shown.isConnected).toBe(false);
  });
});

describe('a lead', () => {
  test('says of what moved it what that is: a person by name, a program as such', async () => {
    const moved = (kind: string, name: string | null, at: number) => ({
      ...{ from: 'new', to: 'contacted', at: `2026-11-21T12:00:0${at}Z` },
      actor: { kind, userId: null, name },
    });
    const moves = [
      moved('user', 'Grace Hopper', 5),
      moved('service-account', 'Web shop', 4),
      moved('service-account', null, 3),
    ];
    const erased = [moved('user', null, 2), { ...moved('user', null, 1), actor: null }];
    const api = apiOfLeads().on('GET /api/leads/lead-1/history', pageOf([...moves, ...erased]));
    await open('/leads/lead-1', api);
    const history = panel('History').getByRole('listitem');
    await expect.element(history.first()).toHaveTextContent(/by Grace Hopper$/);
    const told = history.elements().map(({ textContent }) => / by .*$/.exec(textContent)?.[0]);
    expect(told).toEqual([
      ' by Grace Hopper',
      ' by Web shop (service account)',
      ' by A service account',
      undefined,
      undefined,
    ]);
  });

  test('is changed in place, and a race shows both versions and keeps what was typed', async () => {
    const patch = 'PATCH /api/leads/lead-2';
    const api = withLead(apiOfLeads(), 2).on(patch, () => {
      withLead(api, 2, { phone: '+46 1' });
      return new Refusal(412, 'PRECONDITION_FAILED');
    });
    await open('/leads/lead-2', api);
    await page.getByRole('button', { name: 'Change: Phone' }).click();
    await page.getByLabelText('Phone', { exact: true }).fill('+46 2');
    await userEvent.keyboard('{Enter}');
    const versions = page.getByRole('row', { name: /^Phone/ });
    await expect.element(versions).toHaveTextContent('Phone+46 1+46 2');
    await expect.element(page.getByLabelText('Phone', { exact: true })).toHaveValue('+46 2');
    api.on(patch, () => {
      withLead(api, 2, { phone: '+46 2' });
      return one(leadRow(2));
    });
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.element(page.getByRole('button', { name: 'Change: Phone' })).toHaveFocus();
    await expect.element(panel('Lead 2').getByText('+46 2')).toBeVisible();
    expect(api.sentTo(patch)).toEqual([{ phone: '+46 2' }, { phone: '+46 2' }]);
  });

  test('that is being written is there again after Back', async () => {
    const { back } = await open('/leads', apiOfLeads());
    await page.getByRole('button', { name: 'New lead' }).click();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveFocus();
    await page.getByLabelText('Name', { exact: true }).fill('Grace');
    back();
    await expect.element(page.getByLabelText('E-mail', { exact: true })).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'New lead' }).click();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Grace');
  });

  test('is created, and another one with its address is named', async () => {
    const create = 'POST /api/leads';
    const api = withLead(withLead(apiOfLeads(), 2), 3).on(
      create,
      one({ id: 'lead-2' }, { duplicateOf: 'lead-3' }),
    );
    const { address } = await open('/leads/new', api);
    await page.getByLabelText('Name', { exact: true }).fill('Lead 2');
    await page.getByLabelText('E-mail', { exact: true }).fill('lead3@example.com');
    await page.getByRole('button', { name: 'Create lead' }).click();
    await expect.element(panel('Lead 2').getByRole('link', { name: 'Lead 3' })).toBeVisible();
    expect(address()).toBe('/leads/lead-2');
    expect(api.sentTo(create)).toEqual([{ name: 'Lead 2', email: 'lead3@example.com' }]);
  });

  test('that was deleted is not asked for any more, and comes back by Undo', async () => {
    const [restore, read] = ['POST /api/leads/lead-2/restore', 'GET /api/leads/lead-2'];
    const api = withLead(apiOfLeads(), 2)
      .on('DELETE /api/leads/lead-2', () => {
        api.on(read, new Refusal(404, 'NOT_FOUND')).on(`${read}/history`, new Refusal(404, 'NOT_FOUND'));
        return {};
      })
      .on(restore, one(leadRow(2)));
    holdUndo();
    await open('/leads/lead-2', api);
    await expect.element(page.getByRole('region', { name: 'History' })).toBeVisible();
    const asked = () => api.requests.filter(({ operation }) => operation.startsWith(read)).length;
    const before = asked();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => api.sentTo(restore)).toHaveLength(1);
    expect(asked()).toBe(before);
  });

  test('is moved before it is deleted or changed, and Undo brings it back as it was moved', async () => {
    const [move, remove] = ['PATCH /api/leads/lead-2', 'DELETE /api/leads/lead-2'];
    const restore = 'POST /api/leads/lead-2/restore';
    const version = (body: object, etag: string) => Response.json(body, { headers: { etag } });
    const api = withLead(apiOfLeads({ rows: [leadRow(2, { allowedTransitions: ['won'] })] }), 2, {
      allowedTransitions: ['won'],
    })
      .on('GET /api/leads/lead-2', version(readLead(2, { allowedTransitions: ['won'] }), '"1"'))
      .on(move, ({ body }) => version(one({ ...leadRow(2), ...(body as object) }), '"2"'))
      .on(remove, {})
      .on(restore, one(leadRow(2)));
    holdUndo();
    await open('/leads/lead-2', api);
    await page.getByRole('button', { name: /Won$/ }).last().click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(page.getByText('Lead 2 was deleted')).toBeVisible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.poll(() => api.sentTo(restore)).toHaveLength(1);
    const writes = api.requests.filter(({ operation }) => !operation.startsWith('GET'));
    expect(writes.map(({ operation, ifMatch }) => [operation, ifMatch])).toEqual([
      [move, '"1"'],
      [remove, '"2"'],
      [restore, undefined],
    ]);
  });

  test('offers nothing to somebody who may only read', async () => {
    const api = withLead(apiOfLeads({ permissions: ['leads:read', 'quotes:read'] }), 2);
    await open('/leads/lead-2', api);
    await expect.element(panel('Lead 2')).toBeVisible();
    expect(page.getByRole('button', { name: /New lead|Delete$|Move to|Change:/ }).elements()).toEqual([]);
  });
});

describe('a lead beside the list', () => {
  const reason = /From New, a lead can move to Contacted. Admins can allow Lost as well./;

  test('says where it may move, and admins where they decide it', async () => {
    const permissions: api.SignedInStart['permissions'] = [
      'leads:read',
      'leads:write',
      'organization:update',
    ];
    await open('/leads/lead-5', withLead(apiOfLeads({ permissions }), 5));
    await expect.element(panel('Lead 5').getByText(reason)).toBeVisible();
    await expect
      .element(panel('Lead 5').getByRole('link', { name: 'Allow more moves' }))
      .toHaveAttribute('href', '/organization/leads');
  });

  test('says which accepted quote has moved it', async () => {
    const quote = { id: 'quote-1', number: 'Q-2026-0001' };
    const actor = { kind: 'job', userId: null, name: 'accepted-quote' };
    const move = { from: 'qualified', to: 'won', at: '2026-11-21T12:00:00Z', actor, quote };
    const api = withLead(apiOfLeads(), 3).on('GET /api/leads/lead-3/history', pageOf([move]));
    await open('/leads/lead-3', api);
    const moved = panel('Lead 3').getByRole('listitem').filter({ hasText: 'From Qualified to Won' });
    await expect.element(moved.getByText(/by the accepted quote Q-2026-0001$/)).toBeVisible();
    await expect.element(moved.getByRole('link')).toHaveAttribute('href', '/quotes/quote-1');
  });

  test('says that it cannot move from where it stands', async () => {
    await open('/leads/lead-3', withLead(apiOfLeads(), 3));
    await expect
      .element(panel('Lead 3').getByText('From Won, a lead cannot move. Admins can allow Qualified as well.'))
      .toBeVisible();
    expect(panel('Lead 3').getByRole('link', { name: 'Allow more moves' }).elements()).toEqual([]);
  });
});

describe('the board', () => {
  beforeEach(holdUndo);

  const move = 'PATCH /api/leads/lead-5';
  const api = () => apiOfLeads({ rows: [leadRow(5)] }).on(move, one({ ...leadRow(5), status: 'contacted' }));
  const handle = page.getByRole('button', { name: 'Move Lead 5' }).first();

  test('moves a card by keys, which Undo takes back', async () => {
    const fake = api();
    await open('/leads/board?status=new,contacted', fake);
    await expect.element(handle).toBeVisible();
    (handle.element() as HTMLElement).focus();
    await userEvent.keyboard(' {ArrowRight} ');
    await expect.element(page.getByText('Lead 5 moves to Contacted')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(fake.sentTo(move)).toEqual([]);
    await expect.element(handle).toBeVisible();
  });

  test('sends immediately what waits when the page is left', async () => {
    const fake = api().on('GET /api/auth/sessions', { sessions: [] });
    await open('/leads/board?status=new,contacted', fake);
    await expect.element(handle).toBeVisible();
    (handle.element() as HTMLElement).focus();
    await userEvent.keyboard(' {ArrowRight} ');
    await page.getByRole('link', { name: 'Table' }).click();
    await expect.poll(() => fake.sentTo(move)).toEqual([{ status: 'contacted' }]);
  });

  test('sends immediately what waits when the document is closed', async () => {
    const fake = api();
    await open('/leads/board?status=new,contacted', fake);
    await moveByKeys();
    expect(fake.sentTo(move)).toEqual([]);
    dispatchEvent(new PageTransitionEvent('pagehide'));
    await expect.poll(() => fake.sentTo(move)).toEqual([{ status: 'contacted' }]);
  });

  test('keeps the focus on a card that keys have moved, and undoes it by Ctrl Z', async () => {
    const fake = api();
    await open('/leads/board?status=new,contacted', fake);
    await moveByKeys();
    const moving = page.getByRole('listitem').filter({ hasText: 'moving' });
    await expect.element(moving).toHaveFocus();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(moving).not.toBeInTheDocument();
    await expect.element(handle).toHaveFocus();
    expect(fake.sentTo(move)).toEqual([]);
  });

  test('shows a card in its new column, with the focus, while that one is still being read', async () => {
    const never = new Promise<never>(() => {});
    const fake = api().on('GET /api/leads', ({ query }) =>
      query['status'] === 'contacted' ? never : pageOf([leadRow(5)]),
    );
    await open('/leads/board?status=new,contacted', fake);
    await moveByKeys();
    await expect.element(page.getByRole('listitem').filter({ hasText: 'moving' })).toHaveFocus();
  });

  test('says where a card may go to those who hold it by keys', async () => {
    await open('/leads/board', api());
    await expect.element(handle).toBeVisible();
    (handle.element() as HTMLElement).focus();
    await userEvent.keyboard(' ');
    await expect
      .element(page.getByRole('status').filter({ hasText: 'is held over New' }))
      .toHaveTextContent('From New, a lead can move to Contacted. Admins can allow Lost as well.');
  });

  test('says in each column that does not take a card why, and leaves it where it was', async () => {
    const fake = api().on('GET /api/leads', ({ query }) =>
      pageOf(query['status'] === 'new' ? [leadRow(5)] : []),
    );
    await open('/leads/board', fake);
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await expect.element(handle).toBeVisible();
    const card = column('New').getByRole('listitem').element();
    const [from, to] = [card.getBoundingClientRect(), column('Won').element().getBoundingClientRect()];
    const pointer = (kind: string, x: number, y: number) =>
      card.dispatchEvent(
        new PointerEvent(kind, { pointerType: 'mouse', clientX: x, clientY: y, bubbles: true, pointerId: 1 }),
      );
    vi.spyOn(card, 'setPointerCapture').mockReturnValue();
    pointer('pointerdown', from.x + 4, from.y + 4);
    pointer('pointermove', to.x + 20, to.y + 60);
    await expect.element(column('Won').getByText('Not from New', { exact: true })).toBeVisible();
    await expect.element(column('Lost').getByText('Not from New, unless an admin allows it')).toBeVisible();
    await expect.element(column('Contacted').getByText(/^Not from/)).not.toBeInTheDocument();
    pointer('pointermove', to.x + 21, to.y + 60);
    pointer('pointerup', to.x + 21, to.y + 60);
    await expect
      .element(page.getByText(/Lead 5 stays where it was: Won does not take it/))
      .toBeInTheDocument();
    await expect.element(column('Won').getByText('Not from New')).not.toBeInTheDocument();
    expect(fake.sentTo(move)).toEqual([]);
  });

  async function moveByKeys() {
    await expect.element(handle).toBeVisible();
    (handle.element() as HTMLElement).focus();
    await userEvent.keyboard(' {ArrowRight} ');
    await expect.element(page.getByText('Lead 5 moves to Contacted')).toBeVisible();
  }
});
