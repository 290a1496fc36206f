import { createHmac, timingSafeEqual } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import type { Emails } from '../accounts/emails.ts';
import { recordEvent } from '../events/events.ts';
import { forgetMail } from '../mail/mail.ts';
import { requirePermission } from '../organizations/members/member-rules.ts';
import { forbidden, memberNotFound } from '../organizations/members/members.errors.ts';
import type { Members } from '../organizations/members/members.ts';
import type { Memberships } from '../organizations/members/memberships.ts';
import type { Passwords } from '../sign-in/methods/passwords/passwords.ts';
import { recordRevocation } from '../tokens/revocations/revocations.ts';
import type { SecretRing } from '../ground/secrets/auth-secret.ts';
import { requireDisplayable } from '../ground/text/display-name.ts';
import { keyReused } from './accounts.errors.ts';
import type { AccountsRepository } from './accounts.repository.ts';

/** A user as peers are told of one. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Who asks, and in which organization: what the peer has read from a verified token. */
export interface Request {
  readonly organizationId: string;
  readonly actorUserId: string;
}

/** An account that an organization makes for somebody. */
export interface NewAccount extends Request {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** What the accounts of an organization need. */
export interface AccountsDependencies {
  readonly repository: AccountsRepository;
  readonly memberships: Memberships;
  readonly members: Pick<Members, 'remove'>;
  readonly passwords: Pick<Passwords, 'prepare' | 'store'>;
  readonly emails: Pick<Emails, 'sendVerification'>;
  readonly secrets: SecretRing;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The accounts of an organization's people, as the directory of users administers them. */
export interface Accounts {
  /**
   * Makes an account that can sign in, as a member. The same key and request answer the same account again.
   *
   * @throws USER_ALREADY_EXISTS, FORBIDDEN, NOT_FOUND, IDEMPOTENCY_KEY_REUSED
   */
  create(account: NewAccount, idempotencyKey: string): Promise<Account>;
  /** Renames an account that the organization made, or one's own. */
  rename(userId: string, name: string, request: Request): Promise<Account>;
  /**
   * Ends the membership; the account too, if the organization made it and it belongs to no other. Done already is
   * done.
   */
  remove(userId: string, request: Request): Promise<void>;
}

/** Makes the use cases of accounts. */
export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { repository, memberships, members, passwords, emails, secrets, now, newId } = dependencies;

  /** Keyed, because a password is among what is hashed. */
  const digestsOf = (account: NewAccount): Buffer[] =>
    secrets.all.map((secret) =>
      createHmac('sha256', secret.key('idempotency')).update(JSON.stringify(account)).digest(),
    );

  async function replay(key: string, digests: readonly Buffer[]): Promise<Account | undefined> {
    const earlier = await repository.findRequest(key);
    if (!earlier) return undefined;
    if (!digests.some((digest) => timingSafeEqual(digest, earlier.digest))) throw keyReused();
    const account = await repository.find(earlier.userId);
    if (!account) throw memberNotFound();
    return account;
  }

  async function requireMayWrite(tx: Transaction, actorUserId: string): Promise<void> {
    requirePermission(await memberships.hold(tx, actorUserId), 'users:write');
  }

  /** Ends the whole account, if it is this organization's alone. */
  function eraseOwn(tx: Transaction, place: { organizationId: string; userId: string }): Promise<boolean> {
    return tx.within(place, async (inner) => {
      const { userId } = place;
      const email = await repository.lockOwn(inner, place.organizationId);
      if (email === undefined) return false;
      await recordRevocation(inner, { kind: 'user', userId, at: now() });
      await forgetMail(inner, email);
      await repository.delete(inner, userId);
      await recordEvent(inner, { type: 'user.erased', userId });
      return true;
    });
  }

  return {
    async create(newAccount, key) {
      const digests = digestsOf(newAccount);
      const earlier = await replay(key, digests);
      if (earlier) return earlier;

      const { organizationId, actorUserId, email, password, name } = newAccount;
      requireDisplayable('name', name);
      const user = { id: newId(), email, name };
      const prepared = await passwords.prepare(password, user);
      const made = await repository.transaction({ organizationId, userId: actorUserId }, async (tx) => {
        await requireMayWrite(tx, actorUserId);
        const digest = digests[0] as Buffer;
        if (!(await repository.claimRequest(tx, { key, digest, userId: user.id }))) return undefined;
        const account = { ...user, createdAt: now() };
        await tx.within({ organizationId, userId: user.id }, async (inner) => {
          await repository.insert(inner, account, organizationId);
          await passwords.store(inner, user.id, prepared);
          const { id: userId, ...profile } = account;
          await recordEvent(inner, { type: 'user.created', userId, ...profile });
          await memberships.begin(inner, { organizationId, userId, role: 'member' });
          await emails.sendVerification(inner, user);
        });
        const target = { type: 'user', id: user.id };
        await recordAudit(tx, { organizationId, actorUserId, action: 'user.created', target });
        return account;
      });
      // The same request came twice at once, and the other one was faster.
      return made ?? ((await replay(key, digests)) as Account);
    },

    rename(userId, name, { organizationId, actorUserId }) {
      requireDisplayable('name', name);
      return repository.transaction({ organizationId, userId: actorUserId }, async (tx) => {
        if (actorUserId !== userId) await requireMayWrite(tx, actorUserId);
        const account = await repository.findMember(tx, userId);
        if (!account) throw memberNotFound();
        if (actorUserId !== userId && account.createdBy !== organizationId) {
          throw forbidden('This account is not the organization’s: its owner alone renames it.');
        }
        await repository.rename(tx, { userId, name, at: now() });
        const { email, createdAt } = account;
        await recordEvent(tx, { type: 'user.updated', userId, email, name, createdAt });
        const target = { type: 'user', id: userId };
        await recordAudit(tx, { organizationId, actorUserId, action: 'user.updated', target });
        return { id: userId, email, name, createdAt };
      });
    },

    async remove(userId, { organizationId, actorUserId }) {
      if (!(await repository.isMember({ organizationId, userId }))) return;
      const actor = { userId: actorUserId, client: unknownClient };
      await members.remove(actor, { organizationId, userId }, { instead: eraseOwn });
    },
  };
}

/** The peer knows who asks, and not from where. */
const unknownClient = { deviceId: null, userAgent: null, ipAddress: null };
