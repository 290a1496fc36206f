import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import {
  newEmail,
  newPassword,
  password,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import { ask, enter, found, foundCompany, personalOrganizationOf, prove } from './support/organizations.ts';
import type { RunningService, Settings } from './support/service.ts';
import { enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

/** The default limits; sign-ups are not tested here. */
const figures = {
  RATE_LIMIT_MAIL_PER_10_MINUTES: '',
  RATE_LIMIT_MAIL_PER_USER_PER_DAY: '',
  RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: '',
  RATE_LIMIT_EMAIL_CHANGES_PER_DAY: '',
};
const limited = (settings: Settings = {}) => startByClock({ settings: { ...figures, ...settings } });
const service = await limited();
const { app, clock, sql } = service;

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];
async function repeat(times: number, request: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await request(n));
  return answers;
}
const count = (letters: readonly string[], template: string) =>
  letters.filter((one) => one === template).length;

/** How many letters were counted for whomever, twice if they can be requested: by their kind, and all together. */
async function counted(): Promise<number> {
  const [row] = await sql('SELECT coalesce(sum(letters), 0)::int AS n FROM mail_budgets');
  return Number(row?.['n']);
}

const forgot = (email: string, headers: Readonly<Record<string, string>> = {}, { app: at } = service) =>
  send(at, 'POST /password/forgot', { body: { email }, headers });
const resend = (email: string, headers: Readonly<Record<string, string>> = {}) =>
  send(app, 'POST /email/resend', { body: { email }, headers });
const move = ({ token }: SignedUp, address: string, headers: Readonly<Record<string, string>> = {}) =>
  send(app, 'POST /email/change', { token, body: { newEmail: address }, headers });

