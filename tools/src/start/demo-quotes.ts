import { randomUUID } from 'node:crypto';
import type { Api } from './demo-api.ts';

/** Where a demo quote ends: the states of the contract, and what may become of a sent quote. */
type DemoState = 'draft' | 'sent' | 'accepted' | 'rejected' | 'expired' | 'revised' | 'contract';

interface DemoQuote {
  readonly title: string;
  readonly state: DemoState;
  /** Quantity, unit and price of each line. */
  readonly lines: readonly (readonly [
    description: string,
    quantity: number,
    unit: string,
    unitPrice: number,
  ])[];
}

/** Who the quotes are for. */
interface DemoCustomer {
  readonly customerName: string;
  readonly customerEmail: string;
}

/** A quote of every state, so that a person sees each of them. */
export const demoQuotes: readonly DemoQuote[] = [
  { title: 'New windows', state: 'draft', lines: [['Windows, triple glazing', 6, 'pieces', 4_890]] },
  {
    title: 'Roof of the boathouse',
    state: 'sent',
    lines: [
      ['Roofing felt, laid', 48.5, 'sqm', 189.9],
      ['Scaffolding', 2, 'weeks', 2_400],
    ],
  },
  { title: 'Kitchen, second floor', state: 'accepted', lines: [['Carpentry', 36, 'hours', 545]] },
  { title: 'Terrace in larch', state: 'contract', lines: [['Decking, larch', 32, 'sqm', 1_149.5]] },
  { title: 'Garden wall', state: 'rejected', lines: [['Masonry', 18, 'hours', 610]] },
  { title: 'Winter insulation', state: 'expired', lines: [['Wood fiber, blown in', 22.75, 'cbm', 895]] },
  { title: 'Bathroom', state: 'revised', lines: [['Tiling', 27.4, 'sqm', 720]] },
];

const quotesPath = '/api/quotation/quotes';

/** Adds the demo quotes to the organization that the API acts in; those that are there stay. */
export async function seedQuotes(api: Api, customer: DemoCustomer): Promise<void> {
  for (const quote of demoQuotes) {
    const search = encodeURIComponent(quote.title);
    const found = await api.get<{ meta: { total: number } }>(`${quotesPath}?search=${search}`);
    if (found.meta.total === 0) await seedQuote(api, quote, customer);
  }
}

interface Made {
  readonly data: { readonly id: string };
}

async function seedQuote(
  api: Api,
  { title, state, lines }: DemoQuote,
  customer: DemoCustomer,
): Promise<void> {
  const validUntil = state === 'expired' ? { validUntil: '2026-01-31' } : {};
  const { data: quote } = await api.post<Made>(quotesPath, {
    ...{ customerId: randomUUID(), ...customer, title, ...validUntil },
  });
  const packages = `${quotesPath}/${quote.id}/work-packages`;
  const { data: workPackage } = await api.post<Made>(packages, { name: title });
  for (const [description, quantity, unit, unitPrice] of lines) {
    const line = { description, quantity, unit, unitPrice };
    await api.post(`${packages}/${workPackage.id}/items`, line);
  }
  for (const [move, body] of movesTo(state, customer))
    await api.post(`${quotesPath}/${quote.id}/${move}`, body);
}

/** What is done to a draft, one after the other. */
function movesTo(state: DemoState, { customerEmail }: DemoCustomer): (readonly [string, object])[] {
  const send = ['send', { recipientEmail: customerEmail, message: 'As discussed.' }] as const;
  switch (state) {
    case 'draft':
      return [];
    case 'sent':
    case 'expired':
      return [send];
    case 'accepted':
      return [send, ['accept', {}]];
    case 'contract':
      return [send, ['accept', {}], ['contract', {}]];
    case 'rejected':
      return [send, ['reject', { reason: 'Another offer was cheaper.' }]];
    case 'revised':
      return [send, ['revise', {}]];
  }
}
