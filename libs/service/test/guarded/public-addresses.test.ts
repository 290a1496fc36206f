import { isPublicAddress } from '@tenantry/service/guarded';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('an address of the public internet [S-206]', () => {
  it.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '172.15.255.255',
      '172.32.0.0',
      '100.63.255.255',
      '223.255.255.255',
    ],
    ...['2606:4700:4700::1111', '2a00:1450:400f:80d::200e', '2001:4860:4860::8888'],
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    // IPv4: this host, private, shared, loopback, link-local, protocols, documentation, 6to4, benchmarks, multicast, reserved.
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '100.100.100.200',
      '100.127.255.255',
      '127.0.0.1',
      '127.1.2.3',
    ],
    ...[
      '169.254.169.254',
      '169.254.170.2',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
    ],
    ...[
      '192.168.0.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.250',
    ],
    ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
    // IPv6: unspecified, loopback, IPv4 in it (mapped, compatible, translated, NAT64), unique local, link-local, multicast.
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
    ],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::a00:1',
      'fc00::1',
      'fd00:ec2::254',
      'fd20:ce::254',
    ],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '100::1', '5f00::1'],
    // Teredo, benchmarks, ORCHID, documentation, 6to4 of loopback.
    ...['2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
    // No addresses.
    ...['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '1.1.1.1/8', '2606:4700::1%eth0x/1'],
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('never has a private IPv4 address in it, in whichever way', () => {
    const privates = fc.constantFrom('7f00:1', 'a00:1', 'a9fe:a9fe', 'c0a8:1', 'ac10:1', '6440:1');
    const forms = fc.constantFrom(
      (v4: string) => `::ffff:${v4}`,
      (v4: string) => `::${v4}`,
      (v4: string) => `::ffff:0:${v4}`,
      (v4: string) => `64:ff9b::${v4}`,
      (v4: string) => `64:ff9b:1:fffe::${v4}`,
      (v4: string) => `2002:${v4}::1`,
      (v4: string) => `2001::${v4}`,
      (v4: string) => `fe80::5efe:${v4}`,
    );
    fc.assert(
      fc.property(privates, forms, (v4, form) => {
        expect(isPublicAddress(form(v4))).toBe(false);
      }),
    );
  });
});
