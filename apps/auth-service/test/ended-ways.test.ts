import { randomUUID } from 'node:crypto';
import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { begun, endsWith, type Begun, type Way } from '../src/sign-in/ways-in/ended-ways.ts';
import {
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type SignedUp,
} from './support/client.ts';
import { letterData, mailedToken } from './support/mail.ts';
import { ask, foundCompany, prove } from './support/organizations.ts';
import { nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

/**
 * Somebody who held a way in for a while has begun things by it. The user who ends the way, because it is lost or in other
 * hands, must not have to look for them.
 */
const origin = 'https://app.example.com';
const settings = { FRONTEND_URL: origin, PASSKEY_RP_ID: 'app.example.com', MAILED_SIGN_IN: 'true' };
const service = await startByClock({ settings });
const { app, clock, config, sql } = service;
const company = await foundCompany(service);

const phone = { 'x-device-id': 'adas-phone' };
const tablet = { 'x-device-id': 'adas-tablet' };
const thief = { 'x-device-id': 'a-thief-0001' };

/** The user who ends a way, in the session on the phone. */
interface Owner extends SignedUp {
  readonly secret: string | undefined;
}

/** Copies a session to another device, as begun by another factor. */
async function copySession({ sessionId }: Owner, device: string, factor: string): Promise<void> {
  await sql(
    `INSERT INTO sessions
     SELECT (jsonb_populate_record(s, jsonb_build_object(
       'id', gen_random_uuid(), 'device_id', $2::text, 'factors', jsonb_build_array($3::text, 'more')))).*
     FROM sessions s WHERE id = $1`,
    [sessionId, device, factor],
  );
}

/** An account with something of everything that a way in begins; on the tablet the session began by no way that ends. */
async function ownerWith({ factor, twoFactor }: Setting): Promise<Owner> {
  const ada = await signUp(app, 'Ada Lovelace', phone);
  await prove(service, ada);
  for (const headers of [tablet, thief]) expect((await signIn(app, ada.email, headers)).status).toBe(200);
  const owner = twoFactor ? await protect(ada) : { ...ada, secret: undefined };
  const { id, email, sessionId } = owner;
  await sql('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [id, sessionId]);
  await copySession(owner, thief['x-device-id'], factor);
  await copySession(owner, tablet['x-device-id'], 'another');
  await sql(
    `INSERT INTO mailed_tokens (user_id, id, purpose, digest, email, created_at, expires_at)
     SELECT $1, gen_random_uuid(), purpose, sha256(convert_to(purpose, 'UTF8')), $2, now(), now() + INTERVAL '1 hour'
     FROM unnest(ARRAY['email-change', 'password-reset']) AS purpose`,
    [id, email],
  );
  if (!twoFactor) await sql('INSERT INTO two_factor (user_id, created_at) VALUES ($1, now())', [id]);
  await sql(
    `INSERT INTO sign_in_flows (id, state_digest, provider, intent, redirect_to, binding, user_id, encrypted_content,
       secret_id, created_at, expires_at)
     VALUES (gen_random_uuid(), sha256(convert_to($1::uuid::text, 'UTF8')), 'acme', 'link', '/', 'b', $1::uuid, 'x', 's', now(), now() + INTERVAL '20 minutes')`,
    [id],
  );
  await sql(
    `INSERT INTO two_factor_challenges (user_id, id, token_hash, binding, created_at, expires_at)
     VALUES ($1, gen_random_uuid(), sha256('x'), 'b', now(), now() + INTERVAL '5 minutes')`,
    [id],
  );
  expect((await send(app, 'POST /sign-in/mailed', { body: { email }, headers: thief })).status).toBe(200);
  return owner;
}

/** Turns two-factor authentication on. */
async function protect(ada: SignedUp): Promise<Owner> {
  const { token, id } = ada;
  const options = { token, headers: phone };
  const { secret } = (await send(app, 'POST /two-factor/enable', { ...options, body: { password } })).body;
  const { session } = (await verifyTotp(app, { ...options, code: nextCode(secret, clock) })).body;
  await sql('DELETE FROM two_factor_challenges WHERE user_id = $1', [id]);
  return { ...ada, token: session.token, sessionId: session.id, secret };
}

/** How much there is of each. */
const counts: Readonly<Record<Begun, string>> = {
  session: `SELECT id FROM sessions WHERE user_id = $1 AND device_id = 'a-thief-0001' AND revoked_at IS NULL`,
  'email-change': `SELECT id FROM mailed_tokens WHERE user_id = $1 AND purpose = 'email-change'`,
  'password-reset': `SELECT id FROM mailed_tokens WHERE user_id = $1 AND purpose = 'password-reset'`,
  'set-up': 'SELECT user_id FROM two_factor WHERE user_id = $1 AND enabled_at IS NULL',
  'identity-link': 'SELECT id FROM sign_in_flows WHERE user_id = $1',
  challenge: 'SELECT id FROM two_factor_challenges WHERE user_id = $1',
  letter: 'SELECT id FROM mailed_sign_ins',
  'known-device': 'SELECT device_hash FROM known_devices',
};

/** @param owned how many known devices are the owner's */
async function left({ id }: Pick<Owner, 'id'>, owned = 2) {
  const counted = begun.map(async (kind) => {
    const rows = await sql(counts[kind], counts[kind].includes('$1') ? [id] : []);
    return [kind, rows.length - (kind === 'known-device' ? owned : 0)] as const;
  });
  return Object.fromEntries(await Promise.all(counted)) as Record<Begun, number>;
}

const devicesWithSessions = async ({ id }: Pick<Owner, 'id'>) => {
  const live = 'SELECT device_id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL ORDER BY device_id';
  return (await sql(live, [id])).map((row) => row['device_id']);
};

interface Setting {
  /** By which factor the thief's session began. */
  readonly factor: string;
  readonly twoFactor?: true;
}

/** One way in, and how its user ends it. */
interface Ending extends Setting {
  readonly way: Way;
  readonly by: string;
  readonly end: (owner: Owner) => Promise<number>;
  /** The user's devices that stay known, and those whose sessions go on: both, by default. */
  readonly known?: number;
  readonly going?: readonly string[];
}

const of = ({ token }: Owner, body?: object) => ({ token, headers: phone, ...(body && { body }) });

async function changePassword(owner: Owner): Promise<number> {
  const body = { currentPassword: password, newPassword };
  return (await send(app, 'POST /password/change', of(owner, body))).status;
}

async function resetPassword({ email }: Owner): Promise<number> {
  await send(app, 'POST /password/forgot', { body: { email }, headers: phone });
  const token = await mailedToken(service, email, 'reset-password');
  const body = { token, newPassword };
  return (await send(app, 'POST /password/reset', { body, headers: phone })).status;
}

async function removePasskey(owner: Owner): Promise<number> {
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin });
  const { options } = (await send(app, 'POST /passkeys/options', of(owner, { password }))).body;
  const body = { password, response: authenticator.create(options) };
  const { passkey } = (await send(app, 'POST /passkeys', of(owner, body))).body;
  return (await send(app, `DELETE /passkeys/${passkey.id}`, of(owner, { password }))).status;
}

