import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Decides which peers are our own proxies, whose X-Forwarded fields are trusted. */
export type PeerTrust = (address: string | undefined) => boolean;

/**
 * Trust in a list of addresses and CIDR ranges; an IPv4 address also counts in its IPv6-mapped form.
 *
 * @throws Error for an entry that is neither.
 */
export function trustIn(ranges: readonly string[]): PeerTrust {
  if (ranges.length === 0) return () => false;
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = familyOf(address);
    if (family === undefined) throw new Error(`TRUST_PROXY: ${range} is not an address or a CIDR range`);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = familyOf(address ?? '');
    return family !== undefined && trusted.check(address ?? '', family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/**
 * Reduces X-Forwarded-For to addresses before it is used. Some load balancers append the client's port, which would make every
 * connection a client of its own; entries before one that is not an address were not written by our proxies.
 */
export function plainForwardedFor(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'];
  if (typeof given !== 'string') return;
  const hops: string[] = [];
  for (const entry of given.split(',').reverse()) {
    const address = withoutPort(entry.trim());
    if (isIP(address) === 0) break;
    hops.unshift(address);
  }
  if (hops.length > 0) headers['x-forwarded-for'] = hops.join(', ');
  else delete headers['x-forwarded-for'];
}

/** `1.2.3.4:5678` and `[2001:db8::1]:5678` → the address; anything else as it is. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^(\d[\d.]*):\d{1,5}$/.exec(entry)?.[1] ?? entry;
}
