import { recordAudit } from '../audit/index.ts';
import type { ReturnAccount } from '../sign-in/index.ts';
import { MembersRepository } from './members/members.repository.ts';
import type { Memberships } from './members/memberships.ts';

interface ReturnAccountDependencies {
  readonly memberships: Pick<Memberships, 'lock' | 'remove'>;
}

const repository = new MembersRepository();

/**
 * Makes {@link ReturnAccount}: the organization no longer wants the user, and has never known who has the mailbox. The end of the
 * membership enables the account; it does not come back by its address.
 */
export function createReturnAccount({ memberships }: ReturnAccountDependencies): ReturnAccount {
  return async (tx, context, organizationId) => {
    const { userId } = context.actor;
    const place = { organizationId, userId };
    await tx.within(place, async (inner) => {
      if (!(await memberships.lock(inner))) return;
      if (!(await repository.lockDisabledBy(inner, organizationId))) return;
      await memberships.remove(inner, place);
      const target = { type: 'user', id: userId };
      await recordAudit(inner, context, { action: 'member.left', target });
    });
  };
}
