import { generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '@tenantry/test-kit';
import { challengeFor, withTwoFactor } from './authenticator.ts';
import { bearer, type Api, type Person } from './people.ts';
import { send } from './wire.ts';

/** Header fields by what is wrong with their sender. */
export type UselessCallers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Everybody who must not get in, whatever the operation. */
export async function uselessCallers(api: Api, expired: Person): Promise<UselessCallers> {
  const person = await api.signUp();
  const { token, refreshToken } = person.session;
  const withToken = (text: string) => ({ authorization: `Bearer ${text}` });
  const mailed = await mailedTokenOf(api, person);
  return {
    anonymous: {},
    'a malformed token': withToken('nonsense'),
    'another scheme': {
      authorization: `Basic ${Buffer.from(`${person.email}:${person.password}`).toString('base64')}`,
    },
    'an expired token': bearer(expired),
    'a token with a foreign signature': withToken(forged(token, {}, {})),
    'a token of another issuer': withToken(forged(token, {}, { iss: 'https://auth.other.example/api/auth' })),
    'a token without a signature': withToken(`${unsigned(token)}.`),
    'a revoked token': bearer(await signedOut(api)),
    'a refresh token': withToken(refreshToken),
    'a mailed token': withToken(mailed),
    'the token of a challenge': withToken(await challengeFor(api, await withTwoFactor(api))),
    'the key of the services': withToken(api.services.internalApiKey),
  };
}

type Claims = Readonly<Record<string, unknown>>;

const decoded = (part: string | undefined): Claims =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Claims;
const encoded = (claims: Claims): string => Buffer.from(JSON.stringify(claims)).toString('base64url');

/** The same token with other claims, signed with a key that was not published. */
function forged(token: string, header: Claims, claims: Claims): string {
  const [head, payload] = token.split('.');
  const input = `${encoded({ ...decoded(head), ...header })}.${encoded({ ...decoded(payload), ...claims })}`;
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** RFC 8725, 3.1: a token that says it needs no signature. */
function unsigned(token: string): string {
  const [head, payload = ''] = token.split('.');
  return `${encoded({ ...decoded(head), alg: 'none' })}.${payload}`;
}

async function mailedTokenOf(api: Api, { email }: Person): Promise<string> {
  await api.call('POST /api/auth/password/forgot', { email });
  return api.mailed(email, 'reset-password');
}

const revokedWithinMs = patience();

/** Somebody whose session has ended, as every service knows by now. */
async function signedOut(api: Api): Promise<Person> {
  const person = await api.signUp();
  await api.call('POST /api/auth/sign-out', undefined, person);
  const leads = api.services.urlOf('leads-service');
  const deadline = Date.now() + revokedWithinMs;
  for (;;) {
    const { status } = await send(leads, { method: 'GET', path: '/api/leads', headers: bearer(person) });
    if (status === 401) return person;
    if (Date.now() > deadline) throw new Error('leads-service accepts the token of a session that has ended');
    await sleep(50);
  }
}
