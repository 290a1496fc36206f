import { callOutside, type CallOutside } from '@tenantry/service/calls';
import { createAccounts } from './accounts/index.ts';
import { Audit } from './audit/index.ts';
import { createConnections } from './connections/index.ts';
import { Events } from './events/index.ts';
import type { Ground } from './ground/index.ts';
import { createMail } from './mail/index.ts';
import { createOrganizationsWing } from './organizations/index.ts';
import { Provisioning } from './provisioning/index.ts';
import { Sessions } from './sessions/index.ts';
import { createSignIn, type MailboxOwners } from './sign-in/index.ts';
import { createTokens, type KeySchedule } from './tokens/index.ts';

/** Overrides for tests. */
export interface WingOptions {
  /** Default: from the configuration. */
  readonly keySchedule?: KeySchedule | undefined;
  /** How sign-in providers are reached. */
  readonly callOutside?: CallOutside | undefined;
  /** How long the DNS may take to say what a record of a domain is. */
  readonly readingMsMax?: number | undefined;
}

/** The wings of the service, from the bottom up: each is built on those before it. */
export function createWings(ground: Ground & WingOptions) {
  const audit = new Audit(ground);
  const events = new Events(ground);
  const mail = createMail(ground);
  const tokens = createTokens(ground);
  const sessions = new Sessions({ ...ground, mail, tokens });
  const outside = { callOutside: ground.callOutside ?? callOutside };
  // Both are built on signing in, which calls them when a user signs in.
  const owners: MailboxOwners = {
    get newcomers() {
      return accounts.newcomers;
    },
    get reclaimPersonal() {
      return organizations.reclaimPersonal;
    },
    get returnAccount() {
      return organizations.returnAccount;
    },
  };
  const signIn = createSignIn({ ...ground, ...outside, mail, sessions, owners });
  const organizations = createOrganizationsWing({
    ...ground,
    mail,
    tokens,
    sessions,
    signIn,
    // Built on organizations; called when one is reclaimed.
    connections: () => connections.connections,
  });
  const accounts = createAccounts({ ...ground, mail, sessions, signIn, organizations });
  const connections = createConnections({ ...ground, mail, sessions, signIn, organizations, accounts });
  const provisioning = new Provisioning({ ...ground, sessions, signIn, organizations, accounts });
  return {
    audit,
    events,
    mail,
    tokens,
    sessions,
    signIn,
    organizations,
    accounts,
    connections,
    provisioning,
  };
}
