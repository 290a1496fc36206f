import { Standing as StandingAnswer, standingPath } from '@tenantry/contracts';
import { Check } from 'typebox/value';
import { callPeer, type PeerConfig } from '../peers/peers.ts';

/** The state of an organization at auth-service. */
export type Standing =
  | { readonly state: 'live' | 'gone' }
  | { readonly state: 'deleted'; readonly purgeAt: string };

const answerMsMax = 5_000;

/**
 * Asks auth-service for the state of an organization.
 *
 * @throws Error for any response that does not state it explicitly, since the data of an organization that is gone is deleted
 * for good
 */
export async function askStanding(
  config: PeerConfig,
  organizationId: string,
  signal: AbortSignal,
): Promise<Standing> {
  const url = `${config.AUTH_INTERNAL_URL}${standingPath(organizationId)}`;
  const answer = await callPeer('ask for an organization', url, {
    config,
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`auth-service answered ${answer.status} for an organization`);
  }
  const body: unknown = await answer.json();
  if (!Check(StandingAnswer, body) || body.organizationId !== organizationId)
    throw new Error('auth-service did not say what there is of an organization');
  const { state, purgeAt } = body;
  if (state !== 'deleted') return { state };
  if (purgeAt === undefined) throw new Error('auth-service did not say when an organization is purged');
  return { state, purgeAt };
}
