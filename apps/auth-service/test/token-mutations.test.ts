import { createPublicKey, randomUUID } from 'node:crypto';
import { mutatedAccessTokens, mutatedOpaqueTokens, signedToken, type TokenParts } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { openSigningKey, type StoredSigningKey } from '../src/tokens/signing-keys/signing-key.ts';
import { claimsOf, newPassword, password, send, signUp, type Answer } from './support/client.ts';
import { mailedToken } from './support/mail.ts';
import { challengeOf, enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, config, sql } = service;

/** The service's own key: what follows is signed by it, as if the service itself had gone wrong. */
async function partsOf(token: string): Promise<TokenParts> {
  const [row] = await sql(`
    SELECT kid, public_jwk AS "publicJwk", encrypted_private_key AS "encryptedPrivateKey",
      secret_id AS "secretId", not_before AS "signsFrom" FROM signing_keys`);
  const { kid, privateKey } = await openSigningKey(
    row as unknown as StoredSigningKey,
    new SecretRing(config.AUTH_SECRET),
  );
  const header = { alg: 'ES256', kid, typ: 'at+jwt' };
  return { header, claims: claimsOf(token), privateKey, publicKey: createPublicKey(privateKey) };
}

describe('an access token', async () => {
  const ada = await signUp(app);
  const parts = await partsOf(ada.token);
  const read = (token: string) => send(app, 'GET /session', { token });

  test('is accepted when the right key signs it again, so that each refusal is due to its one change', async () => {
    expect((await read(signedToken(parts))).status).toBe(200);
  });

  test.each(mutatedAccessTokens(parts))('is refused with %s [S-82]', async (_change, token) => {
    const { status, body, headers } = await read(token);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test.each([
    ['of a session that never was', { sid: randomUUID() }],
    ['of another user’s session', { sub: randomUUID() }],
  ])('is refused %s, though the service itself has signed it', async (_case, claims) => {
    expect((await read(signedToken(parts, claims))).status).toBe(401);
  });

  test('never gives more rights than the member has, whatever role it names', async () => {
    const robin = await signUp(app, 'Robin');
    const { organizationId } = claimsOf(robin.token);
    const token = signedToken(parts, { organizationId, role: 'owner' });
    const { status } = await send(app, `GET /organization/${String(organizationId)}/members`, { token });
    expect(status).toBe(404);
  });
});

describe('every other kind of token, mutated, is refused and harms nothing', () => {
  /** Shows each mutation, then the token itself: it must have stayed good. */
  async function expectAllRefused(
    token: string,
    show: (token: string) => Promise<Answer>,
    refusals: string[],
  ) {
    for (const [change, mutated] of mutatedOpaqueTokens(token)) {
      const { status, body } = await show(mutated);
      expect(refusals, change).toContain(`${status} ${body.code}`);
    }
    expect((await show(token)).status).toBe(200);
  }

  test('refresh', async () => {
    const { refreshToken } = await signUp(app);
    await expectAllRefused(
      refreshToken,
      (token) => send(app, 'POST /refresh', { body: { refreshToken: token } }),
      ['401 INVALID_REFRESH_TOKEN'],
    );
  });

  test('challenge', async () => {
    const robin = await enrol(app, clock);
    const challengeToken = await challengeOf(app, robin.email);
    const code = nextCode(robin.secret, clock);
    await expectAllRefused(challengeToken, (token) => verifyTotp(app, { code, challengeToken: token }), [
      '401 INVALID_CHALLENGE',
      '400 VALIDATION_ERROR',
    ]);
  });

  test('password reset', async () => {
    const { email } = await signUp(app);
    await send(app, 'POST /password/forgot', { body: { email } });
    await expectAllRefused(
      await mailedToken(service, email, 'reset-password'),
      (token) => send(app, 'POST /password/reset', { body: { token, newPassword } }),
      ['400 INVALID_TOKEN'],
    );
  });

  test('e-mail verification', async () => {
    const { email } = await signUp(app);
    await expectAllRefused(
      await mailedToken(service, email, 'verify-email'),
      (token) => send(app, 'POST /email/verify', { body: { token } }),
      ['400 INVALID_TOKEN'],
    );
  });

  test('the key of peer services', async () => {
    const [key = ''] = config.INTERNAL_API_KEY;
    const show = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await app.inject({ url: '/internal/events', headers });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json<Answer['body']>() };
    };
    await expectAllRefused(key, show, ['401 UNAUTHENTICATED']);
  });

  test('and none is an access token [S-86]', async () => {
    const { refreshToken, email } = await signUp(app);
    const kinds = [
      refreshToken,
      await mailedToken(service, email, 'verify-email'),
      config.INTERNAL_API_KEY[0] ?? '',
      Buffer.from(`${email}:${password}`).toString('base64'),
    ];
    for (const token of kinds) expect((await send(app, 'GET /session', { token })).status).toBe(401);
  });
});
