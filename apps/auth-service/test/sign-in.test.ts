import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, password, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, sql } = await startService();

describe('POST /sign-in/email', () => {
  test('answers the user with the organization, and a session', async () => {
    const ada = await signUp(app);
    const { status, body } = await signIn(app, ` ${ada.email.toUpperCase()}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id: ada.id,
        email: ada.email,
        name: ada.name,
        organizationId: claimsOf(ada.token)['organizationId'],
      },
      session: {
        id: anyString,
        token: anyString,
        expiresAt: anyString,
        tokenExpiresAt: anyString,
        refreshToken: anyString,
      },
    });
    expect(body.session.id).not.toBe(ada.sessionId);
  });

  test('is in the audit trail, with method and address', async () => {
    const ada = await signUp(app);
    const { session } = (await signIn(app, ada.email, { 'x-device-id': 'laptop-0001' })).body;
    const [started] = await sql(
      `SELECT actor_user_id AS actor, organization_id AS organization, host(ip_address) AS ip, details
       FROM audit_events WHERE action = 'session.started' AND target_id = $1`,
      [session.id],
    );
    expect(started).toEqual({
      actor: ada.id,
      organization: claimsOf(session.token)['organizationId'],
      ip: '127.0.0.1',
      details: { factors: 'pwd' },
    });
  });

  test('refuses unknown address, wrong password and disabled account with the same bytes [S-12]', async () => {
    const ada = await signUp(app);
    const disabled = await signUp(app);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.id]);
    const headers = { 'x-request-id': 'same' };
    const attempts = [
      { email: 'nobody@example.com', password },
      { email: ada.email, password: 'wrong password' },
      { email: disabled.email, password },
      { email: disabled.email, password: 'wrong password' },
    ];
    const answers = await Promise.all(
      attempts.map((body) =>
        app.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: body, headers }),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toBe(answers[0]?.body);
      expect({ ...answer.headers, date: '' }).toEqual({ ...answers[0]?.headers, date: '' });
    }
    expect(answers[0]?.json()).toEqual({
      code: 'INVALID_CREDENTIALS',
      message: anyString,
      requestId: 'same',
    });
  });

  test('resumes the organization that was active last', async () => {
    const ada = await signUp(app);
    const created = await send(app, 'POST /organization/create', {
      token: ada.token,
      body: { name: 'Engines', slug: `engines-${ada.id.slice(0, 8)}` },
    });
    const { id } = created.body.organization;
    expect((await signIn(app, ada.email)).body.user.organizationId).not.toBe(id);

    await send(app, 'POST /organization/switch', { token: ada.token, body: { organizationId: id } });
    expect((await signIn(app, ada.email)).body.user.organizationId).toBe(id);

    await sql('DELETE FROM members WHERE organization_id = $1', [id]);
    const after = await signIn(app, ada.email);
    expect(after.body.user.organizationId).toBe(claimsOf(ada.token)['organizationId']);
    expect(claimsOf(after.body.session.token)['organizationId']).toBe(after.body.user.organizationId);
  });

  test('signs in a user without any organization, into none', async () => {
    const ada = await signUp(app);
    await sql('DELETE FROM members WHERE user_id = $1', [ada.id]);
    const { status, body } = await signIn(app, ada.email);
    expect(status).toBe(200);
    expect(body.user.organizationId).toBeNull();
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: null, role: null });
  });

  test('leaves 20 sessions after 25 parallel sign-ins [S-62]', async () => {
    const ada = await signUp(app);
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(app, ada.email)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200));

    const live = await sql(
      'SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()',
      [ada.id],
    );
    expect(live).toHaveLength(20);
    expect(live.map(({ id }) => id)).not.toContain(ada.sessionId);
    // The oldest is the first to go.
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
  });

  test('serves concurrent sign-ins and switches of one user without a deadlock', async () => {
    const ada = await signUp(app);
    const organizationId = claimsOf(ada.token)['organizationId'];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0
          ? signIn(app, ada.email)
          : send(app, 'POST /organization/switch', { token: ada.token, body: { organizationId } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  });

  test.each([
    ['email', { password }],
    ['email', { email: 'nowhere', password }],
    ['password', { email: 'a@example.com' }],
    ['password', { email: 'a@example.com', password: '' }],
    ['password', { email: 'a@example.com', password: 'x'.repeat(129) }],
    ['password', { email: 'a@example.com', password: true }],
    ['remember', { email: 'a@example.com', password, remember: true }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const answer = await send(app, 'POST /sign-in/email', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(answer.body.details[0]?.field).toBe(field);
  });
});
