import { addressKeyOf, type Ground } from '../ground/index.ts';
import type { InvitationKey, OrganizationsWing } from '../organizations/index.ts';
import type { Admission, Newcomers, ProvenNewcomer, Stranger } from '../sign-in/index.ts';
import { isUserAlreadyExists, signUpClosed } from './accounts.errors.ts';
import { AccountsRepository } from './accounts.repository.ts';
import type { NewAccounts } from './new-accounts.ts';

/** Dependencies of accounts without a password. */
interface ProvenNewcomersDependencies extends Pick<Ground, 'config' | 'database' | 'limits' | 'newId'> {
  readonly newAccounts: NewAccounts;
  readonly organizations: Pick<OrganizationsWing, 'invitations'>;
}

const nameLengthMax = 100;
const unsaid = { language: null, timeZone: null };

/** Accounts without a password, created by the proof of an address. */
export class ProvenNewcomers implements Newcomers {
  readonly #dependencies: ProvenNewcomersDependencies;
  readonly #repository = new AccountsRepository();

  constructor(dependencies: ProvenNewcomersDependencies) {
    this.#dependencies = dependencies;
  }

  async admit({ email, invitationToken }: Stranger): Promise<Admission | undefined> {
    const { config, organizations } = this.#dependencies;
    // Disabled accounts count too.
    if (await this.isTaken(email)) return undefined;
    if (invitationToken === undefined) return config.SIGN_UP === 'open' ? null : undefined;
    const invited = await organizations.invitations.show(invitationToken).catch(() => undefined);
    if (invited?.email !== email) return undefined;
    return admissionOf(organizations.invitations.open(invitationToken));
  }

  async invited(invitationToken: string): Promise<{ email: string; admission: Admission }> {
    const { invitations } = this.#dependencies.organizations;
    const { email } = await invitations.show(invitationToken);
    return { email, admission: admissionOf(invitations.open(invitationToken)) };
  }

  isTaken(email: string): Promise<boolean> {
    return this.#repository.isTaken(this.#dependencies.database.unscoped, email);
  }

  async open(newcomer: ProvenNewcomer): Promise<string | undefined> {
    const { email, name, admission, client, hold, equip, isUnproven = false } = newcomer;
    const { config, limits, newAccounts, newId } = this.#dependencies;
    if (admission === null && config.SIGN_UP === 'invited') throw signUpClosed();
    const user = { id: newId(), email, name: name ?? nameOf(email) };
    const invitation = admission === null ? undefined : invitationOf(admission);
    const plan = newAccounts.plan({
      user,
      client,
      locale: unsaid,
      invitation,
      isProven: !isUnproven,
      preparedPassword: undefined,
    });
    try {
      await limits.signUps.run([addressKeyOf(client)], () =>
        newAccounts.inScopeOf(plan, async (tx) => {
          await hold(tx);
          await newAccounts.requireFree(tx, plan);
          await newAccounts.insert(tx, plan);
          await equip?.(tx);
        }),
      );
      return user.id;
    } catch (error) {
      if (isUserAlreadyExists(error)) return undefined;
      throw error;
    }
  }
}

/** Until the user chooses another one. */
function nameOf(email: string): string {
  return Array.from(email.slice(0, email.lastIndexOf('@')))
    .slice(0, nameLengthMax)
    .join('');
}

function admissionOf({ organizationId, id, digest }: InvitationKey): string {
  return [organizationId, id, digest.toString('base64url')].join('.');
}

function invitationOf(admission: string): InvitationKey {
  const [organizationId = '', id = '', digest = ''] = admission.split('.');
  return { organizationId, id, digest: Buffer.from(digest, 'base64url') };
}
