import { randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { RateLimits } from '@tenantry/service/rate-limits';
import { testLog } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { createAuthLimits } from '../src/ground/limits/auth-limits.ts';
import { newEmail, send, signIn, signUp, type Answer } from './support/client.ts';
import { letterData, lettersTo, letterTo, mailedToken } from './support/mail.ts';
import { foundCompany, switchTo } from './support/organizations.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const service = await startByClock({
  settings: {
    RATE_LIMIT_PASSWORDS_PER_MINUTE: '4',
    RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '10',
    RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: '20',
    RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE: '3',
    RATE_LIMIT_REFRESH_PER_MINUTE: '3',
    TRUST_PROXY: '127.0.0.1',
  },
});
const { app, sql, clock } = service;

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
async function inTurn(times: number, ask: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await ask(n));
  return answers;
}
const battery = 'a battery of my own';

describe('wrong passwords in a session', () => {
  const guess = (token: string) =>
    send(app, 'POST /password/change', {
      token,
      body: { currentPassword: 'a wrong password', newPassword: battery },
    });

  test('use up neither a reset by letter nor the passwords of another session [S-23]', async () => {
    const ada = await signUp(app);
    const { token } = (await signIn(app, ada.email)).body.session;
    const guesses = await inTurn(6, () => guess(ada.token));
    expect(statuses(guesses).slice(4)).toEqual([429, 429]);
    expect(guesses[5]?.body.code).toBe('RATE_LIMITED');
    const other = await guess(token);
    expect([other.status, other.body.code]).not.toEqual([429, 'RATE_LIMITED']);
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const letter = await mailedToken(service, ada.email, 'reset-password');
    const reset = await send(app, 'POST /password/reset', { body: { token: letter, newPassword: battery } });
    expect(reset.status).toBe(200);
  });
});

describe('changes of an account', () => {
  test('that use up their limit leave room for all that takes something from an intruder [S-23]', async () => {
    const user = await enrol(app, clock);
    const { token } = user;
    await sql(
      `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
       VALUES ($1, gen_random_uuid(), 'slow', 'https://idp.test', $2, now())`,
      [user.id, randomUUID()],
    );
    const change = (n: number) =>
      send(app, 'PATCH /user', { token, body: { language: n % 2 === 0 ? 'sv' : 'en' } });
    expect(statuses(await inTurn(11, change)).at(-1)).toBe(429);
    const [identity] = await sql('SELECT id FROM identities WHERE user_id = $1', [user.id]);
    const id = String(identity?.['id']);
    expect((await send(app, `DELETE /identities/${id}`, { token })).status).toBe(204);
    expect((await send(app, 'POST /two-factor/backup-codes', { token })).status).toBe(200);
    expect((await send(app, 'DELETE /sessions?scope=others', { token, body: {} })).status).toBe(200);
  });

  test('to accounts of others count like one’s own, for whoever makes them [S-23]', async () => {
    const company = await foundCompany(service);
    const rename = (id: string, actorUserId: string, name: string) =>
      app.inject({
        method: 'PATCH',
        url: `/internal/users/${id}`,
        headers: { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}` },
        payload: { organizationId: company.id, actorUserId, name },
      });
    await sql(`DELETE FROM members WHERE user_id = $1 AND organization_id <> $2`, [
      company.member.id,
      company.id,
    ]);
    const answers = [];
    for (let n = 0; n < 12; n += 1)
      answers.push((await rename(company.member.id, company.admin.id, `Mia ${n}`)).statusCode);
    expect(answers).toEqual([...Array<number>(10).fill(200), 429, 429]);
    // The owner, and the member, pay nothing for it.
    expect((await rename(company.member.id, company.owner.id, 'Mia')).statusCode).toBe(200);
    expect((await rename(company.member.id, company.member.id, 'Mia M.')).statusCode).toBe(200);
  });

  test('are refused for an owner, and for an account that is also used elsewhere, by whomever it was created', async () => {
    const company = await foundCompany(service);
    const rename = async (id: string) => {
      const { statusCode, body } = await app.inject({
        method: 'PATCH',
        url: `/internal/users/${id}`,
        headers: { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}` },
        payload: { organizationId: company.id, actorUserId: company.admin.id, name: 'Renamed' },
      });
      return [statusCode, (JSON.parse(body) as { code?: string }).code];
    };
    await sql('UPDATE users SET created_by_organization_id = $1 WHERE id = $2', [
      company.id,
      company.member.id,
    ]);
    expect(await rename(company.member.id)).toEqual([403, 'FORBIDDEN']);
    const alone = 'DELETE FROM members WHERE user_id = $1 AND organization_id <> $2';
    await sql(alone, [company.owner.id, company.id]);
    expect(await rename(company.owner.id)).toEqual([403, 'FORBIDDEN']);
    await sql(alone, [company.member.id, company.id]);
    expect(await rename(company.member.id)).toEqual([200, undefined]);
  });

  test('of roles come in no bursts that every service behind the feed has to read', async () => {
    const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
    const figures = { ...service.config, RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: 300 };
    const { memberChanges } = createAuthLimits(new RateLimits({ logger }), figures);
    const changes = Array.from({ length: 184 }, () => memberChanges.consume('Eve'));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  });
});

