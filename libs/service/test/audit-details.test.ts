import { AuditDetailsOf, changeDetails, shownDetails, type KeptFields } from '@tenantry/service/resources';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

const kept = {
  ...{ status: ['new', 'won'], vatRate: 'number', isOpen: 'switch', validUntil: 'moment', currency: 'code' },
} as const satisfies KeptFields;

/** What a route of a trail answers that records changes of these fields. */
async function answered(
  fields: readonly string[],
  details: object,
  keeps: KeptFields = {},
): Promise<unknown> {
  const app = Fastify();
  app.get('/', { schema: { response: { 200: AuditDetailsOf(fields, keeps) } } }, async () =>
    shownDetails({ ...details }, keeps),
  );
  const answer = await app.inject('/');
  await app.close();
  return answer.json();
}

it('details of an audit entry name the changed fields with the values that are kept, and say whatever else there is', async () => {
  const details = {
    fields: ['status', 'currency', 'isOpen'],
    values: {
      status: { from: 'new', to: 'won' },
      currency: { from: null, to: 'SEK' },
      isOpen: { from: true, to: false },
      vatRate: { from: 25, to: 12.5 },
    },
    lineItemId: 'one',
  };
  expect(await answered(['name', 'status', 'currency', 'isOpen'], details, kept)).toEqual(details);
});

it('those of earlier versions have the values beside the fields', async () => {
  const details = { fields: ['status'], from: 'new', to: 'won' };
  expect(await answered(['name', 'status'], details, kept)).toEqual(details);
});

it.each([
  [{ values: null, fields: null }, {}],
  [{ values: 'new', fields: 'status' }, {}],
  [{ values: ['new'], fields: [7, 'status'] }, { fields: ['status'] }],
  [{ values: { status: null, vatRate: {}, name: { from: 'Ada', to: 'Grace' } } }, {}],
  [
    { values: { vatRate: { from: 'Ada', to: 12 }, isOpen: { from: true, to: false } }, lineItemId: 'one' },
    {
      values: { isOpen: { from: true, to: false } },
      lineItemId: 'one',
    },
  ],
])('what an import has brought that is of no kind is left out: %j [S-357]', async (details, shown) => {
  expect(await answered(['status', 'vatRate', 'isOpen', 'name'], details, kept)).toEqual(shown);
});

it('a trail may record no fields', async () => {
  expect(await answered([], { scope: 'others' })).toEqual({ scope: 'others' });
});

describe('the values that a trail keeps', () => {
  const said = (field: string, from: unknown, to: unknown) =>
    changeDetails([field], { kept, before: { [field]: from }, after: { [field]: to } });

  it.each([
    ['status', 'new', 'won'],
    ['vatRate', 25, 12],
    ['isOpen', false, true],
    ['validUntil', '2026-12-20T22:59:59.999Z', '2026-12-31T22:59:59Z'],
    ['currency', null, 'SEK'],
    ['currency', 'Europe/Stockholm', 'America/Port-au-Prince'],
  ])('are of their kind: %s from %s to %s [S-357]', (field, from, to) => {
    expect(said(field, from, to)).toEqual({ fields: [field], values: { [field]: { from, to } } });
  });

  it.each([
    ['a field that is not declared', 'name', 'Ada', 'Grace'],
    ['a field that every object has', 'constructor', 'Ada', 'Grace'],
    ['another word', 'status', 'new', 'Ada Lovelace'],
    ['a number as a text', 'vatRate', 25, '070-123 45 67'],
    ['no number', 'vatRate', 25, Number.NaN],
    ['a text for a switch', 'isOpen', true, 'Ada'],
    ['no moment', 'validUntil', '2026-12-20T22:59:59Z', 'when Ada says so'],
    ['a sentence', 'currency', 'SEK', 'Ada Lovelace'],
    ['an address', 'currency', 'SEK', 'ada@example.com'],
    ['what is too long', 'currency', 'SEK', 'S'.repeat(65)],
    ['an object', 'currency', 'SEK', { name: 'Ada' }],
    ['what is missing', 'currency', undefined, 'SEK'],
  ])('are neither before nor after those of %s, of which the name stays [S-357]', (_, field, from, to) => {
    expect(said(field, from, to)).toEqual({ fields: [field] });
  });
});