async function unlinkIdentity(owner: Owner): Promise<number> {
  const identityId = randomUUID();
  await sql(
    `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
     VALUES ($1, $2, 'acme', 'https://id.example.com', 'ada', now())`,
    [owner.id, identityId],
  );
  return (await send(app, `DELETE /identities/${identityId}`, of(owner, { password }))).status;
}

async function move(owner: Owner): Promise<number> {
  const email = newEmail();
  await send(app, 'POST /email/change', of(owner, { newEmail: email, password }));
  const token = await mailedToken(service, email, 'confirm-new-address');
  return (await send(app, 'POST /email/verify', of(owner, { token }))).status;
}

async function disable(owner: Owner): Promise<number> {
  const code = nextCode(owner.secret ?? '', clock);
  return (await send(app, 'POST /two-factor/disable', of(owner, { password, code }))).status;
}

/** By an owner, of an account that has become one of the organization alone. */
async function resetByOwner({ id }: Owner): Promise<number> {
  await sql('DELETE FROM members WHERE user_id = $1', [id]);
  await sql(
    `INSERT INTO members (organization_id, user_id, role, created_at, updated_at) VALUES ($1, $2, 'member', now(), now())`,
    [company.id, id],
  );
  const path = `POST /organization/${company.id}/members/${id}/reset-two-factor`;
  return (await ask(service, path, { token: company.owner.token })).status;
}

