import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceReason } from '../src/failures/device-error.ts';
import { words } from '../src/failures/failures.words.en.ts';
import { words as laterWords } from '../src/failures/later-failures.words.en.ts';
import { words as swedish } from '../src/failures/failures.words.sv.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { offering, signedIn, signedOut } from './support/starts.ts';

const signUp = 'POST /api/auth/sign-up/email';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const found = (field: string, rule: string) => ({ field, rule, message: '' });
const alert = page.getByRole('alert');

describe('a refusal of fields', () => {
  const refusing = (...details: readonly object[]) =>
    new FakeApi(signedOut).on(signUp, new Refusal(400, 'VALIDATION_ERROR', { details }));

  test('that the form does not have is said where the form says that it was refused', async () => {
    await open('/sign-up', refusing(found('timeZone', 'timeZone'), found('locale', 'pattern')));
    await button('Create account').click();
    await expect.element(alert).toHaveTextContent(laterWords.rules.timeZone({}));
    await expect.element(alert).toHaveTextContent(`locale: ${words.rules.pattern()}`);
    await expect.element(alert).not.toHaveTextContent('See below');
  });

  test('of which it has some refers to those, and says the others', async () => {
    await open('/sign-up', refusing(found('name', 'required'), found('timeZone', 'timeZone')));
    await button('Create account').click();
    await expect.element(page.getByLabelText('Your name')).toHaveAccessibleDescription('Fill this in.');
    await expect.element(alert).toHaveTextContent(words.codes.VALIDATION_ERROR);
    await expect.element(alert).toHaveTextContent(laterWords.rules.timeZone({}));
  });

  test('all of which it has refers to them alone', async () => {
    await open('/sign-up', refusing(found('name', 'required')));
    await button('Create account').click();
    await expect.element(alert).toHaveTextContent(words.codes.VALIDATION_ERROR);
    await expect.element(alert).not.toHaveTextContent('Fill this in.');
  });
});

describe('a passkey that the browser refuses', () => {
  const options = 'POST /api/auth/sign-in/passkey/options';
  const challenge = {
    ...{ challenge: 'AAAA', rpId: 'app.example.com', timeout: 300_000, userVerification: 'required' },
    allowCredentials: [],
  };
  const creation = {
    ...{ rp: { id: 'app.example.com', name: 'Tenantry' }, challenge: 'AAAA', timeout: 300_000 },
    ...{ user: { id: 'AAAA', name: 'Ada', displayName: 'Ada' }, attestation: 'none' },
    ...{ pubKeyCredParams: [{ alg: -7, type: 'public-key' }], excludeCredentials: [] },
  };

  function credentialsThat(refuse: string) {
    const never = () => new Promise<never>(() => undefined);
    const refused = () => Promise.reject(new DOMException('for developers', refuse));
    const get = vi
      .spyOn(navigator.credentials, 'get')
      .mockImplementation((asked) => (asked?.mediation === 'conditional' ? never() : refused()));
    const create = vi.spyOn(navigator.credentials, 'create').mockImplementation(refused);
    onTestFinished(() => {
      get.mockRestore();
      create.mockRestore();
    });
    return get;
  }

  const reasons: readonly (readonly [string, DeviceReason])[] = [
    ['InvalidStateError', 'ALREADY_REGISTERED'],
    ['NotAllowedError', 'NOT_ALLOWED'],
    ['ConstraintError', 'NOT_VERIFIED'],
    ['NotSupportedError', 'NOT_SUPPORTED'],
    ['SecurityError', 'OTHER_SITE'],
    ['UnknownError', 'FAILED'],
  ];

  test.each(reasons)('is explained when it is added: %s', async (name, reason) => {
    credentialsThat(name);
    const api = new FakeApi({ ...signedIn(), signIn: offering.signIn })
      .on('GET /api/auth/sessions', { sessions: [] })
      .on('POST /api/auth/passkeys/options', { options: creation });
    await open('/account/security', api);
    await button('Add a passkey').click();
    await expect.element(alert).toHaveTextContent(words.device[reason]);
  });

  test.each(reasons)('is explained at a sign-in, in Swedish: %s', async (name, reason) => {
    credentialsThat(name);
    const api = new FakeApi(offering).on(options, { options: challenge, token: 'AAAA' });
    await open('/sign-in', api, { language: 'sv' });
    await button('Logga in med en lösennyckel').click();
    await expect.element(alert).toHaveTextContent(swedish.device[reason]);
  });

  test('is not mentioned where something else has replaced the question', async () => {
    const get = credentialsThat('AbortError');
    const api = new FakeApi(offering).on(options, { options: challenge, token: 'AAAA' });
    await open('/sign-in', api);
    const press = button('Sign in with a passkey');
    await press.click();
    const isAsked = () => get.mock.calls.some(([asked]) => asked?.mediation !== 'conditional');
    await expect.poll(isAsked).toBe(true);
    await expect.poll(() => press.element().hasAttribute('data-busy')).toBe(false);
    await expect.element(alert).not.toBeInTheDocument();
  });
});
