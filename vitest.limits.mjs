import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** How long two idle cores take for the work below. */
const workMs = 300;
const slownessMax = 16;

/**
 * How many times slower than two idle cores this machine is now, as it shows in work for two cores: 4 where it may use half of
 * one, 2 where others use both. The work takes longer than the period of a quota, so that one shows.
 */
async function measuredSlowness() {
  const startedAt = performance.now();
  await Promise.all([0, 1].map(() => derive('password', 'salt', 500_000, 64, 'sha512')));
  return Math.min(slownessMax, Math.max(1, (performance.now() - startedAt) / workMs));
}

// Workers, and whatever else runs the tests, have it from here.
process.env.TEST_SLOWNESS ??= (await measuredSlowness()).toFixed(1);

/** A limit that ends what hangs: a time for two idle cores, and more where this machine is slower. */
export const limit = (ms) => Math.ceil(ms * Number(process.env.TEST_SLOWNESS));

/** The limits of a run, which Vitest does not take from its projects: to end a worker, and to open a browser. */
export const runLimits = {
  teardownTimeout: limit(30_000),
  browser: { connectTimeout: limit(120_000) },
};

/**
 * The limits of tests, hooks and waits. They end what hangs, and leave room for a machine that gets other work later.
 * @param {number} testMs
 */
export const limits = (testMs) => ({
  testTimeout: limit(testMs),
  hookTimeout: limit(testMs),
  expect: { poll: { timeout: limit(30_000) } },
});
