import type { Service } from '@tenantry/service-kit';
import { OrganizationPath, PageQuerySchema } from '../organizations/members/members.schemas.ts';
import { actingIn } from '../organizations/path-organization.ts';
import { AuditAnswer } from './audit.schemas.ts';
import type { AuditedEvent, ListAudit } from './audit.ts';

/** What happened in an organization, for whoever may know. */
export function auditRoutes(app: Service, { listAudit }: { listAudit: ListAudit }): void {
  app.get(
    '/api/auth/organization/:organizationId/audit',
    {
      config: { access: 'audit:read' },
      schema: {
        tags: ['audit'],
        summary: 'What happened in an organization, newest first',
        params: OrganizationPath,
        querystring: PageQuerySchema,
        response: { 200: AuditAnswer },
      },
    },
    async ({ principal, query }) => {
      const { events, total } = await listAudit(actingIn(principal).id, query);
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
