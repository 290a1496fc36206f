import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addressOf,
  allowedOrigins,
  bindingClaim,
  bindingDigest,
  browserId,
  cookieToken,
  csrfDigest,
  deviceKey,
  boundStanding,
  isBrowser,
  isCsrfToken,
  originStanding,
  placeOf,
  readDevice,
  sessionBindings,
  serveBrowsers,
  sessionCookies,
  setSessionCookie,
  takeCookies,
  type CookieToSet,
} from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { buildFixture } from './fixture.ts';

const frontend = 'https://app.example.com';
const origins = allowedOrigins({ NODE_ENV: 'production', FRONTEND_URL: `${frontend}/` });

describe('the list of origins', () => {
  it('is what is configured, as browsers write it, and the local front end outside production', () => {
    const settings = {
      FRONTEND_URL: 'https://App.example.com/start',
      FRONTEND_STAGING_URL: 'http://staging:8080',
    };
    const configured = [frontend, 'http://staging:8080'];
    expect([...allowedOrigins({ NODE_ENV: 'production', ...settings })]).toEqual(configured);
    expect([...allowedOrigins({ NODE_ENV: 'development', ...settings })]).toEqual([
      ...configured,
      'http://localhost:5173',
    ]);
    expect([...allowedOrigins({ NODE_ENV: 'production' })]).toEqual([]);
  });

  it.each([
    [{ origin: frontend }, 'allowed', true],
    [{ origin: frontend, 'sec-fetch-site': 'cross-site' }, 'allowed', true],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'foreign', true],
    [{ origin: 'https://evil.example' }, 'foreign', false],
    [{ origin: 'null' }, 'foreign', false],
    [{ origin: '' }, 'foreign', false],
    [{ 'sec-fetch-site': 'same-origin' }, 'allowed', true],
    [{ 'sec-fetch-site': 'same-site' }, 'foreign', true],
    [{ 'sec-fetch-site': 'none' }, 'none', true],
    [{}, 'none', false],
  ] as const)('tells where %j comes from: %s', (headers, standing, browser) => {
    expect(originStanding(headers, origins)).toBe(standing);
    expect(isBrowser(headers, origins)).toBe(browser);
  });

  it('is matched exactly: whatever resembles an origin on it is foreign', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.nat(frontend.length), (text, position) => {
        const similar = frontend.slice(0, position) + text + frontend.slice(position);
        fc.pre(similar !== frontend);
        expect(originStanding({ origin: similar }, origins)).toBe('foreign');
      }),
    );
  });
});

describe('the cookies of a session', () => {
  let app: Service;
  let toSet: CookieToSet[] = [];
  beforeAll(async () => {
    ({ app } = await buildFixture({}, (service) => {
      void service.register(async (scope) => {
        await takeCookies(scope);
        scope.get('/cookies', { config: { access: 'public' } }, async (request, reply) => {
          for (const cookie of toSet) setSessionCookie(reply, cookie);
          return sessionCookies(request.cookies);
        });
      });
    }));
  });
  afterAll(() => app.close());
  const read = async (cookie: string) =>
    (await app.inject({ url: '/cookies', headers: { cookie } })).json<unknown>();

  it('are Secure and HttpOnly, and travel no further than they must [S-125]', async () => {
    const cookie = { value: 'v', maxAgeSeconds: 60.9 };
    toSet = (['access', 'refresh', 'device'] as const).map((kind) => ({ kind, ...cookie }));
    const { headers } = await app.inject('/cookies');
    expect(headers['set-cookie']).toEqual([
      '__Host-access=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Secure-refresh=v; Max-Age=60; Path=/api/auth; HttpOnly; Secure; SameSite=Strict',
      '__Secure-device=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    toSet = [{ kind: 'access', value: '', maxAgeSeconds: -5 }];
    expect((await app.inject('/cookies')).headers['set-cookie']).toContain('Max-Age=0');
    toSet = [];
  });

  it('are found among others, and nothing takes their name', async () => {
    const header = 'a=1; __Host-access=x; __secure-refresh=no; __Secure-refresh=y; access=no';
    expect(await read(header)).toEqual({ access: 'x', refresh: 'y' });
    expect((await app.inject('/cookies')).json()).toEqual({});
  });

  it('are taken as they stand, so that they fit into a header field again', async () => {
    const header = '__Host-access=a%0d%0ab; __Secure-refresh=%00; __Secure-device=%E2%82%AC';
    expect(await read(header)).toEqual({ access: 'a%0d%0ab', refresh: '%00', device: '%E2%82%AC' });
  });

  it('return no token for anything that is not one of ours, and never throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const cookies = { access: text, refresh: undefined, device: undefined };
        const request = { method: 'POST', headers: {}, cookies, address: '::1' };
        expect(cookieToken(request, origins)).toBeUndefined();
      }),
    );
  });
});

