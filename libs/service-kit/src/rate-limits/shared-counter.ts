import { inSpan } from '@tenantry/tracing';
import type { Redis } from 'ioredis';
import type { Count } from './bounded-memory.ts';
import type { RateLimitWindow } from './rate-limit.ts';

/** Counts a key among all instances. Both methods reject while Redis is down. */
export interface SharedCounter {
  count(key: string): Promise<Count>;
  /** Takes one back, of the window that ends in so many milliseconds, and of no later one. */
  takeBack(key: string, endsInMs: number): Promise<void>;
}

/** One step, so that no key is left without an end; what is refused is not counted. */
const countScript = `
  local used = tonumber(redis.call('GET', KEYS[1]) or '0')
  local left = redis.call('PTTL', KEYS[1])
  if used >= tonumber(ARGV[2]) and left >= 0 then return { used + 1, left } end
  used = redis.call('INCR', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return { used, left }`;
const takeBackScript = `
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then return end
  if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('DECR', KEYS[1]) <= 0 then redis.call('DEL', KEYS[1]) end`;

interface Commands {
  countWithinWindow(key: string, windowMs: number, max: number): Promise<[used: number, leftMs: number]>;
  takeBackWithinWindow(key: string, endsInMs: number): Promise<null>;
}

const description = { kind: 'client', attributes: { 'db.system.name': 'redis' } } as const;

/** Makes the counter of one window. */
export function sharedCounter(
  redis: Redis,
  policy: string,
  { max, seconds }: RateLimitWindow,
): SharedCounter {
  redis.defineCommand('countWithinWindow', { numberOfKeys: 1, lua: countScript });
  redis.defineCommand('takeBackWithinWindow', { numberOfKeys: 1, lua: takeBackScript });
  const commands = redis as unknown as Commands;
  const keyOf = (key: string) => `tenantry:rate:${policy}:${key}`;

  function ask<Result>(what: string, command: () => Promise<Result>): Promise<Result> {
    if (redis.status !== 'ready') return Promise.reject(new Error('Redis is away'));
    return inSpan(`${what} ${policy}`, description, command);
  }

  return {
    async count(key) {
      const [used, endsInMs] = await ask('count', () =>
        commands.countWithinWindow(keyOf(key), seconds * 1_000, max),
      );
      return { used, endsInMs };
    },
    async takeBack(key, endsInMs) {
      await ask('take back', () => commands.takeBackWithinWindow(keyOf(key), Math.ceil(endsInMs)));
    },
  };
}
