import { isUniqueViolation } from '@tenantry/service/failures';
import {
  models,
  statement,
  unscopedStatement,
  type OrganizationTransaction,
  type Rows,
  type Transaction,
} from '../database.ts';
import type { Organization as OrganizationRow } from '../generated/prisma/client.ts';
import type { OrganizationSettings, SettingsChanges } from './organization-settings.ts';
import { slugTaken } from './organizations.errors.ts';

/** A tenant with its settings. */
export interface OrganizationProfile {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** ISO 8601 text. */
  readonly createdAt: string;
  readonly settings: OrganizationSettings;
  /** SHA-256 of its logo, hexadecimal; null without one. */
  readonly logo: string | null;
}

/** An organization about to be created, and its first member. */
export interface NewOrganization {
  readonly organization: OrganizationProfile;
  readonly ownerId: string;
  /** It comes with the account of its owner. */
  readonly isPersonal: boolean;
}

/** The fields of a change; omitted ones are unchanged. */
export interface OrganizationChange {
  readonly name?: string | undefined;
  readonly settings?: SettingsChanges | undefined;
  /** SHA-256, hexadecimal; null for none. */
  readonly logo?: string | null;
}

/** Of a Decimal with two decimals, the conversion to a number is exact. */
function profileOf(row: OrganizationRow): OrganizationProfile {
  const { id, name, slug, createdAt, vatRate, logoDigest: logo } = row;
  const { defaultCurrency, quoteNumberPrefix, requireTwoFactor, timeZone, vatNumber } = row;
  const decided = { defaultCurrency, quoteNumberPrefix, requireTwoFactor, timeZone, vatNumber };
  const settings = { ...decided, vatRate: vatRate.toNumber(), address: addressOf(row) };
  return { id, name, slug, createdAt: createdAt.toISOString(), settings, logo };
}

/** No address is known where it has no country. */
const addressOf = (row: OrganizationRow): OrganizationSettings['address'] =>
  row.addressCountry === null
    ? null
    : {
        lines: row.addressLines,
        postalCode: row.addressPostalCode,
        city: row.addressCity,
        country: row.addressCountry,
      };

/** The columns of settings, without those that are left as they are. */
function settingsColumns({ address, ...settings }: SettingsChanges) {
  const named = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(named) as Partial<Omit<OrganizationSettings, 'address'>>),
    ...(address !== undefined && {
      addressLines: [...(address?.lines ?? [])],
      addressPostalCode: address?.postalCode ?? '',
      addressCity: address?.city ?? '',
      addressCountry: address?.country ?? null,
    }),
  };
}

// A concurrent change of the user would not see this membership, and this transaction would publish the user's former state: so
// one waits for the other.
const undeclaredConnection = statement({
  name: 'organization-undeclared-connection',
  text: `
    SELECT c.id FROM connections c JOIN connection_keys k ON k.organization = c.organization_id AND k.id = c.id
    WHERE c.organization_id = $1 AND NOT c.proves_second_factor`,
});

const lockOwner = unscopedStatement({
  name: 'organization-lock-owner',
  text: 'SELECT time_zone AS "timeZone" FROM users WHERE id = $1 FOR NO KEY UPDATE',
});

/** Where organizations are kept. */
export class OrganizationsRepository {
  /** Whether people sign in by a connection whose owner has not declared that it asks for a second factor. */
  async hasUndeclaredConnection(tx: Transaction): Promise<boolean> {
    return (await tx.query(undeclaredConnection, [])).length > 0;
  }

  /** In the scope of both, with the time zone of its owner. @throws SLUG_TAKEN */
  async insert(
    tx: OrganizationTransaction,
    { organization, ownerId, isPersonal }: NewOrganization,
  ): Promise<OrganizationProfile> {
    const { id, name, slug, createdAt } = organization;
    const personalOf = isPersonal ? ownerId : null;
    const times = { createdAt, updatedAt: createdAt };
    const [owner] = await tx.query(lockOwner, [ownerId]);
    const timeZone = owner?.timeZone ?? organization.settings.timeZone;
    const settings = { ...organization.settings, timeZone };
    try {
      await models(tx).organization.create({
        data: { id, name, slug, ...settingsColumns(settings), ...times, personalOf },
      });
    } catch (error) {
      throw isUniqueViolation(error) ? slugTaken() : error;
    }
    await models(tx).member.create({
      data: { organizationId: id, userId: ownerId, role: 'owner', ...times },
    });
    return { ...organization, settings };
  }

  async find(rows: Rows, organizationId: string): Promise<OrganizationProfile | undefined> {
    const row = await models(rows).organization.findFirst({ where: { id: organizationId } });
    return row ? profileOf(row) : undefined;
  }

  async update(
    tx: Transaction,
    organizationId: string,
    { name, settings = {}, logo, at }: OrganizationChange & { readonly at: Date },
  ): Promise<OrganizationProfile | undefined> {
    const [row] = await models(tx).organization.updateManyAndReturn({
      where: { id: organizationId },
      data: {
        ...(name !== undefined && { name }),
        ...(logo !== undefined && { logoDigest: logo }),
        ...settingsColumns(settings),
        updatedAt: at,
      },
    });
    return row && profileOf(row);
  }

  /** Deletes the organization, and its invitations with it. */
  async remove(tx: Transaction, organizationId: string): Promise<void> {
    await models(tx).organization.deleteMany({ where: { id: organizationId } });
  }
}
