/**
 * Verification of access tokens beside its peers, in processor time, as ratios within one run:
 *
 *     npm run bench -- verify
 *
 * Goals: from the cache 1,000,000 a second or more on one core; cold, 0.9 or more of the raw signature check.
 */
import { createPublicKey, generateKeyPairSync, sign, verify, type JsonWebKey } from 'node:crypto';
import { createVerifier as createFastJwtVerifier } from 'fast-jwt';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { createVerifier } from '@tenantry/jwt-verify';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { report, sized } from './figures.ts';

const tokenCount = sized(1000, 50);
const rounds = sized(9, 1);
const cachedRounds = sized(300, 3);

const issuer = await createTestIssuer();
const { jwks, issuer: iss, audience } = issuer;
const tokens = await Promise.all(
  Array.from({ length: tokenCount }, () => issuer.token({ amr: ['pwd', 'otp'], role: 'admin' })),
);
const publicKey = createPublicKey({ key: jwks.keys[0] as JsonWebKey, format: 'jwk' });

/** Each contender verifies every token once. */
type Contender = () => void | Promise<void>;

/** The signature check alone, with everything prepared. */
function rawCheck(): Contender {
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const prepared = tokens.map((token) => {
    const dot = token.lastIndexOf('.');
    return [Buffer.from(token.slice(0, dot)), Buffer.from(token.slice(dot + 1), 'base64url')] as const;
  });
  return () => {
    for (const [input, signature] of prepared) {
      if (!verify('sha256', input, key, signature)) throw new Error('a signature was refused');
    }
  };
}

/** The same over DER signatures, made here with a key of our own: spares node:crypto the conversion. */
function rawCheckOfDer(): Contender {
  const { publicKey: key, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const prepared = tokens.map((token) => {
    const input = Buffer.from(token.slice(0, token.lastIndexOf('.')));
    return [input, sign('sha256', input, privateKey)] as const;
  });
  return () => {
    for (const [input, signature] of prepared) {
      if (!verify('sha256', input, key, signature)) throw new Error('a signature was refused');
    }
  };
}

const ours = createVerifier({ issuer: iss, jwks: { keys: jwks.keys }, revocations: false, cacheSize: 0 });
const cached = createVerifier({
  issuer: iss,
  jwks: { keys: jwks.keys },
  revocations: false,
  cacheSize: 2 * tokenCount,
});
await Promise.all([ours.ready(), cached.ready()]);

const joseKeys = createLocalJWKSet({ keys: jwks.keys });
const joseExpectation = { issuer: iss, audience, algorithms: ['ES256'], typ: 'at+jwt' };
const fastJwt = createFastJwtVerifier({
  key: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  algorithms: ['ES256'],
  allowedIss: iss,
  allowedAud: audience,
});

const rawCheckName = 'raw check, signature as in JWS';
const contenders: Readonly<Record<string, Contender>> = {
  [rawCheckName]: rawCheck(),
  'raw check, signature in DER': rawCheckOfDer(),
  '@tenantry/jwt-verify, cold': async () => {
    for (const token of tokens) await ours.verify(token);
  },
  'fast-jwt': () => {
    for (const token of tokens) fastJwt(token);
  },
  'jose jwtVerify': async () => {
    for (const token of tokens) await jwtVerify(token, joseKeys, joseExpectation);
  },
};

/**
 * Milliseconds of processor time, all threads of the process counted; the least of several rounds. On a busy
 * machine the clock on the wall measures the neighbours.
 */
async function leastCpuMs(run: () => void | Promise<void>, least: number): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return Math.min(least, (user + system) / 1000);
}

/** Each contender verifies all tokens once a round; interleaved, so that all meet the same neighbours. */
async function microsecondsPerToken(): Promise<Map<string, number>> {
  const leastMs = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      leastMs.set(name, await leastCpuMs(run, leastMs.get(name) ?? Infinity));
    }
  }
  return new Map([...leastMs].map(([name, ms]) => [name, (ms * 1000) / tokenCount]));
}

/** Verifications a second of tokens verified before, which, as from the wire, are new strings every time. */
async function cachedPerSecond(run: (fresh: readonly string[]) => void | Promise<void>): Promise<number> {
  const bytes = tokens.map((token) => Buffer.from(token, 'latin1'));
  let leastMs = Infinity;
  for (let round = 0; round < cachedRounds; round++) {
    const fresh = bytes.map((token) => token.toString('latin1'));
    leastMs = await leastCpuMs(() => run(fresh), leastMs);
  }
  return (tokenCount * 1000) / leastMs;
}

const results = await microsecondsPerToken();
const raw = results.get(rawCheckName) ?? NaN;
for (const [name, microseconds] of results) {
  const ratio = raw / microseconds;
  const isOurs = name === '@tenantry/jwt-verify, cold';
  report({
    what: `${name}, to the raw check`,
    value: `${ratio.toFixed(2)}; ${microseconds.toFixed(1)} µs of processor`,
    ...(isOurs && { goal: '0.9', reached: ratio >= 0.9 }),
  });
}

const perSecond = {
  'cached, awaited (verify)': await cachedPerSecond(async (fresh) => {
    for (const token of fresh) await cached.verify(token);
  }),
  'cached, at once (verifyNow)': await cachedPerSecond((fresh) => {
    for (const token of fresh) void cached.verifyNow(token);
  }),
};
for (const [name, rate] of Object.entries(perSecond)) {
  report({
    what: name,
    value: `${Math.round(rate).toLocaleString('en')} a second`,
    goal: '1,000,000',
    reached: rate >= 1_000_000,
  });
}
await issuer.close();
