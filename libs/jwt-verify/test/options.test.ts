import { describe, expect, it } from 'vitest';
import { createVerifier } from '@tenantry/jwt-verify';
import { createForge } from './forge.ts';
import { clock } from './mutations.ts';

const forge = createForge();
const good = { issuer: 'https://auth.test/api/auth', jwks: forge.jwks, revocations: false } as const;

/** What is said of options that replace some of the good ones; nothing when they are accepted. */
function complaint(changed: Readonly<Record<string, unknown>>): string {
  try {
    createVerifier({ ...good, ...changed }).close();
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
}

describe('options that cannot work make no verifier', () => {
  it.each([
    [
      'an issuer that is undefined, as from a missing variable',
      { issuer: undefined },
      /issuer is undefined: give the address/,
    ],
    ['no issuer at all', { issuer: '' }, /issuer is "": /],
    ['an issuer that is no address', { issuer: 'auth' }, /issuer is "auth": /],
    ['an issuer with a query', { issuer: 'https://auth.test?x' }, /issuer is "https/],
    ['an issuer that is no text', { issuer: ['https://auth.test'] }, /issuer is an object that does not fit/],
    ['an undefined feed', { revocations: undefined }, /revocations is undefined: give the URL .* or false/],
    ['a feed that is true', { revocations: true }, /revocations is true/],
    ['a feed that is no address', { revocations: '/internal/revocations' }, /revocations is "\/internal/],
    [
      'a feed without room',
      { revocations: { url: 'https://auth.test', entriesMax: 0 } },
      /revocations is an object/,
    ],
    [
      'a misspelt option of the feed',
      { revocations: { url: 'https://auth.test', max: 1 } },
      /revocations is an object/,
    ],
    ['keys that are no address', { jwks: 'keys.json' }, /jwks is "keys.json"/],
    ['a set without keys', { jwks: { keys: [] } }, /jwks is an object/],
    [
      'a set of keys for another algorithm',
      { jwks: { keys: [{ kty: 'RSA', kid: 'a', n: 'AQAB', e: 'AQAB' }] } },
      /jwks/,
    ],
    ['a set of keys without a kid', { jwks: { keys: [{ ...forge.jwks.keys[0], kid: undefined }] } }, /jwks/],
    ['no audience', { audience: '' }, /audience is ""/],
    ['an empty list of audiences', { audience: [] }, /audience is an object/],
    ['an audience that is undefined in a list', { audience: ['a', undefined] }, /audience is an object/],
    ['an audience that is null', { audience: null }, /audience is null/],
    ['a cache of less than nothing', { cacheSize: -1 }, /cacheSize is -1/],
    ['a cache of text', { cacheSize: '100' }, /cacheSize is "100"/],
    ['keys that are never read again', { keyRefreshSeconds: Infinity }, /keyRefreshSeconds is Infinity/],
    ['keys that are read again without a pause', { keyRefreshSeconds: 0 }, /keyRefreshSeconds is 0/],
    ['keys without an age limit', { keyMaxAgeSeconds: Infinity }, /keyMaxAgeSeconds is Infinity/],
    [
      'an age limit below the time between readings',
      { keyMaxAgeSeconds: 10 },
      /keyMaxAgeSeconds is below keyRefreshSeconds/,
    ],
    ['a background that is text', { background: 'no' }, /background is "no"/],
    ['a logger that is none', { logger: {} }, /logger is an object/],
    ['nothing to call around a reading', { around: true }, /around is true/],
    ['a clock that stands still', { clock: 0 }, /clock is 0/],
    ['a misspelt option', { audiance: 'x' }, /audiance is not an option: the options are .*audience/],
    ['several issuers beside one', { issuers: [good] }, /issuer is not an option: the options are .*issuers/],
    ['nothing', { issuer: undefined, jwks: undefined, revocations: undefined }, /issuer is undefined/],
  ])('%s [S-83]', (_case, changed, message) => {
    expect(complaint(changed)).toMatch(message);
  });

  it('an address with a password, which is not repeated', () => {
    expect(complaint({ jwks: 'https://user:secret@auth.test/jwks' })).toContain(
      'jwks is "https://…@auth.test/jwks"',
    );
    expect(complaint({ revocations: 'https://:se@cret@auth.test/' })).not.toContain('cret');
  });

  it.each([undefined, null, 7, 'https://auth.test'])('%j in place of options', (options) => {
    expect(() => createVerifier(options as never)).toThrow(/issuer is undefined/);
  });

  it('all problems are named together [S-83]', () => {
    const message = complaint({ issuer: undefined, revocations: undefined, cacheSize: 1.5, audiance: 'x' });
    expect(message.split('\n- ')).toEqual([
      'createVerifier cannot use these options:',
      expect.stringMatching(/^audiance is not an option/),
      expect.stringMatching(/^cacheSize is 1.5/),
      expect.stringMatching(/^issuer is undefined/),
      expect.stringMatching(/^revocations is undefined/),
    ]);
  });

  it.each([
    ['no list', 'https://auth.test', /issuers\[0\]\.issuer is undefined/],
    ['an empty list', [], /issuers is an object/],
    ['one without a feed', [{ ...good, revocations: undefined }], /issuers\[0\]\.revocations is undefined/],
    [
      'one with an option of all',
      [good, { ...good, audience: 'x' }],
      /issuers\[1\]\.audience is not an option/,
    ],
    ['one twice', [good, good], /issuers names one issuer twice/],
  ])('several issuers: %s', (_case, issuers, message) => {
    expect(() => createVerifier({ issuers } as never)).toThrow(message);
  });
});

describe('options that are left out', () => {
  it('may be undefined, so that a missing variable is a missing option', () => {
    const common = [
      'audience',
      'cacheSize',
      'keyRefreshSeconds',
      'keyMaxAgeSeconds',
      'background',
      'logger',
      'around',
      'clock',
    ];
    expect(complaint(Object.fromEntries(common.map((name) => [name, undefined])))).toBe('');
  });
});

describe('options that a function gives', () => {
  it('are read when the verifier is first used', async () => {
    let read = 0;
    const verifier = createVerifier(() => {
      read++;
      return { ...good, clock };
    });
    expect(read).toBe(0);
    const { userId } = await verifier.verify(forge.token({ sub: 'user-1' }));
    await verifier.ready();
    expect([userId, verifier.revocations.staleMs, await verifier.unreadyBecause(), read]).toEqual([
      'user-1',
      0,
      undefined,
      1,
    ]);
    verifier.close();
  });

  it('are refused then, at every use, when they cannot work', async () => {
    const verifier = createVerifier(() => ({ ...good, issuer: '' }));
    for (const use of [
      () => verifier.verify('token'),
      () => verifier.verify('token'),
      () => verifier.ready(),
    ]) {
      await expect(use()).rejects.toThrow('issuer is ""');
    }
    verifier.close();
  });

  it('are not read by closing, and what is made afterwards is closed', async () => {
    let read = 0;
    const verifier = createVerifier(() => {
      read++;
      return { ...good, jwks: 'http://127.0.0.1:1/jwks', logger: { warn: () => undefined } };
    });
    verifier.close();
    expect(read).toBe(0);
    await expect(verifier.verify(forge.token({}))).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });
});
