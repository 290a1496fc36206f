import { AddressRefused, type GuardedCalls } from '@tenantry/service/guarded';
import { ProviderFailure } from '../../sign-in/index.ts';

/** What an IdP says of itself, as far as it is needed: OpenID Connect Discovery 1.0, 3; RFC 9207, 3. */
export interface IdpMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly id_token_signing_alg_values_supported?: readonly string[];
  readonly authorization_response_iss_parameter_supported?: boolean;
}

/** RFC 7518, 3.1, of keys that the IdP alone has. */
const algorithms = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']);
const authenticationMethods = new Set(['client_secret_basic', 'client_secret_post']);
const urlLengthMax = 2_048;

/**
 * Reads what an IdP says of itself.
 *
 * @param issuer with or without a final slash: what the IdP itself writes counts
 * @throws AddressRefused for an address that is not allowed, also of one of its endpoints
 * @throws ProviderFailure `PROVIDER_UNAVAILABLE` where it does not answer, else `PROVIDER_REFUSED`
 */
export async function readMetadata(calls: GuardedCalls, issuer: string): Promise<IdpMetadata> {
  const base = issuer.replace(/\/$/, '');
  const document = await readJson(calls, {
    name: 'read metadata',
    url: `${base}/.well-known/openid-configuration`,
  });
  const own = document['issuer'];
  if (own !== base && own !== `${base}/`) throw refused('issuer');
  const endpoint = (name: string) => endpointIn(calls, document, name);
  const userinfo = document['userinfo_endpoint'] === undefined ? undefined : endpoint('userinfo_endpoint');
  const methods = namesIn(document, 'token_endpoint_auth_methods_supported', authenticationMethods);
  const signing = namesIn(document, 'id_token_signing_alg_values_supported', algorithms);
  return {
    issuer: own,
    authorization_endpoint: endpoint('authorization_endpoint'),
    token_endpoint: endpoint('token_endpoint'),
    jwks_uri: endpoint('jwks_uri'),
    ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
    ...(methods ? { token_endpoint_auth_methods_supported: methods } : {}),
    ...(signing ? { id_token_signing_alg_values_supported: signing } : {}),
    authorization_response_iss_parameter_supported:
      document['authorization_response_iss_parameter_supported'] === true,
  };
}

/** How many keys an IdP publishes to sign with. @throws as {@link readMetadata} */
export async function countKeys(calls: GuardedCalls, { jwks_uri: url }: IdpMetadata): Promise<number> {
  const { keys } = await readJson(calls, { name: 'read keys', url });
  if (!Array.isArray(keys)) throw refused('keys');
  const uses = keys.map((key: unknown) => (key as { readonly use?: unknown } | null)?.use);
  const signing = uses.filter((use) => use === undefined || use === 'sig').length;
  if (signing === 0) throw refused('keys');
  return signing;
}

async function readJson(
  calls: GuardedCalls,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await calls
    .call(name, url, { headers: { accept: 'application/json' } })
    .catch((error: unknown) => {
      throw error instanceof AddressRefused
        ? error
        : new ProviderFailure('PROVIDER_UNAVAILABLE', 'no-answer');
    });
  if (answer.status >= 500) throw new ProviderFailure('PROVIDER_UNAVAILABLE', `status-${answer.status}`);
  if (answer.status !== 200) throw refused(`status-${answer.status}`);
  const document: unknown = await answer.json().catch(() => undefined);
  if (typeof document !== 'object' || document === null) throw refused('no-json');
  return document as Readonly<Record<string, unknown>>;
}

function endpointIn(calls: GuardedCalls, document: Readonly<Record<string, unknown>>, name: string): string {
  const url = document[name];
  if (typeof url !== 'string' || url.length > urlLengthMax || !URL.canParse(url)) throw refused(name);
  calls.require(new URL(url));
  return url;
}

/** Undefined where the IdP does not say; what is not known here is left out. */
function namesIn(
  document: Readonly<Record<string, unknown>>,
  name: string,
  known: ReadonlySet<string>,
): readonly string[] | undefined {
  const names = document[name];
  if (!Array.isArray(names)) return undefined;
  const usable = Array.from(known).filter((one) => names.includes(one));
  if (usable.length === 0) throw refused(name);
  return usable;
}

const refused = (problem: string) => new ProviderFailure('PROVIDER_REFUSED', problem);
