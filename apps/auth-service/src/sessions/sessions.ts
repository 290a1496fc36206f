import type { Identity } from '@tenantry/jwt-verify';
import { sessionElsewhere } from '@tenantry/service/browser';
import type { Transaction } from '../database.ts';
import { notLetIn, whereaboutsOf, type Background, type Client, type Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { Callers } from './callers.ts';
import { CallersRepository } from './callers.repository.ts';
import { DeviceCookies } from './devices/device-cookies.ts';
import { SessionEndings } from './endings.ts';
import { Misuses } from './misuse.ts';
import { OwnerEntries } from './owner-entries.ts';
import { PendingChanges } from './pending/pending-changes.ts';
import { RefreshRepository } from './refresh/refresh.repository.ts';
import { RefreshTokens } from './refresh/refresh-tokens.ts';
import { Refresh } from './refresh/refresh.ts';
import type { Renewal } from './renewal.ts';
import { idleSince } from './session-context.repository.ts';
import type { IssuedSession, Principal } from './session.ts';
import { SessionTokens } from './session-tokens.ts';
import type { StepUpRequirement } from './sensitive.ts';
import { sessionAddressChanged, sessionEnded } from './sessions.errors.ts';
import {
  SessionsRepository,
  sweepEndedSessions,
  sweepSessions,
  type ListedSession,
  type NextPlace,
} from './sessions.repository.ts';
import { SessionStarts } from './start.ts';

interface SessionsDependencies extends Ground {
  readonly tokens: Pick<Tokens, 'accessTokens'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox' | 'mailedTokens'>;
}

/** Uses of sessions; the files next to it start, renew and end them. */
export class Sessions {
  readonly callers: Callers;
  readonly starts: SessionStarts;
  readonly endings: SessionEndings;
  readonly refresh: Refresh;
  readonly tokens: SessionTokens;
  readonly refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly pending: PendingChanges;
  readonly deviceCookies: DeviceCookies;
  readonly background: Background;
  readonly #dependencies: SessionsDependencies;
  readonly #repository: SessionsRepository;
  readonly #misuses: Misuses;
  readonly #ownerEntries: OwnerEntries;

  constructor(dependencies: SessionsDependencies) {
    const { config, database, secrets, tokenSecrets, mail } = dependencies;
    const activeSince = idleSince(config.SESSION_IDLE_HOURS);
    const repository = new SessionsRepository(activeSince);
    const refreshTokens = new RefreshTokens(tokenSecrets);
    const pending = new PendingChanges(mail);
    const callers = new Callers({ ...dependencies, repository: new CallersRepository(activeSince) });
    const parts = { ...dependencies, repository, refreshTokens, pending, callers };
    this.callers = callers;
    this.starts = new SessionStarts(parts);
    this.endings = new SessionEndings(parts);
    this.refreshTokens = refreshTokens;
    this.pending = pending;
    this.deviceCookies = new DeviceCookies(secrets);
    this.background = {
      sweeps: {
        sessions: () => sweepSessions(database.unscoped),
        endedSessions: () => sweepEndedSessions(database.unscoped),
      },
    };
    this.#dependencies = dependencies;
    this.#repository = repository;
    this.#misuses = new Misuses(parts);
    this.#ownerEntries = new OwnerEntries(parts);
    this.tokens = new SessionTokens({ ...parts, ownerEntries: this.#ownerEntries });
    const refreshed = { repository: new RefreshRepository(activeSince), misuses: this.#misuses };
    this.refresh = new Refresh({ ...parts, ...refreshed, sessionTokens: this.tokens });
  }

  /** Within a transaction of the user: binds a session to the address of a client. */
  rebind(tx: Transaction, move: { readonly sessionId: string; readonly client: Client }): Promise<void> {
    const { sessionId, client } = move;
    const { ipAddress } = client;
    return this.#repository.rebind(tx, { sessionId, ipAddress, at: this.#dependencies.now() });
  }

  /** Finds the live session behind a verified token. @throws UNAUTHENTICATED */
  async resolve(identity: Identity, tokenOrganizationId: string | null): Promise<Principal> {
    const { userId, sessionId, organizationId, expiresAt } = identity;
    const { database, now } = this.#dependencies;
    const lookup = { sessionId, organizationId, at: now() };
    const context = await this.#repository.findLive(database.within({ userId }), lookup);
    if (!context) throw sessionEnded();
    // The path may name an organization that the session has no token for.
    await this.#ownerEntries.announce(context);
    return { ...context, tokenExpiresAt: new Date(expiresAt * 1_000), tokenOrganizationId };
  }

  /** Issues the caller another token for the same organization, after a change has revoked the current one. */
  async reissue({ user, session, tokenOrganizationId }: Principal, renewal: Renewal): Promise<IssuedSession> {
    const { database, now } = this.#dependencies;
    const lookup = { sessionId: session.id, organizationId: tokenOrganizationId, at: now() };
    const context = await this.#repository.findLive(database.within({ userId: user.id }), lookup);
    if (!context) throw sessionEnded();
    return this.tokens.issue(context, renewal);
  }

  /** Refuses a session whose cookie is used where it does not belong; on another device it ends. */
  async requireHere({ user, session }: Principal, client: Client): Promise<void> {
    const { config, now } = this.#dependencies;
    const kind = whereaboutsOf(client, session.client, config.SESSION_BINDING);
    if (kind === 'here') return;
    const misuse = { user, session, client, at: now() };
    if (kind === 'other-address') {
      await this.#misuses.record({ ...misuse, kind });
      throw sessionAddressChanged();
    }
    await this.#misuses.end({ ...misuse, kind });
    throw sessionElsewhere();
  }

  /** Makes another organization of the user the active one. */
  async switchOrganization(
    { user, session }: Principal,
    { organizationId, renewal }: { readonly organizationId: string; readonly renewal: Renewal },
  ): Promise<IssuedSession> {
    const { database, now } = this.#dependencies;
    const rows = database.within({ userId: user.id });
    const lookup = { sessionId: session.id, organizationId, at: now() };
    const context = await this.#repository.activate(rows, lookup);
    if (context) return this.tokens.issue(context, renewal);
    const live = await this.#repository.findLive(rows, lookup);
    if (!live) throw sessionEnded();
    throw notLetIn(live);
  }

  list({ user }: Principal): Promise<ListedSession[]> {
    const { database, now } = this.#dependencies;
    return this.#repository.listLive(database.within({ userId: user.id }), now());
  }

  /** Within a transaction of the user: the devices, as far as they have names, whose sessions go on. */
  async devices(tx: Transaction): Promise<string[]> {
    const live = await this.#repository.listLive(tx, this.#dependencies.now());
    // No connection makes a device known.
    return live.flatMap(({ deviceId, confinedTo }) =>
      deviceId === null || confinedTo !== null ? [] : [deviceId],
    );
  }

  /**
   * Within a transaction of the user, who no longer belongs to an organization: moves sessions that are active there to another, or to
   * none, and ends those that are confined to it.
   */
  async moveOn(tx: Transaction, move: { readonly from: string; readonly to: string | null }): Promise<void> {
    await this.#repository.moveOn(tx, move);
    await this.endConfined(tx, move.from);
  }

  /**
   * Within a transaction of the user: ends the sessions that are confined to an organization, and sign-ins to it that are under way.
   * Their tokens end with the revocation of the membership.
   */
  async endConfined(tx: Transaction, organizationId: string): Promise<void> {
    await this.#repository.endConfined(tx, { organizationId, at: this.#dependencies.now() });
  }

  /** Sets the organization of a user's next session. */
  beginNextIn(tx: Transaction, place: NextPlace): Promise<void> {
    return this.#repository.beginNextIn(tx, place);
  }
}

/** What the routes of the wing are given. */
export interface SessionsRoutesOptions extends Pick<Ground, 'limits' | 'origins'> {
  readonly sessions: Sessions;
  readonly tokens: Pick<Tokens, 'accessTokens' | 'csrfTokens'>;
  readonly stepUp: StepUpRequirement;
}
