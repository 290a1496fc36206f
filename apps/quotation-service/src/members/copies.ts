import { copiesBehind, type EventReader } from '@tenantry/service/events';
import type { AccountActor } from '@tenantry/service/resources';
import type { Tenant } from '../database.ts';
import type { OrganizationSettings } from '../settings/organization-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { emailNotVerified, ownerNotVerified } from './copies.errors.ts';
import type { MemberAddress } from './member-address.ts';
import type { MembersRepository } from './members.repository.ts';

/** Dependencies of {@link Copies}. */
export interface CopiesOptions {
  readonly reader: Pick<EventReader, 'current' | 'currentUnlessAway'>;
  readonly settings: Pick<Settings, 'find'>;
  readonly members: MembersRepository;
  /** Whether only members with a confirmed address may send mail. */
  readonly isProofRequired: boolean;
}

/**
 * Copies of data in auth-service, with everything that was changed there before. What a quote keeps is read here, never before
 * it has arrived. Call it before a transaction, which must not wait.
 */
export class Copies {
  readonly #options: CopiesOptions;

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /**
   * The settings of an organization as they are now.
   *
   * @throws UPSTREAM_UNAVAILABLE if they have not arrived
   */
  async settings(tenant: Tenant): Promise<OrganizationSettings> {
    await this.#options.reader.current(tenant.scope.organizationId);
    const found = await this.#options.settings.find(tenant);
    if (!found) throw copiesBehind();
    return found;
  }

  /**
   * The same for sending mail, which may require a member with a confirmed address. Answers to the letters of a service
   * account go to the first owner, who must have one in its place.
   *
   * @throws EMAIL_NOT_VERIFIED, UPSTREAM_UNAVAILABLE
   */
  async settingsToMail(tenant: Tenant, { kind, userId }: AccountActor): Promise<OrganizationSettings> {
    const settings = await this.settings(tenant);
    const { members, isProofRequired } = this.#options;
    const isUser = kind === 'user';
    const sender = await (isUser ? members.find(tenant, userId) : members.addressOf(tenant, null));
    if (!sender) throw copiesBehind();
    if (isProofRequired && !sender.isProven) throw isUser ? emailNotVerified() : ownerNotVerified();
    return settings;
  }

  /**
   * The address of a member, or of the first owner if the member has left or none is named. Mail leaves while auth-service is
   * away, where nobody can change an address meanwhile.
   *
   * @throws UPSTREAM_UNAVAILABLE if it has not arrived
   */
  async addressOf(tenant: Tenant, userId: string | null): Promise<MemberAddress | undefined> {
    const { reader, members } = this.#options;
    await reader.currentUnlessAway(tenant.scope.organizationId);
    return members.addressOf(tenant, userId);
  }
}
