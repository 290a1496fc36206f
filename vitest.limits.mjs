import { execFile } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);
const start = promisify(execFile);

/**
 * Work for two cores, and how long two idle cores take for it. A virtual machine may compute as fast as any other and start
 * processes at a quarter of their speed; tests do both. Computing takes longer than the period of a quota, so that one shows.
 */
const kindsOfWork = [
  { ms: 300, half: () => derive('password', 'salt', 500_000, 64, 'sha512') },
  { ms: 50, half: () => start(process.execPath, ['-e', '0']) },
];
const slownessMax = 16;

/** How many times slower than two idle cores this machine is now: 4 where it may use half of one, 2 where others use both. */
async function measuredSlowness() {
  let slowness = 1;
  for (const { ms, half } of kindsOfWork) {
    const startedAt = performance.now();
    await Promise.all([half(), half()]);
    slowness = Math.max(slowness, (performance.now() - startedAt) / ms);
  }
  return Math.min(slownessMax, slowness);
}

// Workers, and whatever else runs the tests, have it from here.
process.env.TEST_SLOWNESS ??= (await measuredSlowness()).toFixed(1);

/** A limit that ends what hangs: a time for two idle cores, and more where this machine is slower. */
export const limit = (ms) => Math.ceil(ms * Number(process.env.TEST_SLOWNESS));

/** The limits of a run, which Vitest does not take from its projects: to end a worker, to open a browser, and to take its picture. */
export const runLimits = {
  teardownTimeout: limit(30_000),
  browser: {
    connectTimeout: limit(120_000),
    expect: { toMatchScreenshot: { timeout: limit(60_000) } },
  },
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
