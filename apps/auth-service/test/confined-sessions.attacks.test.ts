import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  claimsOf,
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
} from './support/client.ts';
import { connectionsOf } from './support/confined.ts';
import { enter, foundCompany, personalOrganizationOf, prove } from './support/organizations.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;
const connections = connectionsOf(service, () => new Date(clock()));
const company = await foundCompany(service);
const organizationId = company.id;

/** A member of the company with a second factor of their own. */
async function enrolled(role: 'member' | 'admin' = 'member') {
  const user = await enrol(app, clock);
  await enter(service, organizationId, user, role);
  return user;
}

/** The sessions of a user that are alive, with what they are confined to. */
const liveOf = (userId: string) =>
  sql(
    `SELECT id, confined_to AS "confinedTo", active_organization_id AS "organizationId", factors, acr
     FROM sessions WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at, id`,
    [userId],
  );

/** What a session must not have changed of its user. */
const accountOf = async ({ id }: { readonly id: string }) => ({
  sessions: (await liveOf(id)).filter(({ confinedTo }) => confinedTo === null),
  user: await sql('SELECT last_organization_id, awaits_confirmation, email, name FROM users WHERE id = $1', [
    id,
  ]),
  challenges: await sql('SELECT id FROM two_factor_challenges WHERE user_id = $1 AND confined_to IS NULL', [
    id,
  ]),
  mailed: await sql(`SELECT id FROM mailed_tokens WHERE user_id = $1 AND purpose = 'email-change'`, [id]),
  setUp: await sql('SELECT created_at, enabled_at FROM two_factor WHERE user_id = $1', [id]),
  devices: await sql('SELECT device_hash FROM known_devices'),
  organizations: await sql('SELECT organization_id FROM members WHERE user_id = $1 ORDER BY 1', [id]),
});

