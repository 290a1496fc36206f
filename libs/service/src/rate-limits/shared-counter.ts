import { inSpan } from '@tenantry/tracing';
import type { Redis } from 'ioredis';
import type { Count } from './bounded-memory.ts';
import type { RateLimitWindow } from './rate-limit.ts';

/** Atomic, so that no key is left without an expiry; refused events are not counted. */
const countScript = `
  local used = tonumber(redis.call('GET', KEYS[1]) or '0')
  local left = redis.call('PTTL', KEYS[1])
  local cost = tonumber(ARGV[3])
  if used + cost > tonumber(ARGV[2]) and left >= 0 then return { tonumber(ARGV[2]) + 1, left } end
  used = redis.call('INCRBY', KEYS[1], cost)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return { used, left }`;
const takeBackScript = `
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then return end
  if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('DECRBY', KEYS[1], ARGV[2]) <= 0 then redis.call('DEL', KEYS[1]) end`;

interface Commands {
  countWithinWindow(
    key: string,
    windowMs: number,
    max: number,
    cost: number,
  ): Promise<[used: number, leftMs: number]>;
  takeBackWithinWindow(key: string, endsInMs: number, cost: number): Promise<null>;
}

const description = { kind: 'client', attributes: { 'db.system.name': 'redis' } } as const;

/** One window, counted among all instances. Both methods reject while Redis is down. */
export class SharedCounter {
  readonly #redis: Redis & Commands;
  readonly #policy: string;
  readonly #window: RateLimitWindow;

  constructor(redis: Redis, policy: string, window: RateLimitWindow) {
    redis.defineCommand('countWithinWindow', { numberOfKeys: 1, lua: countScript });
    redis.defineCommand('takeBackWithinWindow', { numberOfKeys: 1, lua: takeBackScript });
    this.#redis = redis as Redis & Commands;
    this.#policy = policy;
    this.#window = window;
  }

  async count(key: string, cost: number): Promise<Count> {
    const { max, seconds } = this.#window;
    const [used, endsInMs] = await this.#ask('count', () =>
      this.#redis.countWithinWindow(this.#keyOf(key), seconds * 1_000, max, cost),
    );
    return { used, endsInMs };
  }

  /** Undoes a count of the window that ends in so many milliseconds, and of no later one. */
  async takeBack(key: string, endsInMs: number, cost: number): Promise<void> {
    await this.#ask('take back', () =>
      this.#redis.takeBackWithinWindow(this.#keyOf(key), Math.ceil(endsInMs), cost),
    );
  }

  #keyOf(key: string): string {
    return `tenantry:rate:${this.#policy}:${key}`;
  }

  #ask<Result>(what: string, command: () => Promise<Result>): Promise<Result> {
    if (this.#redis.status !== 'ready') return Promise.reject(new Error('Redis is away'));
    return inSpan(`${what} ${this.#policy}`, description, command);
  }
}
