import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { IfMatchHeaders, WithEntityTag, entityTag, partialUpdate } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { customerErased } from '../customers/customers.errors.ts';
import type { Requests, Tenant } from '../database.ts';
import type { CurrentSettings } from '../settings/current-settings.ts';
import type { Decisions } from './decisions.ts';
import type { LargeQuotes } from './large-quotes.ts';
import { listItemWith, listQueryOf } from './quote-list.ts';
import {
  askingOf,
  readLargeInTurn,
  shownDecision,
  targetOf,
  wholeAnswer,
  withMoves,
} from './quote-requests.http.ts';
import { isDecided } from './quote-status.ts';
import { currencyFixed, quoteChanged, quoteFrozen, quoteNotFound, quoteTooLarge } from './quotes.errors.ts';
import type { Quotes } from './quotes.ts';
import {
  NewQuoteSchema,
  QuoteAnswer,
  QuoteChangesSchema,
  QuoteCreatedAnswer,
  QuoteListAnswer,
  QuoteListQuerySchema,
  QuotePath,
  QuoteSummaryAnswer,
} from './quotes.schemas.ts';
import { validityWarnings } from './validity.ts';

export interface QuotesRoutesOptions extends Requests {
  readonly quotes: Quotes;
  readonly decisions: Pick<Decisions, 'find'>;
  /** Where the contract of an accepted quote is found. */
  readonly contracts: {
    /** When it was created; null if there is none. */
    madeAt(tenant: Tenant, quoteId: string): Promise<string | null>;
  };
  readonly largeQuotes: LargeQuotes;
  readonly currentSettings: CurrentSettings;
}

const tags = ['quotes'];
const collection = '/api/quotation/quotes';

/** Routes of quotes. */
export function quotesRoutes(
  app: Service,
  {
    quotes,
    decisions,
    contracts,
    largeQuotes,
    currentSettings,
    tenantOf,
    contextOf,
    once,
    now,
  }: QuotesRoutesOptions,
): void {
  app.get(
    collection,
    {
      config: { access: 'quotes:read', mayReadReplica: true },
      schema: {
        operationId: 'listQuotes',
        tags,
        summary: 'List quotes',
        description:
          'Lists the newest revision of each quote. Amounts are sorted as numbers, whatever their currency; sorted by sending, drafts come before sent quotes.',
        querystring: QuoteListQuerySchema,
        response: { 200: QuoteListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await quotes.list(tenantOf(request), listQueryOf(query));
      return page(items.map(listItemWith(query.include)), { ...query, total });
    },
  );

  app.get(
    `${collection}/:id`,
    {
      config: { access: 'quotes:read', errors: [quoteNotFound(), quoteTooLarge()] },
      schema: {
        operationId: 'getQuote',
        tags,
        summary: 'Get a quote with its work packages and items',
        params: QuotePath,
        response: { 200: WithEntityTag(QuoteAnswer) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const readLarge = readLargeInTurn(largeQuotes, { asking: askingOf(request), reply });
      const tenant = tenantOf(request);
      const quote = await quotes.get(tenant, id, readLarge);
      const decided = isDecided(quote.status) && (await decisions.find(tenant, id));
      const contractedAt = quote.status === 'accepted' ? await contracts.madeAt(tenant, id) : null;
      reply.header('etag', entityTag(quote.version));
      const decision = decided ? shownDecision(decided) : null;
      return wholeAnswer(reply, success({ ...withMoves(quote), decision, contractedAt }, request.id));
    },
  );

  app.post(
    collection,
    {
      config: { access: 'quotes:write', idempotent: true, errors: [customerErased()] },
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
      const readBefore = async () => {
        const tenant = tenantOf(request);
        const settings = await currentSettings.read(tenant);
        const { authorization } = request.headers;
        return { settings, customer: await quotes.customerFor(tenant, request.body, authorization) };
      };
      return once(
        request,
        reply,
        async (context, read) => {
          const { id, number, validUntil } = await quotes.create(context, { ...request.body, ...read });
          reply.code(201).headers({ location: `${collection}/${id}`, etag: entityTag(1) });
          const warnings = validityWarnings(validUntil, now());
          return success({ id, number }, request.id, warnings.length > 0 ? { warnings } : {});
        },
        { before: readBefore },
      );
    },
  );

  app.route({
    method: partialUpdate(),
    url: `${collection}/:id`,
    config: {
      access: 'quotes:write',
      errors: [quoteNotFound(), quoteChanged(), quoteFrozen(), currencyFixed(), customerErased()],
    },
    schema: {
      operationId: 'updateQuote',
      tags,
      summary: 'Change a draft',
      description:
        'Omitted fields are unchanged, and null clears vatExemptionReason. PUT and PATCH do the same.',
      params: QuotePath,
      headers: IfMatchHeaders,
      body: QuoteChangesSchema,
      response: { 200: WithEntityTag(QuoteSummaryAnswer) },
    },
    handler: async (request, reply) => {
      const { authorization } = request.headers;
      const settings = () => currentSettings.read(tenantOf(request));
      const target = { ...targetOf(request, request.params.id), authorization, settings };
      const quote = await quotes.change(contextOf(request), target, request.body);
      reply.header('etag', entityTag(quote.version));
      return success(withMoves(quote), request.id);
    },
  });

  app.delete(
    `${collection}/:id`,
    {
      config: { access: 'quotes:write', errors: [quoteNotFound(), quoteChanged(), quoteFrozen()] },
      schema: {
        operationId: 'deleteQuote',
        tags,
        summary: 'Delete a draft',
        description: 'Its number is not reused. The revision that it replaced is current again.',
        params: QuotePath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await quotes.remove(contextOf(request), targetOf(request, request.params.id));
      return reply.code(204).send(null);
    },
  );
}
