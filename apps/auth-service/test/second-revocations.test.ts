import { randomUUID } from 'node:crypto';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import { createLogger } from '@tenantry/service/logging';
import { patience, SoftwareAuthenticator, testLog } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordRevocation } from '../src/tokens/revocations/revocations.ts';
import { codeAt } from './support/authenticator.ts';
import { claimsOf, newPassword, password, refresh, send, signIn, signUp } from './support/client.ts';
import { ask, foundCompany, switchTo } from './support/organizations.ts';
import { act, newAccount, newKey, tokenFor } from './support/service-accounts.ts';
import { openDatabase, startService } from './support/service.ts';

const origin = 'https://app.example.com';
const rpId = 'app.example.com';
const service = await startService({
  settings: { FRONTEND_URL: origin, PASSKEY_RP_ID: rpId },
});
const { app, config, sql } = service;
const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
const database = openDatabase(config, logger);
let verifier: Verifier;

beforeAll(async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  verifier = createVerifier({
    issuer: config.AUTH_URL,
    jwks: `${address}/api/auth/jwks`,
    revocations: `${address}/internal/revocations`,
  });
  await verifier.ready({ timeoutMs: patience() });
});
afterAll(async () => {
  verifier.close();
  await database.close();
});

const verdict = (token: string) =>
  verifier.verify(token).then(
    () => 'accepted',
    (error: unknown) => (error as { readonly code: string }).code,
  );
const becomesRevoked = (token: string) =>
  vi.waitFor(async () => expect(await verdict(token)).toBe('TOKEN_REVOKED'), {
    timeout: patience(),
    interval: 20,
  });

