import { Redis } from 'ioredis';
import type { Logger } from '../logging.ts';

/** Longest wait for an answer of a Redis that hangs; one that is gone is known at once. */
const answerTimeoutMs = 250;
const connectTimeoutMs = 2_000;
const retryDelayMsMax = 1_000;

/**
 * Connects to a Redis that may come and go. While it is down every command fails at once, none is kept for later,
 * and the connection is tried again every second until it is back.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: answerTimeoutMs,
    // A connection on which nothing answers is given up, so that the next command does not wait for it too.
    socketTimeout: answerTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 50, retryDelayMsMax),
  });
  logComingAndGoing(redis, logger);
  return redis;
}

/** One line when it goes and one when it is back, however many attempts lie in between. */
function logComingAndGoing(redis: Redis, logger: Logger): void {
  let state: 'connecting' | 'there' | 'away' = 'connecting';
  redis.on('ready', () => {
    if (state === 'away') logger.info('Redis is back: rate limits are shared again');
    state = 'there';
  });
  redis.on('error', (error: Error) => {
    if (state !== 'away') logger.warn({ err: error }, 'Redis is away: each process limits by itself');
    state = 'away';
  });
  redis.on('close', () => {
    if (state === 'there') logger.warn('Redis is away: each process limits by itself');
    state = 'away';
  });
}
