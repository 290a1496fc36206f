import type { Ground } from '../ground/index.ts';
import { onceValid, type AccessToken, type Tokens } from '../tokens/index.ts';
import type { OwnerEntries } from './owner-entries.ts';
import type { Renewal } from './renewal.ts';
import type { SessionContext } from './session.ts';
import type { SessionsRepository } from './sessions.repository.ts';

interface SessionTokensDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly repository: Pick<SessionsRepository, 'findLive'>;
  readonly tokens: Pick<Tokens, 'accessTokens'>;
  readonly ownerEntries: OwnerEntries;
}

/** Issues the access tokens of sessions. */
export class SessionTokens {
  readonly #dependencies: SessionTokensDependencies;

  constructor(dependencies: SessionTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** Outside of any transaction: just after a revocation it takes up to two seconds, as {@link onceValid} says. */
  async issue<Context extends SessionContext>(
    context: Context,
    renewal: Renewal,
  ): Promise<Context & AccessToken> {
    const { database, repository, tokens, ownerEntries, now } = this.#dependencies;
    const { user, session, organization, organizationRefused: refused } = context;
    const rows = database.within({ userId: user.id });
    const valid = await onceValid(context, async () => {
      const lookup = { sessionId: session.id, organizationId: organization?.id ?? null, at: now() };
      const live = await repository.findLive(rows, lookup);
      return live && { ...context, ...live, organizationRefused: live.organizationRefused ?? refused };
    });
    await ownerEntries.announce(valid);
    return tokens.accessTokens.issue(valid, renewal);
  }
}
