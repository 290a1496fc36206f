import { randomBytes } from 'node:crypto';
import type { ApiError } from '@tenantry/envelope';
import type { Role } from '@tenantry/jwt-verify';
import type { ReasonOf } from '@tenantry/service/failures';
import type { Actor } from '@tenantry/service/resources';
import { LocatedTokens } from '@tenantry/service/tokens';
import { recordAudit } from '../../audit/index.ts';
import { withoutSession, type OrganizationTransaction, type Rows, type Transaction } from '../../database.ts';
import {
  userActor,
  type Client,
  type Context,
  type Ground,
  type MemberContext,
  type PageQuery,
  type SignedIn,
  type User,
} from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { isStillGranted, requireMayGrant, requirePermission } from '../members/member-rules.ts';
import { alreadyMember } from '../members/members.errors.ts';
import type { Memberships } from '../members/memberships.ts';
import type { Places } from '../places/places.ts';
import { invalidInvitation, invitationNotFound } from './invitations.errors.ts';
import {
  InvitationsRepository,
  type Invitation,
  type InvitationEnding,
  type InvitationsPage,
  type ShownInvitation,
  type TokenKey,
} from './invitations.repository.ts';

/** The invitation of a token. */
export interface InvitationKey extends TokenKey {
  readonly organizationId: string;
}

interface InvitationsDependencies extends Pick<Ground, 'database' | 'now' | 'newId'> {
  readonly memberships: Memberships;
  readonly places: Pick<Places, 'requireInOrganization'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Whom an organization that was imported had, and as what. */
export type Invitee = Pick<Offer, 'email' | 'role'>;

/** What an invitation offers, and to whom. */
interface Offer {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
}

const endingReasons: Readonly<Record<InvitationEnding, ReasonOf<'INVALID_TOKEN'>>> = {
  accepted: 'INVITATION_ACCEPTED',
  rejected: 'INVITATION_REJECTED',
  withdrawn: 'INVITATION_WITHDRAWN',
  replaced: 'INVITATION_REPLACED',
  expired: 'INVITATION_EXPIRED',
};

const dayMs = 24 * 60 * 60 * 1_000;
const lifetimeMs = 7 * dayMs;
/** How long an owner may take to send what an import has prepared. */
const preparedMs = 30 * dayMs;
const invitationTokens = new LocatedTokens('tri_');
/** Less than any id. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Invites people by e-mail, and handles their responses. */
export class Invitations {
  readonly #dependencies: InvitationsDependencies;
  readonly #repository = new InvitationsRepository();
  #sweptTo = noId;

