import { recordOwnAudit } from '../../audit/index.ts';
import { withoutSession } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import type { IssuedSession, OwnedSession, ReadRefreshToken, Sessions } from '../../sessions/index.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { CodeProof } from '../second-factors/second-factor.ts';
import type { Verification } from '../verification/verification.ts';

/** Proves that the user is at the other address: either suffices, with the refresh token on the same device. */
type RebindingProof = { readonly password: string } | { readonly code: CodeProof };

/** A session that continues at another address. */
interface RebindingClaim {
  readonly refreshToken: ReadRefreshToken;
  readonly proof: RebindingProof;
  readonly client: Client;
}

interface RebindingDependencies extends Pick<Ground, 'database'> {
  readonly passwords: Pick<Passwords, 'confirm'>;
  readonly verification: Pick<Verification, 'confirm'>;
  readonly sessions: Pick<Sessions, 'rebind' | 'refresh'>;
}

/** Moves sessions to another address. */
export class Rebinding {
  readonly #dependencies: RebindingDependencies;

  constructor(dependencies: RebindingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Continues a session at another address, under its id: a phone that changes networks is not a theft, and the device must
   * still be that of the session.
   *
   * @throws INVALID_REFRESH_TOKEN; INVALID_CREDENTIALS; INVALID_CODE; TWO_FACTOR_NOT_ENABLED
   */
  async rebind(claim: RebindingClaim): Promise<IssuedSession> {
    const { database, sessions } = this.#dependencies;
    const { refreshToken, client } = claim;
    const owned = await sessions.refresh.ownerOf({ refreshToken, client });
    await this.#prove(owned, claim);
    const { user, sessionId, confinedTo } = owned;
    const target = { type: 'session', id: sessionId };
    await withoutSession('refresh', database.within({ userId: user.id }), async (tx) => {
      await sessions.rebind(tx, { sessionId, client });
      await recordOwnAudit(tx, { action: 'session.rebound', target, client, confinedTo });
    });
    return sessions.refresh.renew({ refreshToken, client });
  }

  async #prove(
    { user, sessionId, confinedTo }: OwnedSession,
    { proof, client }: RebindingClaim,
  ): Promise<void> {
    const { passwords, verification } = this.#dependencies;
    if ('password' in proof) await passwords.confirm({ user, sessionId, password: proof.password, client });
    else await verification.confirm({ userId: user.id, confinedTo }, { proof: proof.code, client });
  }
}
