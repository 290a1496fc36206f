import { placeOf } from '@tenantry/service-kit';
import type { Rows } from '../../database.ts';
import { boundDevice, notLetIn, type Client, type Ground, type User } from '../../ground/index.ts';
import type { Misuses } from '../misuse.ts';
import type { StartedSession } from '../session.ts';
import { invalidRefreshToken, sessionAddressChanged } from '../sessions.errors.ts';
import { createRefreshRepository, type FamilyLookup, type RefreshFamily } from './refresh.repository.ts';
import type { ReadRefreshToken, RefreshTokens } from './refresh-tokens.ts';
import { judgeRefresh, wasGivenOut, type RefreshVerdict } from './refresh-verdict.ts';

/** What a client presents to have its session renewed. */
export interface RefreshClaim {
  readonly refreshToken: ReadRefreshToken;
  /** The organization that the access token is for; absent for the session's own. */
  readonly organizationId?: string | undefined;
  readonly client: Client;
}

/** What renewing depends on. */
export interface RefreshDependencies extends Pick<Ground, 'config' | 'database' | 'now'> {
  readonly refreshTokens: Pick<RefreshTokens, 'make' | 'remake'>;
  readonly misuses: Misuses;
}

/** Renewing sessions. */
export interface Refresh {
  /** Exchanges a refresh token for the next one, or refuses without saying why. */
  renew(claim: RefreshClaim): Promise<StartedSession>;
  /** Whose session it is, for a token that is good but for the address it is shown at; else refused as by `renew`. */
  ownerOf(claim: Pick<RefreshClaim, 'refreshToken' | 'client'>): Promise<User>;
  /** Whose session it is, wherever and however late the token is shown: enough to end it. Undefined once it has ended. */
  holderOf(claim: Pick<RefreshClaim, 'refreshToken' | 'client'>): Promise<User | undefined>;
}

/** A refresh token that was made here, who presents it, and the rows of its user. */
type Shown = ReadRefreshToken & FamilyLookup & { readonly client: Client; readonly rows: Rows };

const goesOn = (verdict: RefreshVerdict) => ['rotate', 'catch-up', 'repeat'].includes(verdict.kind);

/** How precisely a repeated answer counts as activity, in milliseconds. */
const activityMs = 60_000;
/** The second attempt finds what has changed since the first; more are not needed. */
const attemptsMax = 3;
/** A place that no address lies in: a client without an address takes the slow way. */
const nowhere = '::/128';

/** Makes the use case of renewing sessions. */
export function createRefresh(dependencies: RefreshDependencies): Refresh {
  const { config, database, refreshTokens, misuses, now } = dependencies;
  const repository = createRefreshRepository({ idleHours: config.SESSION_IDLE_HOURS });
  const binding = config.SESSION_BINDING;

  /** The common case in one statement. */
  async function rotate(shown: Shown): Promise<StartedSession | undefined> {
    const next = refreshTokens.make({ ...shown, generation: shown.generation + 1 });
    const { ipAddress } = shown.client;
    const bindsPlace = binding === 'ip+device' || binding === 'network+device';
    const context = await repository.rotate(shown.rows, {
      ...shown,
      nextHash: next.hash,
      device: binding === 'off' ? null : boundDevice(shown.client),
      place: bindsPlace ? placeOf(ipAddress, binding) || nowhere : null,
      ipAddress,
    });
    return context && { ...context, refreshToken: next.token };
  }

  /** Answers the successor that was given before once more. */
  async function repeat(shown: Shown, family: RefreshFamily, generation: number): Promise<StartedSession> {
    const id = { ...shown, generation };
    const stored = [family.hash, ...family.formerHashes][family.generation - generation];
    const token = stored === undefined ? refreshTokens.make(id).token : refreshTokens.remake(id, stored);
    if (token === undefined) throw invalidRefreshToken();
    if (shown.at.getTime() - family.lastActiveAt.getTime() > activityMs)
      await repository.touch(shown.rows, shown);
    return { ...family.context, refreshToken: token };
  }

  async function refuse(shown: Shown, verdict: RefreshVerdict, family: RefreshFamily): Promise<never> {
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

  async function attempt(shown: Shown, attemptsLeft: number): Promise<StartedSession> {
    const rotated = await rotate(shown);
    if (rotated) return rotated;

    const family = await repository.find(shown.rows, shown);
    if (!family) throw invalidRefreshToken();
    const verdict = judgeRefresh(family, shown, binding);
    if (!goesOn(verdict)) return refuse(shown, verdict, family);
    if (shown.organizationId !== null && !family.context.organization) throw notLetIn(family.context);
    if (verdict.kind === 'repeat') return repeat(shown, family, verdict.generation);
    if (verdict.kind === 'catch-up') await repository.catchUp(shown.rows, shown);
    // It could be rotated now, and could not a moment ago.
    if (attemptsLeft === 0) throw invalidRefreshToken();
    return attempt(shown, attemptsLeft - 1);
  }

  function shownBy({ refreshToken, organizationId, client }: RefreshClaim): Shown {
    const rows = database.within({ userId: refreshToken.userId });
    return { ...refreshToken, organizationId: organizationId ?? null, client, rows, at: now() };
  }

  return {
    renew: (claim) => attempt(shownBy(claim), attemptsMax - 1),

    async ownerOf(claim) {
      const shown = shownBy(claim);
      const family = await repository.find(shown.rows, shown);
      if (!family) throw invalidRefreshToken();
      const verdict = judgeRefresh(family, shown, binding);
      if (verdict.kind !== 'other-address' && !goesOn(verdict)) return refuse(shown, verdict, family);
      return family.context.user;
    },

    async holderOf(claim) {
      const shown = shownBy(claim);
      const family = await repository.find(shown.rows, shown);
      if (!family || !wasGivenOut(family, shown)) return undefined;
      return family.context.user;
    },
  };
}
