import { BlockList, isIP } from 'node:net';
import type { ForwardedByPeer } from './request-headers.ts';

/** Where a request comes from, as far as that can be trusted. */
export interface ClientOrigin {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
}

/** Tells which peers are proxies of ours, whose X-Forwarded fields are believed. */
export type PeerTrust = (address: string) => boolean;

/** Trust in a list of addresses and CIDR ranges; an IPv4 address also counts in its IPv6-mapped form. */
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
    const family = familyOf(address);
    return family !== undefined && trusted.check(address, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** The facts about one connection and one request on it. */
export interface OriginFacts {
  readonly peer: string;
  readonly host: string;
  readonly forwarded: ForwardedByPeer;
  readonly trust: PeerTrust;
}

const hostShape = /^[A-Za-z0-9.\-_:[\]]{1,255}$/;

/**
 * The client behind the connection: the peer itself, unless it is a trusted proxy. Then the X-Forwarded-For list
 * is read from its end, and the first address that is not a trusted proxy is the client; what stands before it
 * was written by the client.
 */
export function clientOrigin({ peer, host, forwarded, trust }: OriginFacts): ClientOrigin {
  if (!trust(peer)) return { address: peer, protocol: 'http', host };
  let address = peer;
  for (const hop of (forwarded.for ?? '').split(',').reverse()) {
    const given = hop.trim();
    if (isIP(given) === 0) break;
    address = given;
    if (!trust(given)) break;
  }
  return {
    address,
    protocol: forwarded.proto === 'https' ? 'https' : 'http',
    host: forwarded.host !== undefined && hostShape.test(forwarded.host) ? forwarded.host : host,
  };
}