describe('letters to one recipient', () => {
  test('are limited to three of a kind in ten minutes, which no response reveals', async () => {
    const ada = await signUp(app);
    expect(statuses(await repeat(8, () => forgot(ada.email)))).toEqual([200]);
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(3);
    clock.advance({ minutes: 10 });
    expect(statuses(await repeat(8, () => forgot(ada.email)))).toEqual([200]);
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(6);
  });

  test('have the same limit for concurrent requests, over two instances, and after a restart [S-14]', async () => {
    const { database, config } = service;
    const settings = { AUTH_SECRET: config.AUTH_SECRET, MAIL_DIRECTORY: service.mailDirectory };
    const other = await startByClock({ database, settings: { ...figures, ...settings } });
    const ada = await signUp(app);
    const at = [service, other];
    await Promise.all(Array.from({ length: 30 }, (_, n) => forgot(ada.email, {}, at[n % 2])));
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(3);
    const restarted = await startByClock({ database, settings: { ...figures, ...settings } });
    await forgot(ada.email, {}, restarted);
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(3);
  });

  test('are not used up by requests that send none: a confirmed address, an unknown one, a taken one [S-14]', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    const free = newEmail();
    expect(statuses(await repeat(5, () => resend(ada.email)))).toEqual([200]);
    expect(statuses(await repeat(5, () => forgot(free)))).toEqual([200]);
    await forgot(ada.email);
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(1);
    const late = await send(app, 'POST /sign-up/email', { body: { email: free, password, name: 'Vera' } });
    expect(late.status).toBe(201);
    expect(await lettersTo(service, free)).toEqual(['verify-email']);
  });

  test('have a budget for each kind: what confirms an address leaves what resets a password', async () => {
    const ada = await signUp(app);
    await repeat(5, () => resend(ada.email));
    await repeat(5, () => forgot(ada.email));
    const letters = await lettersTo(service, ada.email);
    expect([count(letters, 'verify-email'), count(letters, 'reset-password')]).toEqual([3, 3]);
  });

  test('caused by a stranger do not use up those of a device that has signed in to the account [S-14]', async () => {
    const phone = { 'x-device-id': 'adas-phone-0001' };
    const ada = await signUp(app, 'Ada', phone);
    await prove(service, ada);
    const eve = { 'x-device-id': 'eves-phone-0001' };
    await signUp(app, 'Eve', eve);
    await repeat(5, () => forgot(ada.email));
    await repeat(5, (n) => forgot(ada.email, n % 2 ? eve : { 'x-device-id': `made-up-${n}-0001` }));
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(3);
    await repeat(5, () => forgot(ada.email, phone));
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(6);
  });

  test('whose address is not proven are no more for any number of devices that sign in to its account [S-23]', async () => {
    const web = await limited({ MAILED_SIGN_IN: 'true' });
    const squatter = await signUp(web.app, 'Eve', { 'x-device-id': 'eves-phone-0001' });
    const body = { email: squatter.email };
    for (let n = 0; n < 8; n += 1) {
      const headers = { 'x-device-id': `eves-phone-000${n}` };
      await send(web.app, 'POST /sign-in/email', { body: { ...body, password }, headers });
      for (const ask of ['/password/forgot', '/email/resend', '/sign-in/mailed'])
        await repeat(3, () => send(web.app, `POST ${ask}`, { body, headers }));
    }
    expect((await lettersTo(web, squatter.email)).length).toBeLessThanOrEqual(9);
  });

  test('caused by a stranger do not use up those of a browser that has signed in', async () => {
    const web = await limited({ FRONTEND_URL: frontend });
    const browser = new Browser(web.app);
    const email = newEmail();
    await browser.send('POST /sign-up/email', { body: { email, password, name: 'Ada' } });
    await web.sql('UPDATE users SET email_verified_at = created_at');
    const stranger = new Browser(web.app);
    for (const page of [stranger, stranger, stranger, stranger, browser]) {
      expect((await page.send('POST /password/forgot', { body: { email } })).status).toBe(200);
    }
    expect(count(await lettersTo(web, email), 'reset-password')).toBe(4);
  });

  test('that warn of what happens to an account are not used up by anything that a stranger does [S-14]', async () => {
    const headers = { 'x-device-id': 'adas-phone-0001' };
    const ada = await signUp(app, 'Ada', headers);
    await prove(service, ada);
    await repeat(5, () => forgot(ada.email));
    await repeat(5, () => resend(ada.email));
    await repeat(12, () =>
      send(app, 'POST /sign-in/email', { body: { email: ada.email, password: 'not the password' } }),
    );
    const body = { currentPassword: password, newPassword };
    const changed = await send(app, 'POST /password/change', { token: ada.token, body, headers });
    await move({ ...ada, token: changed.body.session.token }, newEmail(), headers);
    const letters = await lettersTo(service, ada.email);
    expect(letters).toContain('account-locked');
    expect(letters).toContain('password-changed');
    expect(letters).toContain('email-change-requested');
  });

  test('warn of a second factor that is turned off, however often something else was changed', async () => {
    const ada = await enrol(app, clock);
    await repeat(6, () => send(app, 'POST /two-factor/backup-codes', { token: ada.token }));
    const off = { password, code: nextCode(ada.secret, clock) };
    await send(app, 'POST /two-factor/disable', { token: ada.token, body: off });
    expect(await letterTo(service, ada.email, 'two-factor-changed')).toContain('is now off');
  });

  test('are three when one account is created and deleted again and again [S-14]', async () => {
    const email = newEmail();
    const before = await counted();
    for (let n = 0; n < 8; n += 1) {
      const { body } = await send(app, 'POST /sign-up/email', { body: { email, password, name: 'Ada' } });
      const { token } = body.session;
      expect((await send(app, 'DELETE /user', { token, body: { password } })).status).toBe(204);
    }
    expect((await counted()) - before).toBe(6);
  });

  test('are not counted if their transaction was rolled back', async () => {
    const before = await counted();
    const ada = await signUp(app);
    const again = { body: { email: ada.email, password, name: 'Eve' } };
    expect(statuses(await repeat(5, () => send(app, 'POST /sign-up/email', again)))).toEqual([422]);
    expect((await counted()) - before).toBe(2);
  });
});

