import { canarySecret, createTestDatabase } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { hashBackupCode } from '../src/sign-in/second-factors/backup-codes.ts';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { openTotpSecret, sealTotpSecret } from '../src/sign-in/second-factors/totp-secret.ts';
import { newTotpSecret } from '../src/sign-in/second-factors/totp.ts';
import { password, send, signUp } from './support/client.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';

const newSecret = canarySecret;

describe('secrets, codes and challenges', () => {
  test('appear in no log line and are stored nowhere as they are [S-177]', async () => {
    const { app, clock, logs, sql } = await startByClock();
    const ada = await enrol(app, clock);
    const codes: string[] = [];
    const next = () => {
      const code = nextCode(ada.secret, clock);
      codes.push(code);
      return code;
    };
    const challengeToken = await challengeOf(app, ada.email);
    await verifyTotp(app, { challengeToken, code: wrongCode(ada.secret, clock) });
    const { token } = (await verifyTotp(app, { challengeToken, code: next() })).body.session;
    const [backupCode = '', unused = ''] = ada.backupCodes;
    const stepped = (await verifyBackupCode(app, { token, code: backupCode })).body.session.token;
    await verifyBackupCode(app, { token: stepped, code: backupCode });
    const open = await challengeOf(app, ada.email);
    await send(app, `GET /two-factor?code=${next()}&challengeToken=${open}`, { token: stepped });
    // A defect below the handlers must not quote what it was handed.
    await sql('ALTER TABLE two_factor RENAME TO two_factor_away');
    const failed = await verifyTotp(app, { challengeToken: open, code: next() });
    await sql('ALTER TABLE two_factor_away RENAME TO two_factor');
    expect(failed.status).toBe(500);
    expect(JSON.stringify(failed.body)).not.toContain(ada.secret);
    const pending = await signUp(app, 'Eve');
    const body = { password };
    const begun = (await send(app, 'POST /two-factor/enable', { token: pending.token, body })).body;

    const lines = logs();
    const stored = await dump(sql);
    expect(lines).toContain('/api/auth/two-factor/verify-totp');
    expect(stored).toContain(hashBackupCode(unused).toString('hex'));
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const bare = (code: string) => code.replaceAll('-', '');
    const secrets = [
      ...[ada.secret, begun.secret, challengeToken, open, begun.qrCode],
      ...[...ada.backupCodes, ...begun.backupCodes].flatMap((code) => [code, bare(code)]),
    ];
    for (const secret of secrets) {
      expect(lines).not.toContain(secret);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(hex(secret));
    }
    // Six digits turn up in any number; a code is between other characters.
    for (const code of codes) expect(lines).not.toMatch(new RegExp(`(?<![0-9a-f.-])${code}(?![0-9a-f.-])`));
  });

  test('are never cached on their way', async () => {
    const { app } = await startByClock();
    const ada = await signUp(app);
    const { headers } = await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('the secret of an authenticator', () => {
  test('rests encrypted, bound to its user and to its AUTH_SECRET [S-29]', () => {
    const ring = new SecretRing(newSecret());
    const secret = newTotpSecret();
    const sealed = sealTotpSecret(secret, 'ada', ring.current);
    expect(Buffer.from(sealed.encryptedSecret).includes(secret)).toBe(false);
    expect(openTotpSecret(sealed, 'ada', ring)).toBe(secret);
    expect(() => openTotpSecret(sealed, 'eve', ring)).toThrow();
    expect(() => openTotpSecret(sealed, 'ada', new SecretRing(newSecret()))).toThrow(
      'add that secret to AUTH_SECRET_PREVIOUS',
    );
  });

  test("moved to another user's row opens nothing [S-29]", async () => {
    const { app, clock, sql } = await startByClock();
    const [ada, eve] = [await enrol(app, clock), await enrol(app, clock, 'Eve')];
    await sql(
      `UPDATE two_factor SET encrypted_secret = (SELECT encrypted_secret FROM two_factor WHERE user_id = $2)
       WHERE user_id = $1`,
      [ada.id, eve.id],
    );
    const challengeToken = await challengeOf(app, ada.email);
    const attempt = await verifyTotp(app, { challengeToken, code: nextCode(eve.secret, clock) });
    expect(attempt.status).toBe(500);
    expect(attempt.body).toMatchObject({ code: 'INTERNAL' });
  });

  test('outlives the rotation of AUTH_SECRET, and moves under the new one with the next code', async () => {
    const database = await createTestDatabase('auth-service');
    afterAll(() => database.drop());
    const [oldSecret, secret] = [newSecret(), newSecret()];
    const before = await startByClock({ database, settings: { AUTH_SECRET: oldSecret } });
    const ada = await enrol(before.app, before.clock);
    const signInBy = async ({ app, clock }: typeof before) => {
      const challengeToken = await challengeOf(app, ada.email);
      return verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    };

    const settings = { AUTH_SECRET: secret, AUTH_SECRET_PREVIOUS: oldSecret };
    const during = await startByClock({ database, settings });
    during.clock.set(new Date(before.clock()));
    expect((await signInBy(during)).status).toBe(200);

    const after = await startByClock({ database, settings: { AUTH_SECRET: secret } });
    after.clock.set(new Date(during.clock()));
    expect((await signInBy(after)).status).toBe(200);
    // Backup codes depend on no secret at all.
    const challengeToken = await challengeOf(after.app, ada.email);
    const backup = await verifyBackupCode(after.app, { challengeToken, code: ada.backupCodes[0]! });
    expect(backup.status).toBe(200);
  });
});

type Sql = (text: string) => Promise<Record<string, unknown>[]>;

/** Everything that is stored, as text. */
async function dump(sql: Sql): Promise<string> {
  const tables = await sql(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  const rows = await Promise.all(
    tables.map(({ name }) => sql(`SELECT row_to_json(t)::text AS row FROM "${String(name)}" t`)),
  );
  return rows
    .flat()
    .map(({ row }) => String(row))
    .join('\n');
}
