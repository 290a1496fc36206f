import { page, PageOf, SuccessOf, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  ClosedObject,
  entityTag,
  Figure,
  IfMatchHeaders,
  Nullable,
  PageQueryOf,
  Text,
  Timestamp,
  Uuid,
  WithEntityTag,
} from '@tenantry/service/resources';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { customerErased } from '../customers/customers.errors.ts';
import type { Requests } from '../database.ts';
import type { CurrentSettings } from '../settings/current-settings.ts';
import { targetOf } from './quote-requests.http.ts';
import { quoteStatus } from './quote-status.ts';
import { quoteChanged, quoteNotFound, quoteSuperseded, quoteUnrevisable } from './quotes.errors.ts';
import { QuotePath } from './quotes.schemas.ts';
import type { Revisions } from './revisions.ts';

export interface RevisionsRoutesOptions extends Requests {
  readonly revisions: Revisions;
  readonly currentSettings: CurrentSettings;
}

const tags = ['quotes'];
const collection = '/api/quotation/quotes';
const made = { id: Uuid(), number: Text('Q-2026-0001') };

const RevisionSchema = ClosedObject(
  {
    ...made,
    revision: Type.Integer({ minimum: 1 }),
    status: quoteStatus.Schema,
    totalAmount: Figure(4399.85),
    currency: Text('SEK', { description: 'ISO 4217' }),
    sentAt: Nullable(Timestamp()),
    supersededBy: Nullable(Uuid({ description: 'the revision that replaces this one' })),
    createdAt: Timestamp(),
  },
  { title: 'QuoteRevision' },
);

/** The revisions of a quote, and new drafts. */
export function revisionsRoutes(
  app: Service,
  { revisions, currentSettings, tenantOf, once }: RevisionsRoutesOptions,
): void {
  const settingsFor = (request: FastifyRequest) => ({
    before: async () => currentSettings.read(tenantOf(request)),
  });
  app.get(
    `${collection}/:id/revisions`,
    {
      config: { access: 'quotes:read', errors: [quoteNotFound()] },
      schema: {
        operationId: 'listQuoteRevisions',
        tags,
        summary: 'List the revisions of a quote',
        description: 'Newest first, whichever revision you name.',
        params: QuotePath,
        querystring: PageQueryOf({}),
        response: { 200: PageOf(RevisionSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await revisions.list(tenantOf(request), request.params.id, query);
      return page(items, { ...query, total });
    },
  );

  app.post(
    `${collection}/:id/revise`,
    {
      config: {
        access: 'quotes:write',
        idempotent: true,
        errors: [quoteNotFound(), quoteChanged(), quoteUnrevisable(), quoteSuperseded(), customerErased()],
      },
      schema: {
        operationId: 'reviseQuote',
        tags,
        summary: 'Replace a sent or rejected quote by a new draft',
        description:
          'The draft has the same number and the next revision. The previous one can no longer be accepted.',
        params: QuotePath,
        headers: IfMatchHeaders,
        response: {
          201: WithEntityTag(SuccessOf(ClosedObject({ ...made, revision: Type.Integer({ minimum: 2 }) }))),
        },
      },
    },
    async (request, reply) =>
      once(
        request,
        reply,
        async (context, settings) => {
          const target = targetOf(request, request.params.id);
          const revision = await revisions.revise(context, target, settings);
          reply.code(201).headers({ location: `${collection}/${revision.id}`, etag: entityTag(1) });
          return success(revision, request.id);
        },
        settingsFor(request),
      ),
  );

  app.post(
    `${collection}/:id/duplicate`,
    {
      config: {
        access: 'quotes:write',
        idempotent: true,
        errors: [quoteNotFound(), quoteChanged(), customerErased()],
      },
      schema: {
        operationId: 'duplicateQuote',
        tags,
        summary: 'Copy a quote into a draft with a new number',
        params: QuotePath,
        headers: IfMatchHeaders,
        response: { 201: SuccessOf(ClosedObject(made)) },
      },
    },
    async (request, reply) =>
      once(
        request,
        reply,
        async (context, settings) => {
          const target = targetOf(request, request.params.id);
          const { id, number } = await revisions.duplicate(context, target, settings);
          reply.code(201).header('location', `${collection}/${id}`);
          return success({ id, number }, request.id);
        },
        settingsFor(request),
      ),
  );
}
