import { statement } from '@tenantry/tenancy';
import { isUniqueViolation, type AuthDatabase, type Transaction } from '../database.ts';
import type { Membership, SessionUser } from '../sessions/session.ts';
import type { OrganizationProfile } from './organization.ts';
import type { SettingsChanges } from './organization-settings.ts';
import { slugTaken } from './organizations.errors.ts';

/** A new organization and its first member. */
export interface Foundation {
  readonly organization: OrganizationProfile;
  readonly owner: SessionUser;
}

/** What a change may bring; what is absent stays. */
export interface OrganizationChange {
  readonly name?: string | undefined;
  readonly settings?: SettingsChanges | undefined;
}

/** Where organizations are kept. */
export interface OrganizationsRepository {
  /** Runs work in the scope of an organization and of who acts in it. */
  transaction<Result>(
    place: { readonly organizationId: string; readonly userId: string },
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result>;
  /** @throws SLUG_TAKEN */
  insert(tx: Transaction, foundation: Foundation): Promise<void>;
  find(organizationId: string): Promise<OrganizationProfile | undefined>;
  read(tx: Transaction, organizationId: string): Promise<OrganizationProfile | undefined>;
  /** Changes the organization of the scope. */
  update(
    tx: Transaction,
    organizationId: string,
    change: OrganizationChange & { readonly at: Date },
  ): Promise<OrganizationProfile | undefined>;
  /** Deletes the organization of the scope, and its invitations with it. */
  remove(tx: Transaction, organizationId: string): Promise<void>;
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

/** A row as Prisma answers it; a Decimal is exact, and two decimals survive being a number. */
interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: Date;
  readonly defaultCurrency: string;
  readonly vatRate: { toNumber(): number };
  readonly quoteNumberPrefix: string;
  readonly requireTwoFactor: boolean;
}

function profileOf({
  id,
  name,
  slug,
  createdAt,
  vatRate,
  ...settings
}: OrganizationRow): OrganizationProfile {
  const { defaultCurrency, quoteNumberPrefix, requireTwoFactor } = settings;
  return {
    id,
    name,
    slug,
    createdAt,
    settings: { defaultCurrency, vatRate: vatRate.toNumber(), quoteNumberPrefix, requireTwoFactor },
  };
}

/** Organizations in PostgreSQL; each is made and changed inside its own scope. */
export function createOrganizationsRepository(database: AuthDatabase): OrganizationsRepository {
  return {
    transaction: (place, work) => database.within(place).transaction(work),

    async insert(tx, { organization, owner }) {
      const { id, name, slug, createdAt, settings } = organization;
      const times = { createdAt, updatedAt: createdAt };
      try {
        await tx.prisma.organization.create({ data: { id, name, slug, ...settings, ...times } });
      } catch (error) {
        throw isUniqueViolation(error) ? slugTaken() : error;
      }
      await tx.prisma.member.create({
        data: { organizationId: id, userId: owner.id, role: 'owner', ...times },
      });
    },

    async find(organizationId) {
      const row = await database
        .within({ organizationId })
        .prisma.organization.findFirst({ where: { id: organizationId } });
      return row ? profileOf(row) : undefined;
    },
    async read({ prisma }, organizationId) {
      const row = await prisma.organization.findFirst({ where: { id: organizationId } });
      return row ? profileOf(row) : undefined;
    },

    async update({ prisma }, organizationId, { name, settings = {}, at }) {
      const wanted = Object.entries({ name, ...settings }).filter(([, value]) => value !== undefined);
      const [row] = await prisma.organization.updateManyAndReturn({
        where: { id: organizationId },
        data: { ...Object.fromEntries(wanted), updatedAt: at },
      });
      return row && profileOf(row);
    },
    async remove({ prisma }, organizationId) {
      await prisma.organization.deleteMany({ where: { id: organizationId } });
    },

    listOf: (userId) => database.within({ userId }).query(membershipsOfUser, []),
  };
}