type User = Awaited<ReturnType<typeof signUp>>;
const internal = (path: string, payload: object) =>
  app.inject({
    method: 'POST',
    url: `/internal/users/${path}`,
    headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` },
    payload,
  });

/** Revokes all tokens of a user, whose sessions go on, as the end of a second factor does. */
const revokeTokens = ({ id: userId }: Pick<User, 'id'>) =>
  database
    .within({ userId })
    .transaction((tx) => recordRevocation(tx, { kind: 'user', userId, at: new Date() }));

/** Has a user end sessions until further ones are no longer announced one by one. */
async function endThirtySessions({ id: userId }: Pick<User, 'id'>): Promise<void> {
  await database.within({ userId }).transaction(async (tx) => {
    for (let n = 0; n < 30; n += 1) {
      const ended = { kind: 'session', userId, sessionId: randomUUID(), at: new Date() } as const;
      await recordRevocation(tx, ended);
    }
  });
}

/** The next access token of a user, which every verifier accepts. */
async function nextToken(user: Pick<User, 'refreshToken'>) {
  const { body } = await refresh(app, user.refreshToken);
  expect(await verdict(body.session.token)).toBe('accepted');
  return body.session;
}

async function addSecondFactor({ token }: Pick<User, 'token'>) {
  const { secret } = (await send(app, 'POST /two-factor/enable', { token, body: { password } })).body;
  const code = codeAt(secret, new Date());
  const { session } = (await send(app, 'POST /two-factor/verify-totp', { token, body: { code } })).body;
  return { ...session, nextCode: codeAt(secret, new Date(Date.now() + 30_000)) };
}

async function addPasskey({ token }: Pick<User, 'token'>) {
  const authenticator = new SoftwareAuthenticator({ rpId, origin });
  const { options } = (await send(app, 'POST /passkeys/options', { token, body: { password } })).body;
  const response = authenticator.create(options);
  return (await send(app, 'POST /passkeys', { token, body: { response, password } })).body.passkey;
}

// Each waits for seconds to pass, and for nothing that another does.
describe.concurrent('a token that was issued just after a revocation of its user is refused once [S-71]', () => {
  test('the second factor is turned off', async () => {
    const user = await signUp(app);
    const { nextCode: code, ...session } = await addSecondFactor(user);
    await revokeTokens(user);
    const { token } = await nextToken(session);
    const off = await send(app, 'POST /two-factor/disable', { token, body: { password, code } });
    expect(off.status).toBe(200);
    await becomesRevoked(token);
  });

  test('the last passkey is removed', async () => {
    const user = await signUp(app);
    const { id } = await addPasskey(user);
    await revokeTokens(user);
    const { token } = await nextToken(user);
    const removed = await send(app, `DELETE /passkeys/${id}`, { token, body: { password } });
    expect(removed.status).toBe(204);
    await becomesRevoked(token);
  });

  test.each(['disable', 'reset-two-factor'])('the operator asks to %s', async (path) => {
    const user = await signUp(app);
    const session = await addSecondFactor(user);
    await endThirtySessions(user);
    await revokeTokens(user);
    const { token } = await nextToken(session);
    expect((await internal(path, { email: user.email })).statusCode).toBe(204);
    await becomesRevoked(token);
  });

  test('the account is erased', async () => {
    const { member, id } = await foundCompany(service);
    await revokeTokens(member);
    const token = await switchTo(service, (await nextToken(member)).token, id);
    const erased = await send(app, 'DELETE /user', { token, body: { password } });
    expect(erased.status).toBe(204);
    await becomesRevoked(token);
  });

  test('the role in the organization changes', async () => {
    const { id, owner, admin } = await foundCompany(service);
    await revokeTokens(admin);
    const token = await switchTo(service, (await nextToken(admin)).token, id);
    const { status } = await ask(service, `PATCH /organization/${id}/members/${admin.id}`, {
      token: owner.token,
      body: { role: 'member' },
    });
    expect(status).toBe(200);
    await becomesRevoked(token);
  });

  test('an owner is removed from the organization', async () => {
    const { id, owner, admin } = await foundCompany(service);
    await sql(`UPDATE members SET role = 'owner' WHERE user_id = $1 AND organization_id = $2`, [
      admin.id,
      id,
    ]);
    await revokeTokens(admin);
    const token = await switchTo(service, (await nextToken(admin)).token, id);
    await send(app, `DELETE /organization/${id}/members/${admin.id}`, { token: owner.token });
    await becomesRevoked(token);
  });

  test('the organization is deleted', async () => {
    const { id, owner, admin } = await foundCompany(service);
    await revokeTokens(admin);
    const token = await switchTo(service, (await nextToken(admin)).token, id);
    const deleted = await send(app, `DELETE /organization/${id}`, { token: owner.token, body: { password } });
    expect(deleted.status).toBe(200);
    await becomesRevoked(token);
  });

  test('the password is changed, with more endings than are announced one by one', async () => {
    const user = await signUp(app);
    await endThirtySessions(user);
    const other = (await signIn(app, user.email)).body.session;
    await revokeTokens(user);
    const { token } = await nextToken(user);
    const last = await nextToken(other);
    const body = { currentPassword: password, newPassword };
    const changed = await send(app, 'POST /password/change', { token: last.token, body });
    expect(changed.status).toBe(200);
    await becomesRevoked(token);
    await becomesRevoked(last.token);
    expect(await verdict(changed.body.session.token)).toBe('accepted');
  });

  test.each(['DELETE /sessions?scope=all', 'POST /sign-out'])(
    '%s ends sessions that are not announced one by one',
    async (ending) => {
      const user = await signUp(app);
      await endThirtySessions(user);
      const tokens: string[] = [];
      for (let n = 0; n < 2; n += 1) {
        const { token } = (await signIn(app, user.email)).body.session;
        expect(await verdict(token)).toBe('accepted');
        await send(app, ending, { token });
        tokens.push(token);
      }
      for (const token of tokens) await becomesRevoked(token);
    },
  );
});

test.concurrent('a token that was issued just after a change of role is refused once all of its user are [S-71]', async () => {
  const { id, owner, member } = await foundCompany(service);
  const path = `PATCH /organization/${id}/members/${member.id}`;
  await ask(service, path, { token: owner.token, body: { role: 'admin' } });
  const token = await switchTo(service, member.token, id);
  expect(claimsOf(token)).toMatchObject({ role: 'admin' });
  expect(await verdict(token)).toBe('accepted');
  await revokeTokens(member);
  await becomesRevoked(token);
});

test.concurrent('ever more revocations in quick succession leave a user tokens that every verifier accepts [S-71]', async () => {
  const { id, owner, member } = await foundCompany(service);
  const path = `PATCH /organization/${id}/members/${member.id}`;
  for (let n = 0; n < 20; n += 1) {
    await revokeTokens(member);
    await ask(service, path, { token: owner.token, body: { role: n % 2 === 0 ? 'admin' : 'member' } });
  }
  const token = await switchTo(service, (await nextToken(member)).token, id);
  expect(await verdict(token)).toBe('accepted');
});

test.concurrent('ever more changes of the role of a service account leave its key tokens that every verifier accepts [S-71]', async () => {
  const { id, owner } = await foundCompany(service);
  const place = { by: owner, organizationId: id };
  const { id: account } = await newAccount(service, place, 'admin');
  const made = await newKey(service, place, account);
  for (let n = 0; n < 20; n += 1) {
    await act(service, place, ['PATCH', account], { role: n % 2 === 0 ? 'member' : 'admin' });
  }
  expect(await verdict(await tokenFor(service, made))).toBe('accepted');
});
