import { describe, expect, test } from 'vitest';
import {
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type SignedUp,
} from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import { enter, found, prove } from './support/organizations.ts';
import { challengeOf, codeNow, enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

/** An attacker who held an account for a minute may have begun a change on it, to finish it later. */
const service = await startByClock();
const { app, clock, sql } = service;

const thief = { 'x-device-id': 'a-thief-0001' };

interface Held {
  readonly ada: SignedUp;
  /** A session of the thief's. */
  readonly stolen: { readonly id: string; readonly token: string; readonly refreshToken: string };
  /** What the thief has begun. */
  readonly move: string;
  readonly reset: string;
  readonly secret: string;
}

/** An account that was held for a minute, and has a move, a reset and a set-up under way. */
async function held(): Promise<Held> {
  const ada = await signUp(app);
  await prove(service, ada);
  const stolen = (await signIn(app, ada.email, thief)).body.session;
  const address = newEmail();
  const { token } = stolen;
  await send(app, 'POST /email/change', { token, body: { newEmail: address }, headers: thief });
  await send(app, 'POST /password/forgot', { body: { email: ada.email } });
  const begun = await send(app, 'POST /two-factor/enable', { token, body: { password } });
  const move = await mailedToken(service, address, 'confirm-new-address');
  const reset = await mailedToken(service, ada.email, 'reset-password');
  return { ada, stolen, move, reset, secret: begun.body.secret };
}

const finishMove = ({ move }: Held, token: string) =>
  send(app, 'POST /email/verify', { token, body: { token: move } });
const finishEnrolment = ({ secret }: Held, token: string) =>
  verifyTotp(app, { token, code: codeNow(secret, clock) });
const finishReset = ({ reset }: Held) =>
  send(app, 'POST /password/reset', { body: { token: reset, newPassword: `another one ${newPassword}` } });

/** Tries to finish all of it, with whatever session somebody still has. */
async function finished(account: Held, token: string) {
  const moved = await finishMove(account, token);
  const enrolled = await finishEnrolment(account, token);
  const reset = await finishReset(account);
  return [moved.body.code, enrolled.body.code, reset.body.code];
}

const nothing = ['INVALID_TOKEN', 'TWO_FACTOR_NOT_ENABLED', 'INVALID_TOKEN'];

describe('what is pending on an account is withdrawn by', () => {
  test('nothing, as long as the user does not reclaim the account', async () => {
    const [first, second, third] = [await held(), await held(), await held()];
    expect((await finishMove(first, first.stolen.token)).status).toBe(200);
    expect((await finishEnrolment(second, second.stolen.token)).status).toBe(200);
    expect((await finishReset(third)).status).toBe(200);
  });

  test('a change of the password [S-9]', async () => {
    const account = await held();
    const body = { currentPassword: password, newPassword };
    const { token } = account.ada;
    const changed = await send(app, 'POST /password/change', { token, body });
    expect(changed.status).toBe(200);
    expect(await finished(account, changed.body.session.token)).toEqual(nothing);
  });

  test('a reset of the password', async () => {
    const account = await held();
    const { email } = account.ada;
    await send(app, 'POST /password/forgot', { body: { email } });
    const token = await mailedToken(service, email, 'reset-password');
    expect((await send(app, 'POST /password/reset', { body: { token, newPassword } })).status).toBe(200);
    const back = await send(app, 'POST /sign-in/email', { body: { email, password: newPassword } });
    expect(await finished(account, back.body.session.token)).toEqual(nothing);
  });

  test.each(['others', 'all'])('the end of sessions: %s [S-9]', async (scope) => {
    const account = await held();
    const { token, email } = account.ada;
    expect((await send(app, `DELETE /sessions?scope=${scope}`, { token })).status).toBe(200);
    const live = scope === 'others' ? token : (await signIn(app, email)).body.session.token;
    expect(await finished(account, live)).toEqual(nothing);
  });

  test('the end of one session', async () => {
    const account = await held();
    const { token } = account.ada;
    expect((await send(app, `DELETE /sessions/${account.stolen.id}`, { token })).status).toBe(204);
    expect(await finished(account, token)).toEqual(nothing);
  });

  test('signing out, but for a reset, which may be the way back in', async () => {
    const account = await held();
    const { email } = account.ada;
    expect((await send(app, 'POST /sign-out', { token: account.stolen.token })).status).toBe(200);
    const back = (await signIn(app, email)).body.session.token;
    expect(await finished(account, back)).toEqual([nothing[0], nothing[1], undefined]);
  });

  test('a refresh token that is used on another device', async () => {
    const account = await held();
    expect((await refresh(app, account.stolen.refreshToken)).status).toBe(401);
    expect(await finished(account, account.ada.token)).toEqual(nothing);
  });

  test('turning the second factor on [S-9]', async () => {
    const account = await held();
    const { token } = account.ada;
    const { body } = await send(app, 'POST /two-factor/enable', { token, body: { password } });
    const enrolled = await verifyTotp(app, { token, code: nextCode(body.secret, clock) });
    expect(enrolled.status).toBe(200);
    const [moved, , reset] = await finished(account, enrolled.body.session.token);
    expect([moved, reset]).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN']);
  });

  test.each([
    ['turning the second factor off', 'disable'],
    ['new backup codes', 'backup-codes'],
  ] as const)('%s', async (_, change) => {
    const ada = await enrol(app, clock);
    await prove(service, ada);
    const address = newEmail();
    await send(app, 'POST /email/change', { token: ada.token, body: { newEmail: address } });
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const body = { password, code: nextCode(ada.secret, clock) };
    const options = { token: ada.token, ...(change === 'disable' && { body }) };
    expect((await send(app, `POST /two-factor/${change}`, options)).status).toBe(200);
    const token =
      change === 'disable' ? (await refresh(app, ada.refreshToken)).body.session.token : ada.token;
    for (const [mailed, request] of [
      [await mailedToken(service, address, 'confirm-new-address'), 'POST /email/verify'],
      [await mailedToken(service, ada.email, 'reset-password'), 'POST /password/reset'],
    ] as const) {
      const more = request === 'POST /password/reset' ? { newPassword } : {};
      const answer = await send(app, request, { token, body: { token: mailed, ...more } });
      expect(answer.body.code).toBe('INVALID_TOKEN');
    }
  });

  test.each(['organization', 'operator'])(
    'disabling, also once the account is enabled again: by the %s [S-9]',
    async (by) => {
      const account = await held();
      const { ada } = account;
      const owner = await signUp(app, 'Olga Owner');
      const { id } = await found(service, owner.token);
      await sql('DELETE FROM members WHERE user_id = $1', [ada.id]);
      await enter(service, id, ada, 'member');
      const asOperator = (action: string) =>
        app.inject({
          method: 'POST',
          url: `/internal/users/${action}`,
          headers: { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}` },
          payload: { email: ada.email },
        });
      const asOwner = (action: string) =>
        send(app, `POST /organization/${id}/members/${ada.id}/${action}`, { token: owner.token });
      for (const action of ['disable', 'enable']) {
        if (by === 'operator') expect((await asOperator(action)).statusCode).toBe(204);
        else expect((await asOwner(action)).status).toBe(200);
      }
      clock.advance({ seconds: 3 });
      const back = (await signIn(app, ada.email)).body.session.token;
      expect(await finished(account, back)).toEqual(nothing);
    },
  );

  test('each of them, also for a sign-in that waits for its code', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email, thief);
    expect((await send(app, 'DELETE /sessions?scope=others', { token: ada.token })).status).toBe(200);
    const late = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock), headers: thief });
    expect(late.body.code).toBe('INVALID_CHALLENGE');
  });

  test('a concurrent end of sessions: no pending change of a session outlives it [S-9]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await signUp(app);
      await prove(service, ada);
      const { token } = (await signIn(app, ada.email, thief)).body.session;
      const begin = () =>
        send(app, 'POST /email/change', { token, body: { newEmail: newEmail() }, headers: thief });
      const enable = () => send(app, 'POST /two-factor/enable', { token, body: { password } });
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, begin),
        ...Array.from({ length: 2 }, enable),
        send(app, 'DELETE /sessions?scope=others', { token: ada.token }),
        ...Array.from({ length: 4 }, begin),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      const pending = await sql(
        `SELECT purpose FROM mailed_tokens WHERE user_id = $1 AND purpose = 'email-change'
         UNION ALL SELECT 'enrolment' FROM two_factor WHERE user_id = $1`,
        [ada.id],
      );
      expect(pending).toEqual([]);
    }
  });
});

test('a set-up completed while sessions end leaves one consistent outcome, without a deadlock', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ada = await signUp(app);
    const other = (await signIn(app, ada.email)).body.session;
    const begun = await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
    const code = nextCode(begun.body.secret, clock);
    const answers = await Promise.all([
      verifyTotp(app, { token: ada.token, code }),
      send(app, `DELETE /sessions/${other.id}`, { token: ada.token }),
      send(app, 'DELETE /sessions?scope=others', { token: ada.token }),
      send(app, 'POST /sign-out', { token: other.token }),
    ]);
    for (const { status } of answers) expect(status).toBeLessThan(500);
    const [factor] = await sql('SELECT enabled_at FROM two_factor WHERE user_id = $1', [ada.id]);
    expect(factor !== undefined).toBe(answers[0].status === 200);
  }
});

describe('a move to another address', () => {
  const ask = (token: string, address: string) =>
    send(app, 'POST /email/change', { token, body: { newEmail: address } });
  const follow = (link: string, token?: string) =>
    send(app, 'POST /email/verify', { body: { token: link }, ...(token !== undefined && { token }) });

  test('notifies the current address when it is requested [S-11]', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    const address = newEmail();
    await ask(ada.token, address);
    const letter = await letterTo(service, ada.email, 'email-change-requested');
    expect(letter).toContain(`Hello ${ada.name}`);
    expect(letter).toContain(`requested to change its e-mail address to ${address}`);
    expect(letter).toContain('reset your password');
  });

  test('notifies the current address also if the new one is taken, so that no mailbox reveals the difference', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    await ask(ada.token, eve.email);
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email', 'email-change-requested']);
    expect(await lettersTo(service, eve.email)).toEqual(['verify-email']);
  });

  test('names the account in the letter to the new address, and requires a session of that account [S-11]', async () => {
    const [ada, vera] = [await signUp(app), await signUp(app, 'Vera')];
    await prove(service, ada, vera);
    const address = newEmail();
    await ask(ada.token, address);
    const letter = await letterTo(service, address, 'confirm-new-address');
    expect(letter).toContain(`The account of “${ada.name}” (${ada.email}) is about to change`);
    const link = await mailedToken(service, address, 'confirm-new-address');

    const unknown = await follow(link);
    expect([unknown.status, unknown.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(unknown.body.message).toContain('Sign in to that account');
    const other = await follow(link, vera.token);
    expect([other.status, other.body.code]).toEqual([403, 'OTHER_ACCOUNT']);
    // Refusals leave the link as it is.
    expect((await follow(link, ada.token)).body).toEqual({ success: true, email: address });
  });

  test('gives an attacker’s second factor no stranger’s address by one click [S-11]', async () => {
    const mallory = await enrol(app, clock, 'Mallory');
    await prove(service, mallory);
    const victim = newEmail();
    await ask(mallory.token, victim);
    const link = await mailedToken(service, victim, 'confirm-new-address');
    expect((await follow(link)).status).toBe(401);
    expect((await sql('SELECT id FROM users WHERE email = $1', [victim])).length).toBe(0);
    // So the address is free for its owner.
    const body = { email: victim, password, name: 'Vera' };
    expect((await send(app, 'POST /sign-up/email', { body })).status).toBe(201);
    expect((await follow(link, mallory.token)).body.code).toBe('INVALID_TOKEN');
  });

  test('is one at a time: a later request replaces an earlier one', async () => {
    const ada = await signUp(app);
    const [first, second] = [newEmail(), newEmail()];
    await ask(ada.token, first);
    await ask(ada.token, second);
    const links = [
      await mailedToken(service, first, 'confirm-new-address'),
      await mailedToken(service, second, 'confirm-new-address'),
    ];
    expect((await follow(links[0]!, ada.token)).body.code).toBe('INVALID_TOKEN');
    expect((await follow(links[1]!, ada.token)).status).toBe(200);
  });

  test('works once, also for ten concurrent clicks', async () => {
    const ada = await signUp(app);
    const address = newEmail();
    await ask(ada.token, address);
    const link = await mailedToken(service, address, 'confirm-new-address');
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(link, ada.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('carries no text of a user whose own address is not proven [S-15]', async () => {
    const mallory = await signUp(app, 'Visit our shop');
    const address = newEmail();
    await ask(mallory.token, address);
    const letter = await letterTo(service, address, 'confirm-new-address');
    expect(letter).not.toContain('Visit our shop');
    expect(letter).not.toContain(mallory.email);
    expect(letter).toContain('An account is about to change to this e-mail address');
    const link = await mailedToken(service, address, 'confirm-new-address');
    expect((await follow(link, mallory.token)).status).toBe(200);
  });
});
