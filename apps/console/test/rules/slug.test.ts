import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proposeSlug } from '../../src/organizations/slug.ts';

describe('the short name that is proposed for an organization', () => {
  test.each([
    ['Åkeri & Söner AB', 'akeri-soner-ab'],
    ['  Nordlys   Bygg ', 'nordlys-bygg'],
    ['東京', ''],
    ['AB', ''],
    ['long '.repeat(20), 'long-long-long-long-long-long-long-long-long-lon'],
  ])('of %j is %j', (name, slug) => {
    expect(proposeSlug(name)).toBe(slug);
  });

  test('is one that the API takes, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(proposeSlug(name)).toMatch(/^$|^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$/);
      }),
    );
  });
});
