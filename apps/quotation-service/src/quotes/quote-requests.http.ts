import { Readable } from 'node:stream';
import type { Asking, Share } from '@tenantry/fair-shares';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { addressKey } from '@tenantry/service/addresses';
import { clientSignal } from '@tenantry/service/failures';
import { preconditionOf } from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Decision } from './decision.ts';
import { answerInTurns } from './in-turns.ts';
import type { LargeQuotes, ReadLarge } from './large-quotes.ts';
import type { QuoteTarget } from './locked-quotes.ts';
import type { Quote, WorkPackage } from './quote.ts';
import { quoteStatus } from './quote-status.ts';
import { WorkPackageSchema } from './quotes.schemas.ts';

/** The quote of a request, from its path and headers. */
export function targetOf(
  request: FastifyRequest & { readonly headers: { readonly 'if-match'?: string } },
  id: string,
): QuoteTarget {
  return { id, accepts: preconditionOf(request) };
}

/** The sharer of a request. */
export function askingOf(request: FastifyRequest): Asking {
  const { organizationId, userId } = memberOf(request);
  return { organizationId, userId, address: addressKey(request.ip) };
}

/** The sharer of a large quote, and its response. */
export interface LargeReading {
  readonly asking: Asking;
  readonly reply: FastifyReply;
}

/** Maximum time for sending a large quote to a slow client. */
const answerMsMax = 30_000;

/** Makes a large quote wait for its turn; its share is in use until the response is sent. */
export const readLargeInTurn =
  (largeQuotes: LargeQuotes, { asking, reply }: LargeReading): ReadLarge =>
  async () =>
    holdUntilSent(await largeQuotes.take(asking, clientSignal(reply)), reply);

/** The same without waiting, for use in a transaction. */
export const readLargeNow =
  (largeQuotes: LargeQuotes, { asking, reply }: LargeReading): ReadLarge =>
  async () =>
    holdUntilSent(largeQuotes.takeNow(asking), reply);

function holdUntilSent(share: Share, { raw }: FastifyReply): void {
  const cut = setTimeout(() => raw.destroy(), answerMsMax).unref();
  const end = (): void => {
    clearTimeout(cut);
    share.giveBack();
  };
  if (raw.closed) end();
  else raw.once('close', end);
}

/** Up to so many lines are serialized at once, within some milliseconds. */
const linesAtOnce = 500;

interface WholeAnswer {
  readonly data: { readonly workPackages: readonly WorkPackage[] };
}

/** The answer with a quote, or with what contains one; a large one is sent package by package. */
export function wholeAnswer<Answer extends WholeAnswer>(reply: FastifyReply, answer: Answer): Answer {
  const { workPackages } = answer.data;
  if (workPackages.reduce((lines, { items }) => lines + items.length, 0) <= linesAtOnce) return answer;
  const head = { ...(answer as object), data: { ...answer.data, workPackages: [] } };
  const write = reply.compileSerializationSchema(WorkPackageSchema as unknown as Record<string, unknown>);
  const json = answerInTurns(
    reply.serializeInput(head, String(reply.statusCode)) as string,
    workPackages,
    (workPackage) => write({ ...workPackage }),
  );
  // The reply stands for the answer that it sends.
  return reply.type('application/json; charset=utf-8').send(Readable.from(json)) as unknown as Answer;
}

/** A quote in a response, with its allowed moves. */
export function withMoves<Shown extends Quote>(quote: Shown) {
  return {
    ...quote,
    allowedTransitions: quote.supersededBy ? [] : [...quoteStatus.allowedFrom(quote.status)],
  };
}

/** A decision in a response; its client address is stored as evidence, and not shown. */
export function shownDecision({ decision, decidedAt, userId, name, reason }: Decision) {
  return { decision, decidedAt: decidedAt.toISOString(), userId, name, reason };
}
