import { page, success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { WithEntityTag, entityTag, type Service } from '@tenantry/service-kit';
import type { TenantOf } from '../database.ts';
import { quoteStatus } from './quote-status.ts';
import { quoteNotFound } from './quotes.errors.ts';
import type { Quotes } from './quotes.ts';
import {
  NewQuoteSchema,
  QuoteAnswer,
  QuoteCreatedAnswer,
  QuoteListAnswer,
  QuoteListQuerySchema,
  QuotePath,
} from './quotes.schemas.ts';
import { validityWarnings } from './validity.ts';

/** What the routes need. */
export interface QuotesRoutesOptions {
  readonly quotes: Quotes;
  readonly tenantOf: TenantOf;
  readonly now: () => Date;
}

const tags = ['quotes'];
const collection = '/api/quotation/quotes';

/** Quotes, from their draft on. */
export function quotesRoutes(app: Service, { quotes, tenantOf, now }: QuotesRoutesOptions): void {
  app.get(
    collection,
    {
      config: { access: 'quotes:read' },
      schema: {
        operationId: 'listQuotes',
        tags,
        summary: 'List quotes',
        description: 'Lists the newest revision of each quote.',
        querystring: QuoteListQuerySchema,
        response: { 200: QuoteListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await quotes.list(tenantOf(request), query);
      return page(items, { ...query, total });
    },
  );

  app.get(
    `${collection}/:id`,
    {
      config: { access: 'quotes:read', errors: [quoteNotFound()] },
      schema: {
        operationId: 'getQuote',
        tags,
        summary: 'Get a quote with its work packages and items',
        params: QuotePath,
        response: { 200: WithEntityTag(QuoteAnswer) },
      },
    },
    async (request, reply) => {
      const quote = await quotes.get(tenantOf(request), request.params.id);
      reply.header('etag', entityTag(quote.version));
      const allowedTransitions = [...quoteStatus.allowedFrom(quote.status)];
      return success({ ...quote, allowedTransitions }, request.id);
    },
  );

  app.post(
    collection,
    {
      config: { access: 'quotes:write', idempotent: true },
      schema: {
        operationId: 'createQuote',
        tags,
        summary: 'Create a quote',
        description: 'Creates a draft under the next number of the year. Totals are computed from its items.',
        body: NewQuoteSchema,
        response: { 201: WithEntityTag(QuoteCreatedAnswer) },
      },
    },
    async (request, reply) => {
      const { authorization } = request.headers;
      const author = { actorUserId: memberOf(request).userId, authorization };
      const { id, number, validUntil } = await quotes.create(tenantOf(request), request.body, author);
      reply.code(201).headers({ location: `${collection}/${id}`, etag: entityTag(1) });
      const warnings = validityWarnings(validUntil, now());
      return success({ id, number }, request.id, warnings.length > 0 ? { warnings } : {});
    },
  );
}
