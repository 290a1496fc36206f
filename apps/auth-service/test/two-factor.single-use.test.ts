import { describe, expect, test } from 'vitest';
import { claimsOf, password, send } from './support/client.ts';
import {
  challengeOf,
  codeNow,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
} from './support/two-factor.ts';

const { app, clock, sql } = await startByClock();
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
const successes = (answers: readonly { readonly status: number }[]) =>
  statuses(answers).filter((status) => status === 200);

describe('a code of the authenticator', () => {
  test('finishes one challenge under 20 parallel uses', async () => {
    const ada = await enrol(app, clock);
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeOf(app, ada.email)));
    const code = nextCode(ada.secret, clock);
    const answers = await Promise.all(
      challenges.map((challengeToken) => verifyTotp(app, { challengeToken, code })),
    );
    expect(successes(answers)).toHaveLength(1);
  });

  test('steps one session up under 20 parallel uses', async () => {
    const ada = await enrol(app, clock);
    const code = nextCode(ada.secret, clock);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => verifyTotp(app, { token: ada.token, code })),
    );
    expect(successes(answers)).toHaveLength(1);
  });

  test('counts in one place under 20 parallel uses across all of them [S-27]', async () => {
    const ada = await enrol(app, clock);
    const challenges = await Promise.all(Array.from({ length: 7 }, () => challengeOf(app, ada.email)));
    const code = nextCode(ada.secret, clock);
    const answers = await Promise.all([
      ...challenges.map((challengeToken) => verifyTotp(app, { challengeToken, code })),
      ...Array.from({ length: 7 }, () => verifyTotp(app, { token: ada.token, code })),
      ...Array.from({ length: 6 }, () =>
        send(app, 'POST /two-factor/disable', { token: ada.token, body: { password, code } }),
      ),
    ]);
    expect(successes(answers)).toHaveLength(1);
  });

  test('that confirmed the set-up is refused at sign-in and step-up [S-27]', async () => {
    const ada = await enrol(app, clock);
    const used = codeNow(ada.secret, clock);
    const challengeToken = await challengeOf(app, ada.email);
    expect((await verifyTotp(app, { challengeToken, code: used })).body.code).toBe('INVALID_CODE');
    expect((await verifyTotp(app, { token: ada.token, code: used })).body.code).toBe('INVALID_CODE');
  });

  test('of the step before the one last used is refused, although it would be in time', async () => {
    const ada = await enrol(app, clock);
    const before = nextCode(ada.secret, clock);
    const current = nextCode(ada.secret, clock);
    const stepped = await verifyTotp(app, { token: ada.token, code: current });
    expect(stepped.status).toBe(200);
    const late = await verifyTotp(app, { token: stepped.body.session.token, code: before });
    expect([late.status, late.body.code]).toEqual([401, 'INVALID_CODE']);
  });

  test('is not used up by a sign-in that fails after it', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const code = nextCode(ada.secret, clock);
    await sql('ALTER TABLE sessions RENAME TO sessions_away');
    const failed = await verifyTotp(app, { challengeToken, code });
    await sql('ALTER TABLE sessions_away RENAME TO sessions');
    expect(failed.status).toBe(500);
    expect((await verifyTotp(app, { challengeToken, code })).status).toBe(200);
  });
});

describe('a backup code', () => {
  test('signs in once under 20 parallel uses [S-30]', async () => {
    const ada = await enrol(app, clock);
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeOf(app, ada.email)));
    const [code = ''] = ada.backupCodes;
    const answers = await Promise.all(
      challenges.map((challengeToken) => verifyBackupCode(app, { challengeToken, code })),
    );
    expect(successes(answers)).toHaveLength(1);
  });

  test('is named in the token, counted down, mailed and audited', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const code = ada.backupCodes[3]!.toLowerCase().replaceAll('-', ' ');
    const { status, body } = await verifyBackupCode(app, { challengeToken, code });
    expect(status).toBe(200);
    expect(claimsOf(body.session.token)['amr']).toEqual(['pwd', 'backup']);
    const state = await send(app, 'GET /two-factor', { token: body.session.token });
    expect(state.body).toMatchObject({ enabled: true, backupCodesLeft: 9 });
    const audit = `SELECT id FROM audit_events WHERE actor_user_id = $1 AND action = 'two-factor.backup-code-used'`;
    expect(await sql(audit, [ada.id])).toHaveLength(1);
    const mail = `SELECT id FROM mail_outbox WHERE recipient = $1 AND template = 'two-factor-changed'`;
    expect(await sql(mail, [ada.email])).toHaveLength(2);
  });

  test("of one user is no other user's", async () => {
    const [ada, eve] = [await enrol(app, clock), await enrol(app, clock, 'Eve')];
    const challengeToken = await challengeOf(app, ada.email);
    const stolen = await verifyBackupCode(app, { challengeToken, code: eve.backupCodes[0]! });
    expect([stolen.status, stolen.body.code]).toEqual([401, 'INVALID_CODE']);
    const own = await verifyBackupCode(app, { token: eve.token, code: eve.backupCodes[0]! });
    expect(own.status).toBe(200);
  });

  test('no longer counts once the codes are renewed [S-30]', async () => {
    const ada = await enrol(app, clock);
    const renewed = await send(app, 'POST /two-factor/backup-codes', { token: ada.token });
    expect(renewed.status).toBe(200);
    expect(new Set(renewed.body.backupCodes).size).toBe(10);
    const before = await verifyBackupCode(app, { token: ada.token, code: ada.backupCodes[0]! });
    expect([before.status, before.body.code]).toEqual([401, 'INVALID_CODE']);
    const after = await verifyBackupCode(app, { token: ada.token, code: renewed.body.backupCodes[0]! });
    expect(after.status).toBe(200);
  });

  test('lets a user who has lost the phone sign in, disable two-factor, and set it up again', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ days: 3 });
    const challengeToken = await challengeOf(app, ada.email);
    const [first = '', second = ''] = ada.backupCodes;
    const { token } = (await verifyBackupCode(app, { challengeToken, code: first })).body.session;
    const body = { password, code: second };
    expect((await send(app, 'POST /two-factor/disable', { token, body })).status).toBe(200);

    const begun = await send(app, 'POST /two-factor/enable', { token, body: { password } });
    expect(begun.status).toBe(200);
    const code = codeNow(begun.body.secret, clock);
    expect((await verifyTotp(app, { token, code })).status).toBe(200);
    const next = await challengeOf(app, ada.email);
    const old = await verifyBackupCode(app, { challengeToken: next, code: ada.backupCodes[2]! });
    expect([old.status, old.body.code]).toEqual([401, 'INVALID_CODE']);
  });

  test('or renew the codes, and sign in with one of those', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ days: 3 });
    const challengeToken = await challengeOf(app, ada.email);
    const [code = ''] = ada.backupCodes;
    const { token } = (await verifyBackupCode(app, { challengeToken, code })).body.session;
    const renewed = await send(app, 'POST /two-factor/backup-codes', { token });
    expect(renewed.status).toBe(200);
    const next = await challengeOf(app, ada.email);
    const finished = await verifyBackupCode(app, {
      challengeToken: next,
      code: renewed.body.backupCodes[9]!,
    });
    expect(finished.status).toBe(200);
  });
});
