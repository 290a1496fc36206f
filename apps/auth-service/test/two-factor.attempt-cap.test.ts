import { describe, expect, test } from 'vitest';
import { password, send, type Answer } from './support/client.ts';
import {
  challengeOf,
  codeNow,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
  type Enrolled,
} from './support/two-factor.ts';

const { app, clock, sql } = await startByClock();
const unknownBackupCode = '0'.repeat(24);

async function guess(times: number, attempt: () => Promise<Answer>): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { status, body } = await attempt();
    expect([status, body.code]).toEqual([401, 'INVALID_CODE']);
  }
}

/** Every way in which a right code could be used. */
async function everywhere(ada: Enrolled): Promise<Answer[]> {
  const code = nextCode(ada.secret, clock);
  const challengeToken = await challengeOf(app, ada.email);
  return [
    await verifyTotp(app, { challengeToken, code }),
    await verifyTotp(app, { token: ada.token, code }),
    await verifyBackupCode(app, { challengeToken, code: ada.backupCodes[0]! }),
    await verifyBackupCode(app, { token: ada.token, code: ada.backupCodes[0]! }),
    await send(app, 'POST /two-factor/disable', { token: ada.token, body: { password, code } }),
  ];
}

describe('ten wrong codes on an account', () => {
  test('lock its second factor everywhere for 15 minutes, and a new challenge resets nothing [S-28]', async () => {
    const ada = await enrol(app, clock);
    const code = wrongCode(ada.secret, clock);
    const first = await challengeOf(app, ada.email);
    await guess(4, () => verifyTotp(app, { challengeToken: first, code }));
    await guess(2, () => verifyTotp(app, { token: ada.token, code }));
    await guess(1, () => verifyBackupCode(app, { token: ada.token, code: unknownBackupCode }));
    await guess(1, () =>
      send(app, 'POST /two-factor/disable', { token: ada.token, body: { password, code } }),
    );
    const second = await challengeOf(app, ada.email);
    await guess(2, () => verifyTotp(app, { challengeToken: second, code }));

    for (const { status, body, headers } of await everywhere(ada)) {
      expect([status, body.code]).toEqual([429, 'ACCOUNT_LOCKED']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    }
    clock.advance({ minutes: 13 });
    for (const { status } of await everywhere(ada)) expect(status).toBe(429);

    clock.advance({ minutes: 1, seconds: 1 });
    const challengeToken = await challengeOf(app, ada.email);
    expect((await verifyTotp(app, { challengeToken, code: codeNow(ada.secret, clock) })).status).toBe(200);
  });

  test('are ten on a live session too [S-28]', async () => {
    const ada = await enrol(app, clock);
    const code = wrongCode(ada.secret, clock);
    await guess(10, () => verifyTotp(app, { token: ada.token, code }));
    const right = await verifyTotp(app, { token: ada.token, code: nextCode(ada.secret, clock) });
    expect([right.status, right.headers['retry-after']]).toEqual([429, '870']);
  });

  test('are ten under 40 parallel ones, in two places', async () => {
    const ada = await enrol(app, clock);
    const code = wrongCode(ada.secret, clock);
    const challenges = await Promise.all(Array.from({ length: 5 }, () => challengeOf(app, ada.email)));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? verifyTotp(app, { token: ada.token, code })
          : verifyTotp(app, { challengeToken: challenges[n % 5]!, code }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('are counted in a row: a right one between them forgives', async () => {
    const ada = await enrol(app, clock);
    let { token } = ada;
    for (let round = 0; round < 3; round += 1) {
      const code = wrongCode(ada.secret, clock);
      await guess(9, () => verifyTotp(app, { token, code }));
      const right = await verifyTotp(app, { token, code: nextCode(ada.secret, clock) });
      expect(right.status).toBe(200);
      token = right.body.session.token;
    }
  });

  test('of one user lock no other user', async () => {
    const [ada, eve] = [await enrol(app, clock), await enrol(app, clock, 'Eve')];
    const code = wrongCode(ada.secret, clock);
    await guess(10, () => verifyTotp(app, { token: ada.token, code }));
    expect((await verifyTotp(app, { token: eve.token, code: nextCode(eve.secret, clock) })).status).toBe(200);
  });

  test('notify the user and are recorded, once [S-28]', async () => {
    const ada = await enrol(app, clock);
    const code = wrongCode(ada.secret, clock);
    await guess(10, () => verifyTotp(app, { token: ada.token, code }));
    await everywhere(ada);
    const mail = `SELECT id FROM mail_outbox WHERE recipient = $1 AND template = 'second-factor-locked'`;
    expect(await sql(mail, [ada.email])).toHaveLength(1);
    const audit = `SELECT id FROM audit_events WHERE actor_user_id = $1 AND action = 'two-factor.locked'`;
    expect(await sql(audit, [ada.id])).toHaveLength(1);
  });

  test('are still counted when the service starts again', async () => {
    const ada = await enrol(app, clock);
    const code = wrongCode(ada.secret, clock);
    await guess(9, () => verifyTotp(app, { token: ada.token, code }));
    const rows = await sql('SELECT failures FROM two_factor WHERE user_id = $1', [ada.id]);
    expect(rows).toEqual([{ failures: 9 }]);
  });
});
