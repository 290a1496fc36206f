import { addressOf, deviceKey, placeOf, readDevice, type SessionBinding } from '@tenantry/service-kit';

/** The device and address that a session is started from. */
export interface Client {
  /** Of the browser's own cookie, else as the device names itself. */
  readonly deviceId: string | null;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** What is read of a request. */
export interface ClientRequest {
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

/** The name by which a person recognizes a device. */
export function deviceName({ userAgent, deviceId }: Pick<Client, 'deviceId' | 'userAgent'>): string {
  return userAgent ?? deviceId ?? 'unknown device';
}

/** The device that a session is bound to, by the only name that counts. */
export function boundDevice({ deviceId, userAgent }: Client): string {
  return deviceKey({ id: deviceId, userAgent });
}

/** How a request stands to the client that a session was started from. */
export type Whereabouts = 'here' | 'other-device' | 'other-address';

/** Compares the client of a request with the one that its session is bound to. */
export function whereaboutsOf(client: Client, bound: Client, binding: SessionBinding): Whereabouts {
  if (binding === 'off') return 'here';
  if (boundDevice(client) !== boundDevice(bound)) return 'other-device';
  const samePlace = placeOf(client.ipAddress, binding) === placeOf(bound.ipAddress, binding);
  return samePlace ? 'here' : 'other-address';
}
