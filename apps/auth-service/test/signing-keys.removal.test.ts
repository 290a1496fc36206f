import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier } from '@tenantry/jwt-verify';
import { createLogger } from '@tenantry/service/logging';
import { canarySecret, createTestDatabase, patience, testLog, type TestDatabase } from '@tenantry/test-kit';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { KeyOperations, KeyUnknownError } from '../src/tokens/signing-keys/key-operations.ts';
import { keySchedule } from '../src/tokens/signing-keys/key-schedule.ts';
import { SigningKeys } from '../src/tokens/signing-keys/signing-keys.ts';
import { send, signIn, signUp } from './support/client.ts';
import { openDatabase, startService, type RunningService } from './support/service.ts';

const newSecret = canarySecret;

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('auth-service');
  afterAll(() => database.drop());
  return database;
}

/** The parts below HTTP, as an instance of its own has them. */
function partsOn(database: TestDatabase, secret: string, leaseMs = 5_000) {
  const logger = createLogger({ name: 'auth-service', level: 'trace', destination: testLog() });
  const config = {
    DATABASE_URL: database.runtimeUrl,
    DATABASE_POOL_SIZE: 5,
    TENANT_BINDING: 'connection',
  } as const;
  const opened = openDatabase(config, logger);
  const parts = {
    database: opened,
    secrets: new SecretRing(secret),
    schedule: keySchedule(30),
  };
  const keys = new SigningKeys({ ...parts, logger, leaseMs });
  const close = async () => {
    await keys.close();
    await opened.close();
  };
  afterAll(close);
  return { keys, close, operations: new KeyOperations(parts) };
}

