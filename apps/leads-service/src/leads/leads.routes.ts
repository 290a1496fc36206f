import { page, success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { Service } from '@tenantry/service-kit';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { Type } from 'typebox';
import { acceptedVersions, entityTag } from './entity-tag.ts';
import { allowedTransitions } from './lead-status.ts';
import { tidyText } from './lead-text.ts';
import { changeLead, createLead, deleteLead, getLead, listLeads } from './leads.ts';
import type { LeadRepository } from './leads.repository.ts';
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
  /** The leads of one organization, named by the verified token. */
  readonly leadsOf: (organizationId: string) => LeadRepository;
}

const tags = ['leads'];
const read = { config: { access: 'leads:read' } } as const;
const write = { config: { access: 'leads:write' } } as const;

const tidy: preValidationHookHandler = (request, _reply, done) => {
  request.body = tidyText(request.body);
  done();
};

/** The leads API. */
export async function leadsRoutes(app: Service, { leadsOf }: LeadsRoutesOptions): Promise<void> {
  const leadsFor = (request: FastifyRequest) => leadsOf(memberOf(request).organizationId);

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
      const { items, total } = await listLeads(leadsFor(request), query);
      return page(items, { total, page: query.page, pageSize: query.pageSize });
    },
  );

  app.get(
    '/api/leads/:id',
    { ...read, schema: { tags, summary: 'Get a lead', params: LeadPath, response: { 200: LeadAnswer } } },
    async (request, reply) => {
      const { version, ...lead } = await getLead(leadsFor(request), request.params.id);
      reply.header('etag', entityTag(version));
      return success({ ...lead, allowedTransitions: [...allowedTransitions(lead.status)] }, request.id);
    },
  );

  app.post(
    '/api/leads',
    {
      ...write,
      preValidation: tidy,
      schema: { tags, summary: 'Create a lead', body: NewLeadSchema, response: { 201: LeadCreatedAnswer } },
    },
    async (request, reply) => {
      const { id, duplicateOf } = await createLead(leadsFor(request), request.body);
      reply.code(201).headers({ location: `/api/leads/${id}`, etag: entityTag(1) });
      return success({ id }, request.id, duplicateOf === null ? {} : { duplicateOf });
    },
  );

  app.put(
    '/api/leads/:id',
    {
      ...write,
      preValidation: tidy,
      schema: {
        tags,
        summary: 'Change a lead',
        params: LeadPath,
        body: LeadChangesSchema,
        response: { 200: LeadChangedAnswer },
      },
    },
    async (request, reply) => {
      const accepts = acceptedVersions(request.headers['if-match']);
      const change = { id: request.params.id, changes: request.body, accepts };
      const { id, name, email, status, version } = await changeLead(leadsFor(request), change);
      reply.header('etag', entityTag(version));
      return success({ id, name, email, status }, request.id);
    },
  );

  app.delete(
    '/api/leads/:id',
    {
      ...write,
      schema: { tags, summary: 'Delete a lead', params: LeadPath, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const accepts = acceptedVersions(request.headers['if-match']);
      await deleteLead(leadsFor(request), { id: request.params.id, accepts, now: new Date() });
      return reply.code(204).send(null);
    },
  );
}
