import { hash } from 'node:crypto';
import { addressKey } from '@tenantry/service/addresses';
import {
  cookieNames,
  cookieToken,
  requireBound,
  type BrowserRequest,
  type Origins,
  type SessionCookies,
} from '@tenantry/service/browser';
import type { MisuseReports } from './misuse-reports.ts';

export interface BrowserGateOptions {
  readonly origins: Origins;
  readonly misuseReports: MisuseReports;
}

/** Handles cookies for browsers, so that services do not have to. */
export class BrowserGate {
  readonly #options: BrowserGateOptions;

  constructor(options: BrowserGateOptions) {
    this.#options = options;
  }

  /**
   * The header fields that replace Cookie, names and values in turn.
   *
   * @throws ORIGIN_NOT_ALLOWED, CSRF_FAILED or UNAUTHENTICATED for a cookie that our own page may not have sent, or that
   * another device or address uses
   */
  credentials(request: BrowserRequest, { takesCookies }: { readonly takesCookies: boolean }): string[] {
    // auth-service looks up sessions and decides itself.
    if (takesCookies) return ['cookie', cookieHeader(request.cookies)];
    // A session never authorizes a plain form: with a session, services accept JSON, and forms only on public pages.
    if (isForm(request)) return [];
    const { origins, misuseReports } = this.#options;
    const token = cookieToken(request, origins);
    if (token === undefined) return [];
    try {
      requireBound(token, request);
    } catch (error) {
      const { address } = request;
      misuseReports.report({
        tokenDigest: hash('sha256', token),
        address: addressKey(address),
        headers: asSeenHere(request),
      });
      throw error;
    }
    return ['authorization', `Bearer ${token}`];
  }
}

/** Whether it is a content type that an HTML form sends without a script. */
const isForm = ({ headers }: BrowserRequest): boolean =>
  String(headers['content-type']).toLowerCase().startsWith('application/x-www-form-urlencoded');

/** Our own cookies; services never see any others. */
function cookieHeader(cookies: SessionCookies): string {
  return Object.entries(cookieNames)
    .flatMap(([kind, name]) => {
      const value = cookies[kind as keyof SessionCookies];
      return value === undefined ? [] : `${name}=${value}`;
    })
    .join('; ');
}

/** Reported, since auth-service does not see the request: use on another device ends the session. */
function asSeenHere({ headers, cookies, address }: BrowserRequest): Record<string, string> {
  const device = ['user-agent', 'x-device-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(device), cookie: cookieHeader(cookies), 'x-forwarded-for': address };
}
