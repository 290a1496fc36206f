import { describe, expect, test } from 'vitest';
import { mailtoHref } from '../../src/leads/mailto.ts';

describe('the link that writes to an address', () => {
  test('is its address as it is', () => {
    expect(mailtoHref('ada.lovelace@example.com')).toBe('mailto:ada.lovelace@example.com');
  });

  test.each(['a?bcc=eve@example.com', 'a&body=hello@example.com', 'a#b%40c@example.com'])(
    'writes to %s and to no other address, with an empty body',
    (email) => {
      const { pathname, search, hash } = new URL(mailtoHref(email));
      expect([decodeURIComponent(pathname), search, hash]).toEqual([email, '', '']);
      expect(pathname).not.toContain('&');
    },
  );
});
