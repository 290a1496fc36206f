import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesFor, renamed } from '../src/new-service/names.ts';
import { holds, readParts } from '../src/new-service/parts.ts';
import { withParts } from '../src/new-service/template.ts';
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

describe('the parts of a new service', () => {
  it('are those that --with names', () => {
    expect(readParts('mail,audit')).toEqual(['audit', 'mail']);
    expect(readParts(undefined)).toEqual([]);
    expect(() => readParts('mail,mial')).toThrow('There is no part "mial"');
  });

  it('stand behind conditions', () => {
    expect([holds('mail', ['mail']), holds('!mail', ['mail']), holds('audit|mail', ['mail'])]).toEqual([
      true,
      false,
      true,
    ]);
    expect([holds('audit&mail', ['mail']), holds('mail&!audit', ['mail'])]).toEqual([false, true]);
  });

  it('bring their lines, blocks, words and files, and imports of one module in one', () => {
    const text = [
      "import { b } from 'x';",
      "import { a } from 'x'; //#with mail",
      'call(one/*#mail , two*//*#audit , three*/);',
      '//#with audit',
      'audit();',
      '//#end',
      'always(); //#with !audit',
    ].join('\n');
    expect(withParts(text, ['mail'])).toBe("import { a, b } from 'x';\ncall(one, two);\nalways();");
    expect(withParts(text, ['audit'])).toBe("import { b } from 'x';\ncall(one, three);\naudit();");
    expect(withParts('//#file mail\nmail();', ['mail'])).toBe('mail();');
    expect(withParts('//#file mail\nmail();', [])).toBeUndefined();
  });
});

it.each(workspaceEdits(namesFor('purchase-orders', services)))(
  'a new service finds its place in %s',
  (path, change) => {
    const text = readFileSync(join(checkoutRoot, path), 'utf8');
    expect(change(text)).not.toBe(text);
  },
);
