import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedVersions, entityTag } from '../src/leads/entity-tag.ts';
import { tidyText } from '../src/leads/lead-text.ts';

describe('text is kept tidy', () => {
  it('without blanks around it and composed', () => {
    expect(tidyText({ name: '\u3000 A\u030Asa \n', phone: null, n: 1 })).toEqual({
      name: 'Åsa',
      phone: null,
      n: 1,
    });
  });

  it('once and for all: tidying again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const once = tidyText({ name });
        expect(tidyText(once)).toEqual(once);
      }),
    );
  });

  it('and what is no object is left to validation', () => {
    for (const body of [null, undefined, 5, 'text', ['  a  ']]) expect(tidyText(body)).toEqual(body);
  });
});

describe('If-Match', () => {
  it.each([
    [undefined, true],
    ['*', true],
    ['"3"', true],
    ['"2", "3"', true],
    ['"2"', false],
    ['W/"3"', false],
    ['3', false],
    ['', false],
    ['"3', false],
  ])('%s on version 3: %s', (header, accepted) => {
    expect(acceptedVersions(header)(3)).toBe(accepted);
  });

  it('accepts the tag that was handed out, and only that one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (version, other) => {
        expect(acceptedVersions(entityTag(version))(other)).toBe(version === other);
      }),
    );
  });
});
