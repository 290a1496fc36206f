import { CallerHeaders, ExportBegun, exportsPath } from '@tenantry/contracts';
import { archiveRoutes } from '@tenantry/service/archive';
import { addressOf } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import type { FastifyRequest } from 'fastify';
import { actingIn, contextIn, notLetInRefusals, OrganizationPath } from '../../ground/index.ts';
import { exportedService as service, exportedName as name, type Exports } from './exports.ts';

interface ExportsRoutesOptions {
  readonly exports: Exports;
  readonly migration: () => Promise<string>;
}

/** Everything of an organization that this service has, and the route of services that are about to hand out what they have. */
export function exportsRoutes(app: Service, { exports, migration }: ExportsRoutesOptions): void {
  const organizationOf = (request: FastifyRequest) => actingIn(request.principal).id;
  archiveRoutes(app, {
    service,
    path: '/api/auth/organization/:organizationId/export',
    route: {
      config: { confined: true, errors: notLetInRefusals },
      schema: { params: OrganizationPath },
    },
    name,
    archives: exports.archivesOf(migration),
    turns: exports.turns,
    clock: () => exports.now(),
    tenantOf: (request) => exports.rowsOf(organizationOf(request)),
    announce: (request, { isCheck }) => exports.begin(contextIn(request), { service, isCheck }),
    filesOf: (request) => exports.logoOf(organizationOf(request)),
  });

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
        body,
      );
      return reply.code(204).send();
    },
  );
}
