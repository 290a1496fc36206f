import type { Member, Organization } from '@tenantry/contracts';
import type { OrganizationTransaction } from '@tenantry/tenancy';

/**
 * What a service keeps of organizations and their members. Each function runs in a transaction in the scope of the
 * organization; it may be called again with what it was given before.
 */
export interface Projection {
  /**
   * Increase it when the projection stores more of an event than the previous release did: everything is then read again from
   * the beginning, while the copy stays in use. Default 1.
   */
  readonly version?: number;
  readonly member?: {
    /** Stores the current state of a member. */
    keep(tx: OrganizationTransaction, member: Member): Promise<void>;
    /** Removes a member who left, was removed or erased. */
    forget(tx: OrganizationTransaction, userId: string): Promise<void>;
  };
  readonly people?: {
    /** Removes the name of an erased user, who may have left the organization before. */
    erase(tx: OrganizationTransaction, userId: string): Promise<void>;
  };
  readonly organization?: {
    /** Stores the current state of an organization and its settings. */
    keep(tx: OrganizationTransaction, organization: Organization): Promise<void>;
    /** Removes the copy of a deleted organization. It is stored again if the organization is restored. */
    forget(tx: OrganizationTransaction): Promise<void>;
  };
}

/** Version of what the reader itself stores: which organizations exist, which have ended, and what their quotas depend on. */
const keptByReader = 2;

/** The version stored with every cursor. */
export const versionOf = ({ version = 1 }: Projection): number => version + keptByReader;
