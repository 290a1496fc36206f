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
import { ProviderSignIns } from './provider-sign-ins.ts';
import { ProviderVisits } from './provider-visits.ts';
import { providersOf } from './provider-clients.ts';

/** The part of providers that other sign-in methods build on. @throws ConfigError for a provider that cannot be used as it is configured */
export function createProviderGround(
  ground: Ground & { readonly mail: Mail; readonly callOutside: CallOutside },
) {
  const providers = providersOf(ground.config, ground.callOutside);
  const flows = new Flows(ground);
  const identities = new Identities({ ...ground, providers });
  return { providers, flows, identities };
}

interface ProviderSignInDependencies extends Ground, ReturnType<typeof createProviderGround> {
  readonly mail: Mail;
  readonly sessions: Pick<Sessions, 'endings' | 'lockCaller' | 'pending'>;
  readonly waysIn: WaysIn;
  readonly mailboxes: Mailboxes;
  readonly owners: MailboxOwners;
  readonly mailedSignIns: MailedSignIns;
}

/** Signing in by a provider. */
export function createProviderSignIn(dependencies: ProviderSignInDependencies) {
  return {
    visits: new ProviderVisits(dependencies),
    signIns: new ProviderSignIns(dependencies),
    links: new IdentityLinks(dependencies),
  };
}
