import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { groupsOf } from '../addresses/address-key.ts';

/**
 * What a session is bound to (`SESSION_BINDING`). An address of IPv6 counts by its /64, since devices change the rest of
 * it by themselves (RFC 8981); a network is a /24 of IPv4 and a /48 of IPv6.
 */
export const sessionBindings = ['ip+device', 'network+device', 'device', 'off'] as const;

/** One of {@link sessionBindings}. */
export type SessionBinding = (typeof sessionBindings)[number];

/** The device and address that use a session. */
export interface BoundParty {
  readonly sessionId: string;
  /** {@link deviceKey} of the device. */
  readonly device: string;
  readonly address: string | null;
}

const digestLength = 22;
/** Used only to choose between two refusals; it grants no access. */
const deviceMarkLength = 8;

/**
 * The claim `bnd` of a session that may be used at several addresses: a digest for each and, if the address counts, a mark of
 * the device alone, which distinguishes another address from another device.
 */
export function bindingClaim(
  { addresses, ...party }: Omit<BoundParty, 'address'> & { readonly addresses: readonly (string | null)[] },
  binding: SessionBinding,
): string | null {
  const digests = addresses.map((address) => bindingDigest({ ...party, address }, binding));
  if (digests.includes(null)) return null;
  return [...new Set(digests), ...(binding === 'device' ? [] : [deviceMark(party)])].join('.');
}

/**
 * One digest of the claim `bnd`: a service can tell whether the token is used where it belongs, without a look-up, and
 * learns neither device nor address. Null when sessions are not bound.
 */
export function bindingDigest(party: BoundParty, binding: SessionBinding): string | null {
  if (binding === 'off') return null;
  const place = placeOf(party.address, binding);
  return hash('sha256', `${party.sessionId}|${party.device}|${place}`, 'base64url').slice(0, digestLength);
}

/** How a party relates to a session. */
export type BoundStanding = 'here' | 'other-address' | 'elsewhere';

/**
 * Compares a `bnd` with this party, whatever binding it was created with; null means unbound. Claims without a mark of the
 * device cannot tell another address from another device.
 */
export function boundStanding(claim: string | null, party: BoundParty): BoundStanding {
  if (claim === null) return 'here';
  const digests = claim.split('.');
  if (sessionBindings.some((binding) => digests.includes(bindingDigest(party, binding) ?? ''))) return 'here';
  return digests.includes(deviceMark(party)) ? 'other-address' : 'elsewhere';
}

/** `~` is in no digest. */
function deviceMark({ sessionId, device }: Pick<BoundParty, 'sessionId' | 'device'>): string {
  return `~${hash('sha256', `${sessionId}|${device}`, 'base64url').slice(0, deviceMarkLength)}`;
}

/** The part of an address that counts, in CIDR notation; '' when none does. */
export function placeOf(address: string | null, binding: SessionBinding): string {
  if (binding === 'device' || binding === 'off' || address === null) return '';
  const v6 = isIPv6(address);
  if (binding === 'ip+device')
    return v6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : `${address}/32`;
  if (v6) return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}
