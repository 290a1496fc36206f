import { canary } from '@tenantry/test-kit';

/** A kind of secret, and what it looks like anywhere in a log line. */
interface SecretKind {
  kind: string;
  pattern: RegExp;
}

const crockford = '[0-9A-HJKMNP-TV-Z]';

/** Each also inside a JSON string that is itself a string in the line: quotes may have backslashes. */
const secretKinds: readonly SecretKind[] = [
  { kind: 'password or secret of a test', pattern: new RegExp(`${canary}[\\w+/=.~-]*`, 'gi') },
  { kind: 'access token', pattern: /eyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g },
  { kind: 'refresh token', pattern: opaqueToken('trt') },
  { kind: 'challenge token', pattern: opaqueToken('tct') },
  { kind: 'invitation token', pattern: opaqueToken('tri') },
  { kind: 'ticket or state', pattern: opaqueToken('ts[tf]') },
  { kind: 'mailed token', pattern: opaqueToken('tr[rvem]') },
  { kind: 'cookie value', pattern: /__(?:Host|Secure)-[\w-]+=[^;,\s"'\\]+/g },
  { kind: 'Authorization header', pattern: /\b(?:Bearer|Basic) [\w.~+/=-]{16,}/g },
  { kind: 'address with a password', pattern: /\b[a-z][a-z\d+.-]*:\/\/[^\s:@/"'\\]*:[^\s@/"'\\]+@/gi },
  {
    kind: 'field that holds a secret',
    pattern:
      /"(?:password|\w+Password|authorization|cookie|set-cookie|refreshToken|challengeToken|x-csrf-token)\\*":\s*\\*"[^"\\]+/gi,
  },
  { kind: 'secret in a query', pattern: /[?&#](?:token|code|password|\w+Token)=[^&\s"'\\]+/gi },
  { kind: 'otpauth URI', pattern: /otpauth:\/\/[^\s"'\\]+/g },
  { kind: 'TOTP secret', pattern: /(?<![\w+/=-])[A-Z2-7]{32}(?![\w+/=-])/g },
  {
    kind: 'backup code',
    pattern: new RegExp(`(?<![\\w-])${crockford}{6}(?:-${crockford}{6}){3}(?![\\w-])`, 'g'),
  },
  { kind: 'private key in PEM', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*/g },
  { kind: 'private key as a JWK', pattern: /"d\\*":\s*\\*"[\w-]{20,}/g },
  { kind: 'bcrypt hash', pattern: /\$2[abxy]\$\d\d\$[./A-Za-z\d]{53}/g },
];

function opaqueToken(prefix: string): RegExp {
  return new RegExp(`(?<![A-Za-z\\d])${prefix}_[\\w-]{20,}`, 'g');
}

/** The kinds of secrets that stand in a line. */
export function secretsIn(line: string): string[] {
  return secretKinds.filter(({ pattern }) => line.search(pattern) >= 0).map(({ kind }) => kind);
}

/** The line as it may be shown: each secret is replaced by the name of its kind. */
export function withoutSecrets(line: string): string {
  return secretKinds.reduce((text, { kind, pattern }) => text.replace(pattern, `<${kind}>`), line);
}
