/** How the pauses between attempts grow. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * How long to wait after so many failures in a row: doubling, and at random between half and all of it, so that those that
 * failed together do not come back together.
 */
export function backoffMs(failures: number, { firstMs, maxMs, random = Math.random }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
