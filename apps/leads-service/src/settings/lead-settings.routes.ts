import { success, SuccessOf } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  ClosedObject,
  entityTag,
  IfMatchHeaders,
  optional,
  preconditionOf,
  WithEntityTag,
} from '@tenantry/service/resources';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { furtherMoves } from '../leads/lead-status.ts';
import { settingsChanged, type LeadSettings } from './lead-settings.ts';
import type { OrganizationLeadSettings } from './organization-lead-settings.ts';

const url = '/api/leads/settings';

const fields = {
  furtherMoves: Type.Array(Type.Enum([...furtherMoves]), {
    maxItems: furtherMoves.length,
    uniqueItems: true,
    description:
      'moves that leads of the organization may make beside those of every organization, each `from-to-to`; default: none',
    examples: [['new-to-lost', 'lost-to-contacted']],
  }),
  acceptedQuoteMovesLead: Type.Boolean({
    description: 'whether an accepted quote moves its lead to won, if that is an allowed move; default: true',
  }),
};

const LeadSettingsAnswer = SuccessOf(ClosedObject(fields, { title: 'LeadSettings' }));

/** The settings of an organization about its leads. */
export function leadSettingsRoutes(
  app: Service,
  { settings, tenantOf, contextOf }: Requests & { readonly settings: LeadSettings },
): void {
  app.get(
    url,
    {
      config: { access: 'leads:read' },
      schema: {
        operationId: 'getLeadSettings',
        tags: ['leads'],
        summary: 'Get how leads of the organization may move',
        response: { 200: WithEntityTag(LeadSettingsAnswer) },
      },
    },
    async (request, reply) => {
      return answered(await settings.get(tenantOf(request)), { id: request.id, reply });
    },
  );

  app.patch(
    url,
    {
      config: { access: 'organization:update', errors: [settingsChanged()] },
      schema: {
        operationId: 'updateLeadSettings',
        tags: ['leads'],
        summary: 'Change how leads of the organization may move',
        description:
          'Omitted fields are unchanged; `furtherMoves` is the whole list. It holds from the next move on: leads stay where they are.',
        headers: IfMatchHeaders,
        body: ClosedObject(optional(fields), {
          minProperties: 1,
          title: 'LeadSettingsChanges',
          examples: [{ furtherMoves: ['new-to-lost'] }],
        }),
        response: { 200: WithEntityTag(LeadSettingsAnswer) },
      },
    },
    async (request, reply) => {
      const changed = await settings.change(contextOf(request), preconditionOf(request), request.body);
      return answered(changed, { id: request.id, reply });
    },
  );
}

function answered(
  { version, furtherMoves: allowed, ...shown }: OrganizationLeadSettings,
  { id, reply }: { readonly id: string; readonly reply: Pick<FastifyReply, 'header'> },
) {
  reply.header('etag', entityTag(version));
  return success({ ...shown, furtherMoves: [...allowed] }, id);
}
