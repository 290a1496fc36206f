import { isThorough, thorough } from '@tenantry/test-kit';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { newEmail, send, signUp } from './support/client.ts';
import { prove } from './support/organizations.ts';
import {
  changesOf,
  inLine,
  makeAccount,
  origin,
  rpId,
  stateOf,
  waiting,
  type Account,
  type Kind,
} from './support/pairs.ts';
import { startService } from './support/service.ts';

const service = await startService({
  settings: { FRONTEND_URL: origin, PASSKEY_RP_ID: rpId, MAX_ORGANIZATIONS_PER_USER: '10000' },
});
const owner = await signUp(service.app, 'Olga Owner');
await prove(service, owner);

/** What becomes of an account. */
interface Outcome {
  /** Of each change, whether it was made. */
  readonly made: Readonly<Record<string, boolean>>;
  readonly state: unknown;
}

/** Has changes made to an account of their own, and says what came of it. */
async function outcomeOf(
  kind: Kind,
  names: readonly string[],
  make: (
    account: Account,
    changes: readonly (() => Promise<{ readonly status: number }>)[],
  ) => Promise<number[]>,
): Promise<Outcome> {
  const account = await makeAccount(service, owner, kind);
  const statuses = await make(
    account,
    names.map((name) => async () => changesOf[kind][name]!(account)),
  );
  for (const status of statuses) expect(status).toBeLessThan(500);
  const made = names.map((name, n) => [name, statuses[n]! < 300] as const);
  return { made: Object.fromEntries(made), state: await stateOf(account) };
}

const inTurn = (kind: Kind, names: readonly string[]) =>
  outcomeOf(kind, names, async (_, changes) => {
    const statuses = [];
    for (const change of changes) statuses.push((await change()).status);
    return statuses;
  });
const inTheirOrder = (kind: Kind, names: readonly string[]) => outcomeOf(kind, names, inLine);
const atOnce = (kind: Kind, names: readonly string[]) =>
  outcomeOf(kind, names, async (_, changes) => {
    const answers = await Promise.all(changes.map((change) => change()));
    return answers.map(({ status }) => status);
  });

const alone = new Map<string, Promise<Outcome>>();

/** One change is made, and the other refused. */
async function oneOf(kind: Kind, name: string, refused: string): Promise<Outcome> {
  const key = `${kind} ${name}`;
  const outcome = alone.get(key) ?? inTurn(kind, [name]);
  alone.set(key, outcome);
  const { made, state } = await outcome;
  return { made: { ...made, [refused]: false }, state };
}

/** What two changes may come to: both, in either order, or one of them. */
const lawful = async (kind: Kind, [one, other]: readonly [string, string]) => [
  await inTurn(kind, [one, other]),
  await inTurn(kind, [other, one]),
  await oneOf(kind, one, other),
  await oneOf(kind, other, one),
];

/** Those that everything else must not get past; in full, all are held against each other. */
const sharp = [
  'change the password',
  'remove the passkey',
  'end all sessions',
  'delete the account',
  'turn two-factor off',
];

function pairsOf(kind: Kind): [string, string][] {
  const names = Object.keys(changesOf[kind]).filter((name) => isThorough || sharp.includes(name));
  return names.flatMap((one, n) => names.slice(n + 1).map((other): [string, string] => [one, other]));
}

describe.each(['codes', 'passkey'] as const)('two changes of an account that has %s', (kind) => {
  test.each(pairsOf(kind))('concurrently are as one after the other: %s, %s [S-67]', async (one, other) => {
    const outcomes = await lawful(kind, [one, other]);
    expect(outcomes).toContainEqual(await inTheirOrder(kind, [one, other]));
    expect(outcomes).toContainEqual(await inTheirOrder(kind, [other, one]));
    for (let round = 0; round < thorough(2, 0); round += 1)
      expect(outcomes).toContainEqual(await atOnce(kind, [one, other]));
  });
});

test('a password confirms only its own account, even if another account has taken the address', async () => {
  const mover = await signUp(service.app);
  const body = { email: newEmail(), password: 'a password of another', name: 'Taker' };
  const { user: taker } = (await send(service.app, 'POST /sign-up/email', { body })).body;
  const gate = new pg.Client({ connectionString: service.database.adminUrl });
  await gate.connect();
  try {
    await gate.query('BEGIN');
    await gate.query('LOCK TABLE credentials');
    const deletion = send(service.app, 'DELETE /user', {
      token: mover.token,
      body: { password: body.password },
    });
    await expect.poll(() => waiting(service)).toBeGreaterThan(0);
    await gate.query('UPDATE users SET email = $2 WHERE id = $1', [mover.id, newEmail()]);
    await gate.query('UPDATE users SET email = $2 WHERE id = $1', [taker.id, mover.email]);
    await gate.query('COMMIT');
    expect((await deletion).status).toBe(401);
  } finally {
    await gate.end();
  }
});
