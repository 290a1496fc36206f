import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { organizationsCalled } from '../../src/organizations/organization-search.ts';

const organization = (name: string, slug = 'a-slug') => ({
  ...{ id: name, name, slug, createdAt: '2026-11-20T12:00:00Z' },
  ...({
    role: 'member',
    active: false,
    twoFactorRequired: false,
    ssoRequired: false,
    accessible: true,
  } as const),
});

describe('a search among organizations', () => {
  const all = [organization('Åkeri & Söner'), organization('Nordlys Bygg', 'nb-ab'), organization('Lumière')];
  const found = (typed: string) => organizationsCalled(typed, all).map(({ name }) => name);

  test('finds names without their accents, in any case, and short names', () => {
    expect(found('SONER')).toEqual(['Åkeri & Söner']);
    expect(found('lumiere')).toEqual(['Lumière']);
    expect(found(' nb-a')).toEqual(['Nordlys Bygg']);
  });

  test('shows all before something is typed, and none where nothing fits', () => {
    expect(found('  ')).toHaveLength(3);
    expect(found('xyz')).toEqual([]);
  });

  test('finds an organization by any part of its name, and keeps the order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.nat(), fc.nat(), (names, at, cut) => {
        const organizations = names.map((name) => organization(name));
        const sought = names[at % Math.max(1, names.length)] ?? '';
        const result = organizationsCalled(sought.slice(0, cut), organizations);
        expect(result).toEqual(organizations.filter((each) => result.includes(each)));
        if (names.length > 0) expect(result.map(({ name }) => name)).toContain(sought);
      }),
    );
  });
});
