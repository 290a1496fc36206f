import { GuardedCalls } from '@tenantry/service/guarded';
import { ConfigError } from '@tenantry/service/settings';
import type { Accounts } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import type { OrganizationTransaction } from '../database.ts';
import type { Ground, OrganizationContext } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { OrganizationsWing } from '../organizations/index.ts';
import type { Sessions, StepUpRequirement } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import type { ConnectionEndings } from './connection-endings.ts';
import { Arrivals } from './arrivals/arrivals.ts';
import { Connections } from './connections.ts';
import type { LiveConnection } from './live-connection.ts';
import { OpenIdConversation } from './openid/openid-conversation.ts';
import { Links } from './people/links.ts';
import { People } from './people/people.ts';
import { SsoSignIns } from './people/sso-sign-ins.ts';
import { SsoVisits } from './people/sso-visits.ts';
import { Documents } from './saml/documents.ts';
import { MetadataReadings } from './saml/metadata-readings.ts';
import { SamlConversation } from './saml/saml-conversation.ts';
import { SamlSettings } from './saml/saml-settings.ts';
import { sweepUsedAssertions } from './saml/used-assertions.repository.ts';

/** Dependencies of the wing. */
interface ConnectionsWingDependencies extends Ground {
  readonly mail: Mail;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly organizations: OrganizationsWing;
  readonly accounts: Accounts;
  readonly endings: ConnectionEndings;
  /** Ends the reading of a document of SAML. Default: after a second. */
  readonly endOfReading?: (() => AbortSignal) | undefined;
}

/** Composes the wing. @throws ConfigError in production for identity providers on this machine */
export function createConnections(dependencies: ConnectionsWingDependencies) {
  const { mail, sessions, signIn, organizations, accounts, endings, endOfReading, ...ground } = dependencies;
  const guardedCalls = new GuardedCalls({ loopbackOrigins: loopbackOriginsIn(ground.config) });
  const people = new People({ ...ground, mail, organizations, accounts });
  const documents = new Documents({ ...ground, endOfReading });
  const samlSettings = new SamlSettings({ ...ground, guardedCalls, documents });
  const connections = new Connections({
    ...ground,
    ...{ sessions, organizations, endings, guardedCalls, people, samlSettings },
  });
  const metadataReadings = new MetadataReadings({ ...ground, mail, organizations, samlSettings });
  const speak = (connection: LiveConnection) =>
    connection.kind === 'saml'
      ? new SamlConversation(connection, { ...ground, documents, signIn })
      : new OpenIdConversation(connection, { guardedCalls, signIn });
  const arrivals = new Arrivals(ground);
  const visits = { ...ground, arrivals, speak, connections, people, organizations, signIn };
  const ssoSignIns = new SsoSignIns({ ...ground, arrivals, connections, people, signIn });
  return {
    connections,
    arrivals,
    ssoVisits: new SsoVisits(visits),
    ssoSignIns,
    links: new Links({ arrivals, mail, people, sessions, ssoSignIns }),
    metadataReadings,
    background: {
      work: [documents, arrivals, metadataReadings.work],
      sweeps: { usedSamlAssertions: () => sweepUsedAssertions(ground.database.unscoped) },
    },
  };
}

/** Single sign-on of organizations. */
export type ConnectionsWing = ReturnType<typeof createConnections>;

/** What the routes of the wing are given. */
export interface ConnectionsRoutesOptions extends ConnectionsWing {
  readonly signIn: Pick<SignIn, 'signIns'>;
  readonly stepUp: StepUpRequirement;
  readonly groups: {
    /** Ends the roles that the directory of a connection gave. @throws CONFLICT */
    endRoles(context: OrganizationContext, tx: OrganizationTransaction, connectionId: string): Promise<void>;
  };
}

function loopbackOriginsIn({
  NODE_ENV,
  SSO_LOOPBACK_ORIGINS: origins,
}: Pick<Config, 'NODE_ENV' | 'SSO_LOOPBACK_ORIGINS'>): readonly string[] {
  if (NODE_ENV !== 'production' || origins.length === 0) return origins;
  throw new ConfigError('auth-service', ['SSO_LOOPBACK_ORIGINS is for development and tests: remove it']);
}
