import { isIP } from 'node:net';

/** The device and address that a session is started from: for its owner to recognize, never to trust. */
export interface Client {
  readonly deviceId: string | null;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** What is read of a request. */
export interface ClientRequest {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const deviceIdForm = /^[\w.:-]{8,128}$/;
const userAgentLengthMax = 256;
/** An IPv4 address as an IPv6 socket shows it. */
const mappedPrefix = '::ffff:';

/** Describes the client of a request; what is missing or not presentable is null. */
export function clientOf({ ip, headers }: ClientRequest): Client {
  const deviceId = headers['x-device-id'];
  return {
    deviceId: typeof deviceId === 'string' && deviceIdForm.test(deviceId) ? deviceId : null,
    userAgent: presentable(headers['user-agent']),
    ipAddress: addressOf(ip),
  };
}

/** The name by which a person recognizes a device. */
export function deviceName({ userAgent, deviceId }: Pick<Client, 'deviceId' | 'userAgent'>): string {
  return userAgent ?? deviceId ?? 'unknown device';
}

/** Header text is anyone's: control and formatting characters go, the rest is bounded. */
function presentable(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const text = header.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return text === '' ? null : Array.from(text).slice(0, userAgentLengthMax).join('');
}

function addressOf(ip: string): string | null {
  const [withoutZone = ''] = ip.split('%', 1);
  const address = withoutZone.startsWith(mappedPrefix) ? withoutZone.slice(mappedPrefix.length) : withoutZone;
  return isIP(address) === 0 ? null : address;
}
