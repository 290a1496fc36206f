import { describe, expect, test } from 'vitest';
import { newEmail, newPassword, password, send, signIn, signUp, type Answer } from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { inLine } from './support/pairs.ts';
import { startService } from './support/service.ts';
import { startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;

/** Another instance of the service: whichever sends a letter, it is found in the same directory. */
const startAnother = () =>
  startService({
    database: service.database,
    settings: { AUTH_SECRET: service.config.AUTH_SECRET, MAIL_DIRECTORY: service.mailDirectory },
    now: () => new Date(clock()),
  });

const wrong = (email: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send(app, 'POST /sign-in/email', { body: { email, password: 'a wrong password' }, headers });

async function fail(email: string, times: number): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < times; n += 1) statuses.push((await wrong(email)).status);
  return statuses;
}

const retryAfter = ({ headers }: Answer) => Number(headers['retry-after']);

describe('five wrong passwords in a row', () => {
  test('lock for 30 seconds, in which the right password is refused too [S-16]', async () => {
    const ada = await signUp(app);
    expect(await fail(ada.email, 5)).toEqual([401, 401, 401, 401, 401]);
    const locked = await signIn(app, ada.email);
    expect(locked.status).toBe(429);
    expect(locked.body).toMatchObject({ code: 'ACCOUNT_LOCKED' });
    expect(retryAfter(locked)).toBe(30);
    clock.advance({ seconds: 29 });
    expect(retryAfter(await signIn(app, ada.email))).toBe(1);
    clock.advance({ seconds: 1 });
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test('lock an address without an account with the same bytes [S-12]', async () => {
    const [ada, unknown] = [await signUp(app), newEmail()];
    const answersOf = async (email: string) => {
      const answers = [];
      for (let n = 0; n < 7; n += 1) answers.push(await wrong(email, { 'x-request-id': 'same' }));
      return answers.map(({ status, body, headers }) => ({
        status,
        body,
        headers: { ...headers, date: '' },
      }));
    };
    const known = await answersOf(ada.email);
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await answersOf(unknown)).toEqual(known);
    expect(await lettersTo(service, unknown)).toEqual([]);
  });

  test('are not what four of them and a right one are', async () => {
    const ada = await signUp(app);
    for (let round = 0; round < 3; round += 1) {
      expect(await fail(ada.email, 4)).toEqual([401, 401, 401, 401]);
      expect((await signIn(app, ada.email)).status).toBe(200);
    }
  });

  test('mail the user at the first lock, and not again at the next [S-17]', async () => {
    const ada = await signUp(app);
    await fail(ada.email, 4);
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email']);
    await fail(ada.email, 1);
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email', 'account-locked']);
    for (const seconds of [30, 60, 120]) {
      clock.advance({ seconds });
      await fail(ada.email, 1);
    }
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email', 'account-locked']);
    const audit = await sql(`SELECT action FROM audit_events WHERE actor_user_id = $1`, [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('account.locked');
  });
});

test('each further failure doubles the lock, up to 15 minutes [S-16]', async () => {
  const email = newEmail();
  await fail(email, 5);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900, 900]) {
    expect(retryAfter(await wrong(email))).toBe(seconds);
    clock.advance({ seconds });
    expect((await wrong(email)).status).toBe(401);
  }
});

test('50 parallel wrong passwords cause at most 5 hashes, over two instances [S-16]', async () => {
  const second = await startAnother();
  const ada = await signUp(app);
  for (const email of [ada.email, newEmail()]) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        send(n % 2 ? app : second.app, 'POST /sign-in/email', {
          body: { email, password: 'a wrong password' },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    // Each 401 is a password that was hashed and compared.
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  }
});

test('a burst of right passwords causes no lock', async () => {
  const ada = await signUp(app);
  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(app, ada.email)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('failures survive a restart [S-16]', async () => {
  const ada = await signUp(app);
  await fail(ada.email, 5);
  const restarted = await startAnother();
  expect((await signIn(restarted.app, ada.email)).status).toBe(429);
});

describe('a stranger', () => {
  const phone = { 'x-device-id': 'adas-phone-0001' };

  test('who locks an account does not lock the device that has signed in before [S-17]', async () => {
    const ada = await signUp(app);
    expect((await signIn(app, ada.email, phone)).status).toBe(200);
    await fail(ada.email, 6);
    expect((await signIn(app, ada.email)).status).toBe(429);
    expect((await signIn(app, ada.email, { 'x-device-id': 'some-other-device' })).status).toBe(429);
    expect((await signIn(app, ada.email, phone)).status).toBe(200);
    // And that takes nothing back for the stranger.
    expect((await signIn(app, ada.email)).status).toBe(429);
  });

  test('who makes up device ids gets no counter for each [S-17]', async () => {
    const ada = await signUp(app);
    const statuses = [];
    for (let n = 0; n < 8; n += 1) {
      statuses.push((await wrong(ada.email, { 'x-device-id': `made-up-device-${n}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  test('a device that has signed in to one account is not known to another', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const device = { 'x-device-id': 'eves-phone-0001' };
    expect((await signIn(app, eve.email, device)).status).toBe(200);
    await fail(ada.email, 5);
    expect((await wrong(ada.email, device)).status).toBe(429);
  });

  test('who has the known device in hand is locked as anyone', async () => {
    const ada = await signUp(app);
    await signIn(app, ada.email, phone);
    const statuses = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await wrong(ada.email, phone)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test('a holder of a session gets no additional guesses at the password', async () => {
    const ada = await signUp(app);
    const body = { currentPassword: 'a wrong password', newPassword };
    const statuses = [];
    for (let n = 0; n < 7; n += 1) {
      statuses.push((await send(app, 'POST /password/change', { token: ada.token, body })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

describe('a hundred failures in a row [S-16]', () => {
  test('disable the password that they guessed at, and not one that was set meanwhile', async () => {
    const ada = await signUp(app);
    await fail(ada.email, 1);
    await sql('UPDATE sign_in_failures SET failures = 99 WHERE failures = 1');
    clock.advance({ seconds: 1 });
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const token = await mailedToken(service, ada.email, 'reset-password');
    const statuses = await inLine({ service, user: ada }, [
      () => send(app, 'POST /password/reset', { body: { token, newPassword } }),
      () => wrong(ada.email),
    ]);
    expect(statuses).toEqual([200, 401]);
    const body = { email: ada.email, password: newPassword };
    expect((await send(app, 'POST /sign-in/email', { body })).status).toBe(200);
  });

  test('start over once a known device has signed in, so that a stranger’s slow guesses disable nothing', async () => {
    const slow = await startByClock();
    const ada = await signUp(slow.app);
    const phone = { 'x-device-id': 'adas-phone-0003' };
    expect((await signIn(slow.app, ada.email, phone)).status).toBe(200);
    const guess = () =>
      send(slow.app, 'POST /sign-in/email', { body: { email: ada.email, password: 'a wrong password' } });
    const counted = async () => (await slow.sql('SELECT failures FROM sign_in_failures'))[0]?.['failures'];
    for (let day = 0; day < 3; day += 1) {
      for (let n = 0; n < 60; n += 1) {
        slow.clock.advance({ minutes: 15 });
        expect((await guess()).status).toBe(401);
      }
      expect((await signIn(slow.app, ada.email, phone)).status).toBe(200);
      // Back to the first lock, and not below it: no guess is won.
      expect(await counted()).toBe(5);
      expect((await guess()).status).toBe(429);
    }
    const [{ disabled_at } = {}] = await slow.sql('SELECT disabled_at FROM credentials');
    expect(disabled_at).toBeNull();
    expect(await lettersTo(slow, ada.email)).toEqual(['verify-email', 'account-locked']);
  });

  test('disable the password until it is reset, and mail the way to do so', async () => {
    const quick = await startByClock({ settings: { LOCKOUT_SECONDS_MAX: '1', LOCKOUT_SECONDS: '1' } });
    const ada = await signUp(quick.app);
    const attempt = (email: string, text: string) => {
      quick.clock.advance({ seconds: 2 });
      return send(quick.app, 'POST /sign-in/email', {
        body: { email, password: text },
        headers: { 'x-request-id': 'same' },
      });
    };
    const unknown = newEmail();
    for (let n = 0; n < 99; n += 1) {
      expect((await attempt(ada.email, 'a wrong password')).status).toBe(401);
      expect((await attempt(unknown, 'a wrong password')).status).toBe(401);
    }
    const disabled = async () =>
      (await quick.sql('SELECT disabled_at FROM credentials WHERE user_id = $1', [ada.id]))[0]?.[
        'disabled_at'
      ];
    expect(await disabled()).toBeNull();
    await attempt(ada.email, 'a wrong password');
    await attempt(unknown, 'a wrong password');
    expect(await disabled()).not.toBeNull();

    const refused = await attempt(ada.email, password);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual((await attempt(unknown, password)).body);
    expect(await lettersTo(quick, ada.email)).toEqual(['verify-email', 'account-locked', 'reset-password']);

    const token = await mailedToken(quick, ada.email, 'reset-password');
    expect((await send(quick.app, 'POST /password/reset', { body: { token, newPassword } })).status).toBe(
      200,
    );
    expect((await attempt(ada.email, newPassword)).status).toBe(200);
  });
});

test('every figure is configuration', async () => {
  const strict = await startByClock({
    settings: { LOCKOUT_THRESHOLD: '2', LOCKOUT_SECONDS: '7', LOCKOUT_SECONDS_MAX: '10' },
  });
  const email = newEmail();
  const attempt = () => send(strict.app, 'POST /sign-in/email', { body: { email, password } });
  expect([(await attempt()).status, (await attempt()).status]).toEqual([401, 401]);
  expect(retryAfter(await attempt())).toBe(7);
  strict.clock.advance({ seconds: 7 });
  await attempt();
  expect(retryAfter(await attempt())).toBe(10);
});

test('neither addresses nor devices are readable in the counters', async () => {
  const [email, device] = [newEmail(), 'canary-device-4711'];
  await wrong(email, { 'x-device-id': device });
  const ada = await signUp(app);
  await signIn(app, ada.email, { 'x-device-id': device });
  const rows = await sql(`
    SELECT row_to_json(f)::text AS row FROM sign_in_failures f
    UNION ALL SELECT row_to_json(d)::text FROM known_devices d`);
  const stored = rows.map(({ row }) => String(row)).join();
  expect(rows.length).toBeGreaterThan(1);
  for (const text of [email, device, ada.email]) {
    expect(stored).not.toContain(text);
    expect(stored).not.toContain(Buffer.from(text).toString('hex'));
  }
});
