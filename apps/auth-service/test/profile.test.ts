import { describe, expect, test } from 'vitest';
import { claimsOf, refresh, send, signUp } from './support/client.ts';
import { personalOrganizationOf, traces } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app } = service;

const change = (token: string, body: unknown) => send(app, 'PATCH /user', { token, body });

describe('PATCH /user', () => {
  test('changes the name, and publishes the change', async () => {
    const ada = await signUp(app);
    const { status, body } = await change(ada.token, { name: ' Ada King ' });
    expect(status).toBe(200);
    const user = {
      id: ada.id,
      email: ada.email,
      name: 'Ada King',
      language: null,
      timeZone: null,
      emailVerified: false,
    };
    expect(body).toEqual({ user });
    expect((await send(app, 'GET /user', { token: ada.token })).body).toEqual({ user });
    const { session } = (await refresh(app, ada.refreshToken)).body;
    expect(claimsOf(session.token)['name']).toBe('Ada King');

    const { events, audit } = await traces(service, {
      organizationId: personalOrganizationOf(ada),
      userId: ada.id,
    });
    expect(events.at(-1)).toMatchObject({ type: 'user.updated', payload: { name: 'Ada King' } });
    expect(audit.at(-1)).toMatchObject({
      action: 'profile.updated',
      actor: ada.id,
      details: { fields: ['name'] },
    });
  });

  test('keeps language and time zone in their own spelling, and takes them back', async () => {
    const ada = await signUp(app);
    const said = await change(ada.token, { language: 'EN-gb', timeZone: 'europe/stockholm' });
    expect(said.body.user).toMatchObject({ language: 'en-GB', timeZone: 'Europe/Stockholm', name: ada.name });
    const kept = await change(ada.token, { timeZone: null });
    expect(kept.body.user).toMatchObject({ language: 'en-GB', timeZone: null });
    expect((await change(ada.token, { language: null })).body.user).toMatchObject({ language: null });
  });

  test.each([
    [{}, 'body'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: null }, 'name'],
    [{ language: 'not a tag' }, 'language'],
    [{ language: '' }, 'language'],
    [{ language: 'x'.repeat(65) }, 'language'],
    [{ timeZone: 'Europe/Atlantis' }, 'timeZone'],
    [{ timeZone: '+01:00' }, 'timeZone'],
    [{ email: 'other@example.com' }, 'email'],
  ])('refuses %j, and names the field', async (body, field) => {
    const ada = await signUp(app);
    const answer = await change(ada.token, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details[0]?.field).toBe(field);
    expect((await send(app, 'GET /user', { token: ada.token })).body.user.name).toBe(ada.name);
  });

  test('needs a session, and notifies no one if nothing changes', async () => {
    expect((await send(app, 'PATCH /user', { body: { name: 'Eve' } })).status).toBe(401);
    const ada = await signUp(app);
    const place = { organizationId: personalOrganizationOf(ada), userId: ada.id };
    const before = await traces(service, place);
    expect((await change(ada.token, { name: ada.name })).status).toBe(200);
    expect(await traces(service, place)).toEqual(before);
  });
});
