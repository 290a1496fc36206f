import type { Role } from '@tenantry/jwt-verify';
import { statement, unscopedStatement, type Rows, type Unscoped } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** The organization that has proven the domain of a user's confirmed address. */
export type OwnDomain = Statements['joining-own-domain']['row'];

/** How a user stands towards the organization that has proven the domain of their address. */
interface Standing {
  /** Null where the user is no member. */
  readonly role: Role | null;
  /** Whether they may become a member by themselves. */
  readonly mayJoin: boolean;
}

// Addresses are stored in lower case, with the domain in A-labels, as domains are.
const ownDomain = unscopedStatement({
  name: 'joining-own-domain',
  text: `
    SELECT k.organization AS "organizationId", k.domain
    FROM users u JOIN domain_keys k ON k.domain = substring(u.email FROM '[^@]*$')
    WHERE u.id = $1 AND u.email_verified_at IS NOT NULL AND u.disabled_at IS NULL`,
});

// Whoever was removed by others would otherwise come back at once.
const standing = statement({
  name: 'joining-standing',
  text: `
    SELECT (SELECT m.role FROM members m WHERE m.organization_id = $1 AND m.user_id = $3) AS role,
      EXISTS (SELECT FROM domains d WHERE d.organization_id = $1 AND d.domain = $2 AND d.joins = 'member')
      AND NOT EXISTS (SELECT FROM removed_members r WHERE r.organization_id = $1 AND r.user_id = $3) AS "mayJoin"`,
});

const offered = unscopedStatement({
  name: 'joining-offered',
  text: 'SELECT id, name, require_two_factor AS "twoFactorRequired" FROM organizations WHERE id = $1',
});

/** Finds organizations that let people in by their address. */
export class JoiningRepository {
  /** Undefined where no organization has proven the domain, or the address is not confirmed. */
  async ownDomain(rows: Unscoped, userId: string): Promise<OwnDomain | undefined> {
    return (await rows.query(ownDomain, [userId]))[0];
  }

  /** In the scope of the organization. */
  async standing(
    rows: Rows,
    { domain, userId }: { readonly domain: string; readonly userId: string },
  ): Promise<Standing> {
    const [found] = await rows.query(standing, [domain, userId]);
    return { role: found?.role ?? null, mayJoin: found?.mayJoin ?? false };
  }

  /** What is said of an organization to people who may join it. */
  async offered(
    rows: Unscoped,
    organizationId: string,
  ): Promise<Statements['joining-offered']['row'] | undefined> {
    return (await rows.query(offered, [organizationId]))[0];
  }
}
