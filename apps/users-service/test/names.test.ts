import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedName, divideName, wholeName } from '../src/users/names.ts';

describe('a name', () => {
  it.each([
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['Anna Maria Berg', 'Anna Maria', 'Berg'],
    ['Plato', 'Plato', ''],
  ])('%s is divided before its last word without a family name hint', (name, firstName, lastName) => {
    expect(divideName({ name, familyName: null })).toEqual({ firstName, lastName });
  });

  it('is divided before the family name where somebody has said so', () => {
    const whole = wholeName({ firstName: 'Anna', lastName: 'von der Leyen' });
    expect(whole).toEqual({ name: 'Anna von der Leyen', familyName: 'von der Leyen' });
    expect(divideName(whole)).toEqual({ firstName: 'Anna', lastName: 'von der Leyen' });
  });

  it('is divided again where it no longer ends with that family name', () => {
    const name = { name: 'Anna Berg', familyName: 'von der Leyen' };
    expect(divideName(name)).toEqual({ firstName: 'Anna', lastName: 'Berg' });
    expect(divideName({ name: 'Berg', familyName: 'Berg' })).toEqual({ firstName: 'Berg', lastName: '' });
  });

  it('is shown with 50 characters a part where the account has a longer one', () => {
    const { firstName, lastName } = divideName({ name: `${'🦊'.repeat(60)} King`, familyName: null });
    expect([Array.from(firstName).length, lastName]).toEqual([50, 'King']);
  });

  it.each([
    ['the other part', { lastName: 'King' }, 'King'],
    ['a part as it was shown', { firstName: 'x'.repeat(50), lastName: 'King' }, 'King'],
    ['nothing', { firstName: 'x'.repeat(50) }, 'Lovelace'],
  ])('keeps what is too long to be shown when %s is changed', (_what, changes, lastName) => {
    const whole = { name: `${'x'.repeat(60)} Lovelace`, familyName: null };
    expect(changedName(whole, changes).name).toBe(`${'x'.repeat(60)} ${lastName}`);
  });

  it('keeps a last word that is too long to be shown when the first name is changed', () => {
    const whole = { name: `Ada ${'y'.repeat(60)}`, familyName: null };
    const changed = changedName(whole, { firstName: 'Grace' });
    expect(changed).toEqual({ name: `Grace ${'y'.repeat(60)}`, familyName: null });
    expect(divideName(changed)).toEqual({ firstName: 'Grace', lastName: 'y'.repeat(50) });
  });

  it('loses no character that was not to be changed, whatever is', () => {
    const part = fc
      .stringMatching(/^[A-Za-zÅå🦊'-]{1,70}$/u)
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(part, part, part, (first, last, other) => {
        const whole = { name: `${first} ${last}`, familyName: null };
        fc.pre(other !== divideName(whole).firstName && other !== divideName(whole).lastName);
        expect(changedName(whole, { lastName: other }).name).toBe(`${first} ${other}`);
        expect(changedName(whole, { firstName: other }).name).toBe(`${other} ${last}`);
        expect(changedName(whole, divideName(whole))).toBe(whole);
      }),
    );
  });

  it('comes back as it was given, whatever its parts are', () => {
    const part = fc
      .stringMatching(/^[A-Za-zÅå' -]{1,50}$/)
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(part, part, (firstName, lastName) => {
        expect(divideName(wholeName({ firstName, lastName }))).toEqual({ firstName, lastName });
      }),
    );
  });
});
