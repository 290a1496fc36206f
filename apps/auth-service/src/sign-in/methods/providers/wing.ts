import type { CallOutside } from '@tenantry/service-kit';
import type { Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Sessions } from '../../../sessions/index.ts';
import type { Mailboxes } from '../../mailboxes.ts';
import type { MailboxOwners } from '../../newcomers.ts';
import type { WaysIn } from '../../ways-in/ways-in.ts';
import type { MailedSignIns } from '../mailed/mailed-sign-ins.ts';
import { Flows } from './flows.ts';
import { Identities } from './identities.ts';
import { IdentityLinks } from './identity-links.ts';
import { PendingLinks } from './pending-links.ts';
import { ProviderSignIns } from './provider-sign-ins.ts';
import { ProviderVisits } from './provider-visits.ts';
import type { Provider } from './provider.ts';
import { providersOf } from './provider-clients.ts';

/** The part of providers that other sign-in methods build on. */
interface ProviderGround {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly flows: Flows;
  readonly identities: Identities;
  readonly pendingLinks: PendingLinks;
}

/** Signing in by a provider. */
export interface ProviderSignIn {
  readonly visits: ProviderVisits;
  readonly signIns: ProviderSignIns;
  readonly links: IdentityLinks;
}

/** Makes {@link ProviderGround}. @throws ConfigError for a provider that cannot be used as it is configured */
export function createProviderGround(
  ground: Ground & { readonly mail: Mail; readonly callOutside: CallOutside },
): ProviderGround {
  const providers = providersOf(ground.config, ground.callOutside);
  const flows = new Flows(ground);
  const identities = new Identities({ ...ground, providers });
  return { providers, flows, identities, pendingLinks: new PendingLinks({ flows, identities }) };
}

interface ProviderSignInDependencies extends Ground, ProviderGround {
  readonly mail: Mail;
  readonly sessions: Pick<Sessions, 'endings' | 'lockCaller' | 'pending'>;
  readonly waysIn: WaysIn;
  readonly mailboxes: Mailboxes;
  readonly owners: MailboxOwners;
  readonly mailedSignIns: MailedSignIns;
}

/** Makes {@link ProviderSignIn}. */
export function createProviderSignIn(dependencies: ProviderSignInDependencies): ProviderSignIn {
  return {
    visits: new ProviderVisits(dependencies),
    signIns: new ProviderSignIns(dependencies),
    links: new IdentityLinks(dependencies),
  };
}
