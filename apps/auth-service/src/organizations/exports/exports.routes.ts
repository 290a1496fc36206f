import { CallerHeaders, ExportBegun, exportsPath } from '@tenantry/contracts';
import { addressOf } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { OrganizationPath } from '../../ground/index.ts';
import type { Exports } from './exports.ts';

/** The route of services that are about to hand out what they have of an organization. */
export function exportsRoutes(app: Service, { exports }: { readonly exports: Exports }): void {
  app.post(
    exportsPath(':organizationId'),
    {
      config: { access: 'internal' },
      schema: { hide: true, headers: CallerHeaders, params: OrganizationPath, body: ExportBegun },
    },
    async ({ params, body, headers }, reply) => {
      const ipAddress = addressOf(headers['x-client-address'] ?? '');
      await exports.begin(
        {
          organizationId: params.organizationId,
          actor: { kind: 'user', userId: body.actorUserId, name: null },
          client: { deviceId: null, userAgent: null, ipAddress },
          sessionId: headers['x-session-id'] ?? null,
        },
        body.service,
      );
      return reply.code(204).send();
    },
  );
}
