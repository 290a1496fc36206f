import type { Identity } from '@tenantry/jwt-verify';
import type { SessionBinding } from '@tenantry/service-kit';
import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { invalidCredentials } from '../sign-in/methods/passwords/passwords.errors.ts';
import type { Passwords } from '../sign-in/methods/passwords/passwords.ts';
import { recordRevocation } from '../tokens/revocations/revocations.ts';
import type { Lockout } from '../sign-in/lockout/lockout.ts';
import type { Tokens } from '../tokens/access-tokens/access-tokens.ts';
import type { Challenge, Challenges } from '../sign-in/second-factors/challenges.ts';
import { whereaboutsOf, type Client } from '../ground/callers/client.ts';
import type { Misuses } from './misuse.ts';
import type { Refresh, RefreshClaim } from './refresh/refresh.ts';
import type { RefreshTokens } from './refresh/refresh-tokens.ts';
import type {
  Factors,
  ListedSession,
  Membership,
  Principal,
  Session,
  SessionContext,
  SessionUser,
  StartedSession,
} from './session.ts';
import type { SessionEndings } from './session-endings.ts';
import { notLetIn, sessionElsewhere, sessionEnded } from './sessions.errors.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** A session with a fresh token: what every answer that starts or renews one carries. */
export interface IssuedSession {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly tokenExpiresAt: Date;
  /** Until `expiresAt`. */
  readonly endsInSeconds: number;
  /** Absent where the one that the client has goes on. */
  readonly refreshToken?: string;
}

/** Who has signed in, where, and by which session. */
export interface SignedIn {
  readonly user: SessionUser;
  readonly organization: Membership | null;
  readonly session: IssuedSession;
}

/** Whose password was right, and what must follow it. */
export interface Challenged {
  readonly challenge: Challenge;
}

/** What a sign-in brings. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** How somebody has authenticated, and where. */
export interface Authentication {
  readonly client: Client;
  readonly factors: Factors;
}

/** What the use cases of sessions need. */
export interface SessionsDependencies {
  readonly repository: SessionsRepository;
  readonly endings: SessionEndings;
  readonly misuses: Misuses;
  readonly refresh: Refresh;
  readonly refreshTokens: RefreshTokens;
  readonly passwords: Pick<Passwords, 'authenticate' | 'requireCurrent'>;
  readonly lockout: Pick<Lockout, 'rememberDevice'>;
  readonly challenges: Pick<Challenges, 'openIfRequired'>;
  readonly tokens: Tokens;
  readonly binding: SessionBinding;
  /** Live sessions of one user at most. */
  readonly sessionsMax: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Starting, using and ending sessions. */
export interface Sessions extends SessionEndings {
  /** Starts a session or, for whoever has a second factor, asks for that first. */
  signIn(claim: SignIn): Promise<SignedIn | Challenged>;
  /**
   * Starts a session of the transaction's user: the one door by which a session begins.
   * {@link Sessions.issue} gives its token after the commit.
   */
  start(tx: Transaction, authentication: Authentication): Promise<StartedSession>;
  /** After a stronger factor the session goes on under a new id, and ends when it would have: ASVS 5.0, 7.2.4. */
  stepUp(tx: Transaction, principal: Principal, authentication: Authentication): Promise<StartedSession>;
  /** The user has no second factor any more, so no session of the user has one. */
  forgetSecondFactor(tx: Transaction): Promise<void>;
  issue(context: SessionContext & { readonly refreshToken?: string }): Promise<IssuedSession>;
  /** Takes a refresh token for the next one and a fresh access token. */
  refresh(claim: RefreshClaim): Promise<IssuedSession>;
  /** Finds the live session behind a verified token. */
  resolve(identity: Identity): Promise<Principal>;
  /** Refuses a session whose cookie is used where it does not belong; on another device it ends. */
  requireHere(principal: Principal, client: Client): Promise<void>;
  /** Makes another organization of the user the active one. */
  switchOrganization(principal: Principal, organizationId: string): Promise<IssuedSession>;
  list(principal: Principal): Promise<ListedSession[]>;
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/** Makes the use cases of sessions. */
export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { repository, endings, misuses, passwords, tokens, binding, sessionsMax, now, newId } = dependencies;

