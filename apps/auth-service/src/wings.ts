import { callOutside, type CallOutside } from '@tenantry/service/calls';
import { createAccounts } from './accounts/index.ts';
import { Audit } from './audit/index.ts';
import { ConnectionEndings, createConnections } from './connections/index.ts';
import { Events } from './events/index.ts';
import type { Ground } from './ground/index.ts';
import { createMail } from './mail/index.ts';
import { Acceptances, createOrganizationsWing } from './organizations/index.ts';
import { Provisioning } from './provisioning/index.ts';
import { Sessions } from './sessions/index.ts';
import { createMailboxMethods, createSignIn } from './sign-in/index.ts';
import { createTokens, type KeySchedule } from './tokens/index.ts';

/** Overrides for tests. */
export interface WingOptions {
  /** Default: from the configuration. */
  readonly keySchedule?: KeySchedule | undefined;
  /** How sign-in providers are reached. */
  readonly callOutside?: CallOutside | undefined;
  /** How long the DNS may take to say what a record of a domain is. */
  readonly readingMsMax?: number | undefined;
  /** Ends the reading of a document of SAML. */
  readonly endOfReading?: (() => AbortSignal) | undefined;
}

/**
 * The wings of the service, each built on what is made before it. What a wing needs of one above is an interface of its own, which
 * something made earlier implements; what needs both comes after both.
 */
export function createWings(ground: Ground & WingOptions) {
  const audit = new Audit(ground);
  const events = new Events(ground);
  const mail = createMail(ground);
  const tokens = createTokens(ground);
  const sessions = new Sessions({ ...ground, mail, tokens });
  const endings = new ConnectionEndings({ sessions });
  const organizations = createOrganizationsWing({ ...ground, mail, tokens, sessions, connections: endings });
  const signIn = createSignIn({
    ...ground,
    callOutside: ground.callOutside ?? callOutside,
    mail,
    sessions,
    organizations,
  });
  const acceptances = new Acceptances({ ...ground, ...organizations, mail, sessions, signIn });
  const accounts = createAccounts({ ...ground, mail, sessions, signIn, organizations });
  const { newcomers } = accounts;
  const mailboxMethods = createMailboxMethods({ ...ground, mail, signIn, newcomers });
  const connections = createConnections({
    ...ground,
    mail,
    sessions,
    signIn,
    organizations,
    accounts,
    endings,
  });
  const provisioning = new Provisioning({
    ...ground,
    sessions,
    signIn,
    organizations,
    accounts,
    connections,
  });
  return {
    audit,
    events,
    mail,
    tokens,
    sessions,
    organizations,
    signIn,
    acceptances,
    accounts,
    mailboxMethods,
    connections,
    provisioning,
  };
}
