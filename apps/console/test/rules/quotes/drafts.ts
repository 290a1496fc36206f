import type { Draft, DraftLine } from '../../../src/quotes/editor/draft.ts';

/** A draft with packages of these lines. */
export const draftWith = (packages: readonly (readonly DraftLine[])[], more: Partial<Draft> = {}): Draft => ({
  ...{ customer: { id: 'karin', name: 'Karin', email: '' }, title: 'Roof', description: '' },
  ...{ validUntil: '2099-01-31', currency: 'SEK', vatRate: '25', vatExemptionReason: '' },
  packages: packages.map((lines, index) => ({
    ...{ key: `package-${index}`, name: `Package ${index}`, description: '', lines },
  })),
  ...more,
});
