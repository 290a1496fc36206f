import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { SecondFactorsRepository } from '../src/sign-in/second-factors/second-factors.repository.ts';
import { openDatabase } from './support/service.ts';
import { claimsOf, password, send, signIn, signUp } from './support/client.ts';
import {
  challengeOf,
  codeNow,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';

const { app, clock, sql, database, config } = await startByClock();

describe('concurrent operations of one user', () => {
  test('sign-ins, codes, switches and lists meet no deadlock', async () => {
    const ada = await enrol(app, clock);
    const { token } = ada;
    const organizationId = claimsOf(token)['organizationId'];
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(app, ada.email)));
    const wrong = wrongCode(ada.secret, clock);
    const answers = await Promise.all([
      ...challenges.map((challengeToken, n) =>
        verifyBackupCode(app, { challengeToken, code: ada.backupCodes[n]! }),
      ),
      ...Array.from({ length: 4 }, () => verifyTotp(app, { token, code: wrong })),
      ...Array.from({ length: 8 }, () => signIn(app, ada.email)),
      ...Array.from({ length: 8 }, () =>
        send(app, 'POST /organization/switch', { token, body: { organizationId } }),
      ),
      ...Array.from({ length: 4 }, () => send(app, 'POST /two-factor/backup-codes', { token })),
      ...Array.from({ length: 4 }, () => send(app, 'GET /two-factor', { token })),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('no session without a second factor outlives its being turned on', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await signUp(app);
      const begun = await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
      const code = codeNow(begun.body.secret, clock);
      const [confirmed, ...signIns] = await Promise.all([
        verifyTotp(app, { token: ada.token, code }),
        ...Array.from({ length: 8 }, () => signIn(app, ada.email)),
      ]);
      expect(confirmed.status).toBe(200);
      expect(signIns.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      const live = await sql('SELECT factors FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [
        ada.id,
      ]);
      expect(live).toEqual([{ factors: ['pwd', 'otp'] }]);
    }
  });

  // The later the sign-out, the likelier the step-up is first.
  test.each([0, 20, 200])(
    'a session that ends %i ms later is stepped up, or the code stays unused',
    async (laterMs) => {
      const ada = await enrol(app, clock);
      const code = nextCode(ada.secret, clock);
      const [stepped, ended] = await Promise.all([
        verifyTotp(app, { token: ada.token, code }),
        sleep(laterMs).then(() => send(app, 'POST /sign-out', { token: ada.token })),
      ]);
      // Whichever was first: never both a new session and an unused code, and the session that was named has ended.
      if (stepped.status === 200) {
        expect([200, 401]).toContain(ended.status);
        expect((await send(app, 'GET /two-factor', { token: stepped.body.session.token })).status).toBe(200);
        expect((await send(app, 'GET /two-factor', { token: ada.token })).status).toBe(401);
      } else {
        expect([stepped.status, stepped.body.code]).toEqual([401, 'UNAUTHENTICATED']);
        const challengeToken = await challengeOf(app, ada.email);
        expect((await verifyTotp(app, { challengeToken, code })).status).toBe(200);
      }
    },
  );
});

describe('the time step of an account', () => {
  test('only moves forward, for any operation [S-27]', async () => {
    const ada = await enrol(app, clock);
    const logger = createLogger({ name: 'auth-service', level: 'trace', destination: testLog() });
    const own = openDatabase(config, logger);
    const repository = new SecondFactorsRepository();
    const advance = (timeStep: number) =>
      own.within({ userId: ada.id }).transaction(async (tx) => {
        const { encryptedSecret, secretId } = (await repository.lockForUpdate(tx))!.authenticator!;
        return repository.advance(tx, {
          timeStep,
          encryptedSecret: encryptedSecret!,
          secretId: secretId!,
        });
      });
    const current = Math.floor(clock() / 30_000);
    const moved: boolean[] = [];
    for (const ahead of [5, 5, 4, 6]) moved.push(await advance(current + ahead));
    await own.close();
    expect(moved).toEqual([true, false, false, true]);
  });
});

describe('the tables of second factors', () => {
  const runtime = new pg.Pool({ connectionString: database.runtimeUrl, max: 1 });
  // A connection that is still closing is cut when the database is dropped.
  runtime.on('error', () => undefined);
  afterAll(() => runtime.end());
  const tables = ['two_factor', 'two_factor_backup_codes', 'two_factor_challenges'];
  const within = (userId: string) =>
    runtime.query(
      `SELECT set_config('app.organization_id', '', false), set_config('app.user_id', $1, false)`,
      [userId],
    );

  test('show a user only their own rows, and none without a user', async () => {
    const [ada, eve] = [await enrol(app, clock), await enrol(app, clock, 'Eve')];
    for (const { email } of [ada, eve]) await challengeOf(app, email);
    for (const table of tables) {
      const own = () => runtime.query<{ user_id: string }>(`SELECT user_id FROM ${table}`);
      await within(ada.id);
      const { rows } = await own();
      expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(new Set([ada.id]));
      const taken = await runtime.query(`DELETE FROM ${table} WHERE user_id = $1`, [eve.id]);
      expect(taken.rowCount).toBe(0);
      await within('');
      await expect(own()).rejects.toThrow('no user is set');
    }
  });
});
