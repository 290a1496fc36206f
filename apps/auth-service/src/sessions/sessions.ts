import type { Identity } from '@tenantry/jwt-verify';
import type { Transaction } from '../database.ts';
import { invalidCredentials } from '../passwords/passwords.errors.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { recordRevocation } from '../revocations/revocations.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Client } from './client.ts';
import type { ListedSession, Membership, Principal, SessionContext, SessionUser } from './session.ts';
import { organizationNotFound, sessionEnded, sessionNotFound } from './sessions.errors.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** A session with a fresh token: what every answer that starts or renews one carries. */
export interface IssuedSession {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly tokenExpiresAt: Date;
}

/** Who has signed in, where, and by which session. */
export interface SignedIn {
  readonly user: SessionUser;
  readonly organization: Membership | null;
  readonly session: IssuedSession;
}

/** What a sign-in brings. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** What the use cases of sessions need. */
export interface SessionsDependencies {
  readonly repository: SessionsRepository;
  readonly passwords: Pick<Passwords, 'authenticate'>;
  readonly tokens: Tokens;
  /** Live sessions of one user at most. */
  readonly sessionsMax: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Starting, using and ending sessions. */
export interface Sessions {
  signIn(claim: SignIn): Promise<SignedIn>;
  /** Starts a session of the transaction's user; {@link Sessions.issue} gives its token after the commit. */
  start(tx: Transaction, client: Client): Promise<SessionContext>;
  issue(context: SessionContext): Promise<IssuedSession>;
  /** Finds the live session behind a verified token. */
  resolve(identity: Identity): Promise<Principal>;
  /** Makes another organization of the user the active one. */
  switchOrganization(principal: Principal, organizationId: string): Promise<IssuedSession>;
  list(principal: Principal): Promise<ListedSession[]>;
  /** Ends one of the user's own sessions. */
  revoke(principal: Principal, sessionId: string): Promise<void>;
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/** Makes the use cases of sessions. */
export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { repository, passwords, tokens, sessionsMax, now, newId } = dependencies;

  async function start(tx: Transaction, client: Client): Promise<SessionContext> {
    const at = now();
    const resumed = await repository.resume(tx);
    // Disabled after the password was checked.
    if (!resumed) throw invalidCredentials();

    const userId = resumed.user.id;
    for (const sessionId of await repository.makeRoom(tx, { keep: sessionsMax - 1, at })) {
      await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    }
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const session = { id: newId(), authenticatedAt: at, createdAt: at, expiresAt };
    const organizationId = resumed.organization?.id ?? null;
    await repository.insert(tx, { ...session, userId, organizationId, client });
    return { ...resumed, session, asOf: at };
  }

  async function issue(context: SessionContext): Promise<IssuedSession> {
    const { id, expiresAt } = context.session;
    const { token, expiresAt: tokenExpiresAt } = await tokens.mint(context);
    return { id, token, expiresAt, tokenExpiresAt };
  }

  return {
    start,
    issue,

    async signIn({ client, ...claim }) {
      const { userId } = await passwords.authenticate(claim);
      const context = await repository.transaction(userId, (tx) => start(tx, client));
      return { user: context.user, organization: context.organization, session: await issue(context) };
    },

    async resolve({ userId, sessionId, organizationId, expiresAt }) {
      const context = await repository.findLive({ userId, sessionId, organizationId, at: now() });
      if (!context) throw sessionEnded();
      return { ...context, tokenExpiresAt: new Date(expiresAt * 1_000) };
    },

    async switchOrganization({ user, session }, organizationId) {
      const lookup = { userId: user.id, sessionId: session.id, organizationId, at: now() };
      const context = await repository.activate(lookup);
      if (!context) throw organizationNotFound();
      return issue(context);
    },

    list: ({ user }) => repository.listLive(user.id, now()),

    revoke: ({ user: { id: userId } }, sessionId) =>
      repository.transaction(userId, async (tx) => {
        const at = now();
        if (!(await repository.revoke(tx, { sessionId, at }))) throw sessionNotFound();
        await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
      }),
  };
}
