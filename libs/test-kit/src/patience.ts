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

/**
 * Limits of a product, four times as long and longer still on a slow machine: for tests of something else, which must not meet
 * one of them.
 *
 * @example
 * fixture.open({ timeouts: patient(standardTimeouts) });
 */
export const patient = <Name extends string>(limits: Readonly<Record<Name, number>>): Record<Name, number> =>
  Object.fromEntries(Object.entries<number>(limits).map(([name, ms]) => [name, patience(4 * ms)])) as Record<
    Name,
    number
  >;