describe('whatever a page can make the browsers of an office request', () => {
  test('leaves them their open invitations [S-23]', async () => {
    const office = { 'x-forwarded-for': '198.51.100.7' };
    const company = await foundCompany(service);
    const ownersToken = await switchTo(service, company.owner.token, company.id);
    const email = `guest-${randomUUID()}@example.com`;
    const body = { email, role: 'member' };
    const invited = await send(app, `POST /organization/${company.id}/invitations`, {
      token: ownersToken,
      body,
    });
    expect(invited.status).toBe(201);
    const token = /tri_[\w-]+/.exec(await letterTo(service, email, 'invitation'))?.[0] ?? '';
    const look = (given: string) => send(app, `GET /invitations/${given}`, { headers: office });
    expect(statuses(await inTurn(5, (n) => look(`tri_${n}`)))).toEqual([400, 400, 400, 429, 429]);
    expect(statuses(await inTurn(5, () => look(token)))).toEqual([200, 200, 200, 200, 200]);
  });
});

test('a refresh token that is made up from an access token holds up its session nowhere else [S-23]', async () => {
  const ada = await signUp(app);
  const { refreshToken } = (await signIn(app, ada.email)).body.session;
  const forged = refreshToken.slice(0, -6) + (refreshToken.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA');
  const refresh = (given: string, address: string) =>
    send(app, 'POST /refresh', { body: { refreshToken: given }, headers: { 'x-forwarded-for': address } });
  const flood = await inTurn(5, () => refresh(forged, '203.0.113.9'));
  expect(statuses(flood).at(-1)).toBe(429);
  expect((await refresh(refreshToken, '127.0.0.1')).body.code).not.toBe('RATE_LIMITED');
});

test('sign-ups of an address, of which no further letter may tell, withdraw nothing that its owner was sent [S-23]', async () => {
  const strict = await startByClock({
    settings: { REQUIRE_EMAIL_VERIFICATION: 'true', RATE_LIMIT_MAIL_PER_10_MINUTES: '2' },
  });
  const email = newEmail();
  const body = { email, password: battery, name: 'Eve' };
  const answers = await inTurn(4, () => send(strict.app, 'POST /sign-up/email', { body }));
  expect(statuses(answers)).toEqual([201, 201, 201, 201]);
  const token = await mailedToken(strict, email, 'verify-email');
  expect((await send(strict.app, 'POST /email/verify', { body: { token } })).status).toBe(200);
});

describe('a letter to sign in with [S-23]', async () => {
  const web = await startByClock({
    settings: { MAILED_SIGN_IN: 'true', RATE_LIMIT_MAIL_PER_10_MINUTES: '2' },
  });
  const [adas, eves] = ['adas-phone-0001', 'eves-phone-0001'];

  const signInLetter = (email: string, device: string) =>
    send(web.app, 'POST /sign-in/mailed', { body: { email }, headers: { 'x-device-id': device } });

  /** Requests that use up the letters of an address; the second letter is the later one by the clock. */
  const useUpLetters = async (email: string) => {
    await signInLetter(email, eves);
    web.clock.advance({ seconds: 1 });
    await signInLetter(email, eves);
  };

  /** Requests a letter from a device. @returns what enters a code there */
  const request = async (email: string, device: string) => {
    const asked = await signInLetter(email, device);
    const headers = { 'x-device-id': device };
    const { id: requestId } = asked.body.request;
    return async (code: string) => {
      const body = { requestId, code };
      return (await send(web.app, 'POST /sign-in/mailed/verify', { body, headers })).status;
    };
  };
  const codeIn = async (email: string) =>
    (await letterData(web, email, 'sign-in-code')).code.replace(' ', '');

  test('serves the owner, once, where strangers have used up those of the address', async () => {
    const ada = await signUp(web.app);
    await useUpLetters(ada.email);
    const [byOwner, byStranger] = [await request(ada.email, adas), await request(ada.email, eves)];
    expect(await lettersTo(web, ada.email)).toEqual(['verify-email', 'sign-in-code', 'sign-in-code']);
    const code = await codeIn(ada.email);
    expect(await byOwner(code)).toBe(200);
    // Neither a request that it also serves, nor a later one.
    expect(await byStranger(code)).toBe(401);
    expect(await (await request(ada.email, 'adas-phone-0002'))(code)).toBe(401);
  });

  test('serves none after it has expired', async () => {
    const ada = await signUp(web.app);
    await useUpLetters(ada.email);
    web.clock.advance({ minutes: 9 });
    const byOwner = await request(ada.email, adas);
    const code = await codeIn(ada.email);
    web.clock.advance({ minutes: 1 });
    expect(await byOwner(code)).toBe(401);
  });

  test('serves no stranger if a device requested it that had signed in before', async () => {
    const ada = await signUp(web.app, 'Ada', { 'x-device-id': adas });
    await web.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [ada.id]);
    await useUpLetters(ada.email);
    const byOwner = await request(ada.email, adas);
    const byStranger = await request(ada.email, eves);
    const code = await codeIn(ada.email);
    expect(await byStranger(code)).toBe(401);
    expect(await byOwner(code)).toBe(200);
  });

  test('is guessed no more often for all the requests that it serves', async () => {
    const ada = await signUp(web.app);
    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(await (await request(ada.email, eves))('00000000'));
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});
