import type { Transaction } from '../../../database.ts';
import type { Client } from '../../../ground/index.ts';
import type { Equip } from '../../mailboxes.ts';
import type { Flows } from './flows.ts';
import type { Identities } from './identities.ts';

interface PendingLinksDependencies {
  readonly flows: Pick<Flows, 'awaitLetter' | 'takeAwaiting'>;
  readonly identities: Pick<Identities, 'link'>;
}

/**
 * Identities that wait for a letter, since their provider does not prove the address. The letter links only the account of its
 * own flow (CVE-2026-9087), once.
 */
export class PendingLinks {
  readonly #dependencies: PendingLinksDependencies;

  constructor(dependencies: PendingLinksDependencies) {
    this.#dependencies = dependencies;
  }

  /** In the transaction that writes the letter. @throws INVALID_TICKET */
  await(tx: Transaction, flowId: string, until: Date): Promise<void> {
    return this.#dependencies.flows.awaitLetter(tx, flowId, until);
  }

  /** Links the waiting identity to the account whose mailbox the letter has proven, unless another use has done so. */
  linking(flowId: string, client: Client): Equip {
    const { flows, identities } = this.#dependencies;
    return async (tx, told) => {
      const flow = await flows.takeAwaiting(tx, flowId);
      if (!flow) return;
      const { provider, profile } = flow;
      await identities.link(tx, { provider, profile, client, ...(told && { told }) });
    };
  }
}
