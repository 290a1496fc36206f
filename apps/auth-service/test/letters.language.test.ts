import { describe, expect, test } from 'vitest';
import { newEmail, password, send, signUp } from './support/client.ts';
import { letterTo, mailedToken } from './support/mail.ts';
import { ask, foundCompany } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService({ settings: { FRONTEND_URL: 'https://app.example.com/' } });
const { app } = service;

const swedish = { language: 'sv', timeZone: 'Europe/Stockholm' };

describe('letters', () => {
  test('are in the language that a newcomer names, from the first one on', async () => {
    const email = newEmail();
    const body = { email, password, name: 'Åsa', ...swedish };
    const { status, body: answer } = await send(app, 'POST /sign-up/email', { body });
    expect(status).toBe(201);
    expect(await letterTo(service, email, 'verify-email')).toContain('Subject: Bekräfta din e-postadress');
    const { token } = answer.session;
    const profile = await ask<{ user: object }>(service, 'GET /user', { token });
    expect(profile.body.user).toMatchObject(swedish);
  });

  test.each([{ language: 'not a language' }, { timeZone: 'Nowhere/Special' }])(
    'refuse what names no language or zone: %j',
    async (locale) => {
      const body = { email: newEmail(), password, name: 'Ada', ...locale };
      const answer = await send(app, 'POST /sign-up/email', { body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.details).toMatchObject([{ field: Object.keys(locale)[0] }]);
    },
  );

  test('follow what a user chooses later', async () => {
    const ada = await signUp(app);
    await ask(service, 'PATCH /user', { token: ada.token, body: swedish });
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    expect(await letterTo(service, ada.email, 'reset-password')).toContain('Återställ ditt lösenord');
  });

  test('to the former and the new address of a move are in the language of the account', async () => {
    const ada = await signUp(app);
    await ask(service, 'PATCH /user', { token: ada.token, body: swedish });
    const newAddress = newEmail();
    const body = { newEmail: newAddress, password };
    await ask(service, 'POST /email/change', { token: ada.token, body });
    expect(await letterTo(service, ada.email, 'email-change-requested')).toContain('har begärt att byta');
    expect(await letterTo(service, newAddress, 'confirm-new-address')).toContain('Använd adressen');
    const token = await mailedToken(service, newAddress, 'confirm-new-address');
    await ask(service, 'POST /email/verify', { token: ada.token, body: { token } });
    expect(await letterTo(service, ada.email, 'email-changed')).toContain('Din e-postadress har ändrats');
  });

  test('that invite are in the language of who invites, and link to a page', async () => {
    const { id, owner } = await foundCompany(service);
    await ask(service, 'PATCH /user', { token: owner.token, body: swedish });
    const email = newEmail();
    const body = { email, role: 'admin' };
    await ask(service, `POST /organization/${id}/invitations`, { token: owner.token, body });
    const letter = await letterTo(service, email, 'invitation');
    expect(letter).toContain('som administratör');
    expect(letter).toContain('https://app.example.com/accept-invitation#token=');
  });
});
