import { Standing, standingPath } from '@tenantry/contracts';
import type { Service } from '@tenantry/service/http';
import { OrganizationPath, PageQuerySchema } from '../../ground/index.ts';
import { RestoreBody } from '../organizations.schemas.ts';
import { DeletedListAnswer, RestoredAnswer } from './deletions.schemas.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';

const config = { access: 'internal' } as const;

/** Routes for the operator, who undoes deletions, and for services, which ask before they purge. */
export function deletionsRoutes(app: Service, { deletions, restores }: OrganizationsRoutesOptions): void {
  app.get(
    '/internal/organizations/deleted',
    {
      config,
      schema: { hide: true, querystring: PageQuerySchema, response: { 200: DeletedListAnswer } },
    },
    async ({ query }) => {
      const { items, total } = await deletions.list(query);
      return { organizations: items, ...query, total };
    },
  );

  app.get(
    standingPath(':organizationId'),
    { config, schema: { hide: true, params: OrganizationPath, response: { 200: Standing } } },
    async ({ params }) => deletions.standing(params.organizationId),
  );

  app.post(
    '/internal/organizations/:organizationId/restore',
    {
      config,
      schema: { hide: true, params: OrganizationPath, body: RestoreBody, response: { 200: RestoredAnswer } },
    },
    async ({ params, body }) => restores.restore(params.organizationId, body.slug),
  );
}
