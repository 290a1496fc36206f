import { isAnyRefusal, type Charge } from '@tenantry/service/rate-limits';

/**
 * Opens what only a secret that is too long to guess opens, and counts it if it is refused. A right one is let through, however
 * many wrong ones came from its address: a page that somebody there visits can send any number of them.
 *
 * @throws RATE_LIMITED in place of the refusal; what the work throws
 */
export async function countRefused<Result>(
  { limiter, key }: Charge,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (isAnyRefusal(error)) await limiter.consume(key);
    throw error;
  }
}
