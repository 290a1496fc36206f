import { Type } from 'typebox';

const client = (provider: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[^:\\s]+:\\S+$',
      messages: { pattern: 'must be id:secret' },
      secret: 'in-part',
      description: `client id and secret of sign-in with ${provider}, as id:secret; without it ${provider} is not offered`,
    }),
  );

/** The settings of signing in by a provider: each is off until it is set. */
export const providerSettings = {
  GOOGLE_CLIENT: client('Google'),
  MICROSOFT_CLIENT: client('Microsoft'),
  GITHUB_CLIENT: client('GitHub'),
  APPLE_CLIENT: Type.Optional(
    Type.String({
      pattern: '^[^:\\s]+:[^:\\s]+:[^:\\s]+:[A-Za-z0-9+/=]+$',
      messages: { pattern: 'must be service:team:key:base64 of the key' },
      secret: 'in-part',
      description:
        'sign-in with Apple, as service:team:key:base64 of the key file, the first three being ids; without it Apple is not offered',
    }),
  ),
  OIDC_PROVIDERS: Type.Array(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}\\|https?://[^|\\s]+\\|[^|\\s]+\\|\\S+$',
      messages: { pattern: 'must be name|issuer|id|secret' },
    }),
    {
      default: [],
      secret: 'in-part',
      description:
        'comma-separated OpenID Connect providers, each as name|issuer|id|secret; the issuer is an https:// URL, or an http:// one on this machine',
    },
  ),
  REDIRECT_URIS: Type.Array(
    Type.String({
      pattern: '^(?!(?:javascript|data|vbscript|blob|file):)[a-z][a-z0-9+.-]*:[^#\\s]+$',
      messages: { pattern: 'must be a URI without a fragment' },
    }),
    {
      default: [],
      description:
        'comma-separated URIs, in addition to pages of the front ends, to which a sign-in by a provider may return, such as com.example.app:/signed-in; compared as a whole',
    },
  ),
} as const;
