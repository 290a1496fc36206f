import { beforeEach, describe, expect, test } from 'vitest';
import { refresh, send, signUp, type SignedUp } from './support/client.ts';
import { lettersTo } from './support/mail.ts';
import { startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;

/** Renews a session so many times, a minute apart. @returns every token there has been, oldest first */
async function renew(tokens: readonly string[], times: number): Promise<string[]> {
  const all = [...tokens];
  for (let n = 0; n < times; n += 1) {
    clock.advance({ minutes: 1 });
    const { status, body } = await refresh(app, all.at(-1) ?? '');
    expect(status).toBe(200);
    all.push(body.session.refreshToken);
  }
  return all;
}

const backUp = () => sql('DROP TABLE IF EXISTS backup; CREATE TABLE backup AS SELECT * FROM sessions');
/** What a restore, a recovery to a point in time and a failover to a lagging replica leave: rows of some time ago. */
const restore = () =>
  sql(`
    UPDATE sessions s SET refresh_generation = b.refresh_generation, refresh_hash = b.refresh_hash,
      refresh_rotated_at = b.refresh_rotated_at, last_active_at = b.last_active_at
    FROM backup b WHERE b.id = s.id`);

describe('after the database went back in time', () => {
  let ada: SignedUp;
  let tokens: string[];
  beforeEach(async () => {
    ada = await signUp(app);
    tokens = await renew([ada.refreshToken], 2);
    await backUp();
    tokens = await renew(tokens, 5);
    await restore();
  });

  const alarms = async () => {
    const audited = await sql(
      `SELECT action FROM audit_events WHERE actor_user_id = $1 AND action ~ 'reuse|refused'`,
      [ada.id],
    );
    return [...audited, ...(await lettersTo(service, ada.email))];
  };

  test('a refresh token newer than its session continues it, without an alarm [S-79]', async () => {
    const all = await renew(tokens, 3);
    expect(new Set(all).size).toBe(all.length);
    const { status } = await send(app, 'GET /session', { token: ada.token });
    expect(status).toBe(200);
    expect(await alarms()).toEqual(['verify-email']);
  });

  test('20 concurrent uses of it get one successor [S-79]', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(app, tokens.at(-1) ?? '')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.session.refreshToken)).size).toBe(1);
    expect(await alarms()).toEqual(['verify-email']);
  });

  test('a token that was copied before it is a theft as ever [S-79]', async () => {
    await renew(tokens, 1);
    expect((await refresh(app, tokens[3] ?? '')).status).toBe(401);
    expect((await refresh(app, tokens.at(-1) ?? '')).status).toBe(401);
    expect(await lettersTo(service, ada.email)).toContain('session-reuse-detected');
  });

  test('a session that had ended before stays ended', async () => {
    await sql('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [ada.id]);
    expect((await refresh(app, tokens.at(-1) ?? '')).status).toBe(401);
    expect(await alarms()).toEqual(['verify-email']);
  });
});
