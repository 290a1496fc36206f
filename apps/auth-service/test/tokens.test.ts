import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayText } from '../src/tokens/access-tokens/display-text.ts';
import { claimsOf, newEmail, password, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, config } = await startService({ settings: { AUTH_URL: 'https://auth.example.com/api/auth' } });

describe('an access token', () => {
  test('carries exactly the published claims', async () => {
    const signedUpAt = Date.now() / 1_000;
    const ada = await signUp(app);
    const [header = ''] = ada.token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'ES256',
      kid: (await send(app, 'GET /jwks')).body.keys[0]?.['kid'],
      typ: 'at+jwt',
    });

    const claims = claimsOf(ada.token);
    const issuedAt = Number(claims['iat']);
    expect(claims).toEqual({
      iss: config.AUTH_URL,
      aud: 'tenantry',
      sub: ada.id,
      sid: ada.sessionId,
      email: ada.email,
      name: ada.name,
      organizationId: (await send(app, 'GET /session', { token: ada.token })).body.organization.id,
      organizationName: "Ada Lovelace's organization",
      role: 'owner',
      amr: ['pwd'],
      acr: 'aal1',
      auth_time: issuedAt,
      bnd: expect.stringMatching(/^[\w-]{22}\.~[\w-]{8}$/) as string,
      csh: expect.stringMatching(/^[\w-]{22}$/) as string,
      iat: issuedAt,
      exp: issuedAt + 900,
    });
    expect(issuedAt).toBeGreaterThan(signedUpAt - 2);
    expect(issuedAt).toBeLessThan(Date.now() / 1_000 + 2);
  });

  test.each(['🦊'.repeat(100), '"'.repeat(100), '\\'.repeat(100), 'שׂ'.repeat(50)])(
    'stays under 1.5 KiB with the longest address and a name of %s [S-89]',
    async (name) => {
      const email = `${newEmail().slice(0, 60).replace('@', '.')}@${'long-name.'.repeat(19)}example`;
      const { status, body } = await send(app, 'POST /sign-up/email', { body: { email, password, name } });
      expect(status).toBe(201);
      expect(body.user.email.length).toBeGreaterThan(240);
      expect(body.session.token.length).toBeLessThan(1_536);
      expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(200);
    },
  );
});

describe('display text', () => {
  test('is left alone when it fits, and otherwise cut at a whole character', () => {
    expect(displayText('Ada', 160)).toBe('Ada');
    expect(displayText('x'.repeat(10), 6)).toBe('xxx…');
    expect(displayText('🦊🦊🦊', 8)).toBe('🦊…');
  });

  test('never exceeds its maximum size, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 3, max: 200 }),
        (text, max) => {
          const shown = displayText(text, max);
          expect(Buffer.byteLength(JSON.stringify(shown)) - 2).toBeLessThanOrEqual(max);
          expect(text.startsWith(shown.replace(/…$/, ''))).toBe(true);
        },
      ),
    );
  });
});
