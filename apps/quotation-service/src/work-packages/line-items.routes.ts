import { success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { IfMatchHeaders, preconditionOf, type Service } from '@tenantry/service-kit';
import type { TenantOf } from '../database.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from '../quotes/quotes.errors.ts';
import { LineItemCreatedAnswer, LineItemsPath, NewLineItemSchema } from './line-items.schemas.ts';
import type { LineItems } from './line-items.ts';

/** What the routes need. */
export interface LineItemsRoutesOptions {
  readonly lineItems: LineItems;
  readonly tenantOf: TenantOf;
}

const tags = ['items'];
const collection = '/api/quotation/quotes/:quoteId/work-packages/:workPackageId/items';
const errors = [quoteNotFound(), quoteChanged(), quoteFrozen()];

/** The lines of a draft. */
export function lineItemsRoutes(app: Service, { lineItems, tenantOf }: LineItemsRoutesOptions): void {
  app.post(
    collection,
    {
      config: { access: 'quotes:write', idempotent: true, errors },
      schema: {
        operationId: 'addLineItem',
        tags,
        summary: 'Add an item to a work package of a draft',
        params: LineItemsPath,
        headers: IfMatchHeaders,
        body: NewLineItemSchema,
        response: { 201: LineItemCreatedAnswer },
      },
    },
    async (request, reply) => {
      const { quoteId, workPackageId } = request.params;
      const accepts = preconditionOf(request);
      const target = { id: quoteId, workPackageId, accepts, actorUserId: memberOf(request).userId };
      const { articleNumber = '', ...content } = request.body;
      const line = await lineItems.add(tenantOf(request), target, { articleNumber, ...content });
      return reply.code(201).send(success(line, request.id));
    },
  );
}
