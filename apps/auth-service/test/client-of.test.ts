import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slugFrom, slugPattern } from '../src/organizations/slug.ts';
import { deviceName, readClient } from '../src/ground/callers/client.ts';

describe('the client of a request', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', null],
    ['', null],
  ])('has the address %j stored as %j', (ip, ipAddress) => {
    expect(readClient({ ip, headers: {} }).ipAddress).toBe(ipAddress);
  });

  test('is named by its User-Agent, else by the end of its device id, by which nobody else can claim to be it [S-36]', () => {
    expect(deviceName({ userAgent: 'Firefox', deviceId: 'phone-0001' })).toBe('Firefox');
    expect(deviceName({ userAgent: null, deviceId: 'phone-0001' })).toBe('device …0001');
    expect(deviceName({ userAgent: null, deviceId: null })).toBe('unknown device');
  });

  test('is presentable whatever the headers say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const client = readClient({ ip: text, headers: { 'user-agent': text, 'x-device-id': text } });
        expect(client.userAgent ?? '').not.toMatch(/\p{C}/u);
        expect(Array.from(client.userAgent ?? 'x').length).toBeGreaterThan(0);
        expect(Array.from(client.userAgent ?? '').length).toBeLessThanOrEqual(256);
        expect(client.deviceId ?? 'acceptable').toMatch(/^[\w.:-]{8,128}$/);
      }),
    );
  });
});

test('a slug made from any name is one that may be chosen', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) => {
      expect(slugFrom(name, 'a1b2c3d4')).toMatch(new RegExp(slugPattern));
    }),
  );
  expect(slugFrom("Zoë's Café & Söhne", 'x')).toBe('zoe-s-cafe-sohne-x');
  expect(slugFrom('漢字', 'x')).toBe('organization-x');
});
