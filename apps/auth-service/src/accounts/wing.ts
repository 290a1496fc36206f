import type { Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { OrganizationsWing } from '../organizations/index.ts';
import type { SessionAccess, Sessions, StepUpRequirement } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { Disabling } from './disabling.ts';
import { Emails } from './emails.ts';
import { Erasure } from './erasure.ts';
import { MadeAccounts } from './made-accounts.ts';
import { NewAccounts } from './new-accounts.ts';
import { ProvenNewcomers } from './newcomers.ts';
import { OthersAccounts } from './others-accounts.ts';
import { Profiles } from './profile.ts';
import { SignUps } from './sign-up.ts';
import { TwoFactorResets } from './two-factor-resets.ts';

/** Dependencies of the wing. */
interface AccountsDependencies extends Ground {
  readonly mail: Mail;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly organizations: OrganizationsWing;
}

/** Composes the wing. */
export function createAccounts(dependencies: AccountsDependencies) {
  const { mail, sessions, signIn, organizations, ...ground } = dependencies;
  const emails = new Emails({ ...ground, mail, sessions, signIn });
  const erasure = new Erasure({ ...ground, sessions, organizations, signIn });
  const newAccounts = new NewAccounts({ ...ground, emails, erasure, organizations, signIn });
  const othersAccounts = new OthersAccounts({ ...ground, organizations, sessions });
  return {
    signUps: new SignUps({ ...ground, newAccounts, organizations, signIn, sessions }),
    newcomers: new ProvenNewcomers({ ...ground, newAccounts, organizations }),
    madeAccounts: new MadeAccounts({ ...ground, newAccounts, organizations }),
    emails,
    erasure,
    disabling: new Disabling({ ...ground, othersAccounts, sessions }),
    profiles: new Profiles({ ...ground, organizations, sessions }),
    twoFactorResets: new TwoFactorResets({ ...ground, othersAccounts, mail, sessions, signIn }),
  };
}

/** Accounts: creating them, their address, deleting them. */
export type Accounts = ReturnType<typeof createAccounts>;

/** What the routes of the wing are given. */
export interface AccountsRoutesOptions extends Accounts, Pick<Ground, 'limits'> {
  readonly stepUp: StepUpRequirement;
  readonly access: Pick<SessionAccess, 'alsoSignedIn'>;
}
