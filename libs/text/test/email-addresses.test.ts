import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasForeignLocalPart, lowerAscii, readEmail } from '@tenantry/text';

describe('an e-mail address', () => {
  it.each([
    ['max@müller-dach.example', 'max@xn--mller-dach-9db.example'],
    ['Max@MÜLLER-Dach.Example', 'Max@xn--mller-dach-9db.example'],
    ['max@mu\u0308ller-dach.example', 'max@xn--mller-dach-9db.example'],
    ['max@XN--MLLER-DACH-9DB.example', 'max@xn--mller-dach-9db.example'],
    // Not transitional: these are domains of their own.
    ['info@faß.example', 'info@xn--fa-hia.example'],
    ['info@βόλος.example', 'info@xn--nxasmm1c.example'],
    ['info@क\u094d\u200dष.example', 'info@xn--11b2ezcw70k.example'],
    ['kontakt@пример.испытание', 'kontakt@xn--e1afmkfd.xn--80akhbyknj4f'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['info@ｅｘａｍｐｌｅ．ｃｏｍ', 'info@example.com'],
    ['info@\u212Aelvin.example', 'info@kelvin.example'],
    ['info@soft\u00adhyphen.example', 'info@softhyphen.example'],
    ['  info@å.example\n', 'info@xn--5ca.example'],
  ])('%j is kept as %s [S-138]', (typed, stored) => {
    expect(readEmail(typed)).toBe(stored);
    expect(readEmail(stored)).toBe(stored);
  });

  it.each(['Ada.Lovelace+x@Example.COM', "o'brien@a-b.c--d.example", `${'a'.repeat(64)}@example.com`])(
    '%s is kept as it is written',
    (email) => {
      expect(readEmail(email)).toBe(email);
    },
  );

  it.each([
    '',
    '@',
    'max',
    '@müller.example',
    'max@',
    'max@müller',
    'max@müller..example',
    'max@.müller.example',
    'max@müller.example.',
    'max@-müller.example',
    'max@müller-.example',
    'max@mü--ller.example',
    'max@mü ller.example',
    'max@mü_ller.example',
    'max@mü/ller.example',
    'max@mü%2eller.example',
    'max@mü@ller.example',
    'max@müller.example:25',
    'max@[müller.example]',
    'max@müller.example?x',
    'max@müller.example#x',
    'max@mü\tller.example',
    'max@mü\0ller.example',
    'max@mü\uD800ller.example',
    'max@％41ü.example',
    'max@mü／ller.example',
    'max@mü：25.example',
    'max＠müller.example',
    'max@１２７.０.０.１',
    'max@ü.example.１',
    'max@a\u200db.example',
    'max@\u0301a.example',
    'max@a\u05d0.example',
    'max@xn--.example',
    'max@xn--a.example',
    'max@xn--abc-.example',
    'max@xn--99999999999.example',
    'max@xn--mller-9db\u00fc.example',
    `max@${'ü'.repeat(64)}.example`,
    `max@${'ü.'.repeat(60)}example`,
    `${'a'.repeat(65)}@müller.example`,
    `max@${'müller.'.repeat(20)}example`,
    'mäx@example.com',
    '\u212Aim@example.com',
    'ſam@example.com',
    'ｍax@example.com',
    'max\u200b@example.com',
    'a..b@müller.example',
    '"max"@müller.example',
  ])('%j is none', (text) => {
    expect(readEmail(text)).toBeUndefined();
    expect(readEmail(lowerAscii(text))).toBeUndefined();
  });

  it('has one form, which is ASCII', () => {
    const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
        const stored = readEmail(`max@${labels.join('.')}`);
        if (stored === undefined) return;
        expect(stored).toMatch(/^max@[\x21-\x7e]+$/);
        expect(readEmail(stored)).toBe(stored);
      }),
    );
  });

  it('takes no character for an ASCII one before the @ [S-138]', () => {
    for (let point = 0x80; point <= 0x1ffff; point += 1) {
      const text = `a${String.fromCodePoint(point)}b@example.com`;
      if (readEmail(lowerAscii(text)) !== undefined) expect.fail(text);
    }
  });

  it('is told apart by what is wrong: other letters than ASCII before the @', () => {
    expect(['mäx@example.com', '\u212Aim@example.com', 'mäx@müller.example'].every(hasForeignLocalPart)).toBe(
      true,
    );
    expect(['max@müller.example', 'müller', '@müller', ''].some(hasForeignLocalPart)).toBe(false);
  });
});
