import { Redis } from 'ioredis';
import type { Logger } from '../logging/logging.ts';

/** Timeout for a Redis that hangs; one that is down fails immediately. */
const standardAnswerMs = 250;
const connectTimeoutMs = 2_000;
const retryDelayMsMax = 1_000;

/**
 * Connects to a Redis that may come and go. While it is down every command fails immediately, none is queued, and the
 * connection is retried every second until it is back.
 */
export function connectRedis(url: string, logger: Logger, answerMsMax = standardAnswerMs): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: answerMsMax,
    // An unresponsive connection is closed, so that the next command does not wait for it too.
    socketTimeout: answerMsMax,
    retryStrategy: (attempt) => Math.min(attempt * 50, retryDelayMsMax),
  });
  logComingAndGoing(redis, logger);
  return redis;
}

/** One log line when it goes down and one when it is back, however many attempts are in between. */
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
