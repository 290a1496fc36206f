import { lowerAscii, readDomain } from '@tenantry/text';
import * as oidc from 'openid-client';
import { textIn } from '../../flows/code-exchange.ts';
import type { OidcTraits } from '../../flows/oidc-provider.ts';
import { ProviderFailure, type ClientCredentials } from '../../flows/provider.ts';

const scope = 'openid email profile';

/** Google runs the mailboxes of gmail.com, and those of a Workspace domain, which `hd` names. */
export function googleTraits({ id: clientId, secret }: ClientCredentials): OidcTraits {
  return {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    clientId,
    clientAuthentication: () => oidc.ClientSecretPost(secret),
    scope,
    provesEmail(document) {
      const domain = domainOf(textIn(document, 'email'));
      if (document['email_verified'] !== true || domain === undefined) return false;
      return domain === 'gmail.com' || domain === domainOf(textIn(document, 'hd'));
    },
  };
}

const microsoft = 'https://login.microsoftonline.com';
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Any tenant of Microsoft may sign in, and can claim any address ("nOAuth"), so none counts as proven. */
export function microsoftTraits({ id: clientId, secret }: ClientCredentials): OidcTraits {
  return {
    id: 'microsoft',
    name: 'Microsoft',
    issuer: `${microsoft}/common/v2.0`,
    clientId,
    clientAuthentication: () => oidc.ClientSecretPost(secret),
    scope,
    // `sub` differs between clients: these two identify the account.
    keyOf(claims) {
      const [tid, oid] = [textIn(claims, 'tid'), textIn(claims, 'oid')];
      if (tid === null || oid === null || !guid.test(tid) || !guid.test(oid)) {
        throw new ProviderFailure('PROVIDER_REFUSED', 'no-account');
      }
      return { issuer: `${microsoft}/${tid}/v2.0`, subject: oid };
    },
    provesEmail: () => false,
  };
}

/** A provider that the operator names. */
interface OtherProvider {
  readonly name: string;
  readonly issuer: string;
  readonly client: ClientCredentials;
}

/** Any other provider: it signs in its own accounts, and proves no address. */
export function otherTraits({ name, issuer, client: { id: clientId, secret } }: OtherProvider): OidcTraits {
  return {
    id: idOf(name),
    name,
    issuer,
    clientId,
    clientAuthentication({ token_endpoint_auth_methods_supported: methods }) {
      const posts = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
      return posts ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    },
    scope,
    asksUserInfo: true,
    provesEmail: () => false,
  };
}

/** A name as it appears in paths. */
function idOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The domain of an address, or a domain alone, in its stored form. */
const domainOf = (text: string | null): string | undefined =>
  readDomain(lowerAscii(text?.slice(text.lastIndexOf('@') + 1) ?? ''));
