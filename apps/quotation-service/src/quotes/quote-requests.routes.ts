import { memberOf } from '@tenantry/jwt-verify/fastify';
import { preconditionOf } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import type { QuoteTarget } from './locked-quotes.ts';
import type { Quote } from './quote.ts';
import { quoteStatus } from './quote-status.ts';

/** The quote that a request is about, as its path and its headers say. */
export function targetOf(
  request: FastifyRequest & { readonly headers: { readonly 'if-match'?: string } },
  id: string,
): QuoteTarget {
  return { id, accepts: preconditionOf(request), actorUserId: memberOf(request).userId };
}

/** A quote as an answer shows it, with the moves that it can make. */
export function withMoves<Shown extends Quote>(quote: Shown) {
  return {
    ...quote,
    allowedTransitions: quote.supersededBy ? [] : [...quoteStatus.allowedFrom(quote.status)],
  };
}
