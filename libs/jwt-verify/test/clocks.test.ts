import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { authenticate, type Verifier } from '@tenantry/jwt-verify';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { IssuerClock } from '../src/issuer/issuer-clock.ts';
import { createGuard } from '../src/requests/guard.ts';
import { eventually } from './eventually.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

/** Goes on whatever becomes of the process's clock. */
const issuerMs = () => performance.timeOrigin + performance.now();
const issuerSeconds = () => Math.floor(issuerMs() / 1000);

/** Sets the process's clock to so many seconds ahead of the issuer's. */
function setClock(aheadSeconds: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => issuerMs() + aheadSeconds * 1000);
}

async function followed({ clock = issuerMs } = {}) {
  const issuer = await createTestIssuer({ server: true, clock });
  closing.push(() => issuer.close());
  const warnings: string[] = [];
  const verifier = issuer.verifier({
    clock: undefined,
    logger: { warn: (message) => warnings.push(message) },
  });
  await verifier.ready();
  return { issuer, verifier, warnings };
}

/** A token that expired so many seconds ago by the issuer's clock. */
const expired = (issuer: TestIssuer, secondsAgo: number) =>
  issuer.token({ iat: issuerSeconds() - secondsAgo - 600, exp: issuerSeconds() - secondsAgo });

const codeOf = (verifying: Promise<unknown>) =>
  verifying.then(
    () => 'accepted',
    (error: unknown) => (error as { code: string }).code,
  );

describe('a service whose clock is behind', () => {
  it.each([5, 90, 86_400])('by %i s accepts new tokens, and none that has expired [S-92]', async (behind) => {
    setClock(-behind);
    const { issuer, verifier } = await followed();
    expect(await codeOf(verifier.verify(await issuer.token()))).toBe('accepted');
    expect(await codeOf(verifier.verify(await expired(issuer, 6)))).toBe('TOKEN_EXPIRED');
    expect(await codeOf(verifier.verify(await expired(issuer, 1)))).toBe('accepted');
  });

  it('counts how old a second factor is by the issuer’s clock [S-92]', async () => {
    setClock(-90);
    const { issuer, verifier } = await followed();
    const check = createGuard(verifier, {}).recentFactor({ maxAgeSeconds: 300 });
    const confirmed = async (secondsAgo: number) =>
      verifier.verify(await issuer.token({ auth_time: issuerSeconds() - secondsAgo }));
    const [recent, old] = [await confirmed(290), await confirmed(302)];
    expect(() => check(recent)).not.toThrow();
    expect(() => check(old)).toThrow('Confirm it is you');
  });

  it('uses its own clock while the issuer’s is unknown, and then refuses all writes', async () => {
    setClock(-90);
    const issuer = await createTestIssuer({ clock: issuerMs });
    const verifier = issuer.verifier({ clock: undefined, revocations: 'http://127.0.0.1:1/none' });
    const token = await issuer.token({ iat: issuerSeconds() - 600, exp: issuerSeconds() - 60 });
    expect(await codeOf(verifier.verify(token))).toBe('accepted');
    const request = { method: 'POST', headers: { authorization: `Bearer ${token}` } };
    await expect(authenticate(verifier, request)).rejects.toMatchObject({ statusCode: 503 });
    await issuer.close();
  });
});

describe('a service whose clock is set while it runs', () => {
  it('back accepts no token that had expired before, not even for a moment [S-92]', async () => {
    setClock(0);
    const { issuer, verifier } = await followed();
    const [fresh, old] = [await issuer.token(), await expired(issuer, 6)];
    expect(await codeOf(verifier.verify(old))).toBe('TOKEN_EXPIRED');
    setClock(-3600);
    expect(await codeOf(verifier.verify(old))).toBe('TOKEN_EXPIRED');
    expect(await codeOf(verifier.verify(fresh))).toBe('accepted');
  });

  it('back during an outage keeps neither old keys nor old news for longer', async () => {
    setClock(0);
    const { issuer, verifier } = await followed();
    await issuer.server!.stop();
    setClock(-3600);
    await eventually(() => verifier.revocations.staleMs > 300 && verifier.keys.staleMs > 300);
    expect(verifier.revocations.staleMs).toBeLessThan(1_800_000);
  });

  it('right again after it was behind accepts tokens to their last second immediately', async () => {
    setClock(-90);
    const { issuer, verifier } = await followed();
    await issuer.server!.stop();
    const ending = await issuer.token({ iat: issuerSeconds() - 600, exp: issuerSeconds() + 5 });
    setClock(0);
    expect(await codeOf(verifier.verify(ending))).toBe('accepted');
  });

  it('ahead for a moment forgets no revocation [S-92]', async () => {
    setClock(0);
    const { issuer, verifier } = await followed();
    const token = await issuer.token({ sid: 'ended' });
    issuer.revoke({ kind: 'session', sid: 'ended', until: issuerSeconds() + 960 });
    await eventually(() => verifier.revocations.entries === 1);
    setClock(7200);
    issuer.revoke({ kind: 'session', sid: 'another', until: issuerSeconds() + 960 });
    await eventually(() => verifier.revocations.entries === 2);
    setClock(0);
    expect(await codeOf(verifier.verify(token))).toBe('TOKEN_REVOKED');
  });
});

