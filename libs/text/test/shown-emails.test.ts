import { describe, expect, it } from 'vitest';
import { readEmail, shownEmail } from '@tenantry/text';

const stored = (email: string): string => readEmail(email) ?? expect.fail(email);

describe('an address is shown', () => {
  it.each([
    'max@müller-dach.example',
    'info@faß.example',
    'kontakt@пример.испытание',
    'info@例え.テスト',
    'info@한국.example',
    'info@παράδειγμα.δοκιμή',
    'Max@example.com',
    'max@åäö.müller.example',
  ])('as people write it: %s', (email) => {
    expect(shownEmail(stored(email))).toBe(email);
  });

  it.each([
    ['Latin and Cyrillic in one label', 'max@pаypal.example'],
    ['Latin and Greek', 'max@exαmple.example'],
    ['Cyrillic that looks Latin', 'max@аррӏе.example'],
    ['a script in historic use', 'max@\u{10330}\u{10331}.example'],
  ])('as it is stored where it could be taken for another: %s', (_case, email) => {
    expect(stored(email)).toMatch(/@xn--/);
    expect(shownEmail(stored(email))).toBe(stored(email));
  });

  it.each(['', 'max', 'max@xn--a.example', 'max@xn--.example', 'xn--mller-dach-9db.example'])(
    'as it is, whatever it is: %j',
    (text) => {
      expect(shownEmail(text)).toBeTypeOf('string');
    },
  );
});
