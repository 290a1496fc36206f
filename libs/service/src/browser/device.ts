import { isIP } from 'node:net';
import type { HeaderFields } from './origins.ts';

/** The device of a request, as it identifies itself. */
export interface Device {
  /** Of the device cookie, else of X-Device-Id; null when it names neither. */
  readonly id: string | null;
  /** Presentable on one line. */
  readonly userAgent: string | null;
}

const deviceIdForm = /^[\w.:-]{8,128}$/;
const userAgentLengthMax = 256;
const deviceCookieForm = /^([\w-]{22})\.[\w-]{43}$/;
/** An X-Device-Id cannot contain a slash, so none is mistaken for a browser. */
const browserPrefix = 'browser/';
/** An IPv4 address as an IPv6 socket shows it. */
const mappedPrefix = '::ffff:';

/**
 * Describes the device of a request by its device cookie, else by its own headers. The signature in the cookie is
 * auth-service's to check.
 */
export function readDevice(headers: HeaderFields, deviceCookie: string | undefined): Device {
  return {
    id: browserIdIn(deviceCookie) ?? deviceIdIn(headers['x-device-id']),
    userAgent: presentable(headers['user-agent']),
  };
}

/** The id of a browser, as the device cookie of its random name gives it. */
export function browserId(name: string): string {
  return browserPrefix + name;
}

/** The key of a device that a session is bound to: its id or, without one, the products of its User-Agent. */
export function deviceKey({ id, userAgent }: Device): string {
  return id ?? productsOf(userAgent) ?? '';
}

/**
 * The products that a User-Agent names (RFC 9110, 10.1.5), without comments and versions: an app that is updated stays
 * the same device.
 *
 * @example productsOf('MyApp/1.2.3 (iPhone; iOS 18.1) CFNetwork/1490') // 'MyApp CFNetwork'
 */
export function productsOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const names = userAgent.replaceAll(/\([^()]*\)/g, ' ').replaceAll(/\/\S*/g, '');
  const products = names.replaceAll(/\s+/g, ' ').trim();
  return products === '' ? userAgent : products;
}

/** An address in the form that is compared and stored, without zone or mapping; null if it is invalid. */
export function addressOf(ip: string): string | null {
  const [withoutZone = ''] = ip.split('%', 1);
  const address = withoutZone.startsWith(mappedPrefix) ? withoutZone.slice(mappedPrefix.length) : withoutZone;
  return isIP(address) === 0 ? null : address;
}

function browserIdIn(cookie: string | undefined): string | null {
  const name = deviceCookieForm.exec(cookie ?? '')?.[1];
  return name === undefined ? null : browserId(name);
}

function deviceIdIn(header: HeaderFields[string]): string | null {
  return typeof header === 'string' && deviceIdForm.test(header) ? header : null;
}

/** Headers may contain anything: control and formatting characters are removed, and the length is limited. */
function presentable(header: HeaderFields[string]): string | null {
  if (typeof header !== 'string') return null;
  const text = header.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return text === '' ? null : Array.from(text).slice(0, userAgentLengthMax).join('');
}
