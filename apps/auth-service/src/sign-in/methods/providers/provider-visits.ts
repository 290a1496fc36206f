import type { Origins } from '@tenantry/service/browser';
import { addressKeyOf, countRefused, type Client, type Ground } from '../../../ground/index.ts';
import { admitProfile } from './admit-profile.ts';
import type { FlowRequest, Flows } from '../../flows/flows.ts';
import { ProviderFailure, type Provider } from '../../flows/provider.ts';
import { codeChallengeMissing, unknownState } from '../../flows/flows.errors.ts';
import { providerNotFound, providerUnavailable } from './providers.errors.ts';
import { allowedRedirect, returnTo } from '../../flows/redirects.ts';

interface ProviderVisitsDependencies extends Pick<Ground, 'config' | 'limits' | 'logger' | 'now'> {
  readonly origins: Origins;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly flows: Flows;
}

/** A request to send a browser to a provider. */
interface VisitRequest extends FlowRequest {
  /** Whether its cookie will identify it again. */
  readonly isBrowser: boolean;
  /** Whether it confirms a live session, for which the user must authenticate now. */
  readonly isStepUp: boolean;
}

/** Where to send the browser. */
export interface Visit {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The response of a provider, brought by a browser. */
interface Return {
  readonly provider: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly client: Pick<Client, 'ipAddress'>;
}

/** The maximum age of the authentication there: for a sensitive operation, and for a sign-in. */
const maxAgeSeconds = { stepUp: 300, signIn: 7 * 24 * 60 * 60 } as const;

/** Sends browsers to providers, and handles their return. It starts no session, but issues a ticket that does. */
export class ProviderVisits {
  readonly #dependencies: ProviderVisitsDependencies;

  constructor(dependencies: ProviderVisitsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NOT_FOUND; VALIDATION_ERROR; UPSTREAM_UNAVAILABLE; RATE_LIMITED */
  async begin(request: VisitRequest): Promise<Visit> {
    const { config, limits, origins, providers, flows } = this.#dependencies;
    const { isBrowser, isStepUp, ...asked } = request;
    const provider = providers.get(asked.provider);
    if (!provider) throw providerNotFound();
    const redirectTo = allowedRedirect(asked.redirectTo, { origins, uris: config.REDIRECT_URIS });
    if (!isBrowser && asked.codeChallenge === undefined) throw codeChallengeMissing();
    await limits.providerSignIns.consume(addressKeyOf(asked.client));
    const { expiresAt, ...secrets } = await flows.begin({ ...asked, redirectTo });
    const age = isStepUp ? maxAgeSeconds.stepUp : maxAgeSeconds.signIn;
    try {
      const url = await provider.authorizationUrl({ ...secrets, maxAgeSeconds: age });
      return { url: url.href, expiresAt };
    } catch (error) {
      this.#log(asked.provider, error);
      await flows.remove(secrets);
      throw providerUnavailable();
    }
  }

  /**
   * Handles a response of a provider, once.
   *
   * @returns where the browser continues: with a ticket, or with the code of an error
   * @throws INVALID_STATE; RATE_LIMITED
   */
  async finish({ provider: id, parameters, client }: Return): Promise<string> {
    const { limits, providers, flows, now } = this.#dependencies;
    const charge = { limiter: limits.callbacks, key: addressKeyOf(client) };
    const { provider, flow } = await countRefused(charge, async () => {
      const found = providers.get(id);
      const claimed = found && (await flows.claim(id, parameters['state'] ?? ''));
      if (!found || !claimed) throw unknownState();
      return { provider: found, flow: claimed };
    });
    try {
      const profile = admitProfile(await provider.profileOf({ ...flow, parameters }), now());
      const ticket = await flows.finish(flow, profile);
      if (ticket === undefined) throw unknownState();
      return returnTo(flow.redirectTo, { ticket });
    } catch (error) {
      const failure = this.#log(id, error);
      await flows.remove(flow);
      return returnTo(flow.redirectTo, { error: failure.code });
    }
  }

  /** Only the problem: a provider's response may contain codes and tokens. */
  #log(provider: string, error: unknown): ProviderFailure {
    if (!(error instanceof ProviderFailure)) throw error;
    const { code, problem } = error;
    this.#dependencies.logger.warn({ provider, code, problem }, 'a sign-in at a provider failed');
    return error;
  }
}