  /** Writes a session with its first refresh token. */
  async function insert(tx: Transaction, context: SessionContext): Promise<StartedSession> {
    const { user, session, organization, asOf: startedAt } = context;
    const first = dependencies.refreshTokens.make({ userId: user.id, sessionId: session.id, generation: 1 });
    const owner = { userId: user.id, organizationId: organization?.id ?? null };
    await repository.insert(tx, { ...session, ...owner, refreshHash: first.hash, startedAt });
    return { ...context, refreshToken: first.token };
  }

  async function start(tx: Transaction, authentication: Authentication): Promise<StartedSession> {
    const at = now();
    const resumed = await repository.resume(tx);
    // Disabled after the password was checked.
    if (!resumed) throw invalidCredentials();

    const userId = resumed.user.id;
    for (const sessionId of await repository.makeRoom(tx, { keep: sessionsMax - 1, at })) {
      await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    }
    const { client } = authentication;
    await dependencies.lockout.rememberDevice(tx, { email: resumed.user.email, client });
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    const session: Session = {
      id: newId(),
      ...authentication,
      authenticatedAt: at,
      createdAt: at,
      expiresAt,
    };
    const started = await insert(tx, { ...resumed, session, asOf: at });
    await recordAudit(tx, {
      organizationId: resumed.organization?.id ?? null,
      actorUserId: userId,
      action: 'session.started',
      target: { type: 'session', id: session.id },
      client,
      details: { factors: session.factors.join('+') },
    });
    return started;
  }

  const issue: Sessions['issue'] = async (context) => {
    const { session, refreshToken } = context;
    const { id, expiresAt } = session;
    const { token, expiresAt: tokenExpiresAt } = await tokens.mint(context);
    const endsInSeconds = Math.floor((expiresAt.getTime() - now().getTime()) / 1_000);
    const issued = { id, token, expiresAt, tokenExpiresAt, endsInSeconds };
    return refreshToken === undefined ? issued : { ...issued, refreshToken };
  };

  return {
    ...endings,
    start,
    issue,

    async signIn(claim) {
      const { client } = claim;
      const proof = await passwords.authenticate(claim);
      const begun = await repository.transaction(proof.userId, async (tx) => {
        const challenge = await dependencies.challenges.openIfRequired(tx, client);
        const started = challenge ? { challenge } : await start(tx, { client, factors: ['pwd'] });
        await passwords.requireCurrent(tx, proof);
        return started;
      });
      if ('challenge' in begun) return begun;
      return { user: begun.user, organization: begun.organization, session: await issue(begun) };
    },

    async stepUp(tx, principal, { client, factors }) {
      const { user, session: former, organization, tokensFrom, asOf } = principal;
      const at = now();
      if (!(await repository.revoke(tx, { sessionId: former.id, at }))) throw sessionEnded();
      await recordRevocation(tx, { kind: 'session', userId: user.id, sessionId: former.id, at });
      const session: Session = { ...former, id: newId(), client, factors, authenticatedAt: at };
      return insert(tx, { user, session, organization, twoFactorMissing: false, asOf, tokensFrom });
    },

    forgetSecondFactor: (tx) => repository.forgetSecondFactor(tx),

    async refresh(claim) {
      return issue(await dependencies.refresh.renew(claim));
    },

    async resolve({ userId, sessionId, organizationId, expiresAt }) {
      const context = await repository.findLive({ userId, sessionId, organizationId, at: now() });
      if (!context) throw sessionEnded();
      return { ...context, tokenExpiresAt: new Date(expiresAt * 1_000) };
    },

    async requireHere({ user, session, organization }, client) {
      const kind = whereaboutsOf(client, session.client, binding);
      if (kind === 'here') return;
      const misuse = { kind, user, session, client, organizationId: organization?.id ?? null, at: now() };
      await (kind === 'other-device' ? misuses.end(misuse) : misuses.record(misuse));
      throw sessionElsewhere();
    },

    async switchOrganization({ user, session }, organizationId) {
      const lookup = { userId: user.id, sessionId: session.id, organizationId, at: now() };
      const context = await repository.activate(lookup);
      if (context) return issue(context);
      throw notLetIn((await repository.findLive(lookup)) ?? { twoFactorMissing: false });
    },

    list: ({ user }) => repository.listLive(user.id, now()),
  };
}
