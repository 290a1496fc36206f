import type { Service } from '@tenantry/service-kit';
import { IfMatchHeaders, preconditionOf } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import type { ContextOf } from '../database.ts';
import type { CustomerErasure } from './customer-erasure.ts';
import { customerChanged, customerNotFound } from './customers.errors.ts';
import { CustomerPath } from './customers.schemas.ts';

export interface CustomerErasureRoutesOptions {
  readonly erasure: CustomerErasure;
  readonly contextOf: ContextOf;
}

/** The route to erase a customer, for admins. */
export function customerErasureRoutes(
  app: Service,
  { erasure, contextOf }: CustomerErasureRoutesOptions,
): void {
  app.post(
    '/api/quotation/customers/:customerId/erase',
    {
      config: { access: 'customers:erase', errors: [customerNotFound(), customerChanged()] },
      schema: {
        operationId: 'eraseCustomer',
        tags: ['customers'],
        summary: 'Permanently erase a customer',
        description:
          'Its name and address go, from its quotes and contracts as well, with the letters to it, the links to its offers, ' +
          'and what it signed with. Its quotes stay, with their numbers, lines and sums. Nothing can be sent to it, and its ' +
          'id cannot be used again. The audit trail keeps the id, and forgets the name.',
        params: CustomerPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await erasure.erase(contextOf(request), {
        id: request.params.customerId,
        accepts: preconditionOf(request),
      });
      return reply.code(204).send(null);
    },
  );
}
