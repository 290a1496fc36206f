import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, newEmail, password, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const anyUuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const { app, sql } = await startService();

const attempt = (body: unknown) => send(app, 'POST /sign-up/email', { body });

describe('POST /sign-up/email', () => {
  test('creates a user and a session, and returns both', async () => {
    const email = newEmail();
    const { status, body } = await attempt({ email, password, name: 'Ada Lovelace' });

    expect(status).toBe(201);
    expect(body).toEqual({
      user: { id: anyUuid, email, name: 'Ada Lovelace' },
      session: {
        id: anyUuid,
        token: anyString,
        expiresAt: anyString,
        tokenExpiresAt: anyString,
        refreshToken: anyString,
      },
    });
    // By the clock of the database alone: it and this one may differ.
    const { iat, exp } = claimsOf(body.session.token) as { iat: number; exp: number };
    expect(exp - iat).toBe(15 * 60);
    expect(Date.parse(body.session.tokenExpiresAt)).toBe(exp * 1_000);
    const [session] = await sql('SELECT created_at, expires_at FROM sessions WHERE id = $1', [
      body.session.id,
    ]);
    const { created_at: from, expires_at: to } = session as { created_at: Date; expires_at: Date };
    expect(to.getTime() - from.getTime()).toBe(7 * 24 * 60 * 60 * 1_000);
    expect(body.session.expiresAt).toBe(to.toISOString());
  });

  test('makes a personal organization that the newcomer owns', async () => {
    const { token } = await signUp(app, 'Åsa Öberg');
    const { body } = await send(app, 'GET /organization/list', { token });

    expect(body.organizations).toEqual([
      {
        id: claimsOf(token)['organizationId'],
        name: "Åsa Öberg's organization",
        slug: expect.stringMatching(/^asa-oberg-[a-z0-9]{8}$/) as string,
        createdAt: anyString,
        role: 'owner',
        active: true,
        twoFactorRequired: false,
        ssoRequired: false,
        accessible: true,
      },
    ]);
  });

  describe('names the organization that comes with the account', () => {
    const ofNewcomer = async (more: object) => {
      const { status, body } = await attempt({ email: newEmail(), password, name: 'Åsa Öberg', ...more });
      expect(status).toBe(201);
      const { token } = body.session;
      const id = claimsOf(token)['organizationId'] as string;
      return (await send(app, `GET /organization/${id}`, { token })).body.organization;
    };

    test('as the newcomer says, in their time zone', async () => {
      const given = { organizationName: ' Öbergs måleri ', language: 'sv', timeZone: 'Europe/Stockholm' };
      expect(await ofNewcomer(given)).toMatchObject({
        name: 'Öbergs måleri',
        slug: expect.stringMatching(/^obergs-maleri-[a-z0-9]{8}$/) as string,
        settings: { timeZone: 'Europe/Stockholm' },
      });
    });

    test('after them, in their language', async () => {
      expect(await ofNewcomer({ language: 'sv' })).toMatchObject({ name: 'Åsa Öbergs organisation' });
      expect(await ofNewcomer({ language: 'sv', name: 'Klas' })).toMatchObject({ name: 'Klas organisation' });
      const english = { name: "Åsa Öberg's organization", settings: { timeZone: 'UTC' } };
      expect(await ofNewcomer({ language: 'en' })).toMatchObject(english);
    });

    test('with a name of at most 100 characters', async () => {
      for (const organizationName of ['', 'a'.repeat(101)]) {
        const refused = await attempt({ email: newEmail(), password, name: 'Ada', organizationName });
        expect(refused.status).toBe(400);
        expect(refused.body.details).toMatchObject([{ field: 'organizationName' }]);
      }
    });
  });

  test('gives a further organization the time zone of its founder', async () => {
    const given = { email: newEmail(), password, name: 'Ada', timeZone: 'Europe/Stockholm' };
    const { token } = (await attempt(given)).body.session;
    const body = {
      name: 'Acme',
      slug: `acme-${newEmail()
        .slice(0, 8)
        .replaceAll(/[^a-z0-9]/g, 'x')}`,
    };
    const { organization } = (await send(app, 'POST /organization/create', { token, body })).body;
    expect(organization).toEqual({ id: anyUuid, ...body, createdAt: anyString });
    const [row] = await sql('SELECT time_zone FROM organizations WHERE id = $1', [organization.id]);
    expect(row).toEqual({ time_zone: 'Europe/Stockholm' });
  });

  test('compares e-mail addresses without regard to case and surrounding space', async () => {
    const email = newEmail();
    const first = await attempt({ email: `  ${email.toUpperCase()} `, password, name: 'Ada' });
    expect(first.body.user.email).toBe(email);

    const second = await attempt({ email, password, name: 'Ada' });
    expect(second.status).toBe(422);
    expect(second.body).toEqual({
      code: 'USER_ALREADY_EXISTS',
      message: anyString,
      details: [{ field: 'email', rule: 'unique', message: 'is in use' }],
      requestId: anyString,
    });
  });

  test('leaves nothing behind when the address is taken', async () => {
    const { email } = await signUp(app);
    const counts = () =>
      sql(`SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM organizations) AS organizations,
             (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM credentials) AS credentials`);
    const before = await counts();
    expect((await attempt({ email, password, name: 'Ada' })).status).toBe(422);
    expect(await counts()).toEqual(before);
  });

  test('lets one of twenty parallel sign-ups with one address win', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => attempt({ email, password, name: 'Ada' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    expect(await sql('SELECT count(*)::int AS n FROM users WHERE email = $1', [email])).toEqual([{ n: 1 }]);
  });

  test('stores names as typed: emoji, right-to-left marks and quotes', async () => {
    const name = `  O'Brien 🦊 \u202Bשלום\u202C "x" \\ `;
    const { body } = await attempt({ email: newEmail(), password, name });
    expect(body.user.name).toBe(name.trim());
    const session = await send(app, 'GET /session', { token: body.session.token });
    expect(session.body.user.name).toBe(name.trim());
    expect(claimsOf(body.session.token)['name']).toBe(name.trim());
  });

  test.each([
    ['email', { password, name: 'Ada' }],
    ['email', { email: 'not an address', password, name: 'Ada' }],
    ['email', { email: '', password, name: 'Ada' }],
    ['email', { email: `${'a'.repeat(250)}@example.com`, password, name: 'Ada' }],
    ['email', { email: ['a@example.com'], password, name: 'Ada' }],
    ['email', { email: null, password, name: 'Ada' }],
    ['password', { email: 'a@example.com', name: 'Ada' }],
    ['password', { email: 'a@example.com', password: 12345678, name: 'Ada' }],
    ['password', { email: 'a@example.com', password: '', name: 'Ada' }],
    ['name', { email: 'a@example.com', password }],
    ['name', { email: 'a@example.com', password, name: '   ' }],
    ['name', { email: 'a@example.com', password, name: 'x'.repeat(101) }],
    ['name', { email: 'a@example.com', password, name: 'two\nlines' }],
    ['name', { email: 'a@example.com', password, name: 'nul\0' }],
    ['name', { email: 'a@example.com', password, name: 'half \ud800' }],
    ['role', { email: 'a@example.com', password, name: 'Ada', role: 'owner' }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const answer = await attempt(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(answer.body.details.map(({ field: name }) => name)).toContain(field);
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });
});

describe('a new password', () => {
  const refused = async (candidate: string, name = 'Ada Lovelace', email = 'ada.lovelace@example.com') => {
    const { status, body } = await attempt({ email, password: candidate, name });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ field: 'password', message: anyString }]);
    return body.details[0]?.message ?? '';
  };

  test('has at least 8 characters, counted as code points after NFKC [S-1]', async () => {
    expect(await refused('seven77')).toBe('must be at least 8 characters');
    // Seven foxes are fourteen UTF-16 units; eight letters with combining marks compose to eight.
    expect(await refused('🦊'.repeat(7))).toBe('must be at least 8 characters');
    expect(await refused('e\u0301'.repeat(7))).toBe('must be at least 8 characters');
    const eight = await attempt({ email: newEmail(), password: 'e\u0301'.repeat(8), name: 'Ada' });
    expect(eight.status).toBe(201);
  });

  test('is checked along with other invalid fields, in one response', async () => {
    const of = async (body: object) => {
      const answer = await attempt(body);
      expect(answer.status).toBe(400);
      return answer.body.details.map(({ field, message }) => `${field} ${message}`).toSorted();
    };
    expect(await of({ email: 'ada', password: 'password1', name: 'Ada' })).toEqual([
      'email must be a valid e-mail address',
      'password is among the most common passwords; choose another',
    ]);
    const long = 'a'.repeat(101);
    expect(await of({ email: 'ada.lovelace@example.com', password: 'Ada.Lovelace', name: long })).toEqual([
      'name must be at most 100 characters',
      'password must not be your name, your e-mail address or the name of this product',
    ]);
    expect(await of({ password: 5, name: 'Ada' })).toEqual([
      'email is required',
      'password must be a string',
    ]);
    expect(await of([])).toHaveLength(1);
  });

  test('has at most 128 characters and is never cut [S-1]', async () => {
    expect(await refused('a'.repeat(129))).toBe('must be at most 128 characters');
    expect((await attempt({ email: newEmail(), password: 'å'.repeat(128), name: 'Ada' })).status).toBe(201);
  });

  test.each(['password1', 'PASSWORD1', 'Qwertyuiop', 'iloveyou1'])(
    'is not a common one: %s [S-2]',
    async (common) => {
      expect(await refused(common)).toContain('most common');
    },
  );

  test.each(['ada.lovelace', 'ADA.LOVELACE@example.com', 'Ada Lovelace', 'adalovelace', 'Tenantry'])(
    'is not a name at hand: %s [S-2]',
    async (name) => {
      expect(await refused(name)).toContain('must not be your name');
    },
  );
});
