import { callPeer, type PeerConfig } from '../peers/peers.ts';
import type { Deliver } from '../work/outbox.ts';

/** The peer to notify. */
export interface NotifyPeerOptions {
  readonly config: Pick<PeerConfig, 'INTERNAL_API_KEY'>;
  /** A route below /internal of another service, such as `http://leads-service:3001/internal/invoice-paid`. */
  readonly url: string;
}

/** The message to a peer: the id is the same at every attempt, so that repetitions can be recognized. */
export interface PeerMessage<Payload> {
  readonly id: string;
  readonly organizationId: string;
  /** The row that it is about. */
  readonly subjectId: string;
  readonly payload: Payload;
}

const answerTimeoutMs = 5_000;

/**
 * Notifies another service, as the delivery of an outbox: at least once, at growing intervals until it responds with success.
 * Its route declares `access: 'internal'`.
 *
 * @example
 * outbox.delivery({ 'invoice-paid': notifyPeer({ config, url: `${config.LEADS_URL}/internal/invoice-paid` }) })
 */
export function notifyPeer<Payload>({ config, url }: NotifyPeerOptions): Deliver<Payload> {
  return async ({ id, subjectId, payload }, { tenant, signal }) => {
    const { organizationId } = tenant.scope;
    const message: PeerMessage<Payload> = { id, organizationId, subjectId, payload };
    const answer = await callPeer('notify a peer', url, {
      config,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${new URL(url).origin} answered ${answer.status} to a message`);
    return undefined;
  };
}
