import type { Service } from '@tenantry/service/http';
import { OrganizationPath } from '../../ground/index.ts';
import { ImportAnswer, ImportBody } from './imports.schemas.ts';
import type { Imports } from './imports.ts';

const bodyBytesMax = 512 * 1024;

/** The route of the operator, who imports the archive of another installation. */
export function importsRoutes(app: Service, { imports }: { readonly imports: Imports }): void {
  app.post(
    '/internal/organizations/:organizationId/import',
    {
      bodyLimit: bodyBytesMax,
      config: { access: 'internal' },
      schema: { hide: true, params: OrganizationPath, body: ImportBody, response: { 200: ImportAnswer } },
    },
    async ({ params, body }) => ({ invitations: await imports.takeOver(params.organizationId, body) }),
  );
}
