import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  IfMatchHeaders,
  WithEntityTag,
  entityTag,
  partialUpdate,
  preconditionOf,
} from '@tenantry/service/resources';
import type { Requests } from '../database.ts';
import { Type } from 'typebox';
import type { CustomerErasure } from './customer-erasure.ts';
import { customerChanged, customerNotFound } from './customers.errors.ts';
import {
  CustomerAnswer,
  CustomerChangedAnswer,
  CustomerChangesSchema,
  CustomerCreatedAnswer,
  CustomerListAnswer,
  CustomerListQuerySchema,
  CustomerPath,
  NewCustomerSchema,
} from './customers.schemas.ts';
import type { Customers } from './customers.ts';

export interface CustomersRoutesOptions extends Requests {
  readonly customers: Customers;
  readonly erasure: CustomerErasure;
}

const tags = ['customers'];
const collection = '/api/quotation/customers';
const path = `${collection}/:customerId`;

/** Routes of customers. A quote creates its customer as well. */
export function customersRoutes(
  app: Service,
  { customers, erasure, tenantOf, contextOf, once }: CustomersRoutesOptions,
): void {
  app.get(
    collection,
    {
      config: { access: 'quotes:read', mayReadReplica: true },
      schema: {
        operationId: 'listCustomers',
        tags,
        summary: 'List customers',
        querystring: CustomerListQuerySchema,
        response: { 200: CustomerListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await customers.list(tenantOf(request), query);
      return page(items, { ...query, total });
    },
  );

  app.post(
    collection,
    {
      config: { access: 'quotes:write', idempotent: true },
      schema: {
        operationId: 'createCustomer',
        tags,
        summary: 'Create a customer',
        description: 'A quote for an unknown `customerId` creates one too.',
        body: NewCustomerSchema,
        response: { 201: WithEntityTag(CustomerCreatedAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const { id, duplicateOf } = await customers.create(context, request.body);
        reply.code(201).headers({ location: `${collection}/${id}`, etag: entityTag(1) });
        return success({ id }, request.id, naming(duplicateOf));
      }),
  );

  app.get(
    path,
    {
      config: { access: 'quotes:read', errors: [customerNotFound()] },
      schema: {
        operationId: 'getCustomer',
        tags,
        summary: 'Get a customer',
        params: CustomerPath,
        response: { 200: WithEntityTag(CustomerAnswer) },
      },
    },
    async (request, reply) => {
      const customer = await customers.get(tenantOf(request), request.params.customerId);
      reply.header('etag', entityTag(customer.version));
      return success(customer, request.id);
    },
  );

  app.route({
    method: partialUpdate(),
    url: path,
    config: { access: 'quotes:write', errors: [customerNotFound(), customerChanged()] },
    schema: {
      operationId: 'updateCustomer',
      tags,
      summary: 'Change a customer',
      description:
        'Omitted fields are unchanged. Drafts follow; what was sent keeps the name it was sent with. PUT and PATCH do the same.',
      params: CustomerPath,
      headers: IfMatchHeaders,
      body: CustomerChangesSchema,
      response: { 200: WithEntityTag(CustomerChangedAnswer) },
    },
    handler: async (request, reply) => {
      const target = { id: request.params.customerId, accepts: preconditionOf(request) };
      const changed = await customers.change(contextOf(request), target, request.body);
      reply.header('etag', entityTag(changed.customer.version));
      return success(changed.customer, request.id, naming(changed.duplicateOf));
    },
  });

  app.post(
    `${path}/erase`,
    {
      config: { access: 'customers:erase', stores: false, errors: [customerNotFound(), customerChanged()] },
      schema: {
        operationId: 'eraseCustomer',
        tags,
        summary: 'Permanently erase a customer',
        description:
          'Its name, addresses and VAT number go, from its quotes and contracts as well, with the letters to it, the links to its offers, ' +
          'and what it signed with. Its quotes stay, with their numbers, lines and sums. Nothing can be sent to it, and its ' +
          'id cannot be used again. The audit trail keeps the id, and forgets the name.',
        params: CustomerPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = { id: request.params.customerId, accepts: preconditionOf(request) };
      await erasure.erase(contextOf(request), target);
      return reply.code(204).send(null);
    },
  );
}

const naming = (duplicateOf: string | null) => (duplicateOf === null ? {} : { duplicateOf });
