import { describe, expect, it, vi } from 'vitest';
import type { OnStepUp, StepUpAnswer, StepUpDemand } from '@tenantry/client';
import { page, rejection } from './support/clients.ts';
import { plainRefusal, refusal, type FakeApi, type Reply } from './support/fake-api.ts';

const verify = 'POST /api/auth/two-factor/verify-totp';
const sensitive = 'POST /api/auth/two-factor/backup-codes';

const demanding = (reason: string, details: readonly object[] = []): Reply =>
  plainRefusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason, details });
const methods = ['totp', 'backup-code'];
const codeDemanded = demanding('SECOND_FACTOR_REQUIRED', [
  {
    field: 'secondFactor',
    rule: 'recent',
    params: { methods, maxAgeSeconds: 300 },
    message: 'must be confirmed',
  },
]);
const wrongPassword = plainRefusal(401, 'INVALID_CREDENTIALS', {
  details: [{ field: 'password', rule: 'credential', message: 'is not right' }],
});

/** Answers each demand with the next of these, and notes the demands. */
function answering(...answers: readonly (StepUpAnswer | null)[]) {
  const left = [...answers];
  const demands: StepUpDemand[] = [];
  const onStepUp: OnStepUp = async (demand) => {
    demands.push(demand);
    return left.shift() ?? null;
  };
  return { demands, onStepUp };
}

/** Takes one code, after so many that are wrong. */
function takesCodes(api: FakeApi, wrong: number): void {
  const refusals = Array.from({ length: wrong }, () => plainRefusal(401, 'INVALID_CODE'));
  api.refusing(verify, refusals, () => ({ body: { verified: true, session: api.renew() } }));
}

