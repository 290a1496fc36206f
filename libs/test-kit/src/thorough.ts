/**
 * How often a property is tried or how much is loaded: in full by `npm run test:long`, in short by `npm test`.
 *
 * @example
 * fc.assert(property, { numRuns: thorough(20_000, 2_000) });
 */
export const thorough = (inFull: number, inShort: number): number => (isThorough ? inFull : inShort);

/** True in `npm run test:long`, and in full runs of other suites. */
export const isThorough = process.env['TEST_THOROUGH'] !== undefined;
