import type { Service } from '@tenantry/service-kit';
import { actingIn, OrganizationPath, PageQuerySchema, notLetInRefusals } from '../ground/index.ts';
import type { AuditedEvent } from './audit.repository.ts';
import { AuditAnswer } from './audit.schemas.ts';
import type { Audit } from './audit.ts';

/** The audit trail of an organization, for members with the permission to read it. */
export function auditRoutes(app: Service, audit: Audit): void {
  app.get(
    '/api/auth/organization/:organizationId/audit',
    {
      config: { access: 'audit:read', errors: notLetInRefusals },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['audit'],
        summary: 'List the audit trail of an organization, newest first',
        params: OrganizationPath,
        querystring: PageQuerySchema,
        response: { 200: AuditAnswer },
      },
    },
    async ({ principal, query }) => {
      const { events, total } = await audit.list(actingIn(principal).id, query);
      return { events: events.map(answerOf), total, ...query };
    },
  );
}

function answerOf(event: AuditedEvent) {
  const { id, action, actorUserId, actorName, targetType, targetId, ipAddress, device, details } = event;
  return {
    id,
    action,
    actor: actorUserId === null ? null : { userId: actorUserId, name: actorName },
    target: targetType === null || targetId === null ? null : { type: targetType, id: targetId },
    ipAddress,
    device,
    details,
    createdAt: event.createdAt.toISOString(),
  };
}