async function resetByOperator({ email }: Owner): Promise<number> {
  const headers = { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` };
  const url = '/internal/users/reset-two-factor';
  return (await app.inject({ method: 'POST', url, headers, payload: { email } })).statusCode;
}

const request =
  (line: string, body?: object) =>
  async (owner: Owner): Promise<number> =>
    (await send(app, line, of(owner, body))).status;

const renewCodes = request('POST /two-factor/backup-codes');

/** Done by others: no device of the user's has just proven its user. */
const ofOthers = { way: 'second-factor', twoFactor: true, known: 0, going: [] } as const;

const endings: readonly Ending[] = [
  { way: 'password', by: 'a change', factor: 'pwd', end: changePassword, known: 1, going: ['adas-phone'] },
  { way: 'password', by: 'a reset', factor: 'pwd', end: resetPassword, known: 1, going: [] },
  { way: 'password', by: 'its removal', factor: 'pwd', end: request('DELETE /password', { password }) },
  { way: 'passkey', by: 'its removal', factor: 'pop', end: removePasskey },
  { way: 'identity', by: 'unlinking it', factor: 'fed', end: unlinkIdentity },
  { way: 'mailbox', by: 'a move to another', factor: 'email', end: move, known: 0 },
  { way: 'backup-codes', by: 'new ones', factor: 'backup', twoFactor: true, end: renewCodes },
  { way: 'second-factor', by: 'turning it off', factor: 'otp', twoFactor: true, end: disable },
  { way: 'second-factor', by: 'turning it off', factor: 'backup', twoFactor: true, end: disable },
  { ...ofOthers, by: 'a reset by an owner', factor: 'otp', end: resetByOwner },
  { ...ofOthers, by: 'a reset by the operator', factor: 'backup', end: resetByOperator },
];

describe('everything that a way in has begun ends with it [S-10]', () => {
  const titled = endings.map((ending) => [ending.way, ending.by, ending.factor, ending] as const);

  test.each(titled)('%s, ended by %s, with a session of %s', async (_way, _by, _factor, ending) => {
    const { way, end, known = 2, going = ['adas-phone', 'adas-tablet'], ...setting } = ending;
    for (const table of ['mailed_sign_ins', 'known_devices']) await sql(`DELETE FROM ${table}`);
    const owner = await ownerWith(setting);
    const before = await left(owner);
    const hasSetUp = setting.twoFactor === undefined;
    expect(before).toEqual({ ...all(1), 'set-up': hasSetUp ? 1 : 0 });
    expect(await end(owner)).toBeLessThan(300);
    const stays = begun.filter((kind) => endsWith[way][kind] !== 'ends');
    expect(await left(owner, known)).toEqual({ ...all(0), ...all(1, stays) });
    expect(await devicesWithSessions(owner)).toEqual(going);
  });

  test('the list has an answer for every table with something of a user', async () => {
    const tables = await sql(`
      SELECT DISTINCT table_name::text AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('user_id', 'email', 'email_hash') ORDER BY 1`);
    expect(tables.map(({ name }) => name)).toEqual(
      [...new Set([...Object.values(tablesOf).flat(), ...notBegun])].toSorted(),
    );
  });
});

describe('in the hands of somebody else [S-10]', () => {
  test('a code to the former mailbox: its session ends with the move, and adds no passkey', async () => {
    const ada = await signUp(app, 'Ada Lovelace', phone);
    await prove(service, ada);
    const asked = await send(app, 'POST /sign-in/mailed', { body: { email: ada.email }, headers: thief });
    const { code } = await letterData(service, ada.email, 'sign-in-code');
    const body = { requestId: asked.body.request.id, code };
    const stolen = (await send(app, 'POST /sign-in/mailed/verify', { body, headers: thief })).body.session;
    expect(await move({ ...ada, secret: undefined })).toBe(200);
    const added = await send(app, 'POST /passkeys/options', { token: stolen.token, body: {} });
    expect(added.status).toBe(401);
    expect((await refresh(app, stolen.refreshToken, thief)).status).toBe(401);
    expect((await send(app, 'GET /session', of({ ...ada, secret: undefined }))).status).toBe(200);
  });

  test('the password: devices that were made up with it have no guesses of their own after a reset', async () => {
    const ada = await signUp(app, 'Ada Lovelace', phone);
    await prove(service, ada);
    const devices = [1, 2, 3, 4].map((n) => ({ 'x-device-id': `made-up-${n}` }));
    for (const headers of devices) expect((await signIn(app, ada.email, headers)).status).toBe(200);
    expect(await resetPassword({ ...ada, secret: undefined })).toBe(200);
    const guesses = [];
    for (let n = 0; n < 20; n += 1) {
      const answer = await signIn(app, ada.email, devices[n % 4]);
      guesses.push(answer.status);
    }
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    const body = { email: ada.email, password: newPassword };
    expect((await send(app, 'POST /sign-in/email', { body, headers: phone })).status).toBe(200);
  });
});

/** Where each is kept. */
const tablesOf: Readonly<Record<Begun, readonly string[]>> = {
  session: ['sessions'],
  'email-change': ['mailed_tokens'],
  'password-reset': ['mailed_tokens'],
  'set-up': ['two_factor', 'two_factor_backup_codes'],
  'identity-link': ['sign_in_flows'],
  challenge: ['two_factor_challenges'],
  letter: ['mailed_sign_ins'],
  'known-device': ['known_devices'],
};

/** The ways themselves, what others do, and what has been done for good. */
const notBegun = [
  ...['credentials', 'identities', 'identity_keys', 'passkeys', 'sign_in_failures', 'users'],
  ...['events', 'former_members', 'internal_requests', 'invitations', 'members', 'user_audit_events'],
  // Who was removed from an organization stays so.
  'removed_members',
  // Of the organization, whose owners end it with the connection.
  'connection_identities',
  // What a directory says of its people: owners end it with the connection or its tokens.
  'directory_people',
  'directory_group_members',
];

const all = (count: number, kinds: readonly Begun[] = begun): Record<string, number> =>
  Object.fromEntries(kinds.map((kind) => [kind, count]));
