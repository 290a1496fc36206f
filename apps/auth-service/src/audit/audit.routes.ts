import type { Service } from '@tenantry/service/http';
import { actorAnswer, shownDetails } from '@tenantry/service/resources';
import {
  actingIn,
  describeDevice,
  OrganizationPath,
  notLetInRefusals,
  type PageQuery,
} from '../ground/index.ts';
import { keptFields } from './audit-actions.ts';
import type { AuditedEvent, AuditPage } from './audit.repository.ts';
import { AuditAnswer, AuditQuerySchema, OwnAuditQuerySchema } from './audit.schemas.ts';
import type { Audit } from './audit.ts';

/** The audit trails: the user's own, and that of an organization for members with the permission to read it. */
export function auditRoutes(app: Service, audit: Audit): void {
  app.get(
    '/api/auth/audit',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listOwnAuditEvents',
        tags: ['audit'],
        summary: 'List what happened to your account, newest first',
        querystring: OwnAuditQuerySchema,
        response: { 200: AuditAnswer },
      },
    },
    async ({ principal, query }) => {
      return pageResponse(await audit.listOwn(principal.user.id, query), query);
    },
  );

  app.get(
    '/api/auth/organization/:organizationId/audit',
    {
      config: { access: 'audit:read', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'listOrganizationAuditEvents',
        tags: ['audit'],
        summary: 'List the audit trail of an organization, newest first',
        params: OrganizationPath,
        querystring: AuditQuerySchema,
        response: { 200: AuditAnswer },
      },
    },
    async ({ principal, query }) => {
      return pageResponse(await audit.list(actingIn(principal).id, query), query);
    },
  );
}

function pageResponse({ items, total }: AuditPage, { page, pageSize }: PageQuery) {
  return { events: items.map(answerOf), total, page, pageSize };
}

function answerOf(event: AuditedEvent) {
  const { targetType: type, targetId: id, targetName: name, device } = event;
  const target = type === null || id === null ? null : { type, id, name };
  const details = shownDetails(event.details, keptFields);
  return { ...event, actor: actorAnswer(event), target, details, ...describeDevice(device) };
}
