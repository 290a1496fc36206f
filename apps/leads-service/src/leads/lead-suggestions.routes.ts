import { success, SuccessOf } from '@tenantry/envelope';
import { LineOf, Text, Uuid, type Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { leadSuggestions } from './lead-suggestions.repository.ts';
import type { LeadsRoutesOptions } from './leads.routes.ts';

const closed = { additionalProperties: false } as const;

const SuggestionsQuery = Type.Object(
  {
    prefix: LineOf(100, {
      description: 'what a name begins with; case and accents do not matter',
      examples: ['ann'],
    }),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  },
  closed,
);

const SuggestionsAnswer = SuccessOf(
  Type.Array(
    Type.Object(
      { id: Uuid(), name: Text('Anna Andersson'), email: Text('anna@example.com') },
      { ...closed, title: 'LeadSuggestion' },
    ),
  ),
);

/** Leads for a field in which somebody types a name. */
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
        response: { 200: SuggestionsAnswer },
      },
    },
    async (request) => {
      const { prefix, limit } = request.query;
      return success(await tenantOf(request).query(leadSuggestions, [prefix, limit]), request.id);
    },
  );
}
