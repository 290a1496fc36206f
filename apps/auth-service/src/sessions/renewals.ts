import type { Client } from '../ground/index.ts';
import type { ReadRefreshToken, RefreshTokens } from './refresh/refresh-tokens.ts';
import type { Refresh } from './refresh/refresh.ts';
import { wholeRenewal, type Renewal } from './renewal.ts';
import type { Principal } from './session.ts';
import { invalidRefreshToken } from './sessions.errors.ts';

/** The refresh tokens of a request. */
export interface ShownWithToken {
  /** The refresh token in the body. */
  readonly refreshToken: string | undefined;
  /** The one in the cookie. */
  readonly refreshCookie: string | undefined;
  readonly client: Client;
}

/** Decides how far sessions are renewed: the only place where a token is exchanged for another. */
export class Renewals {
  readonly #refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly #refresh: Pick<Refresh, 'sessionOf'>;

  constructor(refreshTokens: Pick<RefreshTokens, 'read'>, refresh: Pick<Refresh, 'sessionOf'>) {
    this.#refreshTokens = refreshTokens;
    this.#refresh = refresh;
  }

  /** @throws INVALID_REFRESH_TOKEN, SESSION_ADDRESS_CHANGED for a refresh token that would not renew this session here. */
  async of(principal: Principal, shown: ShownWithToken): Promise<Renewal> {
    const { refreshToken, refreshCookie, client } = shown;
    const isOwn = await this.#belongs(principal, this.#read(refreshToken ?? refreshCookie), client);
    if (isOwn) return wholeRenewal;
    // A cookie is sent automatically, and may belong to another session.
    if (refreshToken !== undefined) throw invalidRefreshToken();
    return { tokensUntil: principal.tokenExpiresAt };
  }

  #read(token: string | undefined): ReadRefreshToken | undefined {
    return token === undefined ? undefined : this.#refreshTokens.read(token);
  }

  async #belongs({ user, session }: Principal, refreshToken: ReadRefreshToken | undefined, client: Client) {
    if (refreshToken?.userId !== user.id) return false;
    const owned = await this.#refresh.sessionOf({ refreshToken, client });
    return owned.sessionId === session.id;
  }
}
