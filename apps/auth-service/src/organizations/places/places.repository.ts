import {
  statement,
  unscopedStatement,
  type OrganizationTransaction,
  type Rows,
  type Transaction,
} from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** How many places are taken, and whether the quota is the large one. */
export type TakenPlaces = Statements['places-of-user']['row'];

// An owner could otherwise create and delete organizations in turn: each is kept until it is purged.
const placesOfUser = statement({
  name: 'places-of-user',
  owner: 'user',
  text: `
    SELECT (SELECT count(*)::int FROM members WHERE user_id = $1)
        + (SELECT count(*)::int FROM former_members WHERE user_id = $1 AND role = 'owner') AS taken,
      EXISTS (SELECT FROM users u WHERE u.id = $1 AND u.email_verified_at IS NOT NULL) AS "isConfirmed"`,
});

const placesInOrganization = statement({
  name: 'places-in-organization',
  text: `
    SELECT (SELECT count(*)::int FROM members WHERE organization_id = $1)
        + (SELECT count(*)::int FROM invitations WHERE organization_id = $1 AND expires_at > $2) AS taken,
      EXISTS (
        SELECT FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.role = 'owner' AND u.email_verified_at IS NOT NULL) AS "isConfirmed"`,
});

const waysIn = statement({
  name: 'places-ways-in',
  text: `
    SELECT (SELECT count(*)::int FROM service_accounts WHERE organization_id = $1) AS "serviceAccounts",
      (SELECT count(*)::int FROM domains WHERE organization_id = $1) AS domains,
      (SELECT count(*)::int FROM connections WHERE organization_id = $1) AS connections`,
});

const accountsMade = unscopedStatement({
  name: 'places-accounts-made',
  text: 'SELECT count(*)::int AS accounts FROM users WHERE created_by_organization_id = $1',
});

/** Counts memberships, invitations, and accounts that organizations made. */
export class PlacesRepository {
  /** The memberships of the scope's user, and the organizations of theirs that are deleted and not purged yet. */
  async ofUser(tx: Transaction): Promise<TakenPlaces> {
    const [places] = await tx.query(placesOfUser, []);
    return places as TakenPlaces;
  }

  /** The members of the scope's organization, and its open invitations. */
  async inOrganization(rows: Rows, at: Date): Promise<TakenPlaces> {
    const [places] = await rows.query(placesInOrganization, [at]);
    return places as TakenPlaces;
  }

  /** The service accounts, domains and connections of the scope's organization. */
  async waysIn(rows: Rows): Promise<Statements['places-ways-in']['row']> {
    const [counted] = await rows.query(waysIn, []);
    return counted ?? { serviceAccounts: 0, domains: 0, connections: 0 };
  }

  /** The accounts that the scope's organization has made, those of people who have left included. */
  async accountsMade(tx: OrganizationTransaction): Promise<number> {
    return (await tx.query(accountsMade, [tx.scope.organizationId]))[0]?.accounts ?? 0;
  }
}
