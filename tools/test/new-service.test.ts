import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesFor, renamed } from '../src/new-service/names.ts';
import { workspaceEdits } from '../src/new-service/workspace-files.ts';
import { discoverServices } from '../src/services.ts';
import { checkoutRoot } from './support/checkout.ts';

const services = discoverServices(checkoutRoot);

describe('the name of a new service', () => {
  it('gives it the next free port and a prefix of its own', () => {
    const { port, ...names } = namesFor('purchase-orders', services);
    expect(names).toEqual({
      plural: 'purchase-orders',
      singular: 'purchase-order',
      service: 'purchase-orders-service',
      prefix: '/api/purchase-orders',
    });
    expect(services.map((service) => service.port)).not.toContain(port);
  });

  it.each([
    ['categories', 'category'],
    ['people', 'person'],
    ['statuses', 'status'],
    ['expenses', 'expense'],
    ['news', 'news-item'],
    ['field-equipment', 'field-equipment-item'],
  ])('%s has a singular: %s', (plural, singular) => {
    expect(namesFor(plural, services).singular).toBe(singular);
  });

  it.each(['leads', 'users'])('%s is taken', (name) => {
    expect(() => namesFor(name, services)).toThrow(`${name}-service is there already`);
  });

  it.each([
    undefined,
    '',
    'invoice',
    'Invoices',
    'price_lists',
    '-invoices',
    '../invoices',
    'invoices;ls',
    'a'.repeat(31),
  ])('%j cannot be one', (name) => {
    expect(() => namesFor(name, services)).toThrow('npm run new-service -- purchase-orders');
  });

  it.each([
    ['purchase-orders', 'purchase-order', 'Create a purchase order', 'NewPurchaseOrderSchema'],
    ['invoices', 'invoice', 'Create an invoice', 'NewInvoiceSchema'],
    ['hours', 'hour', 'Create an hour', 'NewHourSchema'],
    ['units', 'unit', 'Create a unit', 'NewUnitSchema'],
    ['news', 'news-item', 'Create a news item', 'NewNewsItemSchema'],
  ])('%s are written in every form as it is usual', (plural, singular, summary, schema) => {
    const text =
      'Create a field note · NewFieldNoteSchema · fieldNotes · field_notes · /api/field-notes · Field notes';
    const [made, type, camel, snake, path, sentence] = renamed(text, { plural, singular }).split(' · ');
    expect([made, type, snake, path]).toEqual([
      summary,
      schema,
      plural.replaceAll('-', '_'),
      `/api/${plural}`,
    ]);
    expect(camel?.toLowerCase()).toBe(plural.replaceAll('-', ''));
    expect(sentence?.toLowerCase()).toBe(plural.replaceAll('-', ' '));
  });
});

it.each(workspaceEdits(namesFor('purchase-orders', services)))(
  'a new service finds its place in %s',
  (path, change) => {
    const text = readFileSync(join(checkoutRoot, path), 'utf8');
    expect(change(text)).not.toBe(text);
  },
);
