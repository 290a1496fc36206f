import { SuggestionsAnswerOf, SuggestionsQuery } from '@tenantry/business-service';
import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import { Nullable, Text } from '@tenantry/service-kit/resources';
import { customerSuggestions } from './customer-suggestions.repository.ts';
import type { CustomersRoutesOptions } from './customers.routes.ts';

/** Suggestions of customers for a name that is being typed. */
export async function customerSuggestionsRoutes(
  app: Service,
  { tenantOf }: Pick<CustomersRoutesOptions, 'tenantOf'>,
): Promise<void> {
  app.get(
    '/api/quotation/customers/suggestions',
    {
      config: { access: 'quotes:read', mayReadReplica: true },
      schema: {
        operationId: 'suggestCustomers',
        tags: ['customers'],
        summary: 'Suggest customers whose names begin so, in the order of their names',
        querystring: SuggestionsQuery,
        response: {
          200: SuggestionsAnswerOf('CustomerSuggestion', Nullable(Text('anna@example.com'))),
        },
      },
    },
    async (request) => {
      const { prefix, limit } = request.query;
      return success(await tenantOf(request).query(customerSuggestions, [prefix, limit]), request.id);
    },
  );
}
