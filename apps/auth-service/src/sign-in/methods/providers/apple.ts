import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '@tenantry/service/settings';
import { SignJWT } from 'jose';
import type * as oidc from 'openid-client';
import { joinedName } from '../../flows/display-names.ts';
import type { OidcTraits } from '../../flows/oidc-provider.ts';
import type { ProviderReturn } from '../../flows/provider.ts';

const issuer = 'https://appleid.apple.com';
const clientSecretSeconds = 300;

/** Apple relays or has checked every address that it calls verified, a claim that it sends as text. It posts its response. */
export function appleTraits(setting: string): OidcTraits {
  const [service = '', team = '', keyId = '', base64 = ''] = setting.split(':');
  const key = keyIn(base64);
  return {
    id: 'apple',
    name: 'Apple',
    issuer,
    clientId: service,
    clientAuthentication: () => appleClient({ service, team, keyId, key }),
    scope: 'openid email name',
    parameters: { response_mode: 'form_post' },
    provesEmail: ({ email_verified: verified }) => verified === 'true' || verified === true,
    nameIn,
  };
}

interface AppleClient {
  readonly service: string;
  readonly team: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Its client secret is a JWT, created for each request. */
function appleClient({ service, team, keyId, key }: AppleClient): oidc.ClientAuth {
  const authenticate = async (_server: unknown, _client: unknown, body: URLSearchParams) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(team)
      .setSubject(service)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime(`${clientSecretSeconds}s`)
      .sign(key);
    body.set('client_id', service);
    body.set('client_secret', secret);
  };
  // oxlint-disable-next-line typescript/no-misused-promises -- the library awaits it, contrary to its type
  return authenticate;
}

function keyIn(base64: string): KeyObject {
  const problem = 'APPLE_CLIENT must end in the base64 of the key file, a P-256 key in PEM or DER';
  try {
    const bytes = Buffer.from(base64, 'base64');
    const isPem = bytes.toString('latin1').includes('-----BEGIN');
    const key = isPem
      ? createPrivateKey(bytes)
      : createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Replaced below: the error may quote the key.
  }
  throw new ConfigError('auth-service', [problem]);
}

/** The name comes next to the token, and only the first time: it is display text. */
function nameIn({ user }: ProviderReturn['parameters']): string | undefined {
  try {
    const { name } = JSON.parse(user ?? '') as { readonly name?: Readonly<Record<string, unknown>> };
    return joinedName(name?.['firstName'], name?.['lastName']);
  } catch {
    return undefined;
  }
}
