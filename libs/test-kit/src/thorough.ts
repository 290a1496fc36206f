/**
 * How often a property is tried or how much is loaded: in full by `npm run test:system`, in short by `npm test`.
 *
 * @example
 * fc.assert(property, { numRuns: thorough(20_000, 2_000) });
 */
export const thorough = (inFull: number, inShort: number): number => (isThorough ? inFull : inShort);

/** True in `npm run test:system`. */
export const isThorough = process.env['TEST_THOROUGH'] !== undefined;
