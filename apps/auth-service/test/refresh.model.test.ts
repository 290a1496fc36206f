import { createHash } from 'node:crypto';
import { testClock, thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsOf, refresh, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const clock = testClock(new Date());
const { app, sql } = await startService({
  now: () => new Date(clock()),
  settings: { TRUST_PROXY: '127.0.0.1', MAX_SESSIONS_PER_USER: '1000' },
});

/** A session as its own device knows it, and when each of its tokens was first used. */
interface Family {
  readonly id: string;
  alive: boolean;
  /** Every refresh token there has been, oldest first. */
  readonly tokens: string[];
  readonly firstUsedAt: (number | undefined)[];
  /** The one that the device would show next. */
  held: number;
  accessToken: string;
}
/** One user; each device has the session that it signed in with last. */
interface Model {
  readonly families: Map<string, Family>;
}
interface Real {
  readonly email: string;
  readonly organizationIds: readonly string[];
}

const graceMs = 10_000;
const atHome = (device: string) => ({ 'x-device-id': device, 'x-forwarded-for': '203.0.113.7' });
const elsewhere = (device: string) => ({ 'x-device-id': device, 'x-forwarded-for': '198.51.100.9' });

/** What a token must come to when its own device shows it, by the rule as it is published. */
function expectedSuccessor(family: Family, shown: number): number | undefined {
  if (!family.alive || family.tokens.length - 1 - shown > 2) return undefined;
  const successorUsedAt = family.firstUsedAt[shown + 1];
  const repeats = successorUsedAt === undefined || clock() - successorUsedAt <= graceMs;
  return repeats ? shown + 1 : undefined;
}

/** Shows a token as its own device, and holds the answer against the rule. */
async function show(family: Family, device: string, shown: number): Promise<number | undefined> {
  const successor = expectedSuccessor(family, shown);
  const { status, body } = await refresh(app, family.tokens[shown] ?? '', atHome(device));
  if (successor === undefined) {
    expect(status).toBe(401);
    family.alive = false;
    return undefined;
  }
  expect(status).toBe(200);
  family.firstUsedAt[shown] ??= clock();
  expect(body.session.refreshToken).toBe((family.tokens[successor] ??= body.session.refreshToken));
  family.accessToken = body.session.token;
  return successor;
}

/** The token that is stored is the newest there is, and no other. */
async function requireOneLiveToken({ id, alive, tokens }: Family): Promise<void> {
  const [row] = await sql('SELECT refresh_hash, revoked_at FROM sessions WHERE id = $1', [id]);
  expect(row?.['revoked_at'] === null).toBe(alive);
  const stored = tokens.filter((token) =>
    createHash('sha256')
      .update(token)
      .digest()
      .equals(row?.['refresh_hash'] as Buffer),
  );
  expect(stored).toEqual(tokens.slice(-1));
}

abstract class OnDevice implements fc.AsyncCommand<Model, Real> {
  readonly device: string;
  constructor(device: string) {
    this.device = device;
  }
  check(model: Model): boolean {
    return model.families.has(this.device);
  }
  async run(model: Model, real: Real): Promise<void> {
    const family = model.families.get(this.device) as Family;
    await this.act(family, model, real);
    await requireOneLiveToken(family);
  }
  abstract act(family: Family, model: Model, real: Real): Promise<void>;
  toString(): string {
    return `${this.constructor.name}(${this.device}${this.detail()})`;
  }
  detail(): string {
    return '';
  }
}

class SignIn extends OnDevice {
  override check(): boolean {
    return true;
  }
  override async run(model: Model, real: Real): Promise<void> {
    const { status, body } = await signIn(app, real.email, atHome(this.device));
    expect(status).toBe(200);
    const { id, token, refreshToken } = body.session;
    const family = { id, alive: true, tokens: [refreshToken], firstUsedAt: [], held: 0, accessToken: token };
    model.families.set(this.device, family);
  }
  async act(): Promise<void> {
    // It makes the family that others act on.
  }
}

/** An honest device: as long as its family is not misused, it is never signed out. */
class Refresh extends OnDevice {
  async act(family: Family): Promise<void> {
    const successor = await show(family, this.device, family.held);
    family.held = successor ?? family.held;
  }
}

class LoseAnswer extends OnDevice {
  async act(family: Family): Promise<void> {
    await show(family, this.device, family.held);
  }
}

class RefreshInManyTabs extends OnDevice {
  async act(family: Family): Promise<void> {
    const token = family.tokens[family.held] ?? '';
    const successor = expectedSuccessor(family, family.held);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => refresh(app, token, atHome(this.device))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([successor === undefined ? 401 : 200]),
    );
    if (successor === undefined) {
      family.alive = false;
      return;
    }
    family.firstUsedAt[family.held] ??= clock();
    for (const { body } of answers) {
      expect(body.session.refreshToken).toBe((family.tokens[successor] ??= body.session.refreshToken));
    }
    family.held = successor;
  }
}