describe('a browser that keeps no cookies', () => {
  const startBrowsers = () =>
    buildFixture({ trustProxy: ['127.0.0.1/32'] }, (app) => {
      void app.register(async (scope) => {
        await serveBrowsers(scope, { origins: new Set([frontend, 'http://tenantry.lan']) });
        scope.get('/sign-in', { config: { access: 'public' } }, async (_request, reply) => {
          setSessionCookie(reply, { kind: 'access', value: 'x', maxAgeSeconds: 60 });
          return {};
        });
      });
    });
  const warning = /browsers drop the cookies/g;

  it('is explained once in the log, with what to do', async () => {
    const { app, logs } = await startBrowsers();
    for (const origin of ['http://tenantry.lan', 'http://tenantry.lan', undefined]) {
      await app.inject({ url: '/sign-in', headers: { host: 'tenantry.lan', ...(origin && { origin }) } });
    }
    expect(logs().match(warning)).toHaveLength(1);
    expect(logs()).toMatch(/"level":"warn".*"host":"tenantry.lan".*HTTPS.*TRUST_PROXY/);
    await app.close();
  });

  it.each([
    ['at localhost', { host: 'localhost:8080' }],
    ['at an address of the machine itself', { host: '127.0.0.1:8080' }],
    ['over HTTPS', { host: 'tenantry.lan', 'x-forwarded-proto': 'https' }],
    ['from a page over HTTPS, behind a proxy that is not configured', { host: 'api', origin: frontend }],
  ])('is not spoken of %s', async (_where, headers) => {
    const { app, logs } = await startBrowsers();
    await app.inject({ url: '/sign-in', headers });
    expect(logs()).not.toMatch(warning);
    await app.close();
  });
});

