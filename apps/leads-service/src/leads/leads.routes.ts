import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  IfMatchHeaders,
  WithEntityTag,
  entityTag,
  partialUpdate,
  preconditionOf,
} from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { leadStatus } from './lead-status.ts';
import { includesMoves, listItemWith, listQueryOf } from './lead-list.ts';
import { leadChanged, leadNotFound } from './leads.errors.ts';
import type { Leads, Target, WrittenLead } from './leads.ts';
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

const tags = ['leads'];

/** The leads API. */
export function leadsRoutes(
  app: Service,
  { leads, tenantOf, contextOf, once }: Requests & { readonly leads: Leads },
): void {
  app.get(
    '/api/leads',
    {
      config: { access: 'leads:read', mayReadReplica: true },
      schema: {
        operationId: 'listLeads',
        tags,
        summary: 'List leads',
        querystring: LeadListQuerySchema,
        response: { 200: LeadListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const tenant = tenantOf(request);
      const { items, total } = await leads.list(tenant, listQueryOf(query));
      const moves = includesMoves(query.include) ? await leads.moves(tenant) : undefined;
      return page(items.map(listItemWith(query.include, moves)), { ...query, total });
    },
  );

  app.get(
    '/api/leads/:id',
    {
      config: { access: 'leads:read', errors: [leadNotFound()] },
      schema: {
        operationId: 'getLead',
        tags,
        summary: 'Get a lead',
        params: LeadPath,
        response: { 200: WithEntityTag(LeadAnswer) },
      },
    },
    async (request, reply) => {
      const found = await leads.get(tenantOf(request), request.params.id);
      const { version, ...lead } = found.lead;
      reply.header('etag', entityTag(version));
      return success({ ...lead, allowedTransitions: [...found.moves.allowedFrom(lead.status)] }, request.id);
    },
  );

  app.post(
    '/api/leads',
    {
      config: { access: 'leads:write', idempotent: true },
      schema: {
        operationId: 'createLead',
        tags,
        summary: 'Create a lead',
        body: NewLeadSchema,
        response: { 201: WithEntityTag(LeadCreatedAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const { id, duplicateOf } = await leads.create(context, request.body);
        reply.code(201).headers({ location: `/api/leads/${id}`, etag: entityTag(1) });
        return success({ id }, request.id, naming(duplicateOf));
      }),
  );

  app.route({
    method: partialUpdate(),
    url: '/api/leads/:id',
    config: {
      access: 'leads:write',
      errors: [leadNotFound(), leadChanged(), leadStatus.refusal('new', 'won')],
    },
    schema: {
      operationId: 'updateLead',
      tags,
      summary: 'Change a lead',
      description:
        'Omitted fields are unchanged, and null clears an optional one. `status` changes as the organization allows: `allowedTransitions` of a lead says where it may move, and so does the refusal. PUT and PATCH do the same.',
      params: LeadPath,
      headers: IfMatchHeaders,
      body: LeadChangesSchema,
      response: { 200: WithEntityTag(LeadChangedAnswer) },
    },
    handler: async (request, reply) => {
      const { params, body } = request;
      const target = targetOf(request, params.id);
      return writtenAnswer(await leads.change(contextOf(request), target, body), request, reply);
    },
  });

  app.delete(
    '/api/leads/:id',
    {
      config: { access: 'leads:write', errors: [leadNotFound(), leadChanged()] },
      schema: {
        operationId: 'deleteLead',
        tags,
        summary: 'Delete a lead',
        description:
          'It is listed with `deleted=true` and can be restored until it is permanently deleted after DELETED_LEADS_RETENTION_DAYS.',
        params: LeadPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await leads.remove(contextOf(request), targetOf(request, request.params.id));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/leads/:id/restore',
    {
      config: { access: 'leads:write', idempotent: true, errors: [leadNotFound(), leadChanged()] },
      schema: {
        operationId: 'restoreLead',
        tags,
        summary: 'Restore a deleted lead',
        description: 'It is restored unchanged. Restoring a lead that is not deleted has no effect.',
        params: LeadPath,
        headers: IfMatchHeaders,
        response: { 200: WithEntityTag(LeadChangedAnswer) },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const target = targetOf(request, request.params.id);
        return writtenAnswer(await leads.restore(context, target), request, reply);
      }),
  );

  app.post(
    '/api/leads/:id/erase',
    {
      config: { access: 'leads:erase', stores: false, errors: [leadNotFound(), leadChanged()] },
      schema: {
        operationId: 'eraseLead',
        tags,
        summary: 'Permanently erase a lead',
        description:
          'Deletes it with its history, whether it is in the list of deleted leads or not. The audit trail keeps its id but not its ' +
          'name. Erase what other services keep under that id, such as a customer of quotes, there.',
        params: LeadPath,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await leads.erase(contextOf(request), targetOf(request, request.params.id));
      return reply.code(204).send(null);
    },
  );
}

function writtenAnswer({ lead, duplicateOf }: WrittenLead, request: FastifyRequest, reply: FastifyReply) {
  const { id, name, email, status, version } = lead;
  reply.header('etag', entityTag(version));
  return success({ id, name, email, status }, request.id, naming(duplicateOf));
}

const naming = (duplicateOf: string | null) => (duplicateOf === null ? {} : { duplicateOf });

function targetOf(request: FastifyRequest<{ Headers: { 'if-match'?: string } }>, id: string): Target {
  return { id, accepts: preconditionOf(request) };
}
