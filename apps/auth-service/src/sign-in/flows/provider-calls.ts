import * as oidc from 'openid-client';
import type { CallOutside } from '@tenantry/service/calls';
import { ProviderFailure, type ProviderReturn } from './provider.ts';

/** Limits of a call: responses are usually a few kilobytes, and take a second. */
const bounds = { timeoutMs: 5_000, bytesMax: 256 * 1024 } as const;

/** What the library sends. */
interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams;
  readonly signal?: AbortSignal;
}

/** The library's fetch function, by a way to call servers. */
export function fetchBy(
  call: (name: string, url: string, request: ProviderRequest) => Promise<Response>,
): oidc.CustomFetch {
  return (url, { method, headers, body, signal }) =>
    call('ask provider', url, {
      method,
      headers,
      ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
      ...(signal ? { signal } : {}),
    });
}

/** The library's fetch function for providers. */
export function providerFetch(callOutside: CallOutside): oidc.CustomFetch {
  return fetchBy((name, url, request) => callOutside(name, url, { ...bounds, ...request }));
}

/** Maps an error of the library. Its causes contain tokens and codes, so only their names are read. */
export function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    return new ProviderFailure(denials.has(error.error) ? 'ACCESS_DENIED' : 'PROVIDER_REFUSED', 'answer');
  }
  if (error instanceof oidc.ResponseBodyError) {
    const isTheirs = error.status >= 500;
    const problem = clientRefusals.has(error.error) ? 'invalid_client' : error.code;
    return new ProviderFailure(isTheirs ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_REFUSED', problem);
  }
  const code = codeOf(error);
  return new ProviderFailure(isAway(error, code) ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_REFUSED', code);
}

/** The errors of providers if the user cancelled; the second is Apple's. */
const denials: ReadonlySet<string> = new Set(['access_denied', 'user_cancelled_authorize', 'login_required']);

/** RFC 6749, 5.2: this service is not known there, or not by this secret. */
const clientRefusals: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown';
}

/** Unreachable, too slow, too large, or not a response of this protocol. */
function isAway(error: unknown, code: string): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const causes = [error, cause].map((one) => (one as { readonly name?: unknown } | undefined)?.name);
  return (
    causes.some((name) => name === 'TypeError' || name === 'RangeError' || name === 'TimeoutError') ||
    ['OAUTH_TIMEOUT', 'OAUTH_ABORT', oidcAway].includes(code)
  );
}

const oidcAway = 'OAUTH_RESPONSE_IS_NOT_CONFORM';

/** The address with which a browser came back. */
export function returnAddress(redirectUri: string, { parameters }: ProviderReturn): URL {
  const address = new URL(redirectUri);
  address.search = new URLSearchParams(parameters).toString();
  return address;
}
