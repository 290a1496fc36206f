import { ApiError } from '@tenantry/envelope';
import type { UserTransaction } from '../../../database.ts';
import { clientMark, type Client, type User } from '../../../ground/index.ts';
import type { SignInFlow } from '../../proof.ts';
import { invalidChallenge } from '../../second-factors/second-factors.errors.ts';
import type { FlowResult, Flows } from '../../flows/flows.ts';
import type { Identities } from './identities.ts';
import { invalidTicket } from '../../flows/flows.errors.ts';

interface SignInIdentitiesDependencies {
  readonly flows: Pick<Flows, 'hold' | 'keep' | 'take'>;
  readonly identities: Pick<Identities, 'link' | 'requireLinkable' | 'use'>;
}

/** Whose session starts, and on which device. */
interface Starting {
  readonly user: Pick<User, 'id' | 'email' | 'name'>;
  readonly client: Client;
}

/**
 * The accounts at providers that people sign in with. One is linked, or its use recorded, only in the transaction that starts
 * the session: a sign-in that is abandoned at the second factor leaves no way in.
 */
export class SignInIdentities {
  readonly #dependencies: SignInIdentitiesDependencies;

  constructor(dependencies: SignInIdentitiesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Links it in the transaction that creates its account, which has no second factor. */
  async linkToNewcomer(tx: UserTransaction, flowId: string, client: Client): Promise<void> {
    const flow = await this.#dependencies.flows.hold(tx, flowId);
    if (!flow) throw invalidTicket();
    await this.#link(tx, flow, { userId: tx.scope.userId, client });
  }

  /** Keeps it until the second factor. @throws the flow's refusal; IDENTITY_IN_USE; TOO_MANY_IDENTITIES */
  async keep(tx: UserTransaction, flow: SignInFlow, until: Date): Promise<void> {
    const { flows, identities } = this.#dependencies;
    const kept = await flows.keep(tx, flow, until);
    if (!kept) throw flow.refusal;
    await identities.requireLinkable(tx, kept.profile);
  }

  /**
   * Uses it, or links it and notifies its user, in the transaction that starts the session.
   *
   * @throws the flow's refusal; IDENTITY_IN_USE; TOO_MANY_IDENTITIES
   */
  async settle(
    tx: UserTransaction,
    flow: Pick<SignInFlow, 'id' | 'refusal'>,
    { user, client }: Starting,
  ): Promise<void> {
    const { flows, identities } = this.#dependencies;
    const taken = await flows.take(tx, flow.id);
    if (!taken) throw flow.refusal;
    if (await identities.use(tx, taken.profile)) return;
    await this.#link(tx, taken, { userId: user.id, client, told: user });
  }

  /** As {@link SignInIdentities.settle}, of one that was kept. @throws INVALID_CHALLENGE */
  async settleKept(tx: UserTransaction, flowId: string, starting: Starting): Promise<void> {
    try {
      await this.settle(tx, { id: flowId, refusal: invalidChallenge() }, starting);
    } catch (error) {
      // It has been linked elsewhere meanwhile, or there are too many: another sign-in says which.
      throw error instanceof ApiError ? invalidChallenge() : error;
    }
  }

  async #link(
    tx: UserTransaction,
    { provider, profile }: FlowResult,
    by: {
      readonly userId: string;
      readonly client: Client;
      readonly told?: Pick<User, 'email' | 'name'>;
    },
  ): Promise<void> {
    const { userId, client, told } = by;
    const addedOn = clientMark(userId, client);
    await this.#dependencies.identities.link(tx, { provider, profile, client, addedOn, told });
  }
}