const kidsOf = async ({ app }: RunningService) =>
  (await send(app, 'GET /jwks')).body.keys.map(({ kid }) => kid ?? '');

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience();
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not come to pass: ${condition.toString()}`);
    await sleep(20);
  }
}

describe('an emergency removal', () => {
  test('of the signing key ends its tokens at every instance and verifier; refreshing clients continue [S-88]', async () => {
    const database = await emptyDatabase();
    const secret = newSecret();
    const settings = { AUTH_SECRET: secret };
    const [first, second] = [
      await startService({ database, settings }),
      await startService({ database, settings }),
    ];
    const address = await second.app.listen({ host: '127.0.0.1', port: 0 });
    const verifier = createVerifier({
      issuer: second.config.AUTH_URL,
      jwks: `${address}/api/auth/jwks`,
      revocations: false,
      keyRefreshSeconds: 0.2,
    });
    afterAll(() => verifier.close());
    const ada = await signUp(first.app);
    await verifier.verify(ada.token);
    const [removed = ''] = await kidsOf(first);

    const { operations } = partsOn(database, secret);
    const left = await operations.remove(removed);
    expect(left.map(({ state }) => state)).toEqual(['signing']);

    for (const { app } of [first, second]) {
      const refused = async () => (await send(app, 'GET /session', { token: ada.token })).status === 401;
      await eventually(refused);
    }
    await eventually(() =>
      verifier.verify(ada.token).then(
        () => false,
        () => true,
      ),
    );
    for (const { app } of [first, second]) {
      const { status, body } = await signIn(app, ada.email);
      expect(status).toBe(200);
      // It takes effect immediately where the new key could not be announced: here, there and elsewhere.
      for (const other of [first, second]) {
        expect((await send(other.app, 'GET /session', { token: body.session.token })).status).toBe(200);
      }
      await verifier.verify(body.session.token);
    }
    const refreshed = await send(first.app, 'POST /refresh', { body: { refreshToken: ada.refreshToken } });
    expect(refreshed.status).toBe(200);
    expect(await kidsOf(second)).toEqual(left.map(({ kid }) => kid));
  });

  test('makes the announced key sign, which every verifier knows', async () => {
    const { keys, operations } = partsOn(await emptyDatabase(), newSecret());
    const signing = (await keys.signer()).kid;
    const [, next] = await operations.rotate();
    expect(next?.state).toBe('next');
    expect(await operations.rotate()).toEqual([expect.objectContaining({ kid: signing }), next]);

    const left = await operations.remove(signing);
    expect(left).toEqual([expect.objectContaining({ kid: next?.kid, state: 'signing' })]);
    await keys.seek();
    expect((await keys.signer()).kid).toBe(next?.kid);
  });

  test('of a key that does not exist changes nothing and says so', async () => {
    const { keys, operations } = partsOn(await emptyDatabase(), newSecret());
    await keys.signer();
    const before = await operations.list();
    await expect(operations.remove('nobody')).rejects.toThrow(KeyUnknownError);
    expect(await operations.list()).toEqual(before);
  });

  test('is not used by an instance that cannot read its removal: it signs nothing once its lease has expired', async () => {
    const database = await emptyDatabase();
    const secret = newSecret();
    const [here, there] = [partsOn(database, secret, 60_000), partsOn(database, secret)];
    const { kid } = await here.keys.signer();
    const [successor] = await there.operations.remove(kid);

    // It was told nothing: neither notified nor polling.
    expect((await here.keys.signer()).kid).toBe(kid);
    const now = performance.now.bind(performance);
    let aheadMs = 60_001;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    onTestFinished(() => clock.mockRestore());
    expect((await here.keys.signer()).kid).toBe(successor?.kid);
    aheadMs += 60_001;
    await here.close();
    await expect(here.keys.signer()).rejects.toThrow();
    // Verification continues: an unreachable database has withdrawn nothing.
    expect((await here.keys.publicKeys()).keys.map((key) => key.kid)).toEqual([successor?.kid]);
  });
});

describe('the keys of cold instances', () => {
  test('are one after ten parallel first requests to each of two [S-87]', async () => {
    const database = await emptyDatabase();
    const secret = newSecret();
    const instances = [partsOn(database, secret), partsOn(database, secret)];
    const signers = await Promise.all(
      instances.flatMap(({ keys }) => Array.from({ length: 10 }, () => keys.signer())),
    );
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
    expect(await instances[0]!.operations.list()).toHaveLength(1);
  });
});

describe('a row that was tampered with', () => {
  const swap = `
    UPDATE signing_keys SET encrypted_private_key = other.encrypted_private_key
    FROM signing_keys other WHERE other.kid <> signing_keys.kid`;
  const flip = `
    UPDATE signing_keys SET encrypted_private_key =
      set_byte(encrypted_private_key, length(encrypted_private_key) - 1,
        get_byte(encrypted_private_key, length(encrypted_private_key) - 1) # 1)`;
  const cut = `UPDATE signing_keys SET encrypted_private_key = substr(encrypted_private_key, 1, 20)`;
  const rename = `UPDATE signing_keys SET kid = 'mine' WHERE not_before > now()`;
  const replacePublicKey = `
    UPDATE signing_keys SET public_jwk = public_jwk || '{"x":"kAS7iCKRPQ0OYkfQ5LmLLsUeSZCRvdJ2BOQcmNHPPlA"}'`;

  test.each([
    ['whose ciphertext is another key’s', swap],
    ['with a changed ciphertext', flip],
    ['with a ciphertext cut short', cut],
    ['under another name', rename],
    ['with another public key', replacePublicKey],
  ])('%s stops the start; running instances sign on', async (_name, sql) => {
    const service = await startService();
    const { database, config } = service;
    const { operations } = partsOn(database, config.AUTH_SECRET);
    const [signing] = await operations.rotate();
    await eventually(async () => (await kidsOf(service)).length === 2);
    await service.sql(sql);

    await expect(startService({ database, settings: { AUTH_SECRET: config.AUTH_SECRET } })).rejects.toThrow(
      'is not what was stored',
    );
    // Decrypted once: what is stored now does not matter to a process that has started.
    const ada = await signUp(service.app);
    expect((await send(service.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect(await kidsOf(service)).toContain(signing?.kid);
    // An operator needs no readable key to be rid of it.
    for (const { kid } of await operations.list()) await operations.remove(kid);
    const restarted = await startService({ database, settings: { AUTH_SECRET: config.AUTH_SECRET } });
    expect(await kidsOf(restarted)).toHaveLength(1);
  });

  test('that was tampered with is never published, and reported [S-88]', async () => {
    const service = await startService();
    await service.sql(`
      INSERT INTO signing_keys SELECT 'forged', algorithm, public_jwk || '{"kid":"forged"}', encrypted_private_key,
        secret_id, now() + interval '1 hour', now() FROM signing_keys`);
    await eventually(async () => service.logs().includes('a signing key is refused'));
    expect(await kidsOf(service)).toHaveLength(1);
    expect((await signUp(service.app)).token).toBeTypeOf('string');
  });
});
