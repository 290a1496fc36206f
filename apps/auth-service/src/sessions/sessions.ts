import type { Identity } from '@tenantry/jwt-verify';
import { sessionElsewhere } from '@tenantry/service-kit/browser';
import type { Transaction } from '../database.ts';
import { notLetIn, whereaboutsOf, type Background, type Client, type Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { createDeviceCookies, type DeviceCookies } from './devices/device-cookies.ts';
import { createSessionEndings, type SessionEndings } from './endings.ts';
import { createMisuses } from './misuse.ts';
import { PendingChanges } from './pending/pending-changes.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh/refresh-tokens.ts';
import { createRefresh, type OwnedSession, type RefreshClaim, type ShownClaim } from './refresh/refresh.ts';
import { Renewals, wholeRenewal, type Renewal, type ShownWithToken } from './renewals.ts';
import type { IssuedSession, ListedSession, Principal } from './session.ts';
import { sessionAddressChanged, sessionEnded } from './sessions.errors.ts';
import { createSessionsRepository, type NextPlace } from './sessions.repository.ts';
import { createSessionStarts, type SessionStarts } from './start.ts';

/** What sessions are built on. */
export interface SessionsDependencies extends Ground {
  readonly tokens: Pick<Tokens, 'accessTokens'>;
  readonly mail: Pick<Mail, 'enqueueMail' | 'mailedTokens'>;
}

/** Starting, using and ending sessions. */
export interface Sessions extends SessionStarts, SessionEndings {
  readonly refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly pending: PendingChanges;
  readonly deviceCookies: DeviceCookies;
  /** Exchanges a refresh token for the next one and a fresh access token. */
  refresh(claim: RefreshClaim): Promise<IssuedSession>;
  /** Which session a refresh token is of that is shown at another address. */
  ownerOf(claim: ShownClaim): Promise<OwnedSession>;
  /** Which session a refresh token is of, if it is alive and was given out for it. */
  holderOf(claim: ShownClaim): Promise<OwnedSession | undefined>;
  /** How far the caller's session is renewed. @throws INVALID_REFRESH_TOKEN, SESSION_ADDRESS_CHANGED */
  renewalOf(principal: Principal, shown: ShownWithToken): Promise<Renewal>;
  /** Within a transaction of the user: binds a session to the address of a client. */
  rebind(tx: Transaction, move: { readonly sessionId: string; readonly client: Client }): Promise<void>;
  /** Finds the live session behind a verified token. @throws UNAUTHENTICATED */
  resolve(identity: Identity, tokenOrganizationId: string | null): Promise<Principal>;
  /** Gives the caller another token for the organization of the present one, which a change has revoked. */
  reissue(principal: Principal, renewal: Renewal): Promise<IssuedSession>;
  /** Within a transaction that has locked the user: makes the caller's session outlive it. @throws UNAUTHENTICATED */
  requireAlive(tx: Transaction, principal: Principal): Promise<void>;
  /** Refuses a session whose cookie is used where it does not belong; on another device it ends. */
  requireHere(principal: Principal, client: Client): Promise<void>;
  /** Makes another organization of the user the active one. */
  switchOrganization(
    principal: Principal,
    wanted: { readonly organizationId: string; readonly renewal: Renewal },
  ): Promise<IssuedSession>;
  list(principal: Principal): Promise<ListedSession[]>;
  /** Within a transaction of the user: sessions that are active in one organization continue in another, or in none. */
  moveOn(tx: Transaction, move: { readonly from: string; readonly to: string | null }): Promise<void>;
  /** Says where the next session of a user begins. */
  beginNextIn(tx: Transaction, place: NextPlace): Promise<void>;
  readonly background: Background;
}

/** Puts everything together that sessions consist of. */
export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { config, database, secrets, tokenSecrets, tokens, now } = dependencies;
  const repository = createSessionsRepository({ idleHours: config.SESSION_IDLE_HOURS });
  const refreshTokens = createRefreshTokens(tokenSecrets);
  const pending = new PendingChanges(dependencies.mail.mailedTokens);
  const parts = { ...dependencies, repository, refreshTokens, pending };
  const misuses = createMisuses(parts);
  const refresh = createRefresh({ ...parts, misuses });
  const renewals = new Renewals(refreshTokens, refresh);

  return {
    ...createSessionStarts(parts),
    ...createSessionEndings(parts),
    background: { sweeps: { sessions: () => repository.sweep(database.unscoped) } },
    refreshTokens,
    pending,
    deviceCookies: createDeviceCookies(secrets),

    async refresh(claim) {
      return tokens.accessTokens.issue(await refresh.renew(claim), wholeRenewal);
    },
    renewalOf: (principal, shown) => renewals.of(principal, shown),

    ownerOf: (claim) => refresh.ownerOf(claim),
    holderOf: (claim) => refresh.holderOf(claim),
    rebind: (tx, { sessionId, client }) =>
      repository.rebind(tx, { sessionId, ipAddress: client.ipAddress, at: now() }),

    async resolve({ userId, sessionId, organizationId, expiresAt }, tokenOrganizationId) {
      const lookup = { sessionId, organizationId, at: now() };
      const context = await repository.findLive(database.within({ userId }), lookup);
      if (!context) throw sessionEnded();
      return { ...context, tokenExpiresAt: new Date(expiresAt * 1_000), tokenOrganizationId };
    },

    async reissue({ user, session, tokenOrganizationId }, renewal) {
      const lookup = { sessionId: session.id, organizationId: tokenOrganizationId, at: now() };
      const context = await repository.findLive(database.within({ userId: user.id }), lookup);
      if (!context) throw sessionEnded();
      return tokens.accessTokens.issue(context, renewal);
    },

    async requireAlive(tx, { session }) {
      if (!(await repository.lock(tx, { sessionId: session.id, at: now() }))) throw sessionEnded();
    },

    async requireHere({ user, session }, client) {
      const kind = whereaboutsOf(client, session.client, config.SESSION_BINDING);
      if (kind === 'here') return;
      const misuse = { user, session, client, at: now() };
      if (kind === 'other-address') {
        await misuses.record({ ...misuse, kind });
        throw sessionAddressChanged();
      }
      await misuses.end({ ...misuse, kind });
      throw sessionElsewhere();
    },

    async switchOrganization({ user, session }, { organizationId, renewal }) {
      const rows = database.within({ userId: user.id });
      const lookup = { sessionId: session.id, organizationId, at: now() };
      const context = await repository.activate(rows, lookup);
      if (context) return tokens.accessTokens.issue(context, renewal);
      throw notLetIn((await repository.findLive(rows, lookup)) ?? { twoFactorMissing: false });
    },

    list: ({ user }) => repository.listLive(database.within({ userId: user.id }), now()),
    moveOn: (tx, move) => repository.moveOn(tx, move),
    beginNextIn: (tx, place) => repository.beginNextIn(tx, place),
  };
}
