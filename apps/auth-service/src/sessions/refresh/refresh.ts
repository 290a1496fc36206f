import { placeOf, sessionCookies } from '@tenantry/service/browser';
import type { Rows } from '../../database.ts';
import { boundDevice, notLetIn, type Client, type Ground, type User } from '../../ground/index.ts';
import type { Misuses } from '../misuse.ts';
import { wholeRenewal, type Renewal } from '../renewal.ts';
import type { IssuedSession, Principal, SessionLookup, StartedSession } from '../session.ts';
import type { SessionTokens } from '../session-tokens.ts';
import { invalidRefreshToken, sessionAddressChanged } from '../sessions.errors.ts';
import type { CarriedSession } from '../start.ts';
import type { RefreshFamily, RefreshRepository } from './refresh.repository.ts';
import type { ReadRefreshToken, RefreshTokens } from './refresh-tokens.ts';
import { judgeRefresh, wasGivenOut, type RefreshState, type RefreshVerdict } from './refresh-verdict.ts';

/** A request to renew a session. */
interface RefreshClaim {
  readonly refreshToken: ReadRefreshToken;
  /** The organization that the access token is for; absent for the session's own. */
  readonly organizationId?: string | undefined;
  readonly client: Client;
}

interface RefreshDependencies extends Pick<Ground, 'config' | 'database' | 'now'> {
  readonly repository: RefreshRepository;
  readonly refreshTokens: RefreshTokens;
  readonly misuses: Misuses;
  readonly sessionTokens: Pick<SessionTokens, 'issue'>;
}

/** A presented refresh token. */
type ShownClaim = Pick<RefreshClaim, 'refreshToken' | 'client'>;

/** A request with an access token, and perhaps with a refresh token in a cookie. */
interface SignedInRequest {
  readonly principal: Principal;
  readonly client: Client;
  readonly cookies: Parameters<typeof sessionCookies>[0];
}

/** A live session and its user. */
export interface OwnedSession {
  readonly user: User;
  readonly sessionId: string;
  /** The organization that it is confined to. */
  readonly confinedTo: string | null;
}

/** A refresh token that was created here, the client that presents it, and the rows of its user. */
type Shown = ReadRefreshToken & SessionLookup & { readonly client: Client; readonly rows: Rows };

/** A token with the live family that it belongs to, and the decision. */
interface Judged {
  readonly shown: Shown;
  readonly family: RefreshFamily;
  readonly verdict: RefreshVerdict;
}

const isAccepted = (verdict: RefreshVerdict) => ['rotate', 'catch-up', 'repeat'].includes(verdict.kind);

/** The precision of activity for a repeated response, in milliseconds. */
const activityMs = 60_000;
/** The second attempt sees what has changed since the first; more are not needed. */
const attemptsMax = 3;

/** Renews sessions. */
export class Refresh {
  readonly #dependencies: RefreshDependencies;

  constructor(dependencies: RefreshDependencies) {
    this.#dependencies = dependencies;
  }

  /** Exchanges a refresh token for the next one and a fresh access token, or refuses without saying why. */
  async renew(claim: RefreshClaim): Promise<IssuedSession> {
    const renewed = await this.#attempt(this.#shownBy(claim), attemptsMax - 1);
    return this.#dependencies.sessionTokens.issue(renewed, wholeRenewal);
  }

  /**
   * How far a signed-in request may renew its session: the only place where a token is exchanged for another. The refresh token
   * is not used.
   *
   * @param given the refresh token in its body
   * @throws INVALID_REFRESH_TOKEN, SESSION_ADDRESS_CHANGED for a refresh token that would not renew this session here.
   */
  async renewalFor({ principal, client, cookies }: SignedInRequest, given?: string): Promise<Renewal> {
    const { user, session, tokenExpiresAt } = principal;
    const refreshToken = this.#dependencies.refreshTokens.read(given ?? sessionCookies(cookies).refresh);
    if (refreshToken?.userId === user.id) {
      const { sessionId } = await this.#ownerBy({ refreshToken, client }, isAccepted);
      if (sessionId === session.id) return wholeRenewal;
    }
    // A cookie is sent automatically, and may belong to another session.
    if (given !== undefined) throw invalidRefreshToken();
    return { tokensUntil: tokenExpiresAt };
  }

  /** The session that `renew` would renew, if the client had the right address; the token is not used. */
  ownerOf(claim: ShownClaim): Promise<OwnedSession> {
    return this.#ownerBy(claim, (verdict) => verdict.kind === 'other-address' || isAccepted(verdict));
  }

  /** The session of a token, from any client and at any time: enough to end it. Undefined once it has ended. */
  async holderOf(claim: ShownClaim): Promise<CarriedSession | undefined> {
    const judged = await this.#judge(this.#shownBy(claim));
    if (!judged || !wasGivenOut(judged.family, judged.shown)) return undefined;
    const { user, session } = judged.family.context;
    return { userId: user.id, sessionId: session.id };
  }

