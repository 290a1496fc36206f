import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { IfMatchHeaders, WithEntityTag, entityTag, partialUpdate } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { targetOf } from '../quotes/quote-requests.http.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from '../quotes/quotes.errors.ts';
import { lineItemsMax } from './line-items.errors.ts';
import {
  LineItemChangedAnswer,
  LineItemChangesSchema,
  LineItemCreatedAnswer,
  LineItemPath,
  NewLineItemSchema,
} from './line-items.schemas.ts';
import type { LineItems } from './line-items.ts';
import { OrderAnswer, OrderOf, WorkPackagePath } from './work-packages.schemas.ts';

const tags = ['items'];
const collection = '/api/quotation/quotes/:quoteId/work-packages/:workPackageId/items';
const errors = [quoteNotFound(), quoteChanged(), quoteFrozen()];
const config = { access: 'quotes:write', errors } as const;
const description = 'ETag and If-Match are those of the quote.';

/** The items of a draft, which the code calls lines. */
export function lineItemsRoutes(
  app: Service,
  { lineItems, contextOf, once }: Requests & { readonly lineItems: LineItems },
): void {
  app.post(
    collection,
    {
      config: { ...config, idempotent: true },
      schema: {
        operationId: 'addLineItem',
        tags,
        summary: 'Add an item to a work package of a draft',
        description,
        params: WorkPackagePath,
        headers: IfMatchHeaders,
        body: NewLineItemSchema,
        response: { 201: WithEntityTag(LineItemCreatedAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const { quoteId, workPackageId } = request.params;
        const { articleNumber = '', ...content } = request.body;
        const target = { ...targetOf(request, quoteId), workPackageId };
        const { version, ...line } = await lineItems.add(context, target, { articleNumber, ...content });
        reply.code(201).header('etag', entityTag(version));
        return success(line, request.id);
      }),
  );

  app.put(
    '/api/quotation/quotes/:quoteId/work-packages/:workPackageId/item-order',
    {
      config,
      schema: {
        operationId: 'orderLineItems',
        tags,
        summary: 'Put the items of a work package in order',
        description,
        params: WorkPackagePath,
        headers: IfMatchHeaders,
        body: OrderOf(lineItemsMax),
        response: { 200: WithEntityTag(OrderAnswer) },
      },
    },
    async (request, reply) => {
      const { quoteId, workPackageId } = request.params;
      const { ids } = request.body;
      const target = { ...targetOf(request, quoteId), workPackageId };
      const { version } = await lineItems.reorder(contextOf(request), target, ids);
      reply.header('etag', entityTag(version));
      return success({ ids }, request.id);
    },
  );

  app.route({
    method: partialUpdate(),
    url: `${collection}/:itemId`,
    config,
    schema: {
      operationId: 'updateLineItem',
      tags,
      summary: 'Change an item of a draft',
      description: `Omitted fields are unchanged. PUT and PATCH do the same. ${description}`,
      params: LineItemPath,
      headers: IfMatchHeaders,
      body: LineItemChangesSchema,
      response: { 200: WithEntityTag(LineItemChangedAnswer) },
    },
    handler: async (request, reply) => {
      const { quoteId, workPackageId, itemId } = request.params;
      const target = { ...targetOf(request, quoteId), workPackageId, lineItemId: itemId };
      const { version, ...line } = await lineItems.change(contextOf(request), target, request.body);
      reply.header('etag', entityTag(version));
      return success(line, request.id);
    },
  });

  app.delete(
    `${collection}/:itemId`,
    {
      config,
      schema: {
        operationId: 'deleteLineItem',
        tags,
        summary: 'Delete an item of a draft',
        description,
        params: LineItemPath,
        headers: IfMatchHeaders,
        response: { 204: WithEntityTag(Type.Null()) },
      },
    },
    async (request, reply) => {
      const { quoteId, workPackageId, itemId } = request.params;
      const target = { ...targetOf(request, quoteId), workPackageId, lineItemId: itemId };
      const { version } = await lineItems.remove(contextOf(request), target);
      return reply.code(204).header('etag', entityTag(version)).send(null);
    },
  );
}
