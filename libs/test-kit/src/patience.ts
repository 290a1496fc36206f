/** How many times slower this machine is than two idle cores; vitest.limits.mjs measured it. */
const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1);

/**
 * How long to wait for what does not take `ms` on two idle cores; longer on a slow machine. Only what hangs takes so long: what
 * a test asserts never depends on it.
 *
 * @example
 * const letter = await vi.waitFor(letterToAda, patience());
 */
export const patience = (ms = 30_000): number => Math.ceil(ms * slowness);
