import { serviceTokenPath as path } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import { invalidKey } from '@tenantry/service/failures';
import { ask, NotAnswered, type ServiceAnswer } from '../upstream/ask.ts';
import { unreachable } from '../upstream/failure.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { KnownUser } from './caller.ts';

/** An access token that auth-service gave for a key. */
export interface ExchangedToken {
  readonly token: string;
  /** The account counts as the user, and the key as the session. */
  readonly account: KnownUser;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * Exchanges a key at auth-service, which may be asked twice.
 *
 * @param headers of the request that the key came with: client address, request id and trace, names and values in turn
 * @throws INVALID_KEY, RATE_LIMITED, UPSTREAM_UNAVAILABLE
 */
export async function exchangeKey(
  auth: Upstream,
  key: string,
  headers: readonly string[],
): Promise<ExchangedToken> {
  const sent = [...headers, 'content-type', 'application/json', 'accept', 'application/json'];
  const question = { path, method: 'POST', headers: sent, body: JSON.stringify({ key }) } as const;
  const answer = await ask(auth, question).catch((error: unknown) => {
    throw error instanceof NotAnswered ? unreachable(error) : error;
  });
  const { status } = answer;
  if (status === 401 || status === 400) throw invalidKey();
  if (status === 429) throw rateLimited(answer);
  const given = status === 200 ? tokenIn(answer.text) : undefined;
  if (given) return given;
  throw unreachable(new Error(`auth-service answered ${status} to a key`));
}

function rateLimited({ headers }: ServiceAnswer): ApiError {
  const retryAfter = String(headers['retry-after'] ?? 60);
  const message = `This key is exchanged too often. Try again in ${retryAfter} seconds.`;
  return new ApiError('RATE_LIMITED', message, { headers: { 'retry-after': retryAfter } });
}

function tokenIn(text: string): ExchangedToken | undefined {
  const { token, tokenExpiresAt } = parsed(text);
  const expiresAtMs = Date.parse(String(tokenExpiresAt));
  if (typeof token !== 'string' || Number.isNaN(expiresAtMs)) return undefined;
  const account = accountIn(token);
  return account && { token, account, expiresAtMs };
}

/** Read without a check of the signature: auth-service has just given the token. */
function accountIn(token: string): KnownUser | undefined {
  const { sub, sid } = parsed(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : undefined;
}

function parsed(text: string): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<string, unknown>>;
  } catch {
    return {};
  }
}
