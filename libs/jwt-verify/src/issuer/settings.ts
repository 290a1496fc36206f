import type { JSONWebKeySet, JWK } from 'jose';
import { platform } from '#platform';
import { isEs256Key } from './key-set.ts';
import type { AroundReading, IssuerOptions, VerifierOptions, WarningLog } from './options.ts';

/** The options of a verifier, checked and complete. */
export interface VerifierSettings {
  readonly issuers: readonly IssuerSettings[];
  readonly audiences: readonly string[];
  readonly keyRefreshMs: number;
  readonly keyMaxAgeMs: number;
  readonly cacheSize: number;
  readonly background: boolean;
  readonly logger: WarningLog;
  readonly around: AroundReading;
  /** Undefined: the process's own. */
  readonly clock: (() => number) | undefined;
}

/** The options of one issuer, checked and complete. */
export interface IssuerSettings {
  readonly name: string;
  readonly jwks: string | JSONWebKeySet;
  readonly revocations: { readonly url: string; readonly entriesMax: number } | false;
}

/** What an option must be, and its default if it may be left out. */
interface Rule<Value> {
  readonly fallback?: Value;
  readonly accepts: (value: unknown) => boolean;
  readonly hint: string;
}
type Given = Readonly<Record<string, unknown>>;
type Rules = Readonly<Record<string, Rule<unknown>>>;
type Values<Of extends Rules> = {
  readonly [Name in keyof Of]: Of[Name] extends Rule<infer Value> ? Value : never;
};

const rule = <Value>(option: Rule<Value>): Rule<Value> => option;

const issuerRules = {
  issuer: rule<string>({
    accepts: (value) => isWebAddress(value) && !/[?#]/.test(value),
    hint: 'give the address of the auth service exactly as its tokens name it (iss), such as https://auth.example.com/api/auth',
  }),
  jwks: rule<IssuerOptions['jwks']>({
    accepts: (value) => value === undefined || isWebAddress(value) || isKeySet(value),
    hint: 'give the URL of the JWK set, or a JWK set that has an ES256 key with a kid',
  }),
  revocations: rule<IssuerOptions['revocations']>({
    accepts: (value) => value === false || isWebAddress(value) || isFeed(value),
    hint: 'give the URL of the revocation feed or { url, entriesMax }, or false to accept tokens of ended sessions until they expire',
  }),
};

const timeHint = 'give a number above 0 and up to 86400';

const commonRules = {
  audience: rule<string | readonly string[]>({
    fallback: 'tenantry',
    accepts: (value) => [value].flat().length > 0 && [value].flat().every(isName),
    hint: 'give the name that the tokens carry (aud), or an array of names',
  }),
  keyRefreshSeconds: rule<number>({ fallback: 30, accepts: isTime, hint: timeHint }),
  keyMaxAgeSeconds: rule<number>({ fallback: 3600, accepts: isTime, hint: timeHint }),
  cacheSize: rule<number>({
    fallback: 10_000,
    accepts: isCount,
    hint: 'give a whole number, 0 for no cache',
  }),
  background: rule<boolean>({
    fallback: platform.hasBackground,
    accepts: (value) => typeof value === 'boolean',
    hint: 'give true or false',
  }),
  logger: rule<WarningLog>({
    fallback: console,
    accepts: (value) => typeof (value as WarningLog | null)?.warn === 'function',
    hint: 'give an object with a function warn(message)',
  }),
  around: rule<AroundReading>({
    fallback: (_what, read) => read(),
    accepts: (value) => typeof value === 'function',
    hint: 'give a function (what, read) that returns read()',
  }),
  clock: rule<(() => number) | undefined>({
    accepts: (value) => value === undefined || typeof value === 'function',
    hint: 'give a function of milliseconds since the epoch, such as Date.now',
  }),
};

const severalRules = {
  issuers: rule<readonly IssuerOptions[]>({
    accepts: (value) => Array.isArray(value) && value.length > 0,
    hint: 'give an array of at least one { issuer, revocations }',
  }),
};

/** Checks every option at once and completes them, or throws a TypeError that names every problem. */
export function readSettings(options: VerifierOptions): VerifierSettings {
  const problems: string[] = [];
  const given: Given = isRecord(options) ? options : {};
  const common =
    given['issuers'] === undefined
      ? read(given, { ...commonRules, ...issuerRules }, problems)
      : read(given, { ...commonRules, ...severalRules }, problems);
  const issuers =
    'issuers' in common
      ? [common.issuers].flat().map((issuer, at) => read(issuer, issuerRules, problems, `issuers[${at}].`))
      : [common];
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) {
    problems.push('issuers names one issuer twice: name each once');
  }
  const { audience, keyRefreshSeconds, keyMaxAgeSeconds, ...rest } = common;
  if (keyMaxAgeSeconds < keyRefreshSeconds) {
    problems.push(
      'keyMaxAgeSeconds is below keyRefreshSeconds: no key would stay in use between two readings',
    );
  }
  if (problems.length > 0) {
    throw new TypeError(`createVerifier cannot use these options:\n- ${problems.join('\n- ')}`);
  }
  return {
    ...rest,
    issuers: issuers.map(issuerSettings),
    audiences: typeof audience === 'string' ? [audience] : audience,
    keyRefreshMs: keyRefreshSeconds * 1000,
    keyMaxAgeMs: keyMaxAgeSeconds * 1000,
  };
}

/** Default maximum of revocations kept. */
export const revocationsMax = 200_000;

function issuerSettings({ issuer, jwks, revocations }: Values<typeof issuerRules>): IssuerSettings {
  const feed = typeof revocations === 'string' ? { url: revocations } : revocations;
  return {
    name: issuer,
    jwks: jwks ?? `${issuer.replace(/\/$/, '')}/jwks`,
    revocations: feed && { url: feed.url, entriesMax: feed.entriesMax ?? revocationsMax },
  };
}

/** Reads options by their rules and collects each problem; the values are valid only if there is none. */
function read<Of extends Rules>(options: unknown, rules: Of, problems: string[], path = ''): Values<Of> {
  const given: Given = isRecord(options) ? options : {};
  for (const name of Object.keys(given)) {
    if (name in rules) continue;
    problems.push(`${path}${name} is not an option: the options are ${Object.keys(rules).join(', ')}`);
  }
  const values = Object.entries(rules).map(([name, { fallback, accepts, hint }]) => {
    const value = given[name] === undefined ? fallback : given[name];
    if (!accepts(value)) problems.push(`${path}${name} is ${shown(value)}: ${hint}`);
    return [name, value];
  });
  return Object.fromEntries(values) as Values<Of>;
}

/** A value as an error message shows it: text without a password, of anything else its kind. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.replace(/\/\/[^/]*@/, '//…@').slice(0, 200));
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object that does not fit' : String(value);
}

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 86_400;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  // fetch takes no address with a password in it.
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

function isFeed(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { url, entriesMax = 1, ...others } = value;
  return isWebAddress(url) && entriesMax !== 0 && isCount(entriesMax) && Object.keys(others).length === 0;
}

function isKeySet(value: unknown): boolean {
  const keys: unknown = isRecord(value) ? value['keys'] : undefined;
  return Array.isArray(keys) && keys.some((jwk: JWK | null) => isName(jwk?.kid) && isEs256Key(jwk as JWK));
}
