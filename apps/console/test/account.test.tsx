import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { signedIn, signedOut } from './support/starts.ts';

const sessions = 'GET /api/auth/sessions';
const enable = 'POST /api/auth/two-factor/enable';
const verify = 'POST /api/auth/two-factor/verify-totp';
const erase = 'DELETE /api/auth/user';
const apiOfAccount = () => new FakeApi(signedIn()).on(sessions, { sessions: [] });

const enrolment = {
  totpUri: 'otpauth://totp/Tenantry:ada@example.com?secret=ABCDEFGH',
  qrCode: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  secret: 'ABCDEFGH',
  backupCodes: ['one-two', 'three-four'],
};

describe('two-factor authentication', () => {
  test('is turned on by a code of the app, and shows the backup codes until they are saved', async () => {
    const api = apiOfAccount().on(enable, enrolment).on(verify, new Refusal(401, 'INVALID_CODE'));
    await open('/account/security', api);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabelText('Password').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByText('ABCD EFGH')).toBeVisible();
    await expect.element(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
    await dialog.getByLabelText('Code').fill('000 000');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    api.on(verify, () => {
      api.start = {
        ...signedIn(),
        twoFactor: { enabled: true, methods: ['totp', 'backup-code'], backupCodesLeft: 2 },
      };
      return { verified: true, session: {} };
    });
    await dialog.getByLabelText('Code').fill('123 456');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('list', { name: 'Backup codes' })).toHaveTextContent('one-two');
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('list', { name: 'Backup codes' })).toBeVisible();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await expect.element(page.getByText('It is on. 2 backup codes are left.')).toBeVisible();
    expect(api.sentTo(verify)).toEqual([{ code: '000000' }, { code: '123456' }]);
  });
});

test.each([
  ['puts it on the clipboard', (writeText: Clipboard['writeText']) => ({ writeText }), 'Copied'],
  ['has it copied by hand where there is no clipboard', () => undefined, 'Copy it by hand'],
])('copying the secret %s', async (_what, clipboardOf, said) => {
  const copied: string[] = [];
  const value = clipboardOf((text) => Promise.resolve(void copied.push(text)));
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'clipboard'));
  await open('/account/security', apiOfAccount().on(enable, enrolment));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Password').fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect.element(dialog.getByRole('status')).toHaveTextContent(said);
  expect(copied).toEqual(value ? ['ABCDEFGH'] : []);
});

describe('an account', () => {
  test('is deleted only by somebody who has typed its address', async () => {
    const api = apiOfAccount().on(erase, () => {
      api.start = signedOut;
      return {};
    });
    await open('/account/danger', api);
    const button = page.getByRole('button', { name: 'Delete permanently' });
    await expect.element(button).toBeDisabled();
    await page.getByLabelText('Type ada@example.com to confirm').fill('Ada@Example.com ');
    await button.click();
    await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(api.sentTo(erase)).toHaveLength(1);
  });

  test('moves to another address by a mailed link, and says so', async () => {
    const change = 'POST /api/auth/email/change';
    const api = apiOfAccount().on(change, { success: true });
    await open('/account', api);
    await page.getByLabelText('New address').fill('countess@example.com');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/on its way to countess@example.com/)).toBeVisible();
    expect(api.sentTo(change)).toEqual([{ newEmail: 'countess@example.com' }]);
  });

  test('lists what happened to it and on which device, with what it has no words for, and more where there is more', async () => {
    const event = {
      ...{ actor: null, target: null, details: {}, ipAddress: '192.0.2.1' },
      ...{ device: 'Mozilla/5.0', browser: 'Firefox 140', system: 'Linux' },
      createdAt: '2026-11-20T12:00:00Z',
    };
    const elsewhere = { device: null, browser: null, system: null, ipAddress: null };
    const api = apiOfAccount().on('GET /api/auth/audit', {
      events: [
        { ...event, ...elsewhere, id: 'one', action: 'two-factor.reset' },
        { ...event, id: 'three', action: 'session.started' },
        { ...event, id: 'two', action: 'moon.landed' },
      ],
      ...{ total: 12, page: 1, pageSize: 10 },
    });
    await open('/account/activity', api);
    const itemOf = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await expect
      .element(itemOf('Signed in'))
      .toHaveTextContent('Signed in20 Nov 2026, 12:00 · Firefox 140 on Linux · 192.0.2.1');
    await expect.element(itemOf('turned off for you')).toHaveTextContent(/for you20 Nov 2026, 12:00$/);
    await expect.element(page.getByText('Something else happened')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Show more' })).toBeVisible();
  });
});
