import type { GuardedCalls } from '@tenantry/service/guarded';
import type { SignIn } from '../../sign-in/index.ts';
import type { Conversation, Return, Visit } from '../conversation.ts';
import { flowProvider, type OpenIdConnection } from '../live-connection.ts';
import { judge } from './judge.ts';
import { authorizationUrl, exchange } from './openid-client.ts';

interface OpenIdDependencies {
  readonly guardedCalls: GuardedCalls;
  readonly signIn: Pick<SignIn, 'flows'>;
}

/** Speaks OpenID Connect. */
export class OpenIdConversation implements Conversation {
  readonly by = 'redirect';
  readonly #connection: OpenIdConnection;
  readonly #dependencies: OpenIdDependencies;

  constructor(connection: OpenIdConnection, dependencies: OpenIdDependencies) {
    this.#connection = connection;
    this.#dependencies = dependencies;
  }

  urlOf(visit: Visit): Promise<URL> {
    return authorizationUrl(this.#dependencies.guardedCalls, this.#connection, visit);
  }

  /** Claimed at once: a code is good for one exchange. */
  flowOf(parameters: Readonly<Record<string, string>>) {
    const { flows } = this.#dependencies.signIn;
    return flows.claim(flowProvider(this.#connection), parameters['state'] ?? '');
  }

  async personOf({ flow, parameters, domains }: Return) {
    const said = await exchange(this.#dependencies.guardedCalls, this.#connection, { ...flow, parameters });
    return judge({ kind: this.#connection.kind, ...said, domains });
  }
}
