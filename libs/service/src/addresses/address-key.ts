import { isIP } from 'node:net';

const mappedPrefix = '::ffff:';

/**
 * The address by which a client is counted: IPv4 as it is, IPv6 by its /64, because one customer gets a whole /64 (RFC 6177)
 * and could use a new address for each request.
 *
 * @example addressKey('2001:db8:1:2:3::4') // '2001:db8:1:2::/64'
 */
export function addressKey(address: string): string {
  if (isIP(address) === 4) return address;
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) !== 6) return 'unknown';
  const written = canonical(plain);
  if (written.startsWith(mappedPrefix)) return mappedAddress(written.slice(mappedPrefix.length));
  return `${groupsIn(written).slice(0, 4).join(':')}::/64`;
}

const network64 = '::/64';

/**
 * The /48 around a key of {@link addressKey}; undefined for every other key. A site is commonly given a /48, that is
 * 65,536 keys (RFC 6177).
 *
 * @example siteKey('2001:db8:1:2::/64') // '2001:db8:1::/48'
 */
export function siteKey(key: string): string | undefined {
  if (!key.endsWith(network64)) return undefined;
  const groups = key.slice(0, -network64.length).split(':');
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : undefined;
}

/** The eight groups of an IPv6 address, however it is written. */
export const groupsOf = (address: string): string[] => groupsIn(canonical(address));

function groupsIn(written: string): string[] {
  const [head = '', tail] = written.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** The one spelling of RFC 5952, which the URL parser writes. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** `c000:201` → 192.0.2.1 */
function mappedAddress(tail: string): string {
  const [high = '0', low = '0'] = tail.split(':');
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}
