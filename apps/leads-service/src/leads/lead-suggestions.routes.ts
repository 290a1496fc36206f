import { SuggestionsAnswerOf, SuggestionsQuery } from '@tenantry/business-service';
import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import { Text } from '@tenantry/service-kit/resources';
import { leadSuggestions } from './lead-suggestions.repository.ts';
import type { LeadsRoutesOptions } from './leads.routes.ts';

/** Suggestions of leads for a name that is being typed. */
export async function leadSuggestionsRoutes(
  app: Service,
  { tenantOf }: Pick<LeadsRoutesOptions, 'tenantOf'>,
): Promise<void> {
  app.get(
    '/api/leads/suggestions',
    {
      config: { access: 'leads:read', mayReadReplica: true },
      schema: {
        operationId: 'suggestLeads',
        tags: ['leads'],
        summary: 'Suggest leads whose names begin so, in the order of their names',
        querystring: SuggestionsQuery,
        response: { 200: SuggestionsAnswerOf('LeadSuggestion', Text('anna@example.com')) },
      },
    },
    async (request) => {
      const { prefix, limit } = request.query;
      return success(await tenantOf(request).query(leadSuggestions, [prefix, limit]), request.id);
    },
  );
}