describe('letters to strangers', () => {
  test('for changes of address are limited to three a day, also for forty requests in a second [S-14]', async () => {
    const mallory = await signUp(app, 'Win a prize');
    await prove(service, mallory);
    const victims = Array.from({ length: 40 }, () => newEmail());
    const answers = await Promise.all(victims.map((victim) => move(mallory, victim)));
    expect(statuses(answers)).toEqual([200]);
    const [sent] = await sql('SELECT count(*)::int AS n FROM mail_outbox WHERE recipient = ANY($1)', [
      victims,
    ]);
    expect(sent).toEqual({ n: 3 });
    clock.advance({ days: 1 });
    const { token } = (await signIn(app, mallory.email)).body.session;
    const next = newEmail();
    expect((await move({ ...mallory, token }, next)).status).toBe(200);
    expect(await lettersTo(service, next)).toEqual(['confirm-new-address']);
  });

  test('to a taken address count although none is sent, so that later responses do not reveal it [S-13]', async () => {
    const strict = await limited({ RATE_LIMIT_EMAIL_CHANGES_PER_DAY: '2' });
    const taken = (await signUp(strict.app)).email;
    for (const address of [newEmail(), taken]) {
      const mallory = await signUp(strict.app);
      const [second, third] = [newEmail(), newEmail()];
      for (const newAddress of [address, second, third]) {
        const request = { token: mallory.token, body: { newEmail: newAddress } };
        expect((await send(strict.app, 'POST /email/change', request)).status).toBe(200);
      }
      expect(await lettersTo(strict, second)).toEqual(['confirm-new-address']);
      expect(await lettersTo(strict, third)).toEqual([]);
    }
    expect(await lettersTo(strict, taken)).not.toContain('confirm-new-address');
  });

  test('carry no greeting of an account whose address is not proven, whatever it causes [S-15]', async () => {
    const name = 'Visit our shop';
    const mallory = await enrol(app, clock, name);
    const agent = { 'x-device-id': 'a-thief-0001', 'user-agent': 'Buy-now/1.0' };
    await resend(mallory.email);
    await forgot(mallory.email);
    await send(app, 'POST /two-factor/backup-codes', { token: mallory.token });
    await move(mallory, newEmail());
    const { body } = await signIn(app, mallory.email);
    await verifyTotp(app, { challengeToken: body.challenge.token, code: nextCode(mallory.secret, clock) });
    await send(app, 'POST /refresh', { body: { refreshToken: mallory.refreshToken }, headers: agent });
    const templates = [
      'verify-email',
      'reset-password',
      'two-factor-changed',
      'email-change-requested',
      'session-reuse-detected',
    ] as const;
    for (const template of templates) {
      const letter = await letterTo(service, mallory.email, template);
      expect(letter, template).toMatch(/^Hello,$/m);
      expect(letter, template).not.toMatch(/visit our shop|buy-now/i);
    }
    // Nor when it moves away, to an address that says it.
    const shop = `visit-our-shop-${randomUUID()}@example.com`;
    const { token } = mallory;
    await move({ ...mallory, token }, shop);
    const live = await signIn(app, mallory.email);
    const finished = await verifyTotp(app, {
      challengeToken: live.body.challenge.token,
      code: nextCode(mallory.secret, clock),
    });
    await move({ ...mallory, token: finished.body.session.token }, shop);
    const link = await mailedToken(service, shop, 'confirm-new-address');
    const moved = await send(app, 'POST /email/verify', {
      token: finished.body.session.token,
      body: { token: link },
    });
    expect(moved.status).toBe(200);
    expect(await letterTo(service, mallory.email, 'email-changed')).not.toContain('shop');
  });

  test('greet an account by its name once its address is proven', async () => {
    const ada = await signUp(app, 'Ada Lovelace');
    await prove(service, ada);
    await forgot(ada.email);
    expect(await letterTo(service, ada.email, 'reset-password')).toMatch(/^Hello Ada Lovelace,$/m);
  });

  test('by an organization whose administrator has no proven address are none [S-15]', async () => {
    const mallory = await signUp(app, 'Mallory');
    const create = async (actor: SignedUp, email: string) => {
      const organizationId = personalOrganizationOf(actor);
      const made = await app.inject({
        method: 'POST',
        url: '/internal/users',
        headers: {
          authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
          'idempotency-key': randomUUID(),
        },
        payload: { organizationId, actorUserId: actor.id, email, password, name: 'Visit our shop' },
      });
      expect(made.statusCode).toBe(201);
    };
    const [victim, colleague] = [newEmail(), newEmail()];
    await create(mallory, victim);
    expect(await lettersTo(service, victim)).toEqual([]);
    await prove(service, mallory);
    await create(mallory, colleague);
    expect(await lettersTo(service, colleague)).toEqual(['verify-email']);
    expect(await letterTo(service, colleague, 'verify-email')).not.toContain('Visit our shop');
  });
});

