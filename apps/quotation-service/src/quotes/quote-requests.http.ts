import { memberOf } from '@tenantry/jwt-verify/fastify';
import { clientSignal } from '@tenantry/service-kit';
import { addressKey } from '@tenantry/service-kit/addresses';
import { preconditionOf } from '@tenantry/service-kit/resources';
import type { Asking, Share } from '@tenantry/fair-shares';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Decision } from './decision.ts';
import type { LargeQuotes, ReadLarge } from './large-quotes.ts';
import type { QuoteTarget } from './locked-quotes.ts';
import type { Quote } from './quote.ts';
import { quoteStatus } from './quote-status.ts';

/** The quote that a request is about, as its path and its headers say. */
export function targetOf(
  request: FastifyRequest & { readonly headers: { readonly 'if-match'?: string } },
  id: string,
): QuoteTarget {
  return { id, accepts: preconditionOf(request) };
}

/** Who asks, by whom what is bounded is shared. */
export function askingOf(request: FastifyRequest): Asking {
  const { organizationId, userId } = memberOf(request);
  return { organizationId, userId, address: addressKey(request.ip) };
}

/** Whose large quote is read, and for which answer. */
export interface LargeReading {
  readonly asking: Asking;
  readonly reply: FastifyReply;
}

/** How long the answer about a large quote may take to leave, to a client that reads slowly. */
const answerMsMax = 30_000;

/** Has a large quote wait for its turn; its share is in use until the answer has left. */
export const readLargeInTurn =
  (largeQuotes: LargeQuotes, { asking, reply }: LargeReading): ReadLarge =>
  async () =>
    holdUntilAnswered(await largeQuotes.take(asking, clientSignal(reply)), reply);

/** The same without waiting, for what is done in a transaction. */
export const readLargeNow =
  (largeQuotes: LargeQuotes, { asking, reply }: LargeReading): ReadLarge =>
  async () =>
    holdUntilAnswered(largeQuotes.takeNow(asking), reply);

function holdUntilAnswered(share: Share, { raw }: FastifyReply): void {
  const cut = setTimeout(() => raw.destroy(), answerMsMax).unref();
  const end = (): void => {
    clearTimeout(cut);
    share.giveBack();
  };
  if (raw.closed) end();
  else raw.once('close', end);
}

/** A quote as an answer shows it, with the moves that it can make. */
export function withMoves<Shown extends Quote>(quote: Shown) {
  return {
    ...quote,
    allowedTransitions: quote.supersededBy ? [] : [...quoteStatus.allowedFrom(quote.status)],
  };
}

/** A decision as an answer shows it; from where it came is kept as evidence, and not shown. */
export function shownDecision({ decision, decidedAt, userId, name, reason }: Decision) {
  return { decision, decidedAt: decidedAt.toISOString(), userId, name, reason };
}