describe('an operation that asks for a code', () => {
  it('continues once the user has given one, with the CSRF token of the new session', async () => {
    const { demands, onStepUp } = answering({ code: '123456' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(sensitive, [codeDemanded], () => ({ body: { backupCodes: ['a'] } }));
    takesCodes(api, 0);
    expect((await tenantry.renewBackupCodes()).data).toEqual({ backupCodes: ['a'] });
    expect(demands).toEqual([
      { reason: 'SECOND_FACTOR_REQUIRED', methods, operationId: 'renewBackupCodes', previous: undefined },
    ]);
    expect(api.requests(sensitive).map(({ headers }) => headers['x-csrf-token'])).toEqual([
      'csrf-1',
      'csrf-2',
    ]);
  });

  it('asks again while the code is wrong, and says so', async () => {
    const { demands, onStepUp } = answering({ code: '000000' }, { code: '111111' }, { code: '123456' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(sensitive, [codeDemanded], () => ({ body: { backupCodes: [] } }));
    takesCodes(api, 2);
    await tenantry.renewBackupCodes();
    expect(demands.map(({ previous }) => previous?.code)).toEqual([
      undefined,
      'INVALID_CODE',
      'INVALID_CODE',
    ]);
  });

  it('takes a backup code as one', async () => {
    const { onStepUp } = answering({ code: '7Q2KDM-9XR4TW-H3N8VB-C6P0YZ' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(sensitive, [codeDemanded], () => ({ body: { backupCodes: [] } }));
    api.on('POST /api/auth/two-factor/verify-backup-code', () => ({
      body: { verified: true, session: api.renew() },
    }));
    await tenantry.renewBackupCodes();
    expect(api.requests(sensitive)).toHaveLength(2);
  });

  it('takes what a passkey answered', async () => {
    const credential = { id: 'a', rawId: 'a', type: 'public-key' } as const;
    const passkey = {
      ...credential,
      response: { clientDataJSON: 'b', authenticatorData: 'c', signature: 'd' },
    };
    const { onStepUp } = answering({ passkey });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(sensitive, [codeDemanded], () => ({ body: { backupCodes: [] } }));
    const byPasskey = 'POST /api/auth/two-factor/verify-passkey';
    api.on(byPasskey, () => ({ body: { verified: true, session: api.renew() } }));
    await tenantry.renewBackupCodes();
    expect(api.requests(byPasskey).map(({ body }) => body)).toEqual([{ response: passkey }]);
    expect(api.requests(sensitive)).toHaveLength(2);
  });

  it('asks once for all calls that wait', async () => {
    const { demands, onStepUp } = answering({ code: '123456' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(sensitive, [codeDemanded, codeDemanded, codeDemanded], () => ({
      body: { backupCodes: [] },
    }));
    takesCodes(api, 0);
    await Promise.all([1, 2, 3].map(() => tenantry.renewBackupCodes()));
    expect([demands.length, api.requests(verify).length]).toEqual([1, 1]);
  });

  it.each([
    ['no handler is set', {}],
    ['the user would rather not', { onStepUp: () => Promise.resolve(null) }],
  ])('rejects as it was refused where %s', async (_why, handlers) => {
    const { api, tenantry } = page(handlers);
    await tenantry.getStart();
    api.on(sensitive, () => codeDemanded);
    const error = await rejection(tenantry.renewBackupCodes());
    expect(error).toMatchObject({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      reason: 'SECOND_FACTOR_REQUIRED',
    });
    expect(api.requests(sensitive)).toHaveLength(1);
  });

  it('is asked once: what is refused again is refused', async () => {
    const { demands, onStepUp } = answering({ code: '123456' }, { code: '123456' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.on(sensitive, () => codeDemanded);
    takesCodes(api, 0);
    expect(await rejection(tenantry.renewBackupCodes())).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });
    expect(demands).toHaveLength(1);
  });
});

it('an operation that asks for a code and then for the password is sent with both proofs given', async () => {
  const { demands, onStepUp } = answering({ code: '123456' }, { password: 'right' });
  const { api, tenantry } = page({ onStepUp });
  await tenantry.getStart();
  takesCodes(api, 0);
  api.refusing(sensitive, [codeDemanded, demanding('PASSWORD_REQUIRED')], () => ({
    body: { backupCodes: [] },
  }));
  expect((await tenantry.renewBackupCodes({ body: {} })).data).toEqual({ backupCodes: [] });
  expect(demands.map(({ reason }) => reason)).toEqual(['SECOND_FACTOR_REQUIRED', 'PASSWORD_REQUIRED']);
  expect(api.requests(sensitive).map(({ body }) => body)).toEqual([{}, {}, { password: 'right' }]);
});

describe('an operation that asks for the password', () => {
  const end = 'DELETE /api/auth/sessions';
  const endOthers = { query: { scope: 'others' }, body: {} } as const;

  it('is sent again with it, as often as it is wrong', async () => {
    const { demands, onStepUp } = answering({ password: 'wrong' }, { password: 'right' });
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.refusing(end, [demanding('PASSWORD_REQUIRED'), wrongPassword], () => ({ body: { revoked: 2 } }));
    expect((await tenantry.endSessions(endOthers)).data).toEqual({ revoked: 2 });
    expect(api.requests(end).map(({ body }) => body)).toEqual([
      {},
      { password: 'wrong' },
      { password: 'right' },
    ]);
    expect(demands.map(({ reason, previous }) => [reason, previous?.code])).toEqual([
      ['PASSWORD_REQUIRED', undefined],
      ['PASSWORD_REQUIRED', 'INVALID_CREDENTIALS'],
    ]);
  });

  it('leaves a password that the caller gave to the caller', async () => {
    const onStepUp = vi.fn();
    const { api, tenantry } = page({ onStepUp });
    await tenantry.getStart();
    api.on(end, () => wrongPassword);
    const call = tenantry.endSessions({ ...endOthers, body: { password: 'wrong' } });
    expect(await rejection(call)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(onStepUp).not.toHaveBeenCalled();
  });
});

it('an operation that requires a new sign-in continues after it', async () => {
  const { demands, onStepUp } = answering({ signedIn: true });
  const { api, tenantry } = page({ onStepUp });
  await tenantry.getStart();
  const user = 'DELETE /api/users/0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f';
  const refused = refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'SIGN_IN_REQUIRED' });
  api.refusing(user, [refused], () => ({ status: 204 }));
  await tenantry.deleteUser({ path: { id: '0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f' } });
  expect(demands).toMatchObject([{ reason: 'SIGN_IN_REQUIRED', methods: [] }]);
  expect(api.requests(user)).toHaveLength(2);
});

describe('a session that belongs to another address', () => {
  const rebind = 'POST /api/auth/session/rebind';
  const moved = plainRefusal(401, 'SESSION_ADDRESS_CHANGED');

  it('continues by password or code, asked again while it is wrong, and the call is sent again', async () => {
    const answers = [{ password: 'wrong' }, { password: 'right' }];
    const onRebind = vi.fn(() => Promise.resolve(answers.shift() ?? null));
    const { api, tenantry } = page({ onRebind });
    api.refusing('GET /api/auth/sessions', [moved], () => ({ body: { sessions: [] } }));
    api.refusing(rebind, [wrongPassword], () => ({ body: { session: api.renew() } }));
    expect((await tenantry.listSessions()).data).toEqual({ sessions: [] });
    expect(onRebind.mock.calls.map(([demand]: unknown[]) => (demand as StepUpDemand).previous?.code)).toEqual(
      [undefined, 'INVALID_CREDENTIALS'],
    );
    const sent = api.requests(rebind);
    expect(sent.map(({ body }) => body)).toEqual([{ password: 'wrong' }, { password: 'right' }]);
    expect(sent.map(({ headers }) => headers['x-csrf-token'])).toEqual(['csrf-1', 'csrf-1']);
  });

  it('is found at the renewal of an expired token as well', async () => {
    const onRebind = vi.fn(() => Promise.resolve({ code: '123456' }));
    const onSignedOut = vi.fn();
    const { api, tenantry } = page({ onRebind, onSignedOut });
    api.refusing(
      'GET /api/auth/sessions',
      [plainRefusal(401, 'UNAUTHENTICATED', { reason: 'TOKEN_EXPIRED' })],
      () => ({ body: { sessions: [] } }),
    );
    const reason = 'SESSION_ADDRESS_CHANGED';
    api.refusing('GET /api/auth/start', [{ body: { status: 'signed-out', reason } }], () => ({
      body: api.start(),
    }));
    api.on(rebind, () => ({ body: { session: api.renew() } }));
    await tenantry.listSessions();
    expect(onRebind).toHaveBeenCalledTimes(1);
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  it('rejects where no handler continues it', async () => {
    const { api, tenantry } = page({ onRebind: () => Promise.resolve(null) });
    api.on('GET /api/auth/sessions', () => moved);
    expect(await rejection(tenantry.listSessions())).toMatchObject({ code: 'SESSION_ADDRESS_CHANGED' });
  });
});