describe('an invitation', () => {
  const invite = (organizationId: string, { token }: SignedUp, email: string, at: RunningService = service) =>
    ask<{ invitation: { id: string } }>(at, `POST /organization/${organizationId}/invitations`, {
      token,
      body: { email, role: 'member' },
    });

  test('carries an inviter’s words, so the inviter’s address must be proven [S-15]', async () => {
    const mallory = await signUp(app, 'Visit our shop');
    const { id } = await found(service, mallory.token, 'Great offers');
    const victim = newEmail();
    const refused = await invite(id, mallory, victim);
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect(await lettersTo(service, victim)).toEqual([]);
    // Nor by an owner of the same organization: it is the sender who answers for the words.
    const owner = await signUp(app, 'Olga');
    await prove(service, owner);
    await enter(service, id, owner, 'owner');
    expect((await invite(id, mallory, victim)).status).toBe(403);
    expect((await invite(id, owner, victim)).status).toBe(201);
    const link = await mailedToken(service, mallory.email, 'verify-email');
    await send(app, 'POST /email/verify', { body: { token: link } });
    expect((await invite(id, mallory, newEmail())).status).toBe(201);
  });

  test("is refused beyond the recipient's budget, without using up the recipient's own letters", async () => {
    const ada = await signUp(app);
    const company = await foundCompany(service);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await invite(company.id, company.owner, ada.email));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429]);
    expect(answers[3]?.body.code).toBe('RATE_LIMITED');
    const other = await foundCompany(service);
    expect((await invite(other.id, other.owner, ada.email)).status).toBe(429);
    // What was refused has changed nothing: the invitation sent before is still open.
    const [open] = await sql('SELECT count(*)::int AS n FROM invitations WHERE organization_id = $1', [
      company.id,
    ]);
    expect(open).toEqual({ n: 1 });
    await repeat(5, () => forgot(ada.email));
    expect(count(await lettersTo(service, ada.email), 'reset-password')).toBe(3);
  });

  test('says how long to wait', async () => {
    const company = await foundCompany(service);
    const email = newEmail();
    for (let n = 0; n < 3; n += 1) await invite(company.id, company.owner, email);
    clock.advance({ minutes: 4 });
    const { headers } = await send(app, `POST /organization/${company.id}/invitations`, {
      token: company.owner.token,
      body: { email, role: 'member' },
    });
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(6 * 60);
    expect(Number(headers['retry-after'])).toBeGreaterThan(5 * 60);
    expect(headers['ratelimit-policy']).toBe('"mail-invitation-600";q=3;w=600');
  });

  test('counts by organization and day, and by sender and day [S-14]', async () => {
    const few = await limited({ RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: '3' });
    const company = await foundCompany(few);
    const to = (inviter: SignedUp, id = company.id) => invite(id, inviter, newEmail(), few);
    const answers = [await to(company.owner), await to(company.admin), await to(company.owner)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await to(company.admin)).status).toBe(429);
    expect((await to(company.owner, personalOrganizationOf(company.owner))).status).toBe(201);

    const own = await limited({ RATE_LIMIT_MAIL_PER_USER_PER_DAY: '2' });
    const eve = await signUp(own.app);
    await prove(own, eve);
    const sent = [];
    for (let n = 0; n < 3; n += 1) {
      const { id } = await found(own, eve.token);
      sent.push((await invite(id, eve, newEmail(), own)).status);
    }
    expect(sent).toEqual([201, 201, 429]);
  });

  test('stays within the budget for 20 concurrent requests, and refused ones are not counted', async () => {
    const few = await limited({ RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: '5' });
    const company = await foundCompany(few);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => invite(company.id, company.owner, newEmail(), few)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    // By the organization and by the sender: neither has more than what left.
    expect(await few.sql('SELECT letters FROM mail_budgets WHERE letters = 5')).toHaveLength(2);
  });
});

test('the budget keeps no address', async () => {
  const ada = await signUp(app);
  const rows = await sql('SELECT key FROM mail_budgets');
  expect(JSON.stringify(rows)).not.toContain(ada.email);
  for (const { key } of rows) expect(key as Buffer).toHaveLength(32);
});
