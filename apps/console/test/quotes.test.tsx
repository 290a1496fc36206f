import { onlineManager } from '@tanstack/react-query';
import type { api } from '@tenantry/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import {
  acceptedQuote,
  apiWithQuote,
  contractedQuote,
  customer,
  customerAsLead,
  draftQuote,
  enveloped,
  link,
  mover,
  seller,
  sentQuote,
  pdfOf,
} from './support/quotes.ts';

const quotePath = '/api/quotation/quotes/a-quote';
const customerPath = '/api/quotation/customers/karin';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const language = page.getByLabelText('Language of the e-mail');

function clipboardThat(answers: 'copies' | 'refuses') {
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  onTestFinished(() => write.mockRestore());
  if (answers === 'copies') return write.mockResolvedValue();
  return write.mockRejectedValue(new DOMException('not allowed', 'NotAllowedError'));
}

describe('the letter with a quote', () => {
  test('is in the language that is remembered for the customer', async () => {
    const api = apiWithQuote().on(`POST ${quotePath}/send`, enveloped(sentQuote));
    await open('/quotes/a-quote', api);
    await button('Send').click();
    await expect.element(language).toHaveValue('sv');
    await button('Send quote').click();
    await expect
      .poll(() => api.sentTo(`POST ${quotePath}/send`))
      .toEqual([{ recipientEmail: 'karin@astrom.example', language: 'sv' }]);
  });

  test('is in that of the reader where none is remembered, unless another is chosen', async () => {
    const api = apiWithQuote(draftQuote)
      .on(`GET ${customerPath}`, enveloped({ ...customer, language: null }))
      .on(`POST ${quotePath}/send`, enveloped(sentQuote));
    await open('/quotes/a-quote', api);
    await button('Send').click();
    await expect.element(language).toBeEnabled();
    await expect.element(language).toHaveValue('en');
    const pdfs = () =>
      api.requests.filter(({ operation }) => operation === `GET ${quotePath}/pdf`).map(({ query }) => query);
    const shown = page.getByRole('figure', { name: 'Page 1 of 1' });
    await expect.element(shown).toHaveTextContent('New roof');
    const canvas = shown.element().querySelector('canvas');
    const ink = () => canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    await expect.poll(() => ink()?.some((value, at) => at % 4 === 0 && value < 100)).toBe(true);
    await expect.poll(() => pdfs().at(-1)).toEqual({ language: 'en' });
    await language.selectOptions('sv');
    await expect.poll(() => pdfs().at(-1)).toEqual({ language: 'sv' });
    await button('Send quote').click();
    await expect.poll(() => api.sentTo(`POST ${quotePath}/send`)).toMatchObject([{ language: 'sv' }]);
  });

  test('is previewed again after a PDF that could not be read', async () => {
    const api = apiWithQuote(draftQuote).on(`GET ${quotePath}/pdf`, ({ query }) =>
      query['language'] === 'sv' ? new Blob(['no PDF']) : pdfOf('New roof'),
    );
    await open('/quotes/a-quote', api);
    await button('Send').click();
    const dialog = page.getByRole('dialog');
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await language.selectOptions('en');
    await expect.element(dialog.getByRole('figure', { name: 'Page 1 of 1' })).toHaveTextContent('New roof');
    expect(dialog.getByRole('alert').elements()).toEqual([]);
  });

  test('leaves the language to the API until the customer is read', async () => {
    const api = apiWithQuote(sentQuote)
      .on(`GET ${customerPath}`, () => new Promise<never>(() => undefined))
      .on(`POST ${quotePath}/resend`, enveloped({ id: 'a-mail' }));
    await open('/quotes/a-quote', api);
    await button('Mail again').click();
    await expect.element(language).toBeDisabled();
    await page.getByRole('dialog').getByRole('button', { name: 'Mail again' }).click();
    await expect
      .poll(() => api.sentTo(`POST ${quotePath}/resend`))
      .toEqual([{ recipientEmail: 'karin@astrom.example' }]);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  test('can be mailed again in another language', async () => {
    const api = apiWithQuote(sentQuote).on(`POST ${quotePath}/resend`, enveloped({ id: 'a-mail' }));
    await open('/quotes/a-quote', api);
    await button('Mail again').click();
    await expect.element(language).toHaveValue('sv');
    await language.selectOptions('en');
    await page.getByRole('dialog').getByRole('button', { name: 'Mail again' }).click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(api.sentTo(`POST ${quotePath}/resend`)).toMatchObject([{ language: 'en' }]);
  });
});

describe('the list', () => {
  const quotes = 'GET /api/quotation/quotes';
  const title = (name: string) => page.getByRole('columnheader', { name });

  test('is sorted by the titles of its columns, once more the other way round, and is so in each view', async () => {
    const api = apiWithQuote(sentQuote);
    await open('/quotes', api);
    const asked = () => api.requests.filter(({ operation }) => operation === quotes).at(-1)?.query['sort'];
    await expect.element(title('Number')).toHaveAttribute('aria-sort', 'descending');
    await button('Total').click();
    await expect.poll(asked).toBe('-totalAmount');
    await expect.element(title('Total')).toHaveAttribute('aria-sort', 'descending');
    await expect.element(title('Number')).not.toHaveAttribute('aria-sort');
    await page.getByRole('button', { name: 'Total' }).click();
    await expect.poll(asked).toBe('totalAmount');
    await page.getByRole('link', { name: 'No answer for a week' }).click();
    await expect.poll(asked).toBe('sentAt');
    expect(title('Title').getByRole('button').elements()).toEqual([]);
  });

  test('says when a quote was sent and opened, and until when it can be accepted', async () => {
    await page.viewport(1440, 900);
    const opened = { ...sentQuote, openedAt: '2026-11-23T12:00:00Z' };
    await open('/quotes', apiWithQuote(opened));
    const row = page.getByRole('row').filter({ hasText: 'New roof' });
    const cells = () =>
      row
        .getByRole('cell')
        .elements()
        .map(({ textContent }) => textContent);
    const year = new Date().getFullYear() === 2026 ? '' : ' 2026';
    await expect
      .poll(() => cells().slice(4, 7))
      .toEqual([`21 Nov${year}`, `Opened 23 Nov${year}`, 'Valid until 31 Jan 2099']);
  });
});

describe('a number that could mean another one', () => {
  test('says as what it is read while it is typed, and is written so once it is left', async () => {
    const line = `PATCH ${quotePath}/work-packages/roof/items/felt`;
    await open(
      '/quotes/a-quote',
      apiWithQuote().on(line, () => new Promise<never>(() => undefined)),
    );
    const price = page.getByLabelText('Price, line 1');
    await price.fill('12,345');
    await expect.element(page.getByText('Read as 12,345.00')).toBeVisible();
    await price.fill('12.34');
    await expect.element(page.getByText(/^Read as/)).not.toBeInTheDocument();
    await price.fill('12,345');
    await page.getByLabelText('Description, line 1').click();
    await expect.element(price).toHaveValue('12,345.00');
    await expect.element(page.getByText(/^Read as/)).not.toBeInTheDocument();
  });
});

test('the title of a draft is the heading of its page, and is typed there', async () => {
  const api = apiWithQuote().on(`PATCH ${quotePath}`, enveloped(draftQuote));
  await open('/quotes/a-quote', api);
  const title = page.getByRole('heading', { level: 1 }).getByRole('textbox', { name: 'Title' });
  await expect.element(title).toHaveValue('New roof');
  await title.fill('New roof and gutters');
  await expect.poll(() => api.sentTo(`PATCH ${quotePath}`)).toEqual([{ title: 'New roof and gutters' }]);
  await expect.poll(() => document.title).toBe('New roof and gutters · Tenantry');
});

describe('a link to a quote', () => {
  const makesLink = () => apiWithQuote(sentQuote).on(`POST ${quotePath}/link`, enveloped({ url: link }));

  test('is made and copied', async () => {
    const write = clipboardThat('copies');
    await open('/quotes/a-quote', makesLink());
    await button('Copy link').click();
    await expect.element(page.getByText(/^Link copied/)).toBeVisible();
    expect(write.mock.calls).toEqual([[link]]);
  });

  test('is shown where the browser does not copy it', async () => {
    clipboardThat('refuses');
    await open('/quotes/a-quote', makesLink());
    await button('Copy link').click();
    await expect.element(page.getByLabelText('Link to the quote')).toHaveValue(link);
    await button('Close').click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  test('that is refused says why, and copies nothing', async () => {
    const write = clipboardThat('copies');
    const refusal = new Refusal(409, 'CONFLICT', { reason: 'TOO_MANY_LINKS' });
    await open('/quotes/a-quote', apiWithQuote(sentQuote).on(`POST ${quotePath}/link`, refusal));
    await button('Copy link').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(/maximum number of links/);
    expect(write).not.toHaveBeenCalled();
  });

  test('is offered to those alone who may make one', async () => {
    const api = apiWithQuote(sentQuote);
    api.start = { ...seller, permissions: ['quotes:read', 'organization:read'] };
    await open('/quotes/a-quote', api);
    await expect.element(button('Show PDF')).toBeVisible();
    expect(button('Copy link').elements()).toEqual([]);
  });
});

describe('the contract of an accepted quote', () => {
  const shown = page.getByRole('complementary', { name: 'The contract as PDF' });

  test('is shown as PDF once it is made, in the language of its customer, and can be kept as a file', async () => {
    const made = `POST ${quotePath}/contract`;
    const api = apiWithQuote(acceptedQuote).on(made, () => {
      api.on(`GET ${quotePath}`, enveloped(contractedQuote));
      return Response.json(enveloped({ id: 'a-contract' }), { status: 201 });
    });
    await open('/quotes/a-quote', api);
    await button('Create contract').click();
    await expect.element(shown.getByRole('figure', { name: 'Page 1 of 1' })).toBeVisible();
    const asked = api.requests.filter(({ operation }) => operation === `GET ${quotePath}/contract/pdf`);
    expect(asked.at(-1)?.query).toEqual({ language: 'sv' });
    const link = shown.getByRole('link', { name: 'Download PDF' });
    await expect.element(link).toHaveAttribute('download', `${contractedQuote.number}-contract.pdf`);
    await button('Hide contract').click();
    await expect.element(shown).not.toBeInTheDocument();
  });

  test('can be looked at later, in place of the quote', async () => {
    await open('/quotes/a-quote', apiWithQuote(contractedQuote));
    await button('Show PDF').click();
    await button('Show contract').click();
    await expect.element(shown).toBeVisible();
    expect(page.getByRole('complementary', { name: 'The quote as PDF' }).elements()).toEqual([]);
    expect(button('Create contract').elements()).toEqual([]);
  });

  test('is seen once it is asked for, also on a phone, where it is above its button', async () => {
    await page.viewport(390, 700);
    await open('/quotes/a-quote', apiWithQuote(contractedQuote));
    await button('Show contract').click();
    await expect.element(shown.getByRole('link', { name: 'Download PDF' })).toBeInViewport();
  });

  test('that cannot be made as PDF says why', async () => {
    const refusal = new Refusal(409, 'QUOTE_TOO_LARGE_FOR_PDF');
    const api = apiWithQuote(contractedQuote).on(`GET ${quotePath}/contract/pdf`, refusal);
    await open('/quotes/a-quote', api);
    await button('Show contract').click();
    await expect.element(page.getByRole('alert')).toBeVisible();
  });
});

describe('the lead of an accepted quote', () => {
  const panel = page.getByRole('region', { name: 'Lead', exact: true });
  const win = panel.getByRole('button', { name: 'Move lead to Won' });
  const qualified = customerAsLead('qualified', ['won'], { name: 'Karin Åström' });
  const won = customerAsLead('won', []);
  const [read, moved] = ['GET /api/leads/karin', 'PATCH /api/leads/karin'];
  const acceptedNow = (): api.Quote => ({
    ...acceptedQuote,
    decision: acceptedQuote.decision && { ...acceptedQuote.decision, decidedAt: new Date().toISOString() },
  });
  const holdIntervals = () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
  };

  test('that has not moved is moved to Won by keys', async () => {
    const api = apiWithQuote(acceptedQuote, mover).on(read, qualified);
    api.on(moved, () => {
      api.on(read, won);
      return won;
    });
    await open('/quotes/a-quote', api);
    await expect.element(win).toBeVisible();
    (win.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(panel.getByText('Won', { exact: true })).toBeVisible();
    await expect.element(win).not.toBeInTheDocument();
    expect(api.sentTo(moved)).toEqual([{ status: 'won' }]);
  });

  test('that may not move there says why', async () => {
    await open(
      '/quotes/a-quote',
      apiWithQuote(acceptedQuote, mover).on(read, customerAsLead('new', ['contacted'])),
    );
    await expect
      .element(panel.getByText('From New, a lead can move to Contacted.', { exact: false }))
      .toBeVisible();
    expect(win.elements()).toEqual([]);
  });

  test('that is about to move by itself is not offered, but read again', async () => {
    holdIntervals();
    let move: (moved: object) => void = () => undefined;
    const later = new Promise<object>((resolve) => {
      move = resolve;
    });
    let reads = 0;
    // In development React begins each reading twice.
    const api = apiWithQuote(acceptedNow(), mover).on(read, () => (++reads > 2 ? later : qualified));
    await open('/quotes/a-quote', api);
    await expect.element(panel.getByText('Qualified', { exact: true })).toBeVisible();
    expect(win.elements()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    move(won);
    await expect.element(panel.getByText('Won', { exact: true })).toBeVisible();
  });

  test('that does not move by itself is offered after some readings', async () => {
    holdIntervals();
    const api = apiWithQuote(acceptedNow(), mover).on(read, qualified);
    await open('/quotes/a-quote', api);
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(1_000);
        return win.elements();
      })
      .toHaveLength(1);
    await expect.element(win).toBeVisible();
    expect(api.requests.filter(({ operation }) => operation === read).length).toBeGreaterThanOrEqual(4);
  });

  test('is not moved by those who may not, and a customer who is no lead has none', async () => {
    const { leave } = await open('/quotes/a-quote', apiWithQuote(acceptedQuote).on(read, qualified));
    await expect.element(panel.getByRole('link', { name: 'Karin Åström' })).toBeVisible();
    expect(win.elements()).toEqual([]);
    await leave();
    await open('/quotes/a-quote', apiWithQuote(acceptedQuote, mover));
    await expect.element(button('Create contract')).toBeVisible();
    expect(panel.elements()).toEqual([]);
  });
});

describe('a draft without a connection', () => {
  const connect = (isConnected: boolean) => dispatchEvent(new Event(isConnected ? 'online' : 'offline'));
  const said = page.getByText('You are offline. This is the draft as you last opened it', { exact: false });
  const line = 'PATCH /api/quotation/quotes/a-quote/work-packages/roof/items/felt';

  test('is read as it was saved last, and continues once the connection is back', async () => {
    onTestFinished(() => void connect(true));
    const api = apiWithQuote().on(
      line,
      Response.json(enveloped({ id: 'felt' }), { headers: { etag: '"2"' } }),
    );
    const { back } = await open('/quotes', api);
    await page.getByRole('link', { name: 'New roof' }).click();
    const description = page.getByLabelText('Description, line 1');
    await description.fill('Slate, laid');
    await expect.poll(() => api.sentTo(line)).toEqual([{ description: 'Slate, laid' }]);
    await expect.element(page.getByText('Saved', { exact: true })).toBeVisible();
    back();
    await expect.element(page.getByRole('link', { name: 'New roof' })).toBeVisible();

    connect(false);
    await page.getByRole('link', { name: 'New roof' }).click();
    await expect.element(said).toBeVisible();
    await expect.element(page.getByRole('cell', { name: 'Slate, laid', exact: false })).toBeVisible();
    expect(page.getByRole('textbox').elements()).toEqual([]);

    connect(true);
    await expect.element(description).toHaveValue('Roofing felt, laid');
    await expect.element(said).not.toBeInTheDocument();
  });
});

test('a quote that was sent says when its customer opened it, and what one of each costs', async () => {
  await open('/quotes/a-quote', apiWithQuote({ ...sentQuote, openedAt: '2026-11-21T13:00:00Z' }));
  const events = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
  await expect.element(events.last()).toHaveTextContent(/^Opened by the customer/);
  await expect.element(page.getByRole('cell', { name: '485.50', exact: true })).toBeVisible();
});

test("a customer's language is changed with their details, and forgotten", async () => {
  const api = apiWithQuote().on(`PATCH ${customerPath}`, enveloped(customer));
  await open('/customers/karin', api);
  await button('Change details').click();
  const field = page.getByLabelText('Language of e-mails');
  await expect.element(field).toHaveValue('sv');
  await field.selectOptions('Not chosen');
  await button('Save').click();
  await expect.poll(() => api.sentTo(`PATCH ${customerPath}`)).toEqual([{ language: null }]);
});

test('a draft that was seen an hour ago is shown without a connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => {
    vi.useRealTimers();
    onlineManager.setOnline(true);
  });
  await open('/quotes/a-quote', apiWithQuote());
  await page.getByRole('link', { name: '← Quotes' }).click();
  await expect.element(page.getByRole('heading', { name: 'Quotes' })).toBeVisible();
  await vi.advanceTimersByTimeAsync(3_600_000);
  onlineManager.setOnline(false);
  await page.getByRole('link', { name: 'New roof' }).click();
  await expect.element(page.getByText('Roofing felt, laid')).toBeVisible();
  await expect.element(page.getByText(/as you last opened it/)).toBeVisible();
});
