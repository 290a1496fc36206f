import type { CallOutside } from '@tenantry/service/calls';
import { ConfigError } from '@tenantry/service/settings';
import type { Config } from '../../../config.ts';
import { appleTraits } from './apple.ts';
import { GitHubProvider } from './github-provider.ts';
import { OidcProvider, type OidcTraits } from '../../flows/oidc-provider.ts';
import { googleTraits, microsoftTraits, otherTraits } from './oidc-traits.ts';
import type { ClientCredentials, Provider } from '../../flows/provider.ts';

/** The settings that name providers. */
type ProviderConfig = Pick<
  Config,
  'AUTH_URL' | 'GOOGLE_CLIENT' | 'MICROSOFT_CLIENT' | 'GITHUB_CLIENT' | 'APPLE_CLIENT' | 'OIDC_PROVIDERS'
>;

/**
 * The providers that are configured, by id, in the order in which they are offered.
 *
 * @throws ConfigError for one that is not usable
 */
export function providersOf(config: ProviderConfig, callOutside: CallOutside): ReadonlyMap<string, Provider> {
  const redirectUriOf = (id: string) => `${config.AUTH_URL}/callback/${id}`;
  const oidc = (traits: OidcTraits) =>
    new OidcProvider(traits, { callOutside, redirectUri: redirectUriOf(traits.id) });
  const { GOOGLE_CLIENT, MICROSOFT_CLIENT, GITHUB_CLIENT, APPLE_CLIENT, OIDC_PROVIDERS } = config;
  const providers: Provider[] = [
    ...given(GOOGLE_CLIENT, (text) => oidc(googleTraits(clientIn(text)))),
    ...given(MICROSOFT_CLIENT, (text) => oidc(microsoftTraits(clientIn(text)))),
    ...given(APPLE_CLIENT, (text) => oidc(appleTraits(text))),
    ...given(GITHUB_CLIENT, (text) => {
      const client = clientIn(text);
      return new GitHubProvider({ client, callOutside, redirectUri: redirectUriOf('github') });
    }),
    ...OIDC_PROVIDERS.map((text) => oidc(otherProvider(text))),
  ];
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  if (byId.size < providers.length) throw refused('OIDC_PROVIDERS has two providers of one name');
  const own = ['google', 'microsoft', 'github', 'apple'];
  const others = OIDC_PROVIDERS.map((text) => otherProvider(text).id);
  if (others.some((id) => own.includes(id))) {
    throw refused('OIDC_PROVIDERS has a provider of a name that has a setting of its own');
  }
  return byId;
}

const given = <Made>(text: string | undefined, make: (text: string) => Made): Made[] =>
  text === undefined ? [] : [make(text)];

function clientIn(text: string): ClientCredentials {
  const end = text.indexOf(':');
  return { id: text.slice(0, end), secret: text.slice(end + 1) };
}

const onThisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

function otherProvider(text: string): OidcTraits {
  const [name = '', issuer = '', id = '', ...secret] = text.split('|');
  const { protocol, hostname, search } = issuerIn(issuer);
  if ((protocol !== 'https:' && !onThisMachine.has(hostname)) || search !== '') {
    throw refused(`OIDC_PROVIDERS: the issuer of ${name} must be an https:// URL without a query`);
  }
  return otherTraits({ name, issuer, client: { id, secret: secret.join('|') } });
}

function issuerIn(text: string): URL {
  if (!URL.canParse(text)) throw refused('OIDC_PROVIDERS has an issuer that is not a URL');
  return new URL(text);
}

const refused = (problem: string) => new ConfigError('auth-service', [problem]);
