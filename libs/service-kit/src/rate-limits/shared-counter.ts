import { inSpan } from '@tenantry/tracing';
import type { Redis } from 'ioredis';
import type { Count } from './bounded-memory.ts';

/** Counts a key among all instances; rejects while Redis is down. */
export type SharedCounter = (key: string) => Promise<Count>;

/** One step, so that no key is left without an end. */
const countScript = `
  local used = redis.call('INCR', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return { used, left }`;

type CountCommand = (key: string, windowMs: number) => Promise<[used: number, leftMs: number]>;

const description = { kind: 'client', attributes: { 'db.system.name': 'redis' } } as const;

/** Makes the counter of one window. */
export function sharedCounter(redis: Redis, policy: string, seconds: number): SharedCounter {
  redis.defineCommand('countWithinWindow', { numberOfKeys: 1, lua: countScript });
  const { countWithinWindow } = redis as unknown as { countWithinWindow: CountCommand };
  const name = `count ${policy}`;
  return async (key) => {
    if (redis.status !== 'ready') throw new Error('Redis is away');
    const [used, endsInMs] = await inSpan(name, description, () =>
      countWithinWindow.call(redis, `tenantry:rate:${policy}:${key}`, seconds * 1_000),
    );
    return { used, endsInMs };
  };
}
