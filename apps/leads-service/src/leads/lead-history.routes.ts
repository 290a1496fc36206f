import { page, PageOf } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import {
  actorAnswer,
  ActorSchema,
  ClosedObject,
  Nullable,
  PageQueryOf,
  Text,
  Timestamp,
  Uuid,
} from '@tenantry/service/resources';
import type { Requests } from '../database.ts';
import { acceptedQuoteActor } from './accepted-quotes.ts';
import { leadStatus } from './lead-status.ts';
import { leadNotFound } from './leads.errors.ts';
import { LeadPath } from './leads.schemas.ts';
import type { Leads } from './leads.ts';

const LeadHistoryAnswer = PageOf(
  ClosedObject(
    {
      from: Nullable(leadStatus.Schema),
      to: leadStatus.Schema,
      actor: Nullable(ActorSchema),
      quote: Nullable(
        ClosedObject(
          { id: Uuid(), number: Text('Q-2026-0001') },
          { description: 'the accepted quote that moved the lead' },
        ),
      ),
      at: Timestamp(),
    },
    { title: 'LeadMove' },
  ),
);

/** The history of a lead's status. */
export function leadHistoryRoutes(
  app: Service,
  { leads, tenantOf }: Requests & { readonly leads: Leads },
): void {
  app.get(
    '/api/leads/:id/history',
    {
      config: { access: 'leads:read', errors: [leadNotFound()] },
      schema: {
        operationId: 'listLeadHistory',
        tags: ['leads'],
        summary: 'List the moves of a lead from status to status, newest first',
        description:
          'The first move, from null to new, is the creation of the lead. A move that an accepted quote has made names the quote. The history is append-only.',
        params: LeadPath,
        querystring: PageQueryOf({}),
        response: { 200: LeadHistoryAnswer },
      },
    },
    async (request) => {
      const { params, query } = request;
      const { items, total } = await leads.history(tenantOf(request), params.id, query);
      const data = items.map(({ from, to, at, quote, ...by }) => ({
        ...{ from, to, at, quote },
        actor: quote ? { userId: null, ...acceptedQuoteActor } : actorAnswer(by),
      }));
      return page(data, { ...query, total });
    },
  );
}
