import { page } from '@tenantry/envelope';
import type { Service } from '../http/service.ts';
import { actorAnswer } from '../resources/actors.ts';
import { shownDetails } from '../resources/kept-values.ts';
import type { TenantOf } from '../tenants/tenants.ts';
import type { Audit } from './audit.ts';
import type { AuditEvent } from './audit-entry.ts';
import { AuditAnswerOf, AuditQueryOf } from './audit.schemas.ts';

/** Options of {@link auditRoutes}. */
export interface AuditRoutesOptions {
  readonly audit: Audit;
  readonly tenantOf: TenantOf;
  /** `/api/leads`. */
  readonly prefix: string;
  /** The resource, such as `Lead`: names of operations and schemas are unique across services. */
  readonly name: string;
}

/** The audit trail of a service, for members with the permission to read it: `GET /api/leads/audit`. */
export function auditRoutes(app: Service, { audit, tenantOf, prefix, name }: AuditRoutesOptions): void {
  app.get(
    `${prefix}/audit`,
    {
      config: { access: 'audit:read', mayReadReplica: true },
      schema: {
        operationId: `list${name}AuditEvents`,
        tags: ['audit'],
        summary: 'List who did what, newest first',
        querystring: AuditQueryOf(audit.actions),
        response: { 200: AuditAnswerOf(name, audit) },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await audit.list(tenantOf(request), query);
      return page(
        items.map((event) => answerOf(event, audit)),
        { ...query, total },
      );
    },
  );
}

function answerOf(event: AuditEvent, { kept }: Pick<Audit, 'kept'>) {
  const { targetType, targetId, targetName, createdAt, id, action } = event;
  const target =
    targetType === null || targetId === null ? null : { type: targetType, id: targetId, name: targetName };
  const details = shownDetails(event.details, kept);
  return { id, action, actor: actorAnswer(event), target, details, createdAt: createdAt.toISOString() };
}
