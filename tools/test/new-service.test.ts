import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundsIn } from '../src/fair-shares/bounds-in-code.ts';
import { readFairShares } from '../src/fair-shares/list.ts';
import { namesFor, renamed } from '../src/new-service/names.ts';
import { own } from '../src/new-service/template.ts';
import { workspaceEdits } from '../src/new-service/workspace-edits.ts';
import { discoverServices } from '../src/services.ts';
import { checkoutRoot } from './support/checkout.ts';

const services = discoverServices(checkoutRoot);

describe('the name of a new service', () => {
  it('gives it the next free port and a prefix of its own', () => {
    const { port, ...names } = namesFor('trial-orders', services);
    expect(names).toEqual({
      plural: 'trial-orders',
      singular: 'trial-order',
      service: 'trial-orders-service',
      prefix: '/api/trial-orders',
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

it.each(workspaceEdits(namesFor('trial-orders', services)))(
  'a new service finds its place in %s',
  (path, change) => {
    const text = readFileSync(join(checkoutRoot, path), 'utf8');
    expect(change(text)).not.toBe(text);
  },
);

describe('the template of services', () => {
  const template = join(checkoutRoot, 'tools/service-template');
  const textOf = (pattern: string, cwd = checkoutRoot) =>
    globSync(pattern, { cwd }).map((file) => readFileSync(join(cwd, file), 'utf8'));

  it('has the tables of libraries as they are today, in its schema and in its one migration', () => {
    const [schema = ''] = textOf('prisma/schema.prisma', template);
    const [migration = '', ...others] = textOf('prisma/migrations/*/migration.sql', template);
    expect(others).toEqual([]);
    for (const model of textOf('libs/*/sql/*.prisma')) expect(schema).toContain(model.trim());
    for (const sql of textOf('libs/*/sql/*.sql')) {
      if (
        ![...sql.matchAll(/^CREATE TABLE (\w+) \(/gm)].some(([, table]) =>
          schema.includes(`@@map("${table}")`),
        )
      )
        continue;
      const withoutGrants = sql.split(/^-- GRANT .*\n/m);
      for (const part of withoutGrants) expect(migration).toContain(part.trim());
    }
  });

  it('has a request in the matrix for whatever all services of organizations answer', () => {
    const matrix = 'tools/test-system/matrix';
    const answered = (file: string) => {
      const [text = ''] = textOf(`${matrix}/${file}-service.ts`);
      return new Set(
        Array.from(
          text.matchAll(/'(\w+) \/api\/[\w-]+(\/[^']+)'/g),
          ([, method, path]) => `${method} ${path}`,
        ),
      );
    };
    const [first, ...others] = ['leads', 'quotation', 'users'].map((name) => answered(`requests/${name}`));
    const byAll = [...(first ?? [])].filter((one) => others.every((other) => other.has(one)));
    expect(byAll).toContain('GET /usage');
    expect([...answered('service-template/field-notes')]).toEqual(expect.arrayContaining(byAll));
  });

  it('borrows the permissions of leads, and leaves none to a new service', () => {
    const names = namesFor('trial-orders', services);
    const texts = textOf('src/**/*.ts', template).filter((text) => text.includes('access:'));
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) {
      expect(text).toContain("access: 'leads:");
      expect(own(text, names)).toContain("access: 'trial-orders:");
      expect(own(text, names)).not.toContain('leads');
    }
  });

  it('has no bound that a new service does not list', () => {
    const names = namesFor('trial-orders', services);
    const [, list] = workspaceEdits(names).find(([path]) => path === 'docs/fair-shares.md') ?? [];
    const listed = readFairShares(
      list?.('\n## Shared\n\n## Bounds of one thing\n- `apps/leads-service/src/leads.ts`: `leadsMax`\n') ??
        '',
    ).others;
    const bounds = globSync('src/**/*.ts', { cwd: template, exclude: ['src/generated/**'] }).flatMap((file) =>
      boundsIn(`apps/${names.service}/${file}`, readFileSync(join(template, file), 'utf8')),
    );
    expect(listed).toEqual(['apps/leads-service/src/leads.ts: leadsMax', ...bounds]);
  });
});
