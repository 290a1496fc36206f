import type { Client, Ground } from '../../../ground/index.ts';
import { markIn, type Principal, type Sessions } from '../../../sessions/index.ts';
import type { EndedWays } from '../../ways-in/ended-ways.ts';
import type { WaysIn } from '../../ways-in/ways-in.ts';
import type { Flows, TicketClaim } from '../../flows/flows.ts';
import type { Identities, Identity } from './identities.ts';
import { invalidTicket } from '../../flows/flows.errors.ts';

interface IdentityLinksDependencies extends Pick<Ground, 'limits'> {
  readonly flows: Pick<Flows, 'open' | 'take'>;
  readonly identities: Pick<Identities, 'link' | 'unlink'>;
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly endedWays: Pick<EndedWays, 'end'>;
  readonly waysIn: Pick<WaysIn, 'requireOneLeft'>;
}

/** Links provider accounts to the caller's account, and unlinks them. */
export class IdentityLinks {
  readonly #dependencies: IdentityLinksDependencies;

  constructor(dependencies: IdentityLinksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Links the identity of the caller's ticket. @throws INVALID_TICKET; IDENTITY_IN_USE; TOO_MANY_IDENTITIES */
  async add(principal: Principal, claim: TicketClaim): Promise<Identity> {
    const { flows, identities, limits, sessions } = this.#dependencies;
    const flow = await flows.open(claim, { intent: 'link', userId: principal.user.id });
    await limits.accountChanges.consume(principal.user.id);
    return sessions.callers.ownAccount(principal, async (tx, told) => {
      if (!(await flows.take(tx, flow.id))) throw invalidTicket();
      const { provider, profile } = flow;
      const addedOn = markIn(principal, claim.client);
      return identities.link(tx, { provider, profile, client: claim.client, addedOn, told });
    });
  }

  /**
   * Unlinks one, and ends the other sessions that were started with identities.
   *
   * @throws NOT_FOUND, for another user's as well; LAST_WAY_IN
   */
  async remove(
    principal: Principal,
    { id, client }: { readonly id: string; readonly client: Client },
  ): Promise<void> {
    const { identities, endedWays, sessions, waysIn } = this.#dependencies;
    await sessions.callers.ownAccount(principal, async (tx, told) => {
      await identities.unlink(tx, id, { client, told });
      await waysIn.requireOneLeft(tx);
      await endedWays.end(tx, 'identity', { account: principal.user, principal });
    });
  }
}
