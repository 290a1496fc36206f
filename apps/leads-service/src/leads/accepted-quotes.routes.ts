import type { Service } from '@tenantry/service/http';
import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Tenant } from '../database.ts';
import type { AcceptedQuotes } from './accepted-quotes.ts';

const AcceptedQuoteMessage = ClosedObject({
  id: Uuid(),
  organizationId: Uuid(),
  subjectId: Uuid({ description: 'the quote' }),
  payload: ClosedObject({
    leadId: Uuid(),
    number: Type.String({ minLength: 1, maxLength: 50 }),
    acceptedAt: Timestamp(),
  }),
});

/** What quotation-service tells of accepted quotes, at least once each. */
export function acceptedQuotesRoutes(app: Service, { acceptedQuotes, tenantOf }: AcceptedQuotesParts): void {
  app.post(
    '/internal/quote-accepted',
    { config: { access: 'internal' }, schema: { hide: true, body: AcceptedQuoteMessage } },
    async (request, reply) => {
      const { organizationId, subjectId: id, payload } = request.body;
      const { leadId, number } = payload;
      const acceptedAt = new Date(payload.acceptedAt);
      await acceptedQuotes.apply(tenantOf(organizationId), { id, number, leadId, acceptedAt });
      return reply.code(204).send();
    },
  );
}

interface AcceptedQuotesParts {
  readonly acceptedQuotes: AcceptedQuotes;
  readonly tenantOf: (organizationId: string) => Tenant;
}
