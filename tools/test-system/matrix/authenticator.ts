import { createHmac } from 'node:crypto';
import type { Api, Person } from './people.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepSeconds = 30;

/** What an authenticator app does with the secret it was given: RFC 6238, `steps` after now. */
export function totp(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / stepSeconds) + steps));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join(
    '',
  );
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Somebody with a second factor, just shown, and what is left to show next. */
export interface TwoFactorPerson extends Person {
  readonly nextCode: string;
  readonly backupCode: string;
}

/** Somebody whose second factor is set up, and waits for its first code. */
export async function enrolling(
  api: Api,
  somebody?: Person,
): Promise<{ person: Person; code: string; nextCode: string; backupCode: string }> {
  const person = somebody ?? (await api.signUp());
  const { secret, backupCodes } = await api.call<{ secret: string; backupCodes: string[] }>(
    'POST /api/auth/two-factor/enable',
    { password: person.password },
    person,
  );
  // A code works once, and one step either way is accepted.
  return { person, code: totp(secret), nextCode: totp(secret, 1), backupCode: backupCodes[0] ?? '' };
}

/** Somebody who has a second factor and has just shown it. */
export async function withTwoFactor(api: Api, somebody?: Person): Promise<TwoFactorPerson> {
  const { person, code, ...left } = await enrolling(api, somebody);
  const { session } = await api.call<{ session: Person['session'] }>(
    'POST /api/auth/two-factor/verify-totp',
    { code },
    person,
  );
  return { ...person, session, ...left };
}

/** The challenge that a right password is answered with. */
export async function challengeFor(api: Api, { email, password }: Person): Promise<string> {
  const { challenge } = await api.call<{ challenge: { token: string } }>('POST /api/auth/sign-in/email', {
    email,
    password,
  });
  return challenge.token;
}
