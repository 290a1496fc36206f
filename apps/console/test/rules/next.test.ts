import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeNext } from '../../src/sessions/next.ts';

const here = 'https://console.example.com';

/** Where a browser would go. */
const originOf = (address: string) => new URL(address, `${here}/sign-in`).origin;

describe('where a user continues after signing in', () => {
  test.each(['/account', '/quotes/7?tab=lines', '/leads#new', '/'])(
    'is the address asked for: %s',
    (next) => {
      expect(safeNext(next)).toBe(next);
    },
  );

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%09/evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    'account',
    '',
    undefined,
    7,
    ['/account'],
  ])('is this console, whatever a link says: %j', (next) => {
    expect(originOf(safeNext(next))).toBe(here);
  });

  test('is never another origin', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '\t',
      '\n',
      ':',
      '@',
      '.',
      '%2f',
      'evil.example',
      'https:',
      '?',
      '#',
      'a',
    );
    const addresses = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(addresses, fc.string(), fc.webUrl()), (next) => {
        expect(originOf(safeNext(next))).toBe(here);
      }),
    );
  });
});
