import { statement } from '@tenantry/tenancy';
import type { Transaction } from '../database.ts';

/** A row about to be added. */
export interface NewAuditEvent {
  readonly organizationId: string;
  readonly actorUserId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly ipAddress: string | null;
  readonly device: string | null;
  readonly details: object;
}

type Columns = readonly [
  actorUserId: string | null,
  action: string,
  targetType: string | null,
  targetId: string | null,
  ipAddress: string | null,
  device: string | null,
  details: object,
];

const insertInOrganization = statement<never, Columns>({
  name: 'audit-insert',
  text: `
    INSERT INTO audit_events
      (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

// The scope of a user reaches into an organization only by way of the membership.
const insertByMember = statement<never, [...Columns, organizationId: string]>({
  name: 'audit-insert-by-member',
  owner: 'user',
  text: `
    INSERT INTO audit_events
      (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
    SELECT organization_id, $2::uuid, $3, $4, $5, $6::inet, $7, $8
    FROM members WHERE user_id = $1 AND user_id = $2::uuid AND organization_id = $9`,
});

/** Writes one row of the trail, in whichever scope the transaction runs. */
export async function insertAuditEvent(tx: Transaction, event: NewAuditEvent): Promise<void> {
  const { organizationId, actorUserId, action, targetType, targetId, ipAddress, device, details } = event;
  const columns: Columns = [actorUserId, action, targetType, targetId, ipAddress, device, details];
  if (tx.scope.organizationId === organizationId) await tx.query(insertInOrganization, columns);
  else await tx.query(insertByMember, [...columns, organizationId]);
}
