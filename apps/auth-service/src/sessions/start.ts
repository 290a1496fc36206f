import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import { recordOwnAudit } from '../audit/index.ts';
import type { Transaction, UserTransaction } from '../database.ts';
import {
  bindTo,
  boundDevice,
  notLetIn,
  organizationNotFound,
  type Client,
  type Ground,
} from '../ground/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { RefreshTokens } from './refresh/refresh-tokens.ts';
import { isWhole, wholeRenewal, type Renewal } from './renewal.ts';
import type {
  Confinement,
  ContinuedSession,
  Principal,
  Session,
  SessionContext,
  StartedSession,
} from './session.ts';
import { sessionEnded } from './sessions.errors.ts';
import type { NewSession, SessionsRepository } from './sessions.repository.ts';

/** How and from which client a user has authenticated. */
interface Authentication {
  readonly client: Client;
  /** RFC 8176. */
  readonly amr: readonly string[];
  /** NIST SP 800-63B-4. */
  readonly acr: AuthenticationLevel;
  /** When, if not just now: an authentication at a provider may be old. */
  readonly authenticatedAt?: Date | undefined;
}

/** A session whose token or cookies come with a sign-in. */
export interface CarriedSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** A sign-in, and the session it is made from. */
export interface Beginning extends Authentication {
  readonly carried?: CarriedSession | undefined;
  /** Of a sign-in by a connection. */
  readonly confinement?: ConfinedStart | undefined;
}

/** What a session is to be confined to. */
export interface ConfinedStart extends Confinement {
  /** When it ends at the latest, if the connection says so. */
  readonly endsAt: Date | null;
}

/** The step-up of a session. */
interface StepUp extends Pick<Authentication, 'acr' | 'client'> {
  /** Its new `amr`. */
  readonly amr: (formerly: readonly string[]) => readonly string[];
  readonly renewal: Renewal;
}

/** How a session continues: at its level, unless it is stepped up. */
interface Continuation extends Pick<StepUp, 'client' | 'renewal'>, Pick<Session, 'authenticatedAt'> {
  readonly amr?: StepUp['amr'];
  readonly acr?: AuthenticationLevel;
}

/** Where a session is, and whose owners have heard of that. */
type Place = Pick<NewSession, 'organizationId' | 'announcedTo'>;

interface SessionStartsDependencies extends Pick<Ground, 'config' | 'now' | 'newId'> {
  readonly repository: SessionsRepository;
  readonly refreshTokens: Pick<RefreshTokens, 'make'>;
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/** Starts sessions: every session starts here. */
export class SessionStarts {
  readonly #dependencies: SessionStartsDependencies;

