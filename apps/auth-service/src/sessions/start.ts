import { recordOwnAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { bindTo, type Client, type Ground } from '../ground/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { RefreshTokens } from './refresh/refresh-tokens.ts';
import { isWhole, wholeRenewal, type Renewal } from './renewals.ts';
import type { ContinuedSession, Principal, Session, SessionContext, StartedSession } from './session.ts';
import { sessionEnded } from './sessions.errors.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** How somebody has authenticated, and where. */
export interface Authentication {
  readonly client: Client;
  /** RFC 8176. */
  readonly amr: readonly string[];
}

/** Starting sessions: the one way in which a session begins. */
export interface SessionStarts {
  /** Starts a session of the transaction's user; undefined for a user who is disabled. */
  start(tx: Transaction, authentication: Authentication): Promise<StartedSession | undefined>;
  /**
   * After a stronger factor the session continues under a new id, and keeps its expiry: ASVS 5.0, 7.2.4. Where the caller
   * showed no more than an access token, it stays bound as it is, and its refresh token of before leads to it.
   */
  stepUp(tx: Transaction, principal: Principal, step: StepUp): Promise<ContinuedSession>;
  /** The session continues under a new id, as strong as it was: every token of before is over. */
  restart(tx: Transaction, principal: Principal, client: Client): Promise<StartedSession>;
}

/** What a session is stepped up by. */
export interface StepUp extends Authentication {
  readonly renewal: Renewal;
}

/** How a session goes on. */
type Continuation = Pick<Session, 'amr' | 'authenticatedAt'> & Pick<StepUp, 'client' | 'renewal'>;

/** What starting depends on. */
export interface SessionStartsDependencies extends Pick<Ground, 'config' | 'now' | 'newId'> {
  readonly repository: Pick<SessionsRepository, 'resume' | 'evictOldest' | 'insert' | 'supersede'>;
  readonly refreshTokens: Pick<RefreshTokens, 'make'>;
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/** Makes {@link SessionStarts}. */
export function createSessionStarts(dependencies: SessionStartsDependencies): SessionStarts {
  const { config, repository, refreshTokens, now, newId } = dependencies;

  /** Writes a session with its first refresh token. */
  async function insert(
    tx: Transaction,
    context: SessionContext,
    organizationId = context.organization?.id ?? null,
  ): Promise<StartedSession> {
    const { user, session, asOf: startedAt } = context;
    const first = refreshTokens.make({ userId: user.id, sessionId: session.id, generation: 1 });
    await repository.insert(tx, { ...session, organizationId, refreshHash: first.hash, startedAt });
    return { ...context, refreshToken: first.token };
  }

  async function continueUnderNewId(
    tx: Transaction,
    principal: Principal,
    { client, amr, authenticatedAt, renewal }: Continuation,
  ): Promise<StartedSession> {
    const { user, session: former } = principal;
    const at = now();
    const id = newId();
    const end = { sessionId: former.id, at, continuedBy: isWhole(renewal) ? null : id };
    const ended = await repository.supersede(tx, end);
    if (!ended) throw sessionEnded();
    await recordRevocation(tx, { kind: 'session', userId: user.id, sessionId: former.id, at });
    const bound = isWhole(renewal) ? bindTo(client, former.client) : former.client;
    const session: Session = { ...former, id, amr, client: bound, authenticatedAt };
    // An organization that requires a second factor may let its user in from now on.
    const resumed = principal.organization ? undefined : await repository.resume(tx);
    const place = resumed ? { ...resumed, asOf: at } : principal;
    const { organization, twoFactorMissing, organizationRefused, tokensFrom, asOf } = place;
    const context = { user, session, organization, twoFactorMissing, organizationRefused, asOf, tokensFrom };
    // The token is for the organization of the tab that asks; the session keeps its own.
    return insert(tx, context, ended.organizationId ?? organization?.id ?? null);
  }

  return {
    async start(tx, authentication) {
      const at = now();
      const resumed = await repository.resume(tx);
      if (!resumed) return undefined;

      const userId = resumed.user.id;
      const keep = config.MAX_SESSIONS_PER_USER - 1;
      for (const sessionId of await repository.evictOldest(tx, { keep, at })) {
        await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
      }
      const expiresAt = new Date(at.getTime() + lifetimeMs);
      const session: Session = {
        id: newId(),
        amr: authentication.amr,
        client: { ...authentication.client, otherIpAddress: null },
        authenticatedAt: at,
        createdAt: at,
        expiresAt,
      };
      const started = await insert(tx, { ...resumed, session, asOf: at });
      await recordOwnAudit(tx, {
        action: 'session.started',
        target: { type: 'session', id: session.id },
        client: session.client,
        details: { factors: session.amr.join('+') },
      });
      return started;
    },

    async stepUp(tx, principal, { client, amr, renewal }) {
      const continuation = { client, amr, authenticatedAt: now(), renewal };
      const { refreshToken, ...session } = await continueUnderNewId(tx, principal, continuation);
      return isWhole(renewal) ? { ...session, refreshToken } : session;
    },

    restart(tx, principal, client) {
      const { amr, authenticatedAt } = principal.session;
      return continueUnderNewId(tx, principal, { client, amr, authenticatedAt, renewal: wholeRenewal });
    },
  };
}
