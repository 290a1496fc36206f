import { exportsPath, type ExportBegun } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import { AccessError, TokenError, type Member } from '@tenantry/jwt-verify';
import { callPeer, type PeerConfig } from '../peers/peers.ts';

/** Who exports, and from where. */
export interface Announced {
  readonly member: Member;
  readonly clientAddress: string;
  readonly service: string;
  readonly signal: AbortSignal;
  /** Whether it only asks if an export may begin. */
  readonly isCheck: boolean;
}

const answerMsMax = 8_000;

/**
 * Tells auth-service that an owner exports, before they do: it counts exports, notes them in the trail, and writes to the owners.
 * A check does nothing of it, and is refused as they are.
 *
 * @throws RATE_LIMITED for a third one within an hour; FORBIDDEN where the role has changed since the token was issued;
 * UNAUTHENTICATED where the session has ended; UPSTREAM_UNAVAILABLE
 */
export async function announceExport(
  config: PeerConfig,
  { member, clientAddress, service, signal, isCheck }: Announced,
): Promise<void> {
  const { organizationId, userId, sessionId } = member;
  const begun: ExportBegun = { service, actorUserId: userId, ...(isCheck && { isCheck }) };
  let answer: Response;
  try {
    answer = await callPeer(
      'announce an export',
      `${config.AUTH_INTERNAL_URL}${exportsPath(organizationId)}`,
      {
        config,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-client-address': clientAddress,
          'x-session-id': sessionId,
        },
        body: JSON.stringify(begun),
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    throw exportUnavailable(error);
  }
  if (answer.status === 204) return;
  const { code, reason } = (await answer.json().catch(() => ({}))) as { code?: string; reason?: string };
  if (code === 'RATE_LIMITED') throw tooManyExports(answer.headers.get('retry-after') ?? '3600');
  if (code === 'FORBIDDEN' || code === 'NOT_FOUND') throw notAnOwner();
  if (code === 'UNAUTHENTICATED' && reason === 'SESSION_ENDED') {
    throw AccessError.ofToken(new TokenError('TOKEN_REVOKED'));
  }
  throw exportUnavailable(new Error(`auth-service answered ${answer.status} to an export`));
}

/** The organization has exported this part as often as it may. */
export const tooManyExports = (retryAfter: string): ApiError =>
  new ApiError('RATE_LIMITED', 'An organization exports each part at most twice an hour. Try again later.', {
    headers: { 'retry-after': retryAfter },
  });

/** The role has changed since the token was issued. */
const notAnOwner = (): ApiError =>
  new ApiError('FORBIDDEN', 'Only owners export all data of an organization.');

/** The owners cannot be told, so nothing is exported. */
export const exportUnavailable = (cause?: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Exports cannot be recorded at the moment. Try again shortly.', {
    headers: { 'retry-after': '5' },
    cause,
  });