describe('what a session is bound to', () => {
  const party = { sessionId: 's', device: 'phone', address: '203.0.113.7' };

  it.each([
    ['203.0.113.7', 'ip+device', '203.0.113.7/32'],
    ['203.0.113.7', 'network+device', '203.0.113.0/24'],
    ['2001:db8:1:2::7', 'ip+device', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:0:0:0:7', 'ip+device', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::7', 'network+device', '2001:db8:1::/48'],
    ['::1', 'network+device', '0:0:0::/48'],
    ['203.0.113.7', 'device', ''],
    ['203.0.113.7', 'off', ''],
    [null, 'ip+device', ''],
  ] as const)('counts of %s by %s: %s', (address, binding, place) => {
    expect(placeOf(address, binding)).toBe(place);
  });

  it('is told by a digest alone, under whichever binding it was made', () => {
    for (const binding of sessionBindings) {
      const digest = bindingDigest(party, binding);
      expect(boundStanding(digest, party)).toBe('here');
      if (digest === null) continue;
      expect(digest).toMatch(/^[\w-]{22}$/);
      const isHere = (change: object) => boundStanding(digest, { ...party, ...change }) === 'here';
      expect(isHere({ device: 'laptop' })).toBe(false);
      expect(isHere({ sessionId: 't' })).toBe(false);
      expect(isHere({ address: '198.51.100.9' })).toBe(binding === 'device');
      expect(isHere({ address: '203.0.113.8' })).toBe(binding !== 'ip+device');
    }
  });

  it('may be several addresses, each by a digest of its own', () => {
    const addresses = ['203.0.113.7', '2001:db8:1:2::7'];
    const claim = bindingClaim({ sessionId: 's', device: 'phone', addresses }, 'ip+device');
    for (const address of [...addresses, '2001:db8:1:2:ffff::1']) {
      expect(boundStanding(claim, { ...party, address })).toBe('here');
      expect(boundStanding(claim, { ...party, address, device: 'laptop' })).toBe('elsewhere');
      expect(boundStanding(claim, { ...party, address, sessionId: 't' })).toBe('elsewhere');
    }
    for (const address of ['203.0.113.8', '2001:db8:1:3::7', null]) {
      expect(boundStanding(claim, { ...party, address })).toBe('other-address');
      expect(boundStanding(claim, { ...party, address, device: 'laptop' })).toBe('elsewhere');
    }
    expect(bindingClaim({ sessionId: 's', device: 'phone', addresses }, 'off')).toBeNull();
    expect(bindingClaim({ sessionId: 's', device: 'phone', addresses }, 'device')).toMatch(/^[\w-]{22}$/);
  });

  it('of a token from before the mark of the device is elsewhere at another address', () => {
    const unmarked = bindingDigest(party, 'ip+device');
    expect(boundStanding(unmarked, { ...party, address: '203.0.113.8' })).toBe('elsewhere');
  });

  it.each([
    ['MyApp/1.2.3', 'MyApp'],
    ['MyApp/1.2.4 (iPhone; iOS 18.1) CFNetwork/1490.0.4', 'MyApp CFNetwork'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Mozilla Gecko Firefox'],
    ['curl', 'curl'],
    ['(just a comment)', '(just a comment)'],
  ])('is the products of a device without a name: %s', (userAgent, products) => {
    expect(deviceKey({ id: null, userAgent })).toBe(products);
    expect(deviceKey({ id: 'phone-0001', userAgent })).toBe('phone-0001');
  });

  it('reads addresses as sockets show them', () => {
    expect(addressOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('fe80::1%eth0')).toBe('fe80::1');
    expect(addressOf('unknown')).toBeNull();
  });
});

describe('the device of a request', () => {
  const cookie = `${'n'.repeat(22)}.${'m'.repeat(43)}`;

  it('is the browser of the cookie, else what it names itself, else its User-Agent', () => {
    const headers = { 'x-device-id': 'phone-0001', 'user-agent': 'App/1' };
    expect(deviceKey(readDevice(headers, cookie))).toBe(browserId('n'.repeat(22)));
    expect(deviceKey(readDevice(headers, undefined))).toBe('phone-0001');
    expect(deviceKey(readDevice({ 'user-agent': 'App/1' }, 'no cookie of ours'))).toBe('App');
    expect(deviceKey(readDevice({}, undefined))).toBe('');
  });

  it('never passes for a browser by naming itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (name) => {
        for (const id of [name, `browser/${name}`]) {
          expect(readDevice({ 'x-device-id': id }, undefined).id ?? '').not.toMatch(/^browser\//);
        }
      }),
    );
  });
});

describe('a CSRF token', () => {
  it('is known by its digest, and nothing else is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (token, other) => {
        fc.pre(token !== other);
        expect(isCsrfToken(token, csrfDigest(token))).toBe(true);
        expect(isCsrfToken(other, csrfDigest(token))).toBe(false);
        expect(isCsrfToken(csrfDigest(token), csrfDigest(token))).toBe(false);
      }),
    );
    for (const nothing of [undefined, null, ['x'], 7])
      expect(isCsrfToken(nothing, csrfDigest('x'))).toBe(false);
    expect(isCsrfToken('x', '')).toBe(false);
  });
});
