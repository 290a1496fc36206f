import { success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { IfMatchHeaders, preconditionOf, type Service } from '@tenantry/service-kit';
import type { TenantOf } from '../database.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from '../quotes/quotes.errors.ts';
import { NewWorkPackageSchema, WorkPackageCreatedAnswer, WorkPackagesPath } from './work-packages.schemas.ts';
import type { WorkPackages } from './work-packages.ts';

/** What the routes need. */
export interface WorkPackagesRoutesOptions {
  readonly workPackages: WorkPackages;
  readonly tenantOf: TenantOf;
}

const tags = ['work packages'];
const collection = '/api/quotation/quotes/:quoteId/work-packages';
const errors = [quoteNotFound(), quoteChanged(), quoteFrozen()];

/** The work packages of a draft. */
export function workPackagesRoutes(
  app: Service,
  { workPackages, tenantOf }: WorkPackagesRoutesOptions,
): void {
  app.post(
    collection,
    {
      config: { access: 'quotes:write', idempotent: true, errors },
      schema: {
        operationId: 'addWorkPackage',
        tags,
        summary: 'Add a work package to a draft',
        params: WorkPackagesPath,
        headers: IfMatchHeaders,
        body: NewWorkPackageSchema,
        response: { 201: WorkPackageCreatedAnswer },
      },
    },
    async (request, reply) => {
      const { name, description = '' } = request.body;
      const target = {
        id: request.params.quoteId,
        accepts: preconditionOf(request),
        actorUserId: memberOf(request).userId,
      };
      const id = await workPackages.add(tenantOf(request), target, { name, description });
      return reply.code(201).send(success({ id }, request.id));
    },
  );
}
