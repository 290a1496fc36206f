import { ApiError } from '@tenantry/envelope';
import { tightest, type Quota, type WindowQuota } from './rate-limit.ts';

/**
 * Tells a client what is left: `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers with every
 * window, and the older `RateLimit-Limit`, `-Remaining` and `-Reset` with the one that decides.
 */
export function rateLimitHeaders(quota: Quota): Record<string, string> {
  const deciding = tightest(quota);
  if (!deciding) return {};
  return {
    'ratelimit-policy': quota
      .map(({ policy, max, seconds }) => `"${policy}";q=${max};w=${seconds}`)
      .join(', '),
    ratelimit: quota
      .map((window) => `"${window.policy}";r=${left(window)};t=${window.resetSeconds}`)
      .join(', '),
    'ratelimit-limit': String(deciding.max),
    'ratelimit-remaining': String(left(deciding)),
    'ratelimit-reset': String(deciding.resetSeconds),
  };
}

/** The refusal of one time too many: RATE_LIMITED (429) with Retry-After. RFC 6585, 4. */
export function rateLimited(quota: Quota): ApiError {
  const seconds = tightest(quota)?.resetSeconds ?? 1;
  const when = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return new ApiError('RATE_LIMITED', `Too many requests. Try again in ${when}.`, {
    headers: { 'retry-after': String(seconds), ...rateLimitHeaders(quota) },
  });
}

function left({ max, used }: WindowQuota): number {
  return Math.max(0, max - used);
}
