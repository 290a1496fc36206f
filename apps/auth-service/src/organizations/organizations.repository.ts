import { statement } from '@tenantry/tenancy';
import { isUniqueViolation, type AuthDatabase, type Transaction } from '../database.ts';
import type { Membership } from '../sessions/session.ts';
import type { Organization } from './organization.ts';
import { slugTaken } from './organizations.errors.ts';

/** A new organization and its first member. */
export interface Foundation {
  readonly organization: Organization;
  readonly ownerId: string;
}

/** Where organizations and their members are kept. */
export interface OrganizationsRepository {
  transaction<Result>(foundation: Foundation, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** @throws SLUG_TAKEN */
  insert(tx: Transaction, foundation: Foundation): Promise<void>;
  /** The organizations of a user, oldest first. */
  listOf(userId: string): Promise<Membership[]>;
}

const membershipsOfUser = statement<Membership>({
  name: 'organizations-of-user',
  owner: 'user',
  text: `
    SELECT o.id, o.name, o.slug, o.created_at AS "createdAt", m.role
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = $1
    ORDER BY o.created_at, o.id`,
});

/** Organizations in PostgreSQL; a new one is made inside its own scope. */
export function createOrganizationsRepository(database: AuthDatabase): OrganizationsRepository {
  return {
    transaction: ({ organization, ownerId }, work) =>
      database.within({ organizationId: organization.id, userId: ownerId }).transaction(work),

    async insert(tx, { organization, ownerId }) {
      const { id, name, slug, createdAt } = organization;
      const times = { createdAt, updatedAt: createdAt };
      try {
        await tx.prisma.organization.create({ data: { id, name, slug, ...times } });
      } catch (error) {
        throw isUniqueViolation(error) ? slugTaken() : error;
      }
      await tx.prisma.member.create({
        data: { organizationId: id, userId: ownerId, role: 'owner', ...times },
      });
    },

    listOf: (userId) => database.within({ userId }).query(membershipsOfUser, []),
  };
}
