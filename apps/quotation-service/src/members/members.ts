import { copiesBehind, type EventReader } from '@tenantry/service/events';
import type { AccountActor } from '@tenantry/service/resources';
import type { Tenant } from '../database.ts';
import { emailNotVerified, ownerNotVerified } from './members.errors.ts';
import type { MemberAddress, MembersRepository } from './members.repository.ts';

/** Dependencies of {@link Members}. */
export interface MembersOptions {
  readonly reader: Pick<EventReader, 'currentUnlessAway'>;
  readonly repository: Pick<MembersRepository, 'addressOf' | 'find'>;
  /** Whether only members with a confirmed address may send mail. */
  readonly isProofRequired: boolean;
}

/** The members of an organization, as events of auth-service tell of them. */
export class Members {
  readonly #options: MembersOptions;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /**
   * Refuses to send mail for a member without a confirmed address, where one is required. Answers to the letters of a service
   * account go to the first owner, who must have one in its place.
   *
   * @throws EMAIL_NOT_VERIFIED; UPSTREAM_UNAVAILABLE if the member has not arrived
   */
  async requireMaySend(tenant: Tenant, { kind, userId }: AccountActor): Promise<void> {
    const { repository, isProofRequired } = this.#options;
    const isUser = kind === 'user';
    const sender = await (isUser ? repository.find(tenant, userId) : repository.addressOf(tenant, null));
    if (!sender) throw copiesBehind();
    if (isProofRequired && !sender.isProven) throw isUser ? emailNotVerified() : ownerNotVerified();
  }

  /**
   * The address of a member, or of the first owner if the member has left or none is named. Mail leaves while auth-service is
   * away, where nobody can change an address meanwhile. Call it before a transaction, which must not wait.
   *
   * @throws UPSTREAM_UNAVAILABLE if it has not arrived
   */
  async addressOf(tenant: Tenant, userId: string | null): Promise<MemberAddress | undefined> {
    const { reader, repository } = this.#options;
    await reader.currentUnlessAway(tenant.scope.organizationId);
    return repository.addressOf(tenant, userId);
  }
}
