import type { Permission } from '@tenantry/contracts';
import { SuccessOf, success } from '@tenantry/envelope';
import type { Statement } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Service } from '../http/service.ts';
import { ClosedObject, LineOf, Nullable, Text, Uuid } from '../resources/fields.ts';
import type { Tenant } from '../tenants/tenants.ts';

const SuggestionsQuery = ClosedObject({
  prefix: LineOf(100, {
    description: 'what a name begins with; case and accents do not matter',
    examples: ['ann'],
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});

const address = Text('anna@example.com');

/** A row that is suggested, with as much as tells it from others of its name. */
interface Suggestion {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

export interface SuggestionsRoutesOptions<Row extends Suggestion> {
  /** What is suggested: `lead` makes the operation `suggestLeads`. */
  readonly noun: string;
  /** Where it is listed: `/api/leads`. */
  readonly prefix: string;
  readonly access: Permission;
  readonly description?: string;
  /** Whether each has an e-mail address; by default it may have none. */
  readonly hasEmail?: boolean;
  /** The statement that `suggestionsText` of tenancy makes. */
  readonly statement: Statement<Row, readonly [prefix: string, limit: number], 'organization'>;
  readonly tenantOf: (request: FastifyRequest) => Tenant | Promise<Tenant>;
}

/** Suggestions for a field in which somebody types a name: `GET /api/leads/suggestions`. */
export function suggestionsRoutes<Row extends Suggestion>(
  app: Service,
  options: SuggestionsRoutesOptions<Row>,
): void {
  const { noun, prefix: path, access, description, hasEmail = false, statement, tenantOf } = options;
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  const email = hasEmail ? address : Nullable(address);
  const title = `${name}Suggestion`;
  const Suggested = ClosedObject({ id: Uuid(), name: Text('Anna Andersson'), email }, { title });
  app.get(
    `${path}/suggestions`,
    {
      config: { access, mayReadReplica: true },
      schema: {
        operationId: `suggest${name}s`,
        tags: [`${noun}s`],
        summary: `Suggest ${noun}s whose names begin so, in the order of their names`,
        ...(description !== undefined && { description }),
        querystring: SuggestionsQuery,
        response: { 200: SuccessOf(Type.Array(Suggested)) },
      },
    },
    async (request) => {
      const { prefix, limit } = request.query;
      const tenant = await tenantOf(request);
      const found: Suggestion[] = await tenant.query(statement, [prefix, limit]);
      return success(found, request.id);
    },
  );
}
