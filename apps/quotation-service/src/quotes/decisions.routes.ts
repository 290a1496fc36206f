import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  ClosedObject,
  IfMatchHeaders,
  LinesOf,
  Nullable,
  WithEntityTag,
  entityTag,
  preconditionOf,
} from '@tenantry/service/resources';
import { customerErased } from '../customers/customers.errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import type { DecisionTarget, Decisions } from './decisions.ts';
import type { LargeQuotes } from './large-quotes.ts';
import { askingOf, readLargeNow, withMoves } from './quote-requests.http.ts';
import {
  quoteCannotMove,
  quoteChanged,
  quoteExpired,
  quoteNotFound,
  quoteSuperseded,
  quoteTooLarge,
} from './quotes.errors.ts';
import { QuotePath, QuoteSummaryAnswer } from './quotes.schemas.ts';

export interface DecisionsRoutesOptions extends Requests {
  readonly decisions: Decisions;
  readonly largeQuotes: LargeQuotes;
}

const tags = ['quotes'];
const quote = '/api/quotation/quotes/:id';
const refusals = [
  quoteNotFound(),
  quoteChanged(),
  quoteCannotMove('draft', 'accepted'),
  quoteSuperseded(),
  customerErased(),
  quoteTooLarge(),
];

/** The body of a rejection, which may be absent. */
const RejectionSchema = Nullable(
  ClosedObject(
    { reason: Type.Optional(LinesOf(2000, { examples: ['Too late for this year.'] })) },
    { title: 'RejectQuote' },
  ),
);

type DecisionRequest = FastifyRequest & {
  readonly params: { readonly id: string };
  readonly headers: { readonly 'if-match'?: string };
};

/** Routes to accept and reject by the seller, on the customer's word. */
export function decisionsRoutes(
  app: Service,
  { decisions, largeQuotes, once }: DecisionsRoutesOptions,
): void {
  function targetOf(request: DecisionRequest, reply: FastifyReply): DecisionTarget {
    const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null;
    return {
      id: request.params.id,
      accepts: preconditionOf(request),
      decider: { name: null, ipAddress: request.ip, userAgent },
      readLarge: readLargeNow(largeQuotes, { asking: askingOf(request), reply }),
    };
  }

  app.post(
    `${quote}/accept`,
    {
      config: { access: 'quotes:write', idempotent: true, errors: [...refusals, quoteExpired()] },
      schema: {
        operationId: 'acceptQuote',
        tags,
        summary: 'Accept a sent quote for its customer',
        params: QuotePath,
        headers: IfMatchHeaders,
        response: { 200: WithEntityTag(QuoteSummaryAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const accepted = await decisions.accept(context, targetOf(request, reply));
        reply.header('etag', entityTag(accepted.version));
        return success(withMoves(accepted), request.id);
      }),
  );

  app.post(
    `${quote}/reject`,
    {
      config: { access: 'quotes:write', idempotent: true, errors: refusals },
      schema: {
        operationId: 'rejectQuote',
        tags,
        summary: 'Reject a sent quote for its customer',
        params: QuotePath,
        headers: IfMatchHeaders,
        body: RejectionSchema,
        response: { 200: WithEntityTag(QuoteSummaryAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const target = { ...targetOf(request, reply), reason: request.body?.reason };
        const rejected = await decisions.reject(context, target);
        reply.header('etag', entityTag(rejected.version));
        return success(withMoves(rejected), request.id);
      }),
  );
}
