import type { Identity } from '@tenantry/jwt-verify';
import { sessionElsewhere } from '@tenantry/service-kit';
import type { Transaction } from '../database.ts';
import {
  notLetIn,
  whereaboutsOf,
  type Background,
  type Client,
  type Ground,
  type User,
} from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { createDeviceCookies, type DeviceCookies } from './devices/device-cookies.ts';
import { createSessionEndings, type SessionEndings } from './endings.ts';
import { createMisuses } from './misuse.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh/refresh-tokens.ts';
import { createRefresh, type RefreshClaim } from './refresh/refresh.ts';
import type { IssuedSession, ListedSession, Principal } from './session.ts';
import { sessionAddressChanged, sessionEnded } from './sessions.errors.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { createSessionStarts, type SessionStarts } from './start.ts';

/** What sessions are built on. */
export interface SessionsDependencies extends Ground {
  readonly tokens: Pick<Tokens, 'issue'>;
  readonly mail: Pick<Mail, 'enqueueMail'>;
}

/** Starting, using and ending sessions. */
export interface Sessions extends SessionStarts, SessionEndings {
  readonly refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly deviceCookies: DeviceCookies;
  /** Exchanges a refresh token for the next one and a fresh access token. */
  refresh(claim: RefreshClaim): Promise<IssuedSession>;
  /** Whose session a refresh token is of that is shown at another address. */
  ownerOf(claim: Pick<RefreshClaim, 'refreshToken' | 'client'>): Promise<User>;
  /** Whose session a refresh token is of, if it is alive and was given out for it. */
  holderOf(claim: Pick<RefreshClaim, 'refreshToken' | 'client'>): Promise<User | undefined>;
  /** Within a transaction of the user: binds a session to the address of a client. */
  rebind(tx: Transaction, move: { readonly sessionId: string; readonly client: Client }): Promise<void>;
  /** Finds the live session behind a verified token. @throws UNAUTHENTICATED */
  resolve(identity: Identity, tokenOrganizationId: string | null): Promise<Principal>;
  /** Gives the caller another token for the organization of the present one, which a change has revoked. */
  reissue(principal: Principal): Promise<IssuedSession>;
  /** Refuses a session whose cookie is used where it does not belong; on another device it ends. */
  requireHere(principal: Principal, client: Client): Promise<void>;
  /** Makes another organization of the user the active one. */
  switchOrganization(principal: Principal, organizationId: string): Promise<IssuedSession>;
  list(principal: Principal): Promise<ListedSession[]>;
  /** Within a transaction of the user, who no longer has these factors: no session of theirs has them either. */
  withdrawFactors(tx: Transaction, factors: readonly string[]): Promise<void>;
  /** Within a transaction of the user: sessions that are active in one organization continue in another, or in none. */
  moveOn(tx: Transaction, move: { readonly from: string; readonly to: string | null }): Promise<void>;
  readonly background: Background;
}

/** Puts everything together that sessions consist of. */
export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { config, database, secrets, tokenSecrets, tokens, now } = dependencies;
  const repository = createSessionsRepository({ idleHours: config.SESSION_IDLE_HOURS });
  const refreshTokens = createRefreshTokens(tokenSecrets);
  const parts = { ...dependencies, repository, refreshTokens };
  const misuses = createMisuses(parts);
  const refresh = createRefresh({ ...parts, misuses });

  return {
    ...createSessionStarts(parts),
    ...createSessionEndings(parts),
    background: { sweeps: { sessions: () => repository.sweep(database.unscoped) } },
    refreshTokens,
    deviceCookies: createDeviceCookies(secrets),

    async refresh(claim) {
      return tokens.issue(await refresh.renew(claim));
    },

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

    async reissue({ user, session, tokenOrganizationId }) {
      const lookup = { sessionId: session.id, organizationId: tokenOrganizationId, at: now() };
      const context = await repository.findLive(database.within({ userId: user.id }), lookup);
      if (!context) throw sessionEnded();
      return tokens.issue(context);
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

    async switchOrganization({ user, session }, organizationId) {
      const rows = database.within({ userId: user.id });
      const lookup = { sessionId: session.id, organizationId, at: now() };
      const context = await repository.activate(rows, lookup);
      if (context) return tokens.issue(context);
      throw notLetIn((await repository.findLive(rows, lookup)) ?? { twoFactorMissing: false });
    },

    list: ({ user }) => repository.listLive(database.within({ userId: user.id }), now()),
    withdrawFactors: (tx, factors) => repository.withdrawFactors(tx, factors),
    moveOn: (tx, move) => repository.moveOn(tx, move),
  };
}
