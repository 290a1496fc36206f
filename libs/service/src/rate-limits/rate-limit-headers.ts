import { ApiError } from '@tenantry/envelope';
import { tightest, type Quota, type RateLimit, type WindowQuota } from './rate-limit.ts';

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

/** The error of an exceeded limit: RATE_LIMITED (429) with Retry-After. RFC 6585, 4. */
export function rateLimited({ counted }: Pick<RateLimit, 'counted'>, quota: Quota): ApiError {
  const seconds = tightest(quota)?.resetSeconds ?? 1;
  return new ApiError('RATE_LIMITED', `Too many ${counted}. Try again in ${inWords(seconds)}.`, {
    headers: { 'retry-after': String(seconds), ...rateLimitHeaders(quota) },
  });
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration in words, rounded: `12 seconds`, `about an hour`. */
export function inWords(seconds: number): string {
  if (seconds < minute) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  if (seconds < 55 * minute) return about(seconds / minute, 'a minute', 'minutes');
  if (seconds < 22 * hour) return about(seconds / hour, 'an hour', 'hours');
  return about(seconds / day, 'a day', 'days');
}

function about(count: number, one: string, many: string): string {
  const rounded = Math.max(1, Math.round(count));
  return rounded === 1 ? `about ${one}` : `about ${rounded} ${many}`;
}

function left({ max, used }: WindowQuota): number {
  return Math.max(0, max - used);
}
