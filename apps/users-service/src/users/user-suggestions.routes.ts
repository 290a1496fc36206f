import { SuggestionsAnswerOf, SuggestionsQuery } from '@tenantry/business-service';
import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import { Text } from '@tenantry/service-kit/resources';
import { userSuggestions } from './user-suggestions.repository.ts';
import type { UsersRoutesOptions } from './users.routes.ts';

/** Suggestions of users for a name that is being typed. */
export async function userSuggestionsRoutes(
  app: Service,
  { tenantOf }: Pick<UsersRoutesOptions, 'tenantOf'>,
): Promise<void> {
  app.get(
    '/api/users/suggestions',
    {
      config: { access: 'users:read', mayReadReplica: true },
      schema: {
        operationId: 'suggestUsers',
        tags: ['users'],
        summary: 'Suggest users whose names begin so, in the order of their names',
        description: 'The whole name, as the user wrote it; disabled accounts as well, as in the list.',
        querystring: SuggestionsQuery,
        response: { 200: SuggestionsAnswerOf('UserSuggestion', Text('anna@example.com')) },
      },
    },
    async (request) => {
      const { prefix, limit } = request.query;
      return success(await tenantOf(request).query(userSuggestions, [prefix, limit]), request.id);
    },
  );
}
