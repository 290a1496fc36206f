import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import OpenIdProvider, { type InteractionResults } from 'oidc-provider';
import { listenUntil } from './loopback-server.ts';
import type { Person } from './stand-in-provider.ts';

/** What somebody does at a provider that shows a page. */
export interface Visitor {
  readonly accountId: string;
  /** How long ago the password was typed, where the provider requires one. */
  readonly secondsSinceLogin?: number;
  /** Turns back. */
  readonly refuses?: boolean;
  /** How the provider says that they authenticated. */
  readonly amr?: readonly string[];
}

/** How one is started. */
export interface RealProviderOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** An OpenID provider that is certified as one, on this machine. Its pages are answered by a {@link Visitor}. */
export class RealProvider {
  readonly issuer: string;
  readonly accounts = new Map<string, Person>();
  /** The pages that were shown: `login` and `consent`. */
  readonly shown: string[] = [];
  visitor: Visitor | undefined;
  #serving: OpenIdProvider | undefined;

  private constructor(issuer: string) {
    this.issuer = issuer;
  }

  /** Serves a client, in place of an earlier one. */
  serve(options: RealProviderOptions): void {
    this.#serving = new OpenIdProvider(this.issuer, {
      clients: [
        {
          client_id: options.clientId,
          client_secret: options.clientSecret,
          redirect_uris: [options.redirectUri],
        },
      ],
      jwks: { keys: [rs256Key()] },
      cookies: { keys: [randomBytes(32).toString('hex')] },
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_context, accountId) => {
        const claims = this.accounts.get(accountId);
        return claims && { accountId, claims: () => ({ sub: accountId, ...claims }) };
      },
    });
  }

  /** Listens until the file's tests end. */
  static async start(options: RealProviderOptions, until: (end: () => void) => void): Promise<RealProvider> {
    const real = await RealProvider.listen(until);
    real.serve(options);
    return real;
  }

  /** As {@link RealProvider.start}, for a client that is not known yet. */
  static async listen(until: (end: () => void) => void): Promise<RealProvider> {
    const { server, address } = await listenUntil(until);
    const real = new RealProvider(address);
    server.on('request', (request, response) => {
      const isPage = request.url?.startsWith('/interaction/') === true;
      void (isPage ? real.#interact(request, response) : real.#provider.callback()(request, response));
    });
    return real;
  }

  get #provider(): OpenIdProvider {
    if (!this.#serving) throw new Error('it serves no client yet');
    return this.#serving;
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await this.#provider.interactionDetails(request, response);
    this.shown.push(prompt.name);
    const result = await this.#answerTo(prompt.name, String(params['scope']), {
      accountId: session?.accountId,
      clientId: String(params['client_id']),
    });
    await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  async #answerTo(
    prompt: string,
    scope: string,
    { accountId, clientId }: { readonly accountId: string | undefined; readonly clientId: string },
  ): Promise<InteractionResults> {
    if (!this.visitor) throw new Error('no visitor');
    const { refuses = false, secondsSinceLogin = 0, amr, ...visitor } = this.visitor;
    if (refuses) return { error: 'access_denied', error_description: 'canary-description' };
    if (prompt === 'login') {
      const ts = Math.floor(Date.now() / 1_000) - secondsSinceLogin;
      return { login: { accountId: visitor.accountId, ts, ...(amr ? { amr: [...amr] } : {}) } };
    }
    if (accountId === undefined) throw new Error('consent comes after login');
    const grant = new this.#provider.Grant({ accountId, clientId });
    grant.addOIDCScope(scope);
    return { consent: { grantId: await grant.save() } };
  }
}

function rs256Key() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' };
}

/** A browser at a provider, which stays signed in there by its cookies. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects until they lead away. @returns what they lead away with */
  async visit(url: string): Promise<Record<string, string>> {
    const { origin } = new URL(url);
    let next = new URL(url);
    for (let hops = 0; next.origin === origin; hops += 1) {
      if (hops === 20) throw new Error('too many redirects');
      next = await this.#follow(next);
    }
    return Object.fromEntries(next.searchParams);
  }

  async #follow(url: URL): Promise<URL> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const body = await answer.text();
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${url.pathname} answered ${answer.status}: ${body}`);
    return new URL(location, url);
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), value);
  }
}
