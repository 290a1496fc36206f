import type { Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Sessions, StepUpRequirement } from '../sessions/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { Deletions } from './deletions/deletions.ts';
import { Purges } from './deletions/purges.ts';
import { Restores } from './deletions/restores.ts';
import { DomainRecords } from './domains/domain-records.ts';
import { Domains } from './domains/domains.ts';
import { Joining } from './domains/joining.ts';
import { Readings } from './domains/readings.ts';
import type { Acceptances } from './invitations/acceptances.ts';
import { Exports } from './exports/exports.ts';
import { Imports } from './imports/imports.ts';
import { Invitations } from './invitations/invitations.ts';
import { Logos } from './logos/logos.ts';
import { Members } from './members/members.ts';
import { Memberships } from './members/memberships.ts';
import { OrganizationChanges } from './organization-changes.ts';
import { Organizations } from './organizations.ts';
import { Places } from './places/places.ts';
import { createReclaimPersonal, type ConnectionsOfOrganization } from './reclaim-personal.ts';
import { createReturnAccount } from './return-account.ts';
import { ApiKeys } from './service-accounts/api-keys.ts';
import { KeyExpiries } from './service-accounts/key-expiries.ts';
import { sweepApiKeys } from './service-accounts/service-accounts.repository.ts';
import { ServiceAccounts } from './service-accounts/service-accounts.ts';
import { SsoRequirement } from './sso-requirement/sso-requirement.ts';

/** Dependencies of the wing. */
interface OrganizationsWingDependencies extends Ground {
  readonly mail: Mail;
  readonly tokens: Pick<Tokens, 'accessTokens'>;
  readonly sessions: Sessions;
  readonly connections: ConnectionsOfOrganization;
  /** How long the DNS may take to say what a record is; by default as {@link DomainRecords} says. */
  readonly readingMsMax?: number | undefined;
}

/** Composes the wing. */
export function createOrganizationsWing({
  mail,
  tokens,
  sessions,
  connections,
  readingMsMax,
  ...ground
}: OrganizationsWingDependencies) {
  const places = new Places(ground);
  const organizations = new Organizations({ ...ground, places, sessions });
  const memberships = new Memberships({ ...ground, organizations, places, sessions });
  const invitations = new Invitations({ ...ground, memberships, places, mail, sessions });
  const organizationChanges = new OrganizationChanges({ ...ground, sessions });
  const deletions = new Deletions({ ...ground, organizations, invitations, memberships, sessions });
  const purges = new Purges({ ...ground, deletions });
  const serviceAccounts = new ServiceAccounts({ ...ground, sessions });
  const keyExpiries = new KeyExpiries({ ...ground, mail });
  const records = new DomainRecords({ ...ground, servers: ground.config.DNS_SERVERS, readingMsMax });
  const ssoRequirement = new SsoRequirement({ ...ground, mail, sessions });
  const domains = new Domains({ ...ground, records, sessions, ssoRequirement });
  const readings = new Readings({ ...ground, mail, memberships, records, domains, ssoRequirement });
  const logos = new Logos({ ...ground, organizationChanges });
  const exports = new Exports({ ...ground, logos, mail, sessions });
  return {
    organizations,
    organizationChanges,
    deletions,
    restores: new Restores({ ...ground, mail, organizations, deletions }),
    purges,
    exports,
    imports: new Imports({ ...ground, invitations, logos, memberships, organizationChanges }),
    logos,
    memberships,
    places,
    members: new Members({ ...ground, memberships, sessions }),
    invitations,
    serviceAccounts,
    keyExpiries,
    domains,
    ssoRequirement,
    readings,
    joining: new Joining({ ...ground, mail, memberships, organizations, places, sessions }),
    apiKeys: new ApiKeys({ ...ground, sessions, tokens }),
    reclaimPersonal: createReclaimPersonal({
      memberships,
      organizationChanges,
      invitations,
      serviceAccounts,
      domains,
      ssoRequirement,
      connections,
      sessions,
    }),
    returnAccount: createReturnAccount({ memberships }),
    background: {
      work: [purges.work, logos, exports, keyExpiries.work, records, readings.work],
      sweeps: {
        invitations: () => invitations.sweep(),
        apiKeys: () => sweepApiKeys(ground.database.unscoped),
      },
    },
  };
}

/** Organizations, members, invitations, service accounts and domains. */
export type OrganizationsWing = ReturnType<typeof createOrganizationsWing>;

/** What the routes of the wing are given. */
export interface OrganizationsRoutesOptions extends OrganizationsWing, Pick<Ground, 'limits'> {
  readonly acceptances: Acceptances;
  readonly sessions: Pick<Sessions, 'refresh' | 'reissue' | 'switchOrganization'>;
  /** The last migration, which says what version an archive is of. */
  readonly migration: () => Promise<string>;
  readonly stepUp: StepUpRequirement;
}
