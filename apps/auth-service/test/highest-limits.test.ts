import { expect, test } from 'vitest';
import { ownSettings } from '../src/config.ts';
import { newEmail, password, send, signUp } from './support/client.ts';
import { prove } from './support/organizations.ts';
import { startService } from './support/service.ts';

test('every limit may be set as high as its setting allows', async () => {
  const limits = Object.entries(ownSettings).filter(([name]) => /^(RATE_LIMIT|MAX)_/.test(name));
  expect(limits.length).toBeGreaterThan(20);
  const settings = Object.fromEntries(
    limits.map(([name, schema]) => [name, String((schema as { maximum?: number }).maximum)]),
  );
  const service = await startService({ settings: { MAILED_SIGN_IN: 'true', ...settings } });
  const { app } = service;
  const ada = await signUp(app);
  await prove(service, ada);
  const organization = { name: 'Acme', slug: 'acme' };
  const created = await send(app, 'POST /organization/create', { token: ada.token, body: organization });
  const { id: organizationId } = created.body.organization;
  const switched = await send(app, 'POST /organization/switch', {
    token: ada.token,
    body: { organizationId },
  });
  const { token } = switched.body.session;
  const answers = [
    created,
    switched,
    await send(app, `POST /organization/${organizationId}/invitations`, {
      token,
      body: { email: newEmail(), role: 'member' },
    }),
    await send(app, `PATCH /organization/${organizationId}`, { token, body: { name: 'Acme & Co' } }),
    await send(app, `GET /organization/${organizationId}/usage`, { token }),
    await send(app, 'POST /password/forgot', { body: { email: ada.email } }),
    await send(app, 'POST /email/change', { token, body: { newEmail: newEmail(), password } }),
    await send(app, 'POST /sign-in/mailed', { body: { email: ada.email } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200, 200, 200, 200, 200]);
});