describe('a confined session', () => {
  test('remains confined after a second factor, a step-up, another address and a refresh [S-230]', async () => {
    const ada = await enrolled();
    const own = personalOrganizationOf(ada);
    const deviceId = 'adas-laptop';
    const headers = { 'x-device-id': deviceId };
    const challengeToken = await connections.challenge({ userId: ada.id, organizationId, deviceId });
    const finished = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock), headers });
    expect(claimsOf(finished.body.session.token)).toMatchObject({
      organizationId,
      amr: ['sso', 'otp'],
      acr: 'aal2',
    });

    const { token, refreshToken } = finished.body.session;
    const code = nextCode(ada.secret, clock);
    const stepped = await verifyTotp(app, { token, refreshToken, code, headers });
    expect(stepped.status).toBe(200);
    const elsewhere = { ...headers, 'x-forwarded-for': '198.51.100.7' };
    const rebound = await send(app, 'POST /session/rebind', {
      body: { refreshToken: stepped.body.session.refreshToken, code: nextCode(ada.secret, clock) },
      headers: elsewhere,
    });
    expect(rebound.status).toBe(200);
    const renewed = await refresh(app, rebound.body.session.refreshToken, elsewhere);
    for (const { body } of [finished, stepped, rebound, renewed]) {
      expect(claimsOf(body.session.token)).toMatchObject({ organizationId });
    }
    const last = renewed.body.session;
    const tried = [
      await send(app, 'GET /sessions', { token: last.token, headers }),
      await send(app, 'PATCH /user', { token: last.token, headers, body: { name: 'Eve' } }),
    ];
    expect(tried.map(({ status, body }) => [status, body.code])).toEqual(
      tried.map(() => [403, 'SIGN_IN_REQUIRED']),
    );
    const other = await send(app, 'POST /refresh', {
      body: { refreshToken: last.refreshToken, organizationId: own },
      headers,
    });
    expect(other.status).toBe(404);
    const confinedTo = (await liveOf(ada.id)).map((session) => session['confinedTo']);
    expect(confinedTo).toEqual([null, organizationId]);
  });

  test('changes no other session, no place to resume and no known device of its user [S-233]', async () => {
    const ada = await enrolled();
    const deviceId = 'adas-phone-12';
    const onPhone = { 'x-device-id': deviceId };
    const own = await verifyTotp(app, {
      challengeToken: await challengeOf(app, ada.email, onPhone),
      code: nextCode(ada.secret, clock),
      headers: onPhone,
    });
    const carried = { authorization: `Bearer ${own.body.session.token}` };
    const begun = await send(app, 'POST /email/change', {
      token: own.body.session.token,
      headers: onPhone,
      body: { newEmail: newEmail(), password },
    });
    expect(begun.status).toBe(200);
    await challengeOf(app, ada.email);
    const before = await accountOf(ada);
    expect([before.sessions.length, before.challenges.length, before.mailed.length]).toEqual([2, 1, 1]);

    const { token, refreshToken, headers } = await connections.start({
      userId: ada.id,
      organizationId,
      acr: 'aal2',
    });
    const challengeToken = await connections.challenge({ userId: ada.id, organizationId, deviceId });
    const code = nextCode(ada.secret, clock);
    const finished = await verifyTotp(app, { challengeToken, code, headers: { ...onPhone, ...carried } });
    expect(finished.status).toBe(200);
    await refresh(app, refreshToken, headers);
    await send(app, 'POST /organization/switch', { token, headers, body: { organizationId } });
    // From another device its refresh token is stolen, and nothing else is.
    const stolen = await refresh(app, refreshToken, { 'x-device-id': 'eves-laptop' });
    expect(stolen.status).toBe(401);
    const other = await connections.start({ userId: ada.id, organizationId, acr: 'aal2' });
    await send(app, 'POST /sign-out', { token: other.token, headers: other.headers });
    expect(await accountOf(ada)).toEqual(before);
    const again = await signIn(app, company.member.email);
    expect(claimsOf(again.body.session.token)['organizationId']).toBe(personalOrganizationOf(company.member));
  });

  test('neither adds a way in nor changes the account, whatever it sends [S-232]', async () => {
    const ada = await enrolled('admin');
    const before = await accountOf(ada);
    const { token, headers } = await connections.start({ userId: ada.id, organizationId, acr: 'aal2' });
    const attempts: [string, object?][] = [
      ['POST /passkeys/options', { password }],
      ['POST /two-factor/enable', { password }],
      ['POST /two-factor/disable', { password, code: nextCode(ada.secret, clock) }],
      ['POST /two-factor/backup-codes'],
      ['POST /password/change', { currentPassword: password, newPassword }],
      ['DELETE /password', { password }],
      ['POST /email/change', { newEmail: newEmail(), password }],
      ['PATCH /user', { name: 'Eve' }],
      ['DELETE /user', { password }],
      ['GET /sessions'],
      ['DELETE /sessions?scope=others', { password }],
      ['DELETE /sessions?scope=all', { password }],
      [`DELETE /sessions/${ada.sessionId}`],
      ['GET /audit'],
      ['GET /ways-in'],
      ['POST /organization/create', { name: 'Eves', slug: `eves-${randomUUID().slice(0, 8)}` }],
      ['POST /invitations/accept', { token: `tri_${'a'.repeat(86)}` }],
      [`POST /organization/${organizationId}/leave`],
    ];
    for (const [request, body] of attempts) {
      const answer = await send(app, request, { token, headers, ...(body && { body }) });
      expect([request, answer.status, answer.body.code]).toEqual([request, 403, 'SIGN_IN_REQUIRED']);
    }
    expect(await accountOf(ada)).toEqual(before);
  });

  test('renames not its user through the directory, and others as its role may [S-232]', async () => {
    const admin = await enrolled('admin');
    const colleague = await signUp(app);
    await enter(service, organizationId, colleague, 'member');
    await sql('DELETE FROM members WHERE user_id = $1 AND organization_id <> $2', [
      colleague.id,
      organizationId,
    ]);
    const { sessionId } = await connections.start({ userId: admin.id, organizationId, acr: 'aal2' });
    const rename = async (id: string, inOrganization = organizationId) => {
      const answer = await app.inject({
        method: 'PATCH',
        url: `/internal/users/${id}`,
        payload: { organizationId: inOrganization, actorUserId: admin.id, name: 'Eve' },
        headers: {
          authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
          'x-session-id': sessionId,
        },
      });
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    };
    expect(await rename(admin.id)).toEqual([403, 'SIGN_IN_REQUIRED']);
    expect(await rename(admin.id, personalOrganizationOf(admin))).toEqual([404, 'NOT_FOUND']);
    expect(await rename(colleague.id)).toEqual([200, undefined]);
  });

  test('neither removes its user from the organization nor ends the account, and others as its role may [S-232]', async () => {
    const created = await signUp(app);
    await enter(service, organizationId, created, 'admin');
    // As if the organization had created the account: it may end it, while it belongs to no other.
    await sql('UPDATE users SET created_by_organization_id = $2 WHERE id = $1', [created.id, organizationId]);
    await sql('DELETE FROM members WHERE user_id = $1 AND organization_id <> $2', [
      created.id,
      organizationId,
    ]);
    const colleague = await signUp(app);
    await enter(service, organizationId, colleague, 'member');
    const { token, sessionId, headers } = await connections.start({ userId: created.id, organizationId });
    const remove = async (id: string) => {
      const answer = await send(app, `DELETE /organization/${organizationId}/members/${id}`, {
        token,
        headers,
      });
      return [answer.status, (answer.body as { code?: string } | undefined)?.code];
    };
    const removed = await app.inject({
      method: 'DELETE',
      url: `/internal/users/${created.id}?organizationId=${organizationId}&actorUserId=${created.id}`,
      headers: {
        authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
        'x-session-id': sessionId,
      },
    });
    expect([removed.statusCode, removed.json<{ code?: string }>().code]).toEqual([403, 'SIGN_IN_REQUIRED']);
    expect(await remove(created.id)).toEqual([403, 'SIGN_IN_REQUIRED']);
    expect((await remove(colleague.id))[0]).toBe(204);
    const remaining = await sql('SELECT user_id FROM members WHERE user_id = $1', [created.id]);
    expect(remaining).toHaveLength(1);
  });

  test('confirms no set-up of a second factor that another session has begun', async () => {
    const ada = await signUp(app);
    await enter(service, organizationId, ada, 'member');
    const begun = await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
    // As an earlier version stored it.
    await sql('UPDATE two_factor SET begun_by = NULL WHERE user_id = $1', [ada.id]);
    const { token, headers } = await connections.start({ userId: ada.id, organizationId });
    const confirmed = await verifyTotp(app, { token, headers, code: nextCode(begun.body.secret, clock) });
    expect([confirmed.status, confirmed.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
  });

  test('makes what outlasts it only after a second factor of its user, however recent the connection [S-234]', async () => {
    const accounts = `/organization/${organizationId}/service-accounts`;
    const expiresAt = new Date(clock() + 24 * 60 * 60 * 1_000).toISOString();
    const body = { name: 'Export', expiresAt };
    const without = await connections.start({ userId: company.admin.id, organizationId, acr: 'aal2' });
    const made = await send(app, `POST ${accounts}`, { ...without, body: { name: 'Export', role: 'admin' } });
    expect(made.status).toBe(201);
    const { id } = (made.body as unknown as { serviceAccount: { id: string } }).serviceAccount;
    for (const proof of [{}, { password }]) {
      const key = await send(app, `POST ${accounts}/${id}/keys`, { ...without, body: { ...body, ...proof } });
      expect([key.status, key.body.code]).toEqual([403, 'SIGN_IN_REQUIRED']);
    }

    const ada = await enrolled('admin');
    const { token, headers } = await connections.start({ userId: ada.id, organizationId, acr: 'aal2' });
    const refused = await send(app, `POST ${accounts}/${id}/keys`, { token, headers, body });
    expect([refused.status, refused.body.reason]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    const stepped = await verifyTotp(app, { token, headers, code: nextCode(ada.secret, clock) });
    const key = await send(app, `POST ${accounts}/${id}/keys`, {
      token: stepped.body.session.token,
      headers,
      body,
    });
    expect(key.status).toBe(201);
  });

  test('gives nothing to a sign-in that replaces it: neither its level nor how recent it is [S-233]', async () => {
    const { admin } = company;
    const deviceId = 'adams-laptop';
    const headers = { 'x-device-id': deviceId };
    const ahead = new Date(clock() + 2_000);
    const confined = await connections.start({
      userId: admin.id,
      organizationId,
      deviceId,
      authenticatedAt: ahead,
    });
    const own = await signIn(app, admin.email, { ...headers, authorization: `Bearer ${confined.token}` });
    expect(claimsOf(own.body.session.token)).toMatchObject({ amr: ['pwd'], organizationId });
    expect(Number(claimsOf(own.body.session.token)['auth_time'])).toBeLessThan(
      Math.floor(ahead.getTime() / 1_000),
    );
    const stale = await send(app, 'GET /session', { token: confined.token, headers });
    expect([stale.status, stale.body.reason]).toEqual([401, 'SESSION_ENDED']);
  });

  test('ends with its organization, and does not come back with it [S-231]', async () => {
    const deleted = await foundCompany(service);
    const started = await connections.start({ userId: deleted.member.id, organizationId: deleted.id });
    await sql(`UPDATE users SET last_organization_id = $1 WHERE id = $2`, [deleted.id, deleted.owner.id]);
    const gone = await send(app, `DELETE /organization/${deleted.id}`, { token: deleted.owner.token });
    expect(gone.status).toBe(200);
    // As if the deletion had been interrupted.
    await sql('UPDATE sessions SET revoked_at = NULL WHERE id = $1', [started.sessionId]);
    await sql('UPDATE former_members SET is_settled = false WHERE organization_id = $1', [deleted.id]);
    const nowhere = await refresh(app, started.refreshToken, started.headers);
    expect(claimsOf(nowhere.body.session.token)).toMatchObject({ organizationId: null, role: null });
    const restored = await app.inject({
      method: 'POST',
      url: `/internal/organizations/${deleted.id}/restore`,
      payload: {},
      headers: { authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}` },
    });
    expect(restored.statusCode).toBe(200);
    const back = await refresh(app, nowhere.body.session.refreshToken, started.headers);
    expect(back.status).toBe(401);
    const again = await connections.start({ userId: deleted.member.id, organizationId: deleted.id });
    expect(claimsOf(again.token)).toMatchObject({ organizationId: deleted.id });
  });

  test('ends when its connection says so, and is renewed no further', async () => {
    const { member } = company;
    const endsAt = new Date(clock() + 60_000);
    const { token, refreshToken, headers } = await connections.start({
      userId: member.id,
      organizationId,
      endsAt,
    });
    expect(claimsOf(token)['exp']).toBe(Math.floor(endsAt.getTime() / 1_000));
    const renewed = await refresh(app, refreshToken, headers);
    expect(claimsOf(renewed.body.session.token)['exp']).toBe(Math.floor(endsAt.getTime() / 1_000));
    clock.advance({ seconds: 61 });
    expect((await refresh(app, renewed.body.session.refreshToken, headers)).status).toBe(401);
  });
});

describe('a sign-in that waits for the second factor', () => {
  test('is finished confined, whoever finishes it and whatever comes along', async () => {
    const ada = await enrolled();
    const deviceId = 'adas-tablet';
    const headers = { 'x-device-id': deviceId, authorization: `Bearer ${ada.token}` };
    const challengeToken = await connections.challenge({ userId: ada.id, organizationId, deviceId });
    const elsewhere = await verifyTotp(app, {
      challengeToken,
      code: nextCode(ada.secret, clock),
      headers: { 'x-device-id': 'another-device' },
    });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    const codes = ada.backupCodes.slice(0, 4);
    const racing = await Promise.all(
      codes.map((code) => verifyBackupCode(app, { challengeToken, code, headers })),
    );
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    const live = await liveOf(ada.id);
    expect(live.map(({ confinedTo }) => confinedTo)).toEqual([null, organizationId]);
  });

  test('does not push out those of the user, nor the other way round', async () => {
    const ada = await enrolled();
    const own = await challengeOf(app, ada.email);
    const deviceId = 'adas-watch';
    const first = await connections.challenge({ userId: ada.id, organizationId, deviceId });
    clock.advance({ seconds: 1 });
    for (let n = 0; n < 20; n++) await connections.challenge({ userId: ada.id, organizationId });
    const finished = await verifyTotp(app, { challengeToken: own, code: nextCode(ada.secret, clock) });
    expect(finished.status).toBe(200);
    const headers = { 'x-device-id': deviceId };
    const code = nextCode(ada.secret, clock);
    expect((await verifyTotp(app, { challengeToken: first, code, headers })).status).toBe(401);
  });

  test('ends with its connection, with its membership, and when its user becomes an owner [S-231]', async () => {
    const endings = {
      connection: (connectionId: string) => connections.end({ organizationId, connectionId }),
      membership: (_: string, userId: string) =>
        send(app, `DELETE /organization/${organizationId}/members/${userId}`, { token: company.owner.token }),
      promotion: (_: string, userId: string) =>
        send(app, `PATCH /organization/${organizationId}/members/${userId}`, {
          token: company.owner.token,
          body: { role: 'owner' },
        }),
    };
    for (const end of Object.values(endings)) {
      const ada = await enrolled();
      const [connectionId, deviceId] = [randomUUID(), `device-${randomUUID()}`];
      const headers = { 'x-device-id': deviceId };
      const signInBy = { userId: ada.id, organizationId, connectionId, deviceId };
      const challengeToken = await connections.challenge(signInBy);
      const session = await connections.start({ ...signInBy, acr: 'aal2' });
      await end(connectionId, ada.id);
      const code = nextCode(ada.secret, clock);
      const finished = await verifyTotp(app, { challengeToken, code, headers });
      expect([finished.status, finished.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
      expect((await refresh(app, session.refreshToken, headers)).status).toBe(401);
      const read = await send(app, 'GET /session', { token: session.token, headers });
      expect([read.status, read.body.reason]).toEqual([401, 'SESSION_ENDED']);
      expect((await liveOf(ada.id)).map(({ id }) => id)).toEqual([ada.sessionId]);
    }
  });
});

describe('sign-ins by a connection', () => {
  test('end no session of their user, however many there are, nor the other way round [S-233]', async () => {
    const ada = await signUp(app);
    await enter(service, organizationId, ada, 'member');
    const first = await connections.start({ userId: ada.id, organizationId });
    clock.advance({ seconds: 1 });
    for (let n = 0; n < 24; n++) await connections.start({ userId: ada.id, organizationId });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect((await refresh(app, first.refreshToken, first.headers)).status).toBe(401);
    const confined = (await liveOf(ada.id)).filter(({ confinedTo }) => confinedTo !== null);
    expect(confined).toHaveLength(20);
    for (let n = 0; n < 24; n++) await signIn(app, ada.email, { 'x-device-id': `device-${n}-of-ada` });
    expect((await liveOf(ada.id)).filter(({ confinedTo }) => confinedTo !== null)).toEqual(confined);
  });

  test('stand in the trail of the user and of that organization, and in no other [S-233]', async () => {
    const ada = await enrolled();
    const own = personalOrganizationOf(ada);
    const trailOf = (organization: string) =>
      sql(`SELECT action FROM audit_events WHERE organization_id = $1 AND actor_user_id = $2 ORDER BY id`, [
        organization,
        ada.id,
      ]);
    const before = { own: await trailOf(own), company: await trailOf(organizationId) };
    const deviceId = 'adas-desktop';
    const headers = { 'x-device-id': deviceId };
    const challengeToken = await connections.challenge({ userId: ada.id, organizationId, deviceId });
    const [backup = ''] = ada.backupCodes;
    const finished = await verifyBackupCode(app, { challengeToken, code: backup, headers });
    const { token, refreshToken } = finished.body.session;
    for (let n = 0; n < 10; n++)
      await verifyTotp(app, { token, code: wrongCode(ada.secret, clock), headers });
    await refresh(app, refreshToken, { 'x-device-id': 'stolen-by-eve' });
    const other = await connections.start({ userId: ada.id, organizationId, acr: 'aal2', deviceId });
    await send(app, 'POST /sign-out', { token: other.token, headers });
    expect(await trailOf(own)).toEqual(before.own);
    const added = (await trailOf(organizationId)).slice(before.company.length);
    expect(added.map(({ action }) => action)).toEqual([
      'two-factor.backup-code-used',
      'session.started',
      'two-factor.locked',
      'session.device-refused',
      'session.started',
      'session.revoked',
    ]);
  });

  test('begin no session that could not enter: of one who is no member, or lacks a factor that is required', async () => {
    const stranger = await signUp(app);
    const notMember = connections.begin({ userId: stranger.id, organizationId });
    await expect(notMember).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const strict = await foundCompany(service);
    await sql('UPDATE organizations SET require_two_factor = true WHERE id = $1', [strict.id]);
    const lacking = connections.begin({ userId: strict.member.id, organizationId: strict.id });
    await expect(lacking).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED', statusCode: 403 });
    expect((await liveOf(strict.member.id)).map(({ id }) => id)).toEqual([strict.member.sessionId]);
    const declared = await connections.start({
      userId: strict.member.id,
      organizationId: strict.id,
      acr: 'aal2',
    });
    expect(claimsOf(declared.token)).toMatchObject({ organizationId: strict.id, amr: ['sso', 'mfa'] });
    await expect(
      connections.begin({
        userId: company.member.id,
        organizationId,
        requireValid: () => Promise.reject(new Error('the connection is disabled')),
      }),
    ).rejects.toThrow('the connection is disabled');
  });

  test('and what ends a connection meet no deadlock, and leave no session [S-231]', async () => {
    const people = await Promise.all([enrolled(), enrolled('admin')]);
    await prove(service, ...people);
    for (let round = 0; round < 3; round++) {
      const connectionId = randomUUID();
      let isEnabled = true;
      const requireValid = async () => {
        if (!isEnabled) throw new Error('the connection is disabled');
      };
      const racing = people.flatMap(({ id: userId, email }) => [
        ...Array.from({ length: 4 }, () =>
          connections.begin({ userId, organizationId, connectionId, acr: 'aal2', requireValid }),
        ),
        signIn(app, email),
      ]);
      const ending = connections.database.within({ organizationId }).transaction(async (tx) => {
        await connections.wings.organizations.memberships.lock(tx);
        isEnabled = false;
        await connections.wings.sessions.endings.endSessionsOf(tx, { connectionId });
      });
      const outcomes = await Promise.allSettled([ending, ...racing]);
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [(outcome.reason as Error).message] : [],
      );
      expect(new Set(failures).size).toBeLessThanOrEqual(1);
      expect(failures.every((message) => message === 'the connection is disabled')).toBe(true);
      const left = await sql('SELECT id FROM sessions WHERE connection_id = $1 AND revoked_at IS NULL', [
        connectionId,
      ]);
      expect(left).toEqual([]);
    }
  });
});

describe('a confined session of an owner [S-234]', () => {
  test('neither makes, changes nor removes an owner; members it does', async () => {
    const { id, owner, admin } = await foundCompany(service);
    const other = await enrolled();
    await enter(service, id, other, 'owner');
    const { token } = await connections.start({ userId: owner.id, organizationId: id, acr: 'aal2' });
    const ask = async (route: `${string} ${string}`, body?: object) => {
      const answer = await send(app, route, { token, ...(body && { body }) });
      return [answer.status, (answer.body as { code?: string } | null)?.code];
    };
    const members = `/organization/${id}/members`;

    expect(await ask(`PATCH ${members}/${admin.id}`, { role: 'owner' })).toEqual([403, 'SIGN_IN_REQUIRED']);
    expect(await ask(`PATCH ${members}/${other.id}`, { role: 'member' })).toEqual([403, 'SIGN_IN_REQUIRED']);
    expect(await ask(`DELETE ${members}/${other.id}`)).toEqual([403, 'SIGN_IN_REQUIRED']);
    const invitation = { email: newEmail(), role: 'owner' };
    expect(await ask(`POST /organization/${id}/invitations`, invitation)).toEqual([403, 'SIGN_IN_REQUIRED']);

    expect(await ask(`PATCH ${members}/${admin.id}`, { role: 'member' })).toEqual([200, undefined]);
    const roles = await sql('SELECT role FROM members WHERE organization_id = $1 AND user_id = ANY ($2)', [
      id,
      [owner.id, other.id],
    ]);
    expect(roles).toEqual([{ role: 'owner' }, { role: 'owner' }]);
  });
});