  async #ownerBy(claim: ShownClaim, isGood: (verdict: RefreshVerdict) => boolean): Promise<OwnedSession> {
    const judged = await this.#judge(this.#shownBy(claim));
    if (!judged) throw invalidRefreshToken();
    if (!isGood(judged.verdict)) return this.#refuse(judged);
    const { user, session } = judged.family.context;
    return { user, sessionId: session.id, confinedTo: session.confinement?.organizationId ?? null };
  }

  /** The common case in one statement. */
  async #rotate(shown: Shown): Promise<StartedSession | undefined> {
    const { config, repository, refreshTokens } = this.#dependencies;
    const { SESSION_BINDING: binding } = config;
    const next = refreshTokens.make({ ...shown, generation: shown.generation + 1 });
    const { ipAddress } = shown.client;
    const context = await repository.rotate(shown.rows, {
      ...shown,
      nextHash: next.hash,
      device: binding === 'off' ? null : boundDevice(shown.client),
      bindsPlace: binding === 'ip+device' || binding === 'network+device',
      place: placeOf(ipAddress, binding) || null,
      ipAddress,
    });
    return context && { ...context, refreshToken: next.token };
  }

  /** Sends the same successor once more. */
  async #repeat(shown: Shown, family: RefreshFamily, generation: number): Promise<StartedSession> {
    const { repository, refreshTokens } = this.#dependencies;
    const id = { ...shown, generation };
    const stored = [family.hash, ...family.formerHashes][family.generation - generation];
    const token = stored === undefined ? refreshTokens.make(id).token : refreshTokens.remake(id, stored);
    if (token === undefined) throw invalidRefreshToken();
    const idleMs = shown.at.getTime() - family.lastActiveAt.getTime();
    if (idleMs > activityMs) await repository.touch(shown.rows, shown);
    return { ...family.context, refreshToken: token };
  }

  async #refuse({ shown, verdict, family }: Judged): Promise<never> {
    const { misuses } = this.#dependencies;
    const misuse = { client: shown.client, at: shown.at };
    const { user, session } = family.context;
    if (verdict.kind === 'other-address' || verdict.kind === 'forged') {
      await misuses.record({ kind: verdict.kind, user, session, ...misuse });
    }
    if (verdict.kind === 'reused' || verdict.kind === 'other-device') {
      await misuses.end({ kind: verdict.kind, user, session, ...misuse });
    }
    throw verdict.kind === 'other-address' ? sessionAddressChanged() : invalidRefreshToken();
  }

  async #judge(shown: Shown): Promise<Judged | undefined> {
    const family = await this.#dependencies.repository.find(shown.rows, shown);
    return family ? { shown, family, verdict: this.#verdictOn(family, shown) } : this.#judgeContinued(shown);
  }

  /** The last token of a session precedes the first one of the session that continues it. */
  async #judgeContinued(former: Shown): Promise<Judged | undefined> {
    const { repository } = this.#dependencies;
    const continued = await repository.findContinued(former.rows, former);
    if (!continued) return undefined;
    const isOfCurrentSecret = wasGivenOut(continued, former);
    const shown = { ...former, sessionId: continued.continuedBy, generation: 0, isOfCurrentSecret };
    const family = await repository.find(shown.rows, shown);
    if (!family) return undefined;
    // The live session determines where it may be used.
    const verdict = this.#verdictOn({ ...continued, bound: family.bound }, former);
    return { shown, family, verdict: isAccepted(verdict) ? this.#verdictOn(family, shown) : verdict };
  }

  #verdictOn(state: RefreshState, shown: Shown): RefreshVerdict {
    return judgeRefresh(state, shown, this.#dependencies.config.SESSION_BINDING);
  }

  async #attempt(claimed: Shown, attemptsLeft: number): Promise<StartedSession> {
    const rotated = await this.#rotate(claimed);
    if (rotated) return rotated;

    const judged = await this.#judge(claimed);
    if (!judged) throw invalidRefreshToken();
    const { shown, family, verdict } = judged;
    if (!isAccepted(verdict)) return this.#refuse(judged);
    if (shown.organizationId !== null && !family.context.organization) throw notLetIn(family.context);
    if (verdict.kind === 'repeat') return this.#repeat(shown, family, verdict.generation);
    if (verdict.kind === 'catch-up') await this.#dependencies.repository.catchUp(shown.rows, shown);
    // It can be rotated now, but could not a moment ago.
    if (attemptsLeft === 0) throw invalidRefreshToken();
    return this.#attempt(shown, attemptsLeft - 1);
  }

  #shownBy({ refreshToken, organizationId, client }: RefreshClaim): Shown {
    const { database, now } = this.#dependencies;
    const rows = database.within({ userId: refreshToken.userId });
    return { ...refreshToken, organizationId: organizationId ?? null, client, rows, at: now() };
  }
}