class Replay extends OnDevice {
  readonly back: number;
  readonly afterSeconds: number;
  constructor(device: string, back: number, afterSeconds: number) {
    super(device);
    this.back = back;
    this.afterSeconds = afterSeconds;
  }
  async act(family: Family): Promise<void> {
    clock.advance({ seconds: this.afterSeconds });
    await show(family, this.device, Math.max(0, family.tokens.length - 1 - this.back));
  }
  override detail(): string {
    return `, ${this.back} back after ${this.afterSeconds} s`;
  }
}

class Steal extends OnDevice {
  async act(family: Family): Promise<void> {
    const { status } = await refresh(app, family.tokens[family.held] ?? '', atHome('thief-0001'));
    expect(status).toBe(401);
    family.alive = false;
  }
}

class RefreshElsewhere extends OnDevice {
  async act(family: Family): Promise<void> {
    const newest = family.tokens.length - 1;
    const { status } = await refresh(app, family.tokens[newest] ?? '', elsewhere(this.device));
    expect(status).toBe(401);
  }
}

class Switch extends OnDevice {
  readonly index: number;
  constructor(device: string, index: number) {
    super(device);
    this.index = index;
  }
  async act(family: Family, _model: Model, real: Real): Promise<void> {
    const organizationId = real.organizationIds[this.index];
    const request = { token: family.accessToken, headers: atHome(this.device), body: { organizationId } };
    const { status, body } = await send(app, 'POST /organization/switch', request);
    const expired = Number(claimsOf(family.accessToken)['exp']) * 1_000 <= clock() - 5_000;
    expect(status).toBe(family.alive && !expired ? 200 : 401);
    if (status !== 200) return;
    expect(claimsOf(body.session.token)['organizationId']).toBe(organizationId);
    family.accessToken = body.session.token;
  }
  override detail(): string {
    return `, ${this.index}`;
  }
}

class Revoke extends OnDevice {
  readonly other: string;
  constructor(device: string, other: string) {
    super(device);
    this.other = other;
  }
  override check({ families }: Model): boolean {
    const fresh =
      Number(claimsOf(families.get(this.device)?.accessToken ?? '.e30.')['exp']) * 1_000 > clock();
    return fresh && families.get(this.device)?.alive === true && families.has(this.other);
  }
  async act(family: Family, { families }: Model): Promise<void> {
    const other = families.get(this.other) as Family;
    const request = { token: family.accessToken, headers: atHome(this.device) };
    const { status } = await send(app, `DELETE /sessions/${other.id}`, request);
    expect(status).toBe(other.alive ? 204 : 404);
    other.alive = false;
    await requireOneLiveToken(other);
  }
  override detail(): string {
    return `, ${this.other}`;
  }
}

class Wait implements fc.AsyncCommand<Model, Real> {
  readonly seconds: number;
  constructor(seconds: number) {
    this.seconds = seconds;
  }
  check(): boolean {
    return true;
  }
  async run(): Promise<void> {
    clock.advance({ seconds: this.seconds });
  }
  toString(): string {
    return `Wait(${this.seconds} s)`;
  }
}

const device = fc.constantFrom('phone-0001', 'laptop-001');
const commands = fc.commands(
  [
    device.map((name) => new SignIn(name)),
    device.map((name) => new SignIn(name)),
    device.map((name) => new Refresh(name)),
    device.map((name) => new Refresh(name)),
    device.map((name) => new Refresh(name)),
    device.map((name) => new LoseAnswer(name)),
    device.map((name) => new RefreshInManyTabs(name)),
    fc.tuple(device, fc.nat(3), fc.constantFrom(0, 10, 11)).map((replay) => new Replay(...replay)),
    device.map((name) => new Steal(name)),
    device.map((name) => new RefreshElsewhere(name)),
    fc.tuple(device, fc.nat(1)).map(([name, index]) => new Switch(name, index)),
    fc.tuple(device, device).map(([name, other]) => new Revoke(name, other)),
    fc.constantFrom(1, 1_000).map((seconds) => new Wait(seconds)),
  ],
  { maxCommands: 40, size: 'max' },
);

test('no sequence of devices, tabs, thieves and lost responses leaves two live tokens or locks out an honest device [S-61]', async () => {
  const owner = await signUp(app, 'Ada', atHome('phone-0001'));
  const created = await send(app, 'POST /organization/create', {
    token: owner.token,
    headers: atHome('phone-0001'),
    body: { name: 'Acme', slug: `acme-${owner.id.slice(0, 8)}` },
  });
  const organizationIds = [String(claimsOf(owner.token)['organizationId']), created.body.organization.id];

  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      const setup = () => ({ model: { families: new Map() }, real: { email: owner.email, organizationIds } });
      await fc.asyncModelRun(setup, history);
    }),
    { numRuns: thorough(200, 25), plugins: [fc.interruptAfterTimeLimit(60_000)] },
  );
});
