import type { OrganizationTransaction, UserTransaction } from '../../database.ts';
import { addressKeyOf, countRefused, type Ground } from '../../ground/index.ts';
import type { IssuedSession } from '../../sessions/index.ts';
import {
  invalidTicket,
  type Challenged,
  type Method,
  type Proof,
  type ProvenFlow,
  type SignIn,
  type TicketClaim,
} from '../../sign-in/index.ts';
import { arrivalCodeOf, type ArrivalCode } from '../arrivals/arrival-codes.ts';
import type { Arrivals } from '../arrivals/arrivals.ts';
import type { Connections } from '../connections.ts';
import { protocolOf } from '../kinds.ts';
import { connectionOfFlow, flowProvider, type LiveConnection } from '../live-connection.ts';
import type { Arrival, People } from './people.ts';

interface SsoSignInsDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly connections: Connections;
  readonly people: People;
  readonly signIn: Pick<SignIn, 'flows' | 'signIns'>;
  readonly arrivals: Pick<Arrivals, 'note'>;
}

/** A ticket that was opened, and who it is for. */
export interface OpenedVisit extends Arrival {
  readonly flow: ProvenFlow;
}

/** If an IdP does not say when somebody authenticated, it counts as not recent. */
const longAgo = new Date(0);

/** Single sign-on: from the ticket of a return to a session, which is confined to the organization of the IdP. */
export class SsoSignIns {
  readonly #dependencies: SsoSignInsDependencies;

  constructor(dependencies: SsoSignInsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a ticket: on its device, while the connection of its flow is on.
   *
   * @param userId who links; null for a sign-in
   * @throws INVALID_TICKET; RATE_LIMITED
   */
  open(claim: TicketClaim, userId: string | null): Promise<OpenedVisit> {
    const charge = { limiter: this.#dependencies.limits.signInLetters, key: addressKeyOf(claim.client) };
    return countRefused(charge, () => this.#open(claim, userId));
  }

  /**
   * Signs somebody in, and notes for the owners of the organization what came of it.
   *
   * @throws INVALID_TICKET; NOT_FOUND, TWO_FACTOR_REQUIRED; and as {@link People.admit}
   */
  async signIn(claim: TicketClaim): Promise<IssuedSession | Challenged> {
    const seen: { visit?: OpenedVisit } = {};
    const method: Method<TicketClaim> = {
      prove: async (given) => {
        const visit = await this.open(given, null);
        seen.visit = visit;
        return this.#prove(visit, given);
      },
    };
    try {
      const begun = await this.#dependencies.signIn.signIns.by(method, claim);
      await this.#note(seen.visit, 'challenge' in begun ? 'SECOND_FACTOR_ASKED' : 'SIGNED_IN');
      return begun;
    } catch (error) {
      await this.#note(seen.visit, arrivalCodeOf(error));
      throw error;
    }
  }

  /** @throws INVALID_TICKET; and as {@link People.admit} */
  async #prove(opened: OpenedVisit, claim: TicketClaim): Promise<Proof> {
    const { connection, person, flow } = opened;
    const { organizationId, id: connectionId } = connection;
    const { people } = this.#dependencies;
    const hold = (tx: OrganizationTransaction) => this.hold(tx, opened);
    const userId = await people.admit({ connection, person }, { client: claim.client, hold });
    const isStrong = connection.provesSecondFactor || flow.profile.hasSecondFactor === true;
    const { authTime } = flow.profile;
    const endsAt = this.#endOf(opened);
    return {
      userId,
      amr: isStrong ? ['sso', 'mfa'] : ['sso'],
      acr: isStrong ? 'aal2' : 'aal1',
      authenticatedAt: authTime === null ? longAgo : new Date(authTime * 1_000),
      confinement: { organizationId, connectionId, endsAt },
      requireValid: (tx) => this.#requireValid(tx, opened, userId),
    };
  }

  /** Keeps a flow, and the connection that it began with, in a transaction that has locked the organization. @throws INVALID_TICKET */
  async hold(tx: OrganizationTransaction, opened: OpenedVisit): Promise<void> {
    await this.#requireSame(tx, opened.connection);
    if (!(await this.#dependencies.signIn.flows.hold(tx, opened.flow.id))) throw invalidTicket();
  }

  /** As {@link SsoSignIns.hold}, and uses the ticket up: one of several uses succeeds. */
  async take(tx: OrganizationTransaction, opened: OpenedVisit): Promise<void> {
    await this.#requireSame(tx, opened.connection);
    if (!(await this.#dependencies.signIn.flows.take(tx, opened.flow.id))) throw invalidTicket();
  }

  async #note(visit: OpenedVisit | undefined, code: ArrivalCode | undefined): Promise<void> {
    if (!visit || code === undefined) return;
    const { organizationId, id: connectionId, kind } = visit.connection;
    const protocol = protocolOf(kind);
    const { email: address } = visit.person;
    await this.#dependencies.arrivals.note({ organizationId, connectionId, protocol, code, address });
  }

  async #open(claim: TicketClaim, userId: string | null): Promise<OpenedVisit> {
    const { connections, database, signIn } = this.#dependencies;
    const intent = userId === null ? 'sso' : 'sso-link';
    const flow = await signIn.flows.open(claim, { intent, userId });
    const key = connectionOfFlow(flow.provider);
    const rows = database.within({ organizationId: key.organizationId });
    const connection = await connections.findLive(rows, key);
    if (!connection || flowProvider(connection) !== flow.provider) throw invalidTicket();
    const { subject, email, name } = flow.profile;
    if (email === null) throw invalidTicket();
    return { flow, connection, person: { subject, email, name } };
  }

  /** When the IdP ends the session that begins. @throws INVALID_TICKET where it has ended */
  #endOf({ flow: { profile } }: OpenedVisit): Date | null {
    const { sessionEnd } = profile;
    if (sessionEnd === null || sessionEnd === undefined) return null;
    const endsAt = new Date(sessionEnd * 1_000);
    if (endsAt <= this.#dependencies.now()) throw invalidTicket();
    return endsAt;
  }

  async #requireValid(tx: UserTransaction, opened: OpenedVisit, userId: string): Promise<void> {
    const { connection } = opened;
    const { organizationId } = connection;
    await tx.within({ organizationId, userId }, async (inner) => {
      await this.take(inner, opened);
      await this.#dependencies.people.use(inner, opened, userId);
    });
  }

  /**
   * @throws INVALID_TICKET where the connection was turned off, or off and on, since the flow began; or where it was said to prove a second
   * factor when it was read, and is not any more
   */
  async #requireSame(tx: OrganizationTransaction, connection: LiveConnection): Promise<void> {
    const live = await this.#dependencies.connections.findLive(tx, connection);
    if (!live || flowProvider(live) !== flowProvider(connection)) throw invalidTicket();
    if (connection.provesSecondFactor && !live.provesSecondFactor) throw invalidTicket();
  }
}