  constructor(dependencies: SessionStartsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts a session of the transaction's user; undefined for a user who is disabled. If it is started from a live session of
   * the same user and device with no higher level, it replaces that one and keeps its organization. A confined one replaces none,
   * and leaves where the user resumes as it was.
   *
   * @throws NOT_FOUND, TWO_FACTOR_REQUIRED where a confined one could not enter its organization
   */
  async start(tx: Transaction, beginning: Beginning): Promise<StartedSession | undefined> {
    const { carried, confinement: confining, ...authentication } = beginning;
    const { config, repository, now, newId } = this.#dependencies;
    const { amr, acr } = authentication;
    const replaced = confining ? undefined : carried;
    const formerly = replaced && (await this.#takePlaceOf(tx, replaced, authentication));
    const at = now();
    const confinement = confining ? confinementIn(confining) : null;
    const endsAt = confining?.endsAt ?? null;
    const place = await this.#placeOf(tx, acr, confining ?? null);
    if (!place) return undefined;
    if (confining && !place.organization) throw notLetIn(place);

    const userId = place.user.id;
    const keep = config.MAX_SESSIONS_PER_USER - 1;
    const room = { keep, at, confinedTo: confining?.organizationId ?? null };
    let { tokensFrom } = place;
    for (const sessionId of await repository.evictOldest(tx, room)) {
      const issuedFrom = await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
      tokensFrom = issuedFrom ? latest(issuedFrom, tokensFrom) : tokensFrom;
    }
    const lifeEndsAt = new Date(at.getTime() + lifetimeMs);
    const session: Session = {
      id: newId(),
      amr,
      acr,
      client: { ...authentication.client, otherIpAddress: null },
      authenticatedAt: latest(authentication.authenticatedAt ?? at, formerly),
      createdAt: at,
      expiresAt: endsAt && endsAt < lifeEndsAt ? endsAt : lifeEndsAt,
      confinement,
    };
    const started = await this.#insert(tx, { ...place, tokensFrom, session, asOf: at });
    await recordOwnAudit(tx, {
      action: 'session.started',
      target: { type: 'session', id: session.id },
      client: session.client,
      confinedTo: confinement?.organizationId,
      details: { factors: session.amr.join('+') },
    });
    return started;
  }

  /**
   * Keeps the organization of a confined session as it is, with its members and connections, until the transaction ends: before
   * anything else, since organizations are locked before users.
   *
   * @throws NOT_FOUND
   */
  async holdOrganization(tx: UserTransaction, { organizationId }: Confinement): Promise<void> {
    const { repository } = this.#dependencies;
    const { userId } = tx.scope;
    const exists = await tx.within({ organizationId, userId }, (inner) => repository.holdOrganization(inner));
    if (!exists) throw organizationNotFound();
  }

  /**
   * After a stronger factor the session continues under a new id, and keeps its expiry: ASVS 5.0, 7.2.4. If the caller
   * presented only an access token, the binding is unchanged, and the previous refresh token continues to work.
   */
  async stepUp(tx: Transaction, principal: Principal, step: StepUp): Promise<ContinuedSession> {
    const continuation = { ...step, authenticatedAt: this.#dependencies.now() };
    const { refreshToken, ...session } = await this.#continueUnderNewId(tx, principal, continuation);
    return isWhole(step.renewal) ? { ...session, refreshToken } : session;
  }

  /** The session continues under a new id, at the same level: all earlier tokens stop working. */
  restart(tx: Transaction, principal: Principal, client: Client): Promise<StartedSession> {
    const { authenticatedAt } = principal.session;
    return this.#continueUnderNewId(tx, principal, { client, authenticatedAt, renewal: wholeRenewal });
  }

  /** Writes a session with its first refresh token. */
  async #insert(
    tx: Transaction,
    context: SessionContext,
    { organizationId, announcedTo } = startingIn(context),
  ): Promise<StartedSession> {
    const { repository, refreshTokens } = this.#dependencies;
    const { user, session, asOf: startedAt } = context;
    const first = refreshTokens.make({ userId: user.id, sessionId: session.id, generation: 1 });
    await repository.insert(tx, {
      ...session,
      organizationId,
      announcedTo,
      refreshHash: first.hash,
      startedAt,
    });
    return { ...context, refreshToken: first.token };
  }

  async #continueUnderNewId(
    tx: Transaction,
    principal: Principal,
    { client, authenticatedAt, renewal, ...step }: Continuation,
  ): Promise<StartedSession> {
    const { repository, now, newId } = this.#dependencies;
    const { user, session: former } = principal;
    const at = now();
    const id = newId();
    const end = { sessionId: former.id, at, continuedBy: isWhole(renewal) ? null : id };
    const ended = await repository.supersede(tx, end);
    if (!ended) throw sessionEnded();
    const ending = { kind: 'session', userId: user.id, sessionId: former.id, at } as const;
    const issuedFrom = await recordRevocation(tx, ending);
    const bound = isWhole(renewal) ? bindTo(client, former.client) : former.client;
    // By the session's current factors: one may have been withdrawn since the request was read.
    const { amr: amrOf = () => ended.amr, acr = ended.acr } = step;
    const session: Session = { ...former, id, amr: amrOf(ended.amr), acr, client: bound, authenticatedAt };
    // If the user met no organization's requirements before, the new level may suffice.
    const entered = principal.organization ? undefined : await this.#placeOf(tx, acr, former.confinement);
    const place = entered ? { ...entered, asOf: at } : principal;
    const { organization, refusal, organizationRefused, isUnannounced, asOf } = place;
    const tokensFrom = issuedFrom ? latest(issuedFrom, place.tokensFrom) : place.tokensFrom;
    const entry = { organization, refusal, organizationRefused, isUnannounced };
    const context = { user, session, ...entry, asOf, tokensFrom };
    // The token is for the organization of the requesting tab; the session keeps its own.
    const organizationId = ended.organizationId ?? organization?.id ?? null;
    return this.#insert(tx, context, { organizationId, announcedTo: ended.announcedTo });
  }

  /** Where a session begins, or continues that met no organization's requirements. */
  #placeOf(tx: Transaction, acr: AuthenticationLevel, confinement: Confinement | null) {
    const { repository } = this.#dependencies;
    if (confinement === null) return repository.resume(tx, acr);
    return repository.enter(tx, { organizationId: confinement.organizationId, acr });
  }

  /** Ends the session that a sign-in is made from, if this one may take its place. @returns when its user authenticated */
  async #takePlaceOf(
    tx: Transaction,
    { userId, sessionId }: CarriedSession,
    { client, acr }: Authentication,
  ): Promise<Date | undefined> {
    const { repository, now } = this.#dependencies;
    if (userId !== tx.scope.userId) return undefined;
    // The user's row first, as everywhere.
    await repository.lockUser(tx);
    const at = now();
    const former = await repository.findUpTo(tx, { sessionId, at, acr });
    if (!former || boundDevice(former.client) !== boundDevice(client)) return undefined;
    const ended = await repository.supersede(tx, { sessionId, at, continuedBy: null });
    if (!ended) return undefined;
    await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    await repository.beginNextIn(tx, { userId, organizationId: ended.organizationId });
    // What a connection says of the user counts in its organization alone.
    return former.isConfined ? undefined : former.authenticatedAt;
  }
}

/** A session that continues none: no owners have heard of it. */
const startingIn = ({ organization }: Pick<SessionContext, 'organization'>): Place => ({
  organizationId: organization?.id ?? null,
  announcedTo: [],
});

const confinementIn = ({ organizationId, connectionId }: Confinement) => ({ organizationId, connectionId });

const latest = (one: Date, other: Date | null | undefined): Date => (other && other > one ? other : one);
