import { page, success } from '@tenantry/envelope';
import { IfMatchHeaders, entityTag, preconditionOf, type Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import type { TenantOf } from '../database.ts';
import { leadStatus } from './lead-status.ts';
import type { Leads } from './leads.ts';
import {
  LeadAnswer,
  LeadChangedAnswer,
  LeadChangesSchema,
  LeadCreatedAnswer,
  LeadListAnswer,
  LeadListQuerySchema,
  LeadPath,
  NewLeadSchema,
} from './leads.schemas.ts';

/** What the routes need. */
export interface LeadsRoutesOptions {
  readonly leads: Leads;
  readonly tenantOf: TenantOf;
}

const tags = ['leads'];
const read = { config: { access: 'leads:read' } } as const;
const write = { config: { access: 'leads:write' } } as const;

/** The leads API. */
export async function leadsRoutes(app: Service, { leads, tenantOf }: LeadsRoutesOptions): Promise<void> {
  app.get(
    '/api/leads',
    {
      ...read,
      schema: {
        tags,
        summary: 'List leads',
        querystring: LeadListQuerySchema,
        response: { 200: LeadListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await leads.list(tenantOf(request), query);
      return page(items, { ...query, total });
    },
  );

  app.get(
    '/api/leads/:id',
    { ...read, schema: { tags, summary: 'Get a lead', params: LeadPath, response: { 200: LeadAnswer } } },
    async (request, reply) => {
      const { version, ...lead } = await leads.get(tenantOf(request), request.params.id);
      reply.header('etag', entityTag(version));
      return success({ ...lead, allowedTransitions: [...leadStatus.allowedFrom(lead.status)] }, request.id);
    },
  );

  app.post(
    '/api/leads',
    {
      ...write,
      schema: { tags, summary: 'Create a lead', body: NewLeadSchema, response: { 201: LeadCreatedAnswer } },
    },
    async (request, reply) => {
      const { id, duplicateOf } = await leads.create(tenantOf(request), request.body);
      reply.code(201).headers({ location: `/api/leads/${id}`, etag: entityTag(1) });
      return success({ id }, request.id, duplicateOf === null ? {} : { duplicateOf });
    },
  );

  app.put(
    '/api/leads/:id',
    {
      ...write,
      schema: {
        tags,
        summary: 'Change a lead',
        params: LeadPath,
        headers: IfMatchHeaders,
        body: LeadChangesSchema,
        response: { 200: LeadChangedAnswer },
      },
    },
    async (request, reply) => {
      const target = { id: request.params.id, accepts: preconditionOf(request) };
      const { id, name, email, status, version } = await leads.change(
        tenantOf(request),
        target,
        request.body,
      );
      reply.header('etag', entityTag(version));
      return success({ id, name, email, status }, request.id);
    },
  );

  app.delete(
    '/api/leads/:id',
    {
      ...write,
      schema: {
        tags,
        summary: 'Delete a lead',
        params: LeadPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = { id: request.params.id, accepts: preconditionOf(request) };
      await leads.remove(tenantOf(request), target, new Date());
      return reply.code(204).send(null);
    },
  );
}
