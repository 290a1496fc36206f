import { withoutSession, type Rows } from '../../database.ts';
import type { CallerContext, Ground, Membership } from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { SignIn } from '../../sign-in/index.ts';
import type { Memberships } from '../members/memberships.ts';
import type { Organizations } from '../organizations.ts';
import { invalidInvitation } from './invitations.errors.ts';
import type { InvitationKey, Invitations } from './invitations.ts';

interface AcceptancesDependencies extends Pick<Ground, 'database'> {
  readonly invitations: Pick<Invitations, 'find' | 'open' | 'redeem'>;
  readonly memberships: Pick<Memberships, 'lock'>;
  readonly organizations: Pick<Organizations, 'get'>;
  readonly mail: Pick<Mail, 'addressees'>;
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly signIn: Pick<SignIn, 'firstProofs'>;
}

/** Users who accept invitations. */
export class Acceptances {
  readonly #dependencies: AcceptancesDependencies;

  constructor(dependencies: AcceptancesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the caller a member of the organization. @throws INVALID_TOKEN, ALREADY_MEMBER, QUOTA_EXCEEDED */
  async accept(context: CallerContext, token: string): Promise<Membership> {
    const { invitations, memberships, organizations, sessions } = this.#dependencies;
    const key = invitations.open(token);
    const { organizationId } = key;
    await this.#proveAddress(context, key);
    const role = await sessions.callers.towards(
      { ...context, organizationId },
      (tx, user) => invitations.redeem(tx, { key, user, client: context.client }),
      { first: (tx) => memberships.lock(tx) },
    );
    return { ...(await organizations.get(organizationId)), role };
  }

  /**
   * The token was mailed to the caller's address, which it proves: in a transaction of its own, since a first proof locks
   * other organizations. The session goes on; what somebody else may have prepared in the account does not.
   */
  async #proveAddress(
    { actor, client, sessionId }: CallerContext,
    { organizationId, ...key }: InvitationKey,
  ): Promise<void> {
    const { database, invitations, mail, signIn } = this.#dependencies;
    const { userId } = actor;
    const find = (rows: Rows) => invitations.find(rows, key);
    const shown = await find(database.within({ organizationId }));
    // Otherwise the acceptance says why it is refused.
    const account = shown && (await mail.addressees.findByEmail(database.unscoped, shown.email));
    if (account?.userId !== userId || account.verified || client === null) return;
    await withoutSession('mailed token', database.within({ userId }), async (tx) => {
      const redeem = async () => {
        if (!(await tx.within({ organizationId }, find))) throw invalidInvitation();
      };
      const proof = {
        account,
        client,
        sessionId,
        redeem,
        by: 'invitation',
        recognizesUnnamed: true,
      } as const;
      if ((await signIn.firstProofs.record(tx, proof)) === 'gone') throw invalidInvitation();
    });
  }
}