describe('a service whose clock is ahead', () => {
  it.each([-3, 3])('by %i s refuses no token before it expires', async (ahead) => {
    setClock(ahead);
    const { issuer, verifier, warnings } = await followed();
    const ending = await issuer.token({ iat: issuerSeconds() - 600, exp: issuerSeconds() + 1 });
    expect(await codeOf(verifier.verify(ending))).toBe('accepted');
    expect(await codeOf(verifier.verify(await issuer.token()))).toBe('accepted');
    expect(warnings).toEqual([]);
  });

  it('by more than a token lives says that it is not the token’s fault, and is not ready', async () => {
    setClock(0);
    const { issuer, verifier } = await followed();
    const token = await issuer.token();
    setClock(906);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'CLOCK_AHEAD', statusCode: 503 });
    await expect(verifier.ready()).rejects.toMatchObject({ code: 'CLOCK_AHEAD' });
    expect(await verifier.unreadyBecause()).toMatch(/clock/);
    setClock(890);
    expect(await codeOf(verifier.verify(token))).toBe('accepted');
    expect(await verifier.unreadyBecause()).toBeUndefined();
  });
});

describe('clocks that differ', () => {
  async function warned(verifier: Verifier, issuer: TestIssuer, warnings: string[], count: number) {
    const { entries } = verifier.revocations;
    // Known once the issuer has been heard again.
    issuer.revoke({ kind: 'session', sid: randomUUID(), until: issuerSeconds() + 60 });
    await eventually(() => verifier.revocations.entries > entries && warnings.length === count);
    return verifier.clock.aheadMs;
  }

  it('are reported once, until they agree again', async () => {
    setClock(-90);
    const { issuer, verifier, warnings } = await followed();
    expect(await warned(verifier, issuer, warnings, 1)).toBeLessThan(-89_000);
    setClock(0);
    expect(Math.abs(await warned(verifier, issuer, warnings, 1))).toBeLessThan(1000);
    setClock(20);
    expect(await warned(verifier, issuer, warnings, 2)).toBeGreaterThan(19_000);
    expect(warnings[0]).toContain('90 s behind');
    expect(warnings[1]).toMatch(/\d+ s ahead of/);
  });

  it('are no matter of an issuer that does not tell its time', async () => {
    setClock(-90);
    const { issuer, verifier } = await followed({ clock: () => undefined as unknown as number });
    expect(verifier.clock.aheadMs).toBe(0);
    const token = await issuer.token({ iat: issuerSeconds() - 600, exp: issuerSeconds() - 60 });
    expect(await codeOf(verifier.verify(token))).toBe('accepted');
  });
});

describe('what is known of the issuer’s clock', () => {
  /** Both clocks of a process, and what passes on them. */
  function process(wallMs = 0) {
    let steadyMs = 5000;
    const set = (ms: number) => void (wallMs = ms);
    const pass = (ms: number) => {
      wallMs += ms;
      steadyMs += ms;
    };
    return {
      clock: new IssuerClock(
        () => wallMs,
        () => steadyMs,
      ),
      set,
      pass,
    };
  }

  it('is carried on by the steady clock', () => {
    const { clock, pass, set } = process();
    clock.hear(90_000);
    pass(600_000);
    expect(clock.now()).toBe(690_000);
    set(0);
    expect(clock.now()).toBe(690_000);
    expect(clock.aheadMs).toBe(-690_000);
  });

  it('gets no worse by an answer that was under way for long, or that a cache gives out again [S-92]', () => {
    const { clock, pass } = process();
    clock.hear(90_000);
    for (let n = 1; n <= 50; n++) {
      pass(1000);
      clock.hear(90_000);
      expect(clock.now()).toBe(90_000 + n * 1000);
    }
  });

  it('never goes behind the process’s own clock, whatever old answers say', () => {
    const { clock, pass } = process(1_000_000);
    clock.hear(0);
    pass(10_000);
    expect(clock.now()).toBe(1_010_000);
    expect(clock.aheadMs).toBe(1_000_000);
  });

  it('follows an issuer whose clock was set back, within two minutes', () => {
    const { clock, pass } = process();
    clock.hear(3_600_000);
    for (let n = 1; n <= 120; n++) {
      pass(1000);
      clock.hear(n * 1000);
    }
    expect(clock.now()).toBe(120_000);
  });
});
