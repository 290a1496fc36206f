import { ApiError } from '@tenantry/envelope';
import type { RateLimiter } from '@tenantry/service-kit/rate-limits';

/** Counts once, and returns whether that was within the limit: for cases where a refusal would be wrong or reveal too much. */
export async function isWithin(limiter: RateLimiter, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}