  constructor(dependencies: InvitationsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Invites a person by mail, in the name of an inviter whose address is confirmed; a later invitation to an address replaces
   * an earlier one.
   *
   * @throws EMAIL_NOT_VERIFIED; RATE_LIMITED; FORBIDDEN; ALREADY_MEMBER; QUOTA_EXCEEDED; SIGN_IN_REQUIRED
   */
  async invite(
    context: MemberContext<SignedIn>,
    { organizationName, email, role }: Offer,
  ): Promise<Invitation> {
    const { sessions, mail, places, now, newId } = this.#dependencies;
    const { organizationId, actor } = context;
    const { userId, name: inviterName } = actor;
    const createdAt = now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    const id = newId();
    const { token, digest } = invitationTokens.make({ ownerId: organizationId, id });
    const place = { organizationId, userId };

    const inviting = async (tx: OrganizationTransaction, inviterRole: Role) => {
      requirePermission(inviterRole, 'invitations:write');
      requireMayGrant(inviterRole, role);
      await mail.addressees.requireProven(tx, userId);
      if (await this.#repository.isMember(tx, email)) throw alreadyMember();
      await this.#repository.insert(tx, { id, email, role, digest, invitedBy: userId, createdAt, expiresAt });
      await places.requireInOrganization(tx);
      const data = { inviterName, organizationName, role, token };
      const letter = { id, to: email, template: 'invitation', data, cause: place } as const;
      await mail.outbox.enqueueOrRefuse(tx, { ...letter, inLanguageOf: userId });
      const target = { type: 'invitation', id };
      await recordAudit(tx, context, { action: 'invitation.created', target, details: { role } });
    };
    await sessions.callers.inOrganization(context, inviting, { takesOwnSignIn: role === 'owner' });
    return {
      id,
      email,
      role,
      invitedBy: { userId, name: inviterName },
      isSent: true,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }

  /**
   * Within a transaction in the scope of an organization that is locked: prepares invitations for an owner to send, of people who
   * are neither members nor invited.
   *
   * @returns how many there were
   * @throws QUOTA_EXCEEDED
   */
  async prepare(tx: Transaction, context: Context<Actor>, invitees: readonly Invitee[]): Promise<number> {
    const { now, newId, places } = this.#dependencies;
    const invitedBy = await this.#repository.firstOwner(tx);
    if (invitedBy === undefined) return 0;
    const createdAt = now();
    const expiresAt = new Date(createdAt.getTime() + preparedMs);
    let prepared = 0;
    for (const { email, role } of invitees) {
      const id = newId();
      const invitation = { id, email, role, digest: randomBytes(32), invitedBy, createdAt, expiresAt };
      if (!(await this.#repository.prepare(tx, invitation))) continue;
      prepared += 1;
      const target = { type: 'invitation', id };
      await recordAudit(tx, context, { action: 'invitation.created', target, details: { role } });
    }
    if (prepared > 0) await places.requireInOrganization(tx);
    return prepared;
  }

  list(organizationId: string, page: PageQuery): Promise<InvitationsPage> {
    const { database, now } = this.#dependencies;
    return this.#repository.list(database.within({ organizationId }), { ...page, at: now() });
  }

  /** @throws FORBIDDEN; NOT_FOUND */
  async withdraw(context: MemberContext, id: string): Promise<void> {
    const { sessions, now } = this.#dependencies;
    await sessions.callers.inOrganization(context, async (tx, role) => {
      requirePermission(role, 'invitations:write');
      if (!(await this.#repository.remove(tx, { id, at: now() }))) throw invitationNotFound();
      await recordAudit(tx, context, { action: 'invitation.revoked', target: { type: 'invitation', id } });
    });
  }

  /** Within a transaction in the scope of an organization: withdraws all open invitations. */
  withdrawAll(tx: Transaction): Promise<void> {
    return this.#repository.removeAll(tx, this.#dependencies.now());
  }

  /** What an invitation offers; anyone with the token may ask. @throws INVALID_TOKEN */
  async show(token: string): Promise<ShownInvitation> {
    const { organizationId, ...key } = this.open(token);
    const rows = this.#dependencies.database.within({ organizationId });
    const shown = await this.find(rows, key);
    if (!shown) throw await this.#whyNot(rows, key);
    return shown;
  }

  /** The same in the scope of its organization; undefined if it cannot be accepted. */
  async find(rows: Rows, key: TokenKey): Promise<ShownInvitation | undefined> {
    const shown = await this.#repository.find(rows, { ...key, at: this.#dependencies.now() });
    return shown && isStillGranted(shown.inviterRole, shown.role) ? shown : undefined;
  }

  /** Declines; anyone with the token may. */
  async reject({ token, client }: { readonly token: string; readonly client: Client }): Promise<void> {
    const { database, now } = this.#dependencies;
    const { organizationId, id, digest } = this.open(token);
    await withoutSession('mailed token', database.within({ organizationId }), async (tx) => {
      const key = { id, digest };
      const taken = await this.#repository.take(tx, { ...key, email: null, ending: 'rejected', at: now() });
      if (!taken) throw await this.#whyNot(tx, key);
      const target = { type: 'invitation', id };
      await recordAudit(tx, { actor: null, client }, { action: 'invitation.rejected', target });
    });
  }

  /** Deletes expired invitations, of some organizations at a time. */
  async sweep(): Promise<boolean> {
    const { database, now } = this.#dependencies;
    this.#sweptTo = (await this.#repository.sweep(database, { after: this.#sweptTo, at: now() })) ?? noId;
    // One slice at a time, since it takes a query for each organization.
    return false;
  }

  /** Reads a token that was mailed. @throws INVALID_TOKEN */
  open(token: string): InvitationKey {
    const shown = invitationTokens.read(token);
    if (!shown) throw invalidInvitation();
    const { ownerId: organizationId, id, digest } = shown;
    return { organizationId, id, digest };
  }

  /**
   * Makes a user a member of the organization, in a transaction in the scope of both.
   *
   * @throws INVALID_TOKEN, ALREADY_MEMBER, QUOTA_EXCEEDED
   */
  async redeem(
    tx: Transaction,
    {
      key,
      user,
      client,
    }: { readonly key: InvitationKey; readonly user: User; readonly client: Client | null },
  ): Promise<Role> {
    const { memberships, now } = this.#dependencies;
    const { organizationId } = key;
    const { id: userId, email } = user;
    if (!(await memberships.lock(tx))) throw invalidInvitation();
    // Deleted, so of concurrent uses one finds it.
    const at = now();
    const invitation = await this.#repository.take(tx, { ...key, email, ending: 'accepted', at });
    if (!invitation) throw await this.#whyNot(tx, key);
    if (!isStillGranted(invitation.inviterRole, invitation.role))
      throw invalidInvitation('INVITATION_WITHDRAWN');
    await memberships.begin(tx, { organizationId, userId, role: invitation.role });
    const { role } = invitation;
    const target = { type: 'invitation', id: key.id };
    const context = { actor: userActor(user), client };
    await recordAudit(tx, context, { action: 'invitation.accepted', target, details: { role } });
    return role;
  }

  /** Why a mailed token does not work for this caller; it reveals nothing about a token that was not mailed. */
  async #whyNot(rows: Rows, key: TokenKey): Promise<ApiError> {
    const at = this.#dependencies.now();
    const ending = await this.#repository.endingOf(rows, { ...key, at });
    if (ending !== undefined) return invalidInvitation(endingReasons[ending]);
    const open = await this.#repository.find(rows, { ...key, at });
    if (!open) return invalidInvitation();
    return invalidInvitation(
      isStillGranted(open.inviterRole, open.role) ? 'INVITATION_OF_ANOTHER' : 'INVITATION_WITHDRAWN',
    );
  }
}
