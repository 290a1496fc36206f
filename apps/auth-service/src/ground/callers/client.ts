import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { addressKey } from '@tenantry/service/addresses';
import { addressOf, deviceKey, placeOf, readDevice, type SessionBinding } from '@tenantry/service/browser';

/** The device and address that a session is started from. */
export interface Client {
  /** From the browser's cookie, otherwise as the device identifies itself. */
  readonly deviceId: string | null;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** What a session is bound to. */
export interface BoundClient extends Client {
  /** Of the other family, once the device was seen there. */
  readonly otherIpAddress: string | null;
}

/** What is read of a request. */
interface ClientRequest {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Its device cookie, if the signature is right. */
  readonly deviceCookie?: string | undefined;
}

/** Describes the client of a request; null for what is missing or cannot be shown. */
export function readClient({ ip, headers, deviceCookie }: ClientRequest): Client {
  const { id, userAgent } = readDevice(headers, deviceCookie);
  return { deviceId: id, userAgent, ipAddress: addressOf(ip) };
}

/**
 * The name by which a person recognizes a device: its User-Agent, else the end of its id. Not the whole id, by which anyone who
 * may read the name would count as that device.
 */
export function deviceName({ userAgent, deviceId }: Pick<Client, 'deviceId' | 'userAgent'>): string {
  if (userAgent !== null) return userAgent;
  return deviceId === null ? 'unknown device' : `device …${deviceId.slice(-4)}`;
}

/** The key by which limits and turns count the address of a client. */
export function addressKeyOf({ ipAddress }: Pick<Client, 'ipAddress'>): string {
  return addressKey(ipAddress ?? '');
}

/** The device that a session is bound to, by the only name that counts. */
export function boundDevice({ deviceId, userAgent }: Client): string {
  return deviceKey({ id: deviceId, userAgent });
}

/**
 * Marks what a device sets up in an account: a digest, salted with the id of the account. Null for a client that does not name
 * its device: a User-Agent identifies none.
 */
export function deviceMark(userId: string, { deviceId }: Pick<Client, 'deviceId'>): string | null {
  return deviceId === null ? null : markOf([userId, deviceId]);
}

/** As {@link deviceMark}; a client that does not name its device counts by its User-Agent and address together, as its sessions do. */
export function clientMark(userId: string, client: Client): string {
  return deviceMark(userId, client) ?? markOf([userId, boundDevice(client), addressKeyOf(client)]);
}

/** JSON, so that different parts are never encoded alike. */
const markOf = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

/** How a request relates to the client that a session was started from. */
type Whereabouts = 'here' | 'other-device' | 'other-address';

/** Compares the client of a request with the one that its session is bound to. */
export function whereaboutsOf(client: Client, bound: BoundClient, binding: SessionBinding): Whereabouts {
  if (binding === 'off') return 'here';
  if (boundDevice(client) !== boundDevice(bound)) return 'other-device';
  const place = placeOf(client.ipAddress, binding);
  const samePlace =
    place === placeOf(bound.ipAddress, binding) ||
    (bound.otherIpAddress !== null && place === placeOf(bound.otherIpAddress, binding));
  return samePlace || isFirstOfFamily(client, bound) ? 'here' : 'other-address';
}

/** Devices with both IPv4 and IPv6 alternate: the first address of the other family is accepted, and then fixed. */
function isFirstOfFamily({ ipAddress }: Client, bound: BoundClient): boolean {
  if (ipAddress === null || bound.ipAddress === null || bound.otherIpAddress !== null) return false;
  return isIPv6(ipAddress) !== isIPv6(bound.ipAddress);
}

/** The addresses of a session that continues at a client: the one of the client's family is replaced. */
export function bindTo(client: Client, former: BoundClient): BoundClient {
  const isOther = (address: string | null) =>
    address !== null && client.ipAddress !== null && isIPv6(address) !== isIPv6(client.ipAddress);
  const otherIpAddress = [former.ipAddress, former.otherIpAddress].find(isOther) ?? null;
  return { ...client, otherIpAddress };
}
