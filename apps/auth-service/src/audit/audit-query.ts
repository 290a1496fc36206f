import type { Period } from '@tenantry/tenancy';
import type { PageQuery } from '../ground/index.ts';

/** Which page of which entries of a trail. */
export interface AuditQuery extends PageQuery, Period {
  readonly action?: string;
  readonly actorUserId?: string;
  readonly targetId?: string;
}
