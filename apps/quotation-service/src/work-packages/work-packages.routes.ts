import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { IfMatchHeaders, WithEntityTag, entityTag, partialUpdate } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { targetOf } from '../quotes/quote-requests.http.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from '../quotes/quotes.errors.ts';
import { workPackagesMax } from './work-packages.errors.ts';
import {
  NewWorkPackageSchema,
  OrderAnswer,
  OrderOf,
  WorkPackageChangedAnswer,
  WorkPackageChangesSchema,
  WorkPackageCreatedAnswer,
  WorkPackagePath,
  WorkPackagesPath,
} from './work-packages.schemas.ts';
import type { WorkPackages } from './work-packages.ts';

const tags = ['work packages'];
const collection = '/api/quotation/quotes/:quoteId/work-packages';
const errors = [quoteNotFound(), quoteChanged(), quoteFrozen()];
const config = { access: 'quotes:write', errors } as const;
const description = 'ETag and If-Match are those of the quote.';

/** The work packages of a draft. */
export function workPackagesRoutes(
  app: Service,
  { workPackages, contextOf, once }: Requests & { readonly workPackages: WorkPackages },
): void {
  app.post(
    collection,
    {
      config: { ...config, idempotent: true },
      schema: {
        operationId: 'addWorkPackage',
        tags,
        summary: 'Add a work package to a draft',
        description,
        params: WorkPackagesPath,
        headers: IfMatchHeaders,
        body: NewWorkPackageSchema,
        response: { 201: WithEntityTag(WorkPackageCreatedAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const { name, description = '' } = request.body;
        const target = targetOf(request, request.params.quoteId);
        const { id, version } = await workPackages.add(context, target, { name, description });
        reply.code(201).header('etag', entityTag(version));
        return success({ id }, request.id);
      }),
  );

  app.put(
    '/api/quotation/quotes/:quoteId/work-package-order',
    {
      config,
      schema: {
        operationId: 'orderWorkPackages',
        tags,
        summary: 'Put the work packages of a draft in order',
        description,
        params: WorkPackagesPath,
        headers: IfMatchHeaders,
        body: OrderOf(workPackagesMax),
        response: { 200: WithEntityTag(OrderAnswer) },
      },
    },
    async (request, reply) => {
      const { ids } = request.body;
      const target = targetOf(request, request.params.quoteId);
      const { version } = await workPackages.reorder(contextOf(request), target, ids);
      reply.header('etag', entityTag(version));
      return success({ ids }, request.id);
    },
  );

  app.route({
    method: partialUpdate(),
    url: `${collection}/:workPackageId`,
    config,
    schema: {
      operationId: 'updateWorkPackage',
      tags,
      summary: 'Change a work package of a draft',
      description: `Omitted fields are unchanged. PUT and PATCH do the same. ${description}`,
      params: WorkPackagePath,
      headers: IfMatchHeaders,
      body: WorkPackageChangesSchema,
      response: { 200: WithEntityTag(WorkPackageChangedAnswer) },
    },
    handler: async (request, reply) => {
      const { quoteId, workPackageId } = request.params;
      const target = { ...targetOf(request, quoteId), workPackageId };
      const changed = await workPackages.change(contextOf(request), target, request.body);
      reply.header('etag', entityTag(changed.version));
      const { id, name, description, subtotal } = changed;
      return success({ id, name, description, subtotal }, request.id);
    },
  });

  app.delete(
    `${collection}/:workPackageId`,
    {
      config,
      schema: {
        operationId: 'deleteWorkPackage',
        tags,
        summary: 'Delete a work package of a draft with its items',
        description,
        params: WorkPackagePath,
        headers: IfMatchHeaders,
        response: { 204: WithEntityTag(Type.Null()) },
      },
    },
    async (request, reply) => {
      const { quoteId, workPackageId } = request.params;
      const target = { ...targetOf(request, quoteId), workPackageId };
      const { version } = await workPackages.remove(contextOf(request), target);
      return reply.code(204).header('etag', entityTag(version)).send(null);
    },
  );
}
