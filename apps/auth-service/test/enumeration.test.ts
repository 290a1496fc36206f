import { randomUUID } from 'node:crypto';
import { LocatedTokens } from '@tenantry/service/tokens';
import { expect, test } from 'vitest';
import { newEmail, password, send, signIn, type Answer } from './support/client.ts';
import { startService } from './support/service.ts';

let steps = 0;
const settings = { REQUIRE_EMAIL_VERIFICATION: 'true', MAILED_SIGN_IN: 'true' };
const { app, sql } = await startService({
  settings,
  inFixedSteps: (work) => {
    steps += 1;
    return work();
  },
});

async function confirmed(): Promise<string> {
  const email = newEmail();
  await send(app, 'POST /sign-up/email', { body: { email, password, name: 'Ada' } });
  await sql('UPDATE users SET email_verified_at = now(), awaits_confirmation = false WHERE email = $1', [
    email,
  ]);
  return email;
}

const taken = await confirmed();
const { token } = (await signIn(app, await confirmed())).body.session;
const ids = { ownerId: randomUUID(), id: randomUUID() };
const invitationToken = new LocatedTokens('tri_').make(ids).token;

test.each<[string, (email: string) => Promise<Answer>]>([
  ['a forgotten password', (email) => send(app, 'POST /password/forgot', { body: { email } })],
  ['another letter to confirm by', (email) => send(app, 'POST /email/resend', { body: { email } })],
  ['a mailed sign-in', (email) => send(app, 'POST /sign-in/mailed', { body: { email } })],
  ['a sign-up', (email) => send(app, 'POST /sign-up/email', { body: { email, password, name: 'Ada' } })],
  [
    'a sign-up by an invitation that does not exist',
    (email) => send(app, 'POST /sign-up/email', { body: { email, password, name: 'Ada', invitationToken } }),
  ],
  ['a move', (newEmail) => send(app, 'POST /email/change', { token, body: { newEmail } })],
])(
  '%s is answered alike, in fixed steps, for an address with an account and one without [S-13]',
  async (_what, ask) => {
    const answers = [];
    for (const email of [taken, newEmail()]) {
      const before = steps;
      const { status, body, headers } = await ask(email);
      answers.push({ status, code: body.code, fields: Object.keys(body), headers: Object.keys(headers) });
      expect(steps - before).toBe(1);
    }
    expect(answers[0]).toEqual(answers[1]);
  },
);
