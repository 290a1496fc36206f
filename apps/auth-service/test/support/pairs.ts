import { setTimeout as sleep } from 'node:timers/promises';
import { SoftwareAuthenticator } from '@tenantry/test-kit';
import pg from 'pg';
import {
  newEmail,
  newPassword,
  password,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './client.ts';
import { mailedToken } from './mail.ts';
import { ask, enter, found, prove } from './organizations.ts';
import type { RunningService } from './service.ts';
import { challengeOf, verifyBackupCode, verifyTotp } from './two-factor.ts';
import { codeAt } from './authenticator.ts';

export const origin = 'https://app.example.com';
export const rpId = 'app.example.com';

const phone = { 'x-device-id': 'adas-phone' };
const laptop = { 'x-device-id': 'adas-laptop' };

/** What an account has: codes of an app as its second factor, or a passkey that it signs in with and no second factor. */
export type Kind = 'codes' | 'passkey';

/** A session, as far as its user needs it. */
interface OpenSession {
  readonly id: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** An account with everything that can be changed of it, and what each change takes. */
export interface Account {
  readonly service: RunningService;
  readonly user: SignedUp;
  readonly passwordHash: string;
  readonly owner: SignedUp;
  readonly organizationId: string;
  /** On the phone, and just begun; the other one is on a laptop. */
  readonly session: OpenSession;
  readonly other: OpenSession;
  readonly passkey: { readonly id: string; readonly response: object; readonly token: string };
  readonly created: object;
  readonly identityId: string;
  readonly backupCodes: readonly string[];
  readonly challengeToken: string;
  readonly reset: string;
  readonly move: string;
}

/** Makes one. */
export async function makeAccount(service: RunningService, owner: SignedUp, kind: Kind): Promise<Account> {
  const { app, sql } = service;
  const user = await signUp(app, 'Ada', phone);
  await prove(service, user);
  const { id: organizationId } = await found(service, owner.token);
  await enter(service, organizationId, user, 'admin');
  await sql('DELETE FROM organizations WHERE personal_of = $1', [user.id]);
  const [credential] = await sql('SELECT password_hash FROM credentials WHERE user_id = $1', [user.id]);
  const codes = kind === 'codes' ? await enrolled(service, user) : undefined;
  const { token } = codes ?? user;
  const authenticator = new SoftwareAuthenticator({ rpId, origin });
  const passkeyId = await addPasskey(service, token, authenticator);
  const session = codes ?? (await enterBy(service, authenticator));
  const other = await onLaptop(service, user, codes?.backupCodes[0]);
  const passkey = { id: passkeyId, ...(await answerOf(service, authenticator)) };
  const created = new SoftwareAuthenticator({ rpId, origin }).create(await creationOptions(service, token));
  return {
    ...{ service, user, owner, organizationId, session, other, passkey, created },
    passwordHash: String(credential?.['password_hash']),
    identityId: await addIdentity(service, user),
    backupCodes: codes?.backupCodes ?? [],
    challengeToken: codes ? await challengeOf(app, user.email, phone) : '',
    ...(await lettersOf(service, user, session)),
  };
}

/** What signs in with a passkey, once. */
async function answerOf({ app }: RunningService, authenticator: SoftwareAuthenticator) {
  const asked = await send(app, 'POST /sign-in/passkey/options', { headers: phone });
  const { options, token } = asked.body;
  return { response: authenticator.get(options), token };
}

async function enterBy(service: RunningService, authenticator: SoftwareAuthenticator) {
  const body = await answerOf(service, authenticator);
  return (await send(service.app, 'POST /sign-in/passkey', { body, headers: phone })).body.session;
}

async function onLaptop({ app }: RunningService, { email }: SignedUp, code?: string) {
  if (code === undefined) return (await signIn(app, email, laptop)).body.session;
  const challengeToken = await challengeOf(app, email, laptop);
  return (await verifyBackupCode(app, { challengeToken, code, headers: laptop })).body.session;
}

/** Links that wait in a mailbox. */
async function lettersOf(service: RunningService, { email }: SignedUp, { token }: OpenSession) {
  const address = newEmail();
  await send(service.app, 'POST /email/change', { token, body: { newEmail: address }, headers: phone });
  await send(service.app, 'POST /password/forgot', { body: { email } });
  return {
    reset: await mailedToken(service, email, 'reset-password'),
    move: await mailedToken(service, address, 'confirm-new-address'),
  };
}

async function addIdentity({ sql }: RunningService, { id }: SignedUp): Promise<string> {
  const [row] = await sql(
    `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
     VALUES ($1, gen_random_uuid(), 'acme', 'https://id.example.com', $2, now()) RETURNING id`,
    [id, id],
  );
  return String(row?.['id']);
}

async function creationOptions({ app }: RunningService, token: string) {
  const made = await send(app, 'POST /passkeys/options', { token, headers: phone });
  return made.body.options;
}

async function addPasskey(service: RunningService, token: string, authenticator: SoftwareAuthenticator) {
  const response = authenticator.create(await creationOptions(service, token));
  const added = await send(service.app, 'POST /passkeys', { token, body: { response }, headers: phone });
  return added.body.passkey.id;
}

/** Turns two-factor on, on the phone. */
async function enrolled({ app }: RunningService, { token }: SignedUp) {
  const begun = await send(app, 'POST /two-factor/enable', { token, body: { password }, headers: phone });
  const { secret, backupCodes } = begun.body;
  const code = codeAt(secret, new Date());
  const confirmed = await verifyTotp(app, { token, code, headers: phone });
  const { id, token: next, refreshToken } = confirmed.body.session;
  return { id, token: next, refreshToken, backupCodes };
}

type Change = (account: Account) => Promise<Answer | { readonly status: number }>;

const inSession = (
  request: string,
  body?: (account: Account) => object,
  { by = 'session' }: { readonly by?: 'session' | 'other' } = {},
): Change => {
  return (account) =>
    send(account.service.app, pathIn(request, account), {
      token: account[by].token,
      headers: by === 'session' ? phone : laptop,
      ...(body && { body: body(account) }),
    });
};
const pathIn = (request: string, { passkey, identityId, organizationId }: Account) =>
  request
    .replace(':passkey', passkey.id)
    .replace(':identity', identityId)
    .replace(':organization', organizationId);
const byOwner = (request: string, body?: object): Change => {
  return ({ service, owner, organizationId, user }) =>
    ask(service, request.replace(':member', `/organization/${organizationId}/members/${user.id}`), {
      token: owner.token,
      ...(body && { body }),
    });
};
const signedOut = (request: string, body: (account: Account) => object): Change => {
  return (account) => send(account.service.app, request, { body: body(account), headers: phone });
};

const changes: Readonly<Record<string, Change>> = {
  'change the password': inSession('POST /password/change', () => ({
    currentPassword: password,
    newPassword,
  })),
  'reset the password': signedOut('POST /password/reset', ({ reset: token }) => ({
    token,
    newPassword: `reset ${newPassword}`,
  })),
  'remove the password': inSession('DELETE /password'),
  'ask for a move': inSession('POST /email/change', () => ({ newEmail: newEmail() })),
  'move to another address': inSession('POST /email/verify', ({ move: token }) => ({ token })),
  'remove the passkey': inSession('DELETE /passkeys/:passkey'),
  'add a passkey': inSession('POST /passkeys', ({ created: response }) => ({ response })),
  'unlink the identity': inSession('DELETE /identities/:identity'),
  'end all sessions': inSession('DELETE /sessions?scope=all', undefined, { by: 'other' }),
  'sign out': inSession('POST /sign-out'),
  refresh: signedOut('POST /refresh', ({ session: { refreshToken } }) => ({ refreshToken })),
  'delete the account': inSession('DELETE /user'),
  'sign in with the passkey': signedOut('POST /sign-in/passkey', ({ passkey: { response, token } }) => ({
    token,
    response,
  })),
  'leave the organization': inSession('POST /organization/:organization/leave'),
  'be disabled': byOwner('POST :member/disable'),
  'be demoted': byOwner('PATCH :member', { role: 'member' }),
  'be removed': byOwner('DELETE :member'),
};

/** What can happen to an account, by kind. */
export const changesOf: Readonly<Record<Kind, Readonly<Record<string, Change>>>> = {
  codes: {
    ...changes,
    'turn two-factor off': inSession('POST /two-factor/disable', ({ backupCodes }) => ({
      password,
      code: backupCodes[1],
    })),
    'step up': inSession('POST /two-factor/verify-backup-code', ({ backupCodes }) => ({
      code: backupCodes[2],
    })),
    'renew the backup codes': inSession('POST /two-factor/backup-codes'),
    'finish a sign-in': signedOut(
      'POST /two-factor/verify-backup-code',
      ({ challengeToken, backupCodes }) => ({ challengeToken, code: backupCodes[3] }),
    ),
    'lose the second factor': byOwner('POST :member/reset-two-factor'),
  },
  passkey: {
    ...changes,
    'set two-factor up': inSession('POST /two-factor/enable', () => ({ password })),
    'sign in': signedOut('POST /sign-in/email', ({ user: { email } }) => ({ email, password })),
  },
};

/** The state of an account, in words that are the same for every account with the same history. */
export async function stateOf({
  service: { sql },
  user,
  passwordHash,
  session,
  other,
}: Account): Promise<unknown> {
  const one = async (text: string, values: unknown[]) => (await sql(text, values))[0];
  const account = await one(
    `SELECT email = $2 AS "sameAddress", disabled_at IS NOT NULL AS disabled FROM users WHERE id = $1`,
    [user.id, user.email],
  );
  const ways = await one(
    `SELECT (SELECT password_hash = $2 FROM credentials WHERE user_id = $1) AS "samePassword",
      (SELECT count(*)::int FROM passkeys WHERE user_id = $1) AS passkeys,
      (SELECT count(*)::int FROM identities WHERE user_id = $1) AS identities,
      (SELECT enabled_at IS NOT NULL FROM two_factor WHERE user_id = $1) AS "twoFactor",
      (SELECT count(*)::int FROM two_factor_backup_codes WHERE user_id = $1 AND used_at IS NULL) AS "backupCodes",
      (SELECT count(*)::int FROM two_factor_challenges WHERE user_id = $1) AS challenges,
      (SELECT coalesce(array_agg(purpose ORDER BY purpose), '{}') FROM mailed_tokens WHERE user_id = $1) AS mailed`,
    [user.id, passwordHash],
  );
  const sessions = await sql(
    `SELECT CASE id WHEN $2 THEN 'phone' WHEN $3 THEN 'laptop' ELSE 'new' END AS name, factors, acr,
      revoked_at IS NULL AS alive, active_organization_id IS NOT NULL AS "inOrganization"
     FROM sessions WHERE user_id = $1 AND (revoked_at IS NULL OR id IN ($2, $3)) ORDER BY 1, 2, 3`,
    [user.id, session.id, other.id],
  );
  const roles = await sql(`SELECT role FROM members WHERE user_id = $1 ORDER BY 1`, [user.id]);
  return {
    account,
    ways,
    sessions: sessions.filter(({ alive }) => alive),
    roles: roles.map(({ role }) => role),
  };
}

/**
 * Has requests about one user wait for their turns: each has read what it reads beforehand, and changes the account only when
 * all have, in the order in which they are given.
 */
export async function inLine(
  { service, user }: Pick<Account, 'service' | 'user'>,
  requests: readonly (() => Promise<{ readonly status: number }>)[],
): Promise<number[]> {
  const gate = new pg.Client({ connectionString: service.database.adminUrl });
  await gate.connect();
  try {
    await gate.query('BEGIN');
    await gate.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [user.id]);
    const answers: Promise<{ readonly status: number }>[] = [];
    let settled = 0;
    for (const request of requests) {
      answers.push(request().finally(() => (settled += 1)));
      while (settled + (await waiting(service)) < answers.length) await sleep(2);
    }
    await gate.query('COMMIT');
    return (await Promise.all(answers)).map(({ status }) => status);
  } finally {
    await gate.end();
  }
}

/** How many statements wait for a lock. */
export async function waiting({ sql }: RunningService): Promise<number> {
  const [row] = await sql(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return Number(row?.['n']);
}
