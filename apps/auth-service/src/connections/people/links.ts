import type { MemberContext, SignedIn } from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import { requirePermission } from '../../organizations/index.ts';
import type { Principal, Sessions } from '../../sessions/index.ts';
import { invalidTicket, type TicketClaim } from '../../sign-in/index.ts';
import type { Arrivals } from '../arrivals/arrivals.ts';
import { connectionNotFound } from '../connections.errors.ts';
import { nameOfKind, protocolOf } from '../kinds.ts';
import { recordLink, type People } from './people.ts';
import type { SsoSignIns } from './sso-sign-ins.ts';

interface LinksDependencies {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly people: People;
  readonly sessions: Pick<Sessions, 'callers' | 'endings'>;
  readonly ssoSignIns: SsoSignIns;
  readonly arrivals: Pick<Arrivals, 'note'>;
}

/** Links owners to their accounts at the IdP of their organization: by themselves alone, in a session of their own. */
export class Links {
  readonly #dependencies: LinksDependencies;

  constructor(dependencies: LinksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Links whoever a ticket is for to the account of the caller. @throws INVALID_TICKET; NOT_FOUND; IDENTITY_IN_USE */
  async add(
    context: MemberContext<SignedIn>,
    connectionId: string,
    { principal, claim }: { readonly principal: Principal; readonly claim: TicketClaim },
  ): Promise<void> {
    const { arrivals, mail, people, sessions, ssoSignIns } = this.#dependencies;
    const { organizationId, actor } = context;
    const { userId } = actor;
    const opened = await ssoSignIns.open(claim, userId);
    const { connection } = opened;
    if (connection.organizationId !== organizationId || connection.id !== connectionId) throw invalidTicket();
    await sessions.callers.inOrganization(context, async (tx, role) => {
      requirePermission(role, 'connections:write');
      await ssoSignIns.take(tx, opened);
      await people.linkOwn(tx, opened, userId);
      const who = { userId, client: context.client };
      await recordLink(tx, who, { action: 'connection.linked', connection: connectionId });
      const change = { change: 'connection-linked', by: nameOfKind[connection.kind] } as const;
      await mail.outbox.notify(tx, principal.user, 'way-in-changed', change);
    });
    const { email: address } = opened.person;
    const protocol = protocolOf(connection.kind);
    await arrivals.note({ organizationId, connectionId, protocol, code: 'LINKED', address });
  }

  /** Removes the link of the caller, and ends the sessions that it started. @throws NOT_FOUND */
  async remove(context: MemberContext<SignedIn>, connectionId: string): Promise<void> {
    const { people, sessions } = this.#dependencies;
    const { organizationId, actor } = context;
    const { userId } = actor;
    await sessions.callers.inOrganization(context, async (tx) => {
      if (!(await people.unlink(tx, connectionId, userId))) throw connectionNotFound();
      await sessions.endings.endConfined(tx, { organizationId, userId });
      const who = { userId, client: context.client };
      await recordLink(tx, who, { action: 'connection.unlinked', connection: connectionId });
    });
  }
}
