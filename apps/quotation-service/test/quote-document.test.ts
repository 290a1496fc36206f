import { createHash } from 'node:crypto';
import { canonicalJson } from '@tenantry/service/business';
import { describe, expect, it } from 'vitest';
import { contentHash, type QuoteDocument } from '../src/quotes/quote-document.ts';
import type { WorkPackage } from '../src/quotes/quote.ts';

const packageOf = (n: number): WorkPackage => ({
  subtotal: 10,
  name: `Stage ${n}`,
  id: `package-${n}`,
  description: 'Groundwork, "as agreed"\n',
  items: Array.from({ length: 3 }, (_, line) => ({
    id: `line-${line}`,
    unit: 'h',
    articleNumber: 'A-1',
    description: 'Digging',
    quantity: 1,
    unitPrice: 10,
    totalPrice: 10,
  })),
});

const documentOf = (packages: number): QuoteDocument => ({
  workPackages: Array.from({ length: packages }, (_, n) => packageOf(n)),
  quoteId: 'q',
  number: 'Q-2026-0001',
  revision: 1,
  status: 'sent',
  seller: { name: 'Acme', address: '1 High Street', vatNumber: '' },
  customer: { name: 'Bo', id: 'c', email: null },
  title: 'A house',
  description: '',
  subtotal: 30,
  vatRate: 25,
  vatExemptionReason: null,
  vatAmount: 7.5,
  totalAmount: 37.5,
  currency: 'EUR',
  validUntil: '2026-12-31T22:59:59.999Z',
  timeZone: 'Europe/Stockholm',
  createdAt: '2026-11-01T00:00:00.000Z',
  sentAt: '2026-11-02T00:00:00.000Z',
});

describe('the hash of what a quote offers', () => {
  it.each([0, 1, 3])('is that of its canonical JSON, with %i packages', async (packages) => {
    const document = documentOf(packages);
    const offer = canonicalJson({ ...document, status: undefined, timeZone: undefined });
    expect(await contentHash(document)).toEqual(createHash('sha256').update(offer).digest());
  });

  it('is made with turns for other requests between its packages', async () => {
    let turns = 0;
    const others = () => {
      turns += 1;
      next = setImmediate(others);
    };
    let next = setImmediate(others);
    await contentHash(documentOf(100));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(99);
  });
});
