import fastCheck from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '@tenantry/envelope';
import { addressKey } from '@tenantry/service/addresses';
import { createLogger } from '@tenantry/service/logging';
import { isAnyRefusal, OutcomeLimits, countBy, RateLimits, limitedBy } from '@tenantry/service/rate-limits';
import { testLog } from '@tenantry/test-kit';
import { BoundedMemory } from '../src/rate-limits/bounded-memory.ts';
import { inWords } from '../src/rate-limits/rate-limit-headers.ts';
import { buildFixture } from './fixture.ts';

const logger = createLogger({ name: 'fixture', level: 'trace', destination: testLog() });
let nowMs = 0;
const now = () => nowMs;
const limits = new RateLimits({ logger, now });
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error as { code: string }).code,
  );

describe('the address by which a client is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'unknown'],
  ])('is for %s %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is one for a whole /64, however it is written, and another for the next', () => {
    const group = fastCheck.integer({ min: 1, max: 0xffff }).map((n) => n.toString(16));
    fastCheck.assert(
      fastCheck.property(fastCheck.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const network = groups.slice(0, 4);
        const key = addressKey(groups.join(':'));
        expect(addressKey(`${network.join(':').toUpperCase()}::1`)).toBe(key);
        expect(addressKey([...network.slice(0, 3), '0', ...groups.slice(4)].join(':'))).not.toBe(key);
      }),
    );
  });
});

describe('a limit', () => {
  it('lets exactly as many through as it says, concurrently or one by one, and counts each key separately', async () => {
    const limiter = limits.limiter({ name: 'exact', counted: 'things', windows: [{ max: 10, seconds: 60 }] });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(limiter.consume('a'))));
    expect(outcomes.filter((result) => result === 'ok')).toHaveLength(10);
    expect(outcomes.filter((result) => result === 'RATE_LIMITED')).toHaveLength(40);
    expect(await outcome(limiter.consume('b'))).toBe('ok');
    expect(limits.measurements.map(({ name, read }) => [name, read()])).toEqual([
      ['tenantry_rate_limit_refusals_total', [{ labels: { limit: 'exact' }, value: 40 }]],
      ['tenantry_redis_fallbacks_total', [{ labels: { limit: 'exact' }, value: 0 }]],
    ]);
  });

  it('starts over when its window is over', async () => {
    const limiter = limits.limiter({ name: 'anew', counted: 'things', windows: [{ max: 1, seconds: 1 }] });
    expect(await outcome(limiter.consume('a'))).toBe('ok');
    expect(await outcome(limiter.consume('a'))).toBe('RATE_LIMITED');
    nowMs += 1_000;
    expect(await outcome(limiter.consume('a'))).toBe('ok');
  });

  it('of several windows refuses by whichever is used up, and says when to come back', async () => {
    const windows = [
      { max: 2, seconds: 1 },
      { max: 3, seconds: 3600 },
    ];
    const limiter = limits.limiter({ name: 'several', counted: 'things', windows });
    await limiter.consume('a');
    await limiter.consume('a');
    await expect(limiter.consume('a')).rejects.toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': '1' },
    });
    nowMs += 1_000;
    // What the first window refused did not count in the second.
    expect(await outcome(limiter.consume('a'))).toBe('ok');
    await expect(limiter.consume('a')).rejects.toMatchObject({
      headers: { 'retry-after': '3599' },
    });
  });
});

describe('the refusal of a limit', () => {
  it('says what there were too many of, and about how long it takes [S-19]', async () => {
    const windows = [{ max: 1, seconds: 86_400 }];
    const limiter = limits.limiter({ name: 'named', counted: 'organizations created', windows });
    await limiter.consume('a');
    await expect(limiter.consume('a')).rejects.toMatchObject({
      message: 'Too many organizations created. Try again in about a day.',
      headers: { 'retry-after': '86400', 'ratelimit-policy': '"named-86400";q=1;w=86400' },
    });
  });

  it.each([
    [1, 'a second'],
    [59, '59 seconds'],
    [60, 'about a minute'],
    [600, 'about 10 minutes'],
    [3_500, 'about an hour'],
    [7_300, 'about 2 hours'],
    [86_399, 'about a day'],
    [172_800, 'about 2 days'],
  ])('says %i seconds as %s', (seconds, words) => {
    expect(inWords(seconds)).toBe(words);
  });
});

describe('what was counted', () => {
  const limiterOf = (name: string, max: number) =>
    limits.limiter({ name, counted: 'things', windows: [{ max, seconds: 60 }] });

  it('can be given back, and what was refused never counted', async () => {
    const limiter = limiterOf('given-back', 2);
    const counted = [await limiter.consume('a'), await limiter.consume('a')];
    for (let n = 0; n < 20; n += 1) expect(await outcome(limiter.consume('a'))).toBe('RATE_LIMITED');
    await Promise.all(counted.map((one) => one.giveBack()));
    expect(await outcome(limiter.consume('a'))).toBe('ok');
    expect(await outcome(limiter.consume('a'))).toBe('ok');
    expect(await outcome(limiter.consume('a'))).toBe('RATE_LIMITED');
  });

  it('may be several at once: all of them or none, given back together, and never more than there are', async () => {
    const limiter = limiterOf('several', 5);
    const three = await limiter.consume('a', 3);
    expect(await outcome(limiter.consume('a', 3))).toBe('RATE_LIMITED');
    expect(await outcome(limiter.consume('a', 2))).toBe('ok');
    expect(await outcome(limiter.consume('a'))).toBe('RATE_LIMITED');
    await three.giveBack();
    expect(await outcome(limiter.consume('a', 3))).toBe('ok');
    expect(await outcome(limiter.consume('b', 100))).toBe('ok');
    expect(await outcome(limiter.consume('b'))).toBe('RATE_LIMITED');
  });

  it('is not given back to a later window', async () => {
    const limiter = limiterOf('late', 1);
    const counted = await limiter.consume('a');
    nowMs += 60_000;
    await limiter.consume('a');
    await counted.giveBack();
    expect(await outcome(limiter.consume('a'))).toBe('RATE_LIMITED');
  });

  it('by several limits is counted by all or by none', async () => {
    const [first, second] = [limiterOf('first', 2), limiterOf('second', 1)];
    const count = () => countBy({ limiter: first, key: 'a' }, { limiter: second, key: 'a' });
    await count();
    for (let n = 0; n < 5; n += 1) expect(await outcome(count())).toBe('RATE_LIMITED');
    expect(await outcome(first.consume('a'))).toBe('ok');
  });

  it('is as much as was let through and kept, whatever is counted and given back in which order', async () => {
    const step = fastCheck.record({ key: fastCheck.constantFrom('a', 'b'), givesBack: fastCheck.boolean() });
    let run = 0;
    await fastCheck.assert(
      fastCheck.asyncProperty(fastCheck.array(step, { maxLength: 30 }), async (steps) => {
        const limiter = limiterOf(`property-${(run += 1)}`, 4);
        const kept = new Map<string, number>();
        for (const { key, givesBack } of steps) {
          const used = kept.get(key) ?? 0;
          const counted = await limiter.consume(key).catch(() => undefined);
          expect(counted !== undefined).toBe(used < 4);
          if (givesBack) await counted?.giveBack();
          else if (counted) kept.set(key, used + 1);
        }
      }),
    );
  });
});

describe('limits by outcome', () => {
  const refusal = () => new ApiError('CONFLICT', 'It is taken.');
  const limitsOf = (name: string, { done, refused }: { done: number; refused: number }) =>
    new OutcomeLimits({
      done: [limits.limiter({ name, counted: 'things created', windows: [{ max: done, seconds: 60 }] })],
      refused: [
        limits.limiter({
          name: `${name}-no`,
          counted: 'names taken',
          windows: [{ max: refused, seconds: 60 }],
        }),
      ],
    });
  const create = async () => 'ok';
  const guess = () => Promise.reject(refusal());

  it('let refusals use up nothing of what protects success, and success nothing of theirs [S-19]', async () => {
    const outcomes = limitsOf('apart', { done: 2, refused: 3 });
    for (let n = 0; n < 3; n += 1) expect(await outcome(outcomes.run(['a'], guess))).toBe('CONFLICT');
    await expect(outcomes.run(['a'], create)).rejects.toThrow('Too many names taken.');
    expect(await outcome(outcomes.run(['b'], create))).toBe('ok');
    expect(await outcome(outcomes.run(['b'], create))).toBe('ok');
    await expect(outcomes.run(['b'], guess)).rejects.toThrow('Too many things created.');
  });

  it('let no more parallel guesses through than one by one [S-19]', async () => {
    const outcomes = limitsOf('guesses', { done: 50, refused: 3 });
    let guesses = 0;
    const count = () => {
      guesses += 1;
      return guess();
    };
    const answers = await Promise.all(Array.from({ length: 40 }, () => outcome(outcomes.run(['a'], count))));
    expect(guesses).toBe(3);
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(37);
  });

  it('refuse nothing that succeeds for what the others under way might come to [S-19]', async () => {
    const outcomes = limitsOf('parallel', { done: 40, refused: 3 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => outcome(outcomes.run(['a'], create))));
    expect(answers).toEqual(Array(40).fill('ok'));
    expect(await outcome(outcomes.run(['a'], create))).toBe('RATE_LIMITED');
  });

  const waitingBehindOne = (name: string, bounds: { waitingMax?: number; waitMsMax?: number }) => {
    const limiter = (name: string, max: number) =>
      limits.limiter({ name, counted: 'things', windows: [{ max, seconds: 60 }] });
    const outcomes = new OutcomeLimits({
      done: [limiter(name, 5)],
      refused: [limiter(`${name}-no`, 1)],
      ...bounds,
    });
    let end = (): void => undefined;
    const ended = new Promise<string>((resolve) => (end = () => resolve('ok')));
    return { outcomes, first: outcome(outcomes.run(['a'], () => ended)), end };
  };

  it('let no more wait than allowed, and their places are not taken from others [S-22]', async () => {
    const { outcomes, first, end } = waitingBehindOne('crowd', { waitingMax: 2 });
    const crowd = Array.from({ length: 50 }, () => outcome(outcomes.run(['a'], create)));
    expect(await Promise.all(crowd.slice(2))).toEqual(Array(48).fill('RATE_LIMITED'));
    expect(await outcome(outcomes.run(['b'], create))).toBe('ok');
    end();
    expect(await Promise.all([first, ...crowd.slice(0, 2)])).toEqual(['ok', 'ok', 'ok']);
    // Those that were refused counted as nothing.
    for (const answer of ['ok', 'ok', 'RATE_LIMITED'])
      expect(await outcome(outcomes.run(['a'], create))).toBe(answer);
  });

  it('let no request wait for longer than its client waits for the response [S-22]', async () => {
    const { outcomes, first, end } = waitingBehindOne('slow', { waitMsMax: 30 });
    expect(await outcome(outcomes.run(['a'], create))).toBe('RATE_LIMITED');
    end();
    expect(await first).toBe('ok');
    expect(await outcome(outcomes.run(['a'], create))).toBe('ok');
  });

  it('count as refused what another limit refuses, where that is said [S-22]', async () => {
    const limiter = (name: string, max: number) =>
      limits.limiter({ name, counted: 'things', windows: [{ max, seconds: 60 }] });
    const refused = [limiter('strict-no', 2)];
    const outcomes = new OutcomeLimits({
      done: [limiter('strict', 9)],
      refused,
      isRefusal: isAnyRefusal,
    });
    const locked = () => Promise.reject(new ApiError('ACCOUNT_LOCKED', 'Locked.', { statusCode: 429 }));
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await outcome(outcomes.run(['a'], locked)));
    expect(answers).toEqual(['ACCOUNT_LOCKED', 'ACCOUNT_LOCKED', 'RATE_LIMITED']);
  });

  it('count nothing where the service failed, and nothing for whom is not known', async () => {
    const outcomes = limitsOf('failed', { done: 1, refused: 1 });
    const fail = () => Promise.reject(new ApiError('UPSTREAM_UNAVAILABLE', 'Try again shortly.'));
    for (let n = 0; n < 5; n += 1) {
      expect(await outcome(outcomes.run(['a'], fail))).toBe('UPSTREAM_UNAVAILABLE');
      expect(await outcome(outcomes.run([undefined], create))).toBe('ok');
    }
    expect(await outcome(outcomes.run(['a'], create))).toBe('ok');
  });
});

describe('a client that has an IPv6 site', () => {
  const site = (network: number) => addressKey(`2001:db8:1:${network.toString(16)}::1`);

  it('may do ten times what one of its networks may, and no more however many of them it uses [S-25]', async () => {
    const limiter = limits.limiter({ name: 'site', counted: 'things', windows: [{ max: 5, seconds: 60 }] });
    const outcomes: string[] = [];
    for (let n = 0; n < 200; n += 1) outcomes.push(await outcome(limiter.consume(site(n))));
    expect(outcomes.filter((result) => result === 'ok')).toHaveLength(50);
    expect(outcomes.indexOf('RATE_LIMITED')).toBe(50);
    await expect(limiter.consume(site(500))).rejects.toMatchObject({
      headers: { 'ratelimit-policy': '"site-60";q=5;w=60, "site-site-60";q=50;w=60' },
    });
    expect(await outcome(limiter.consume(addressKey('2001:db8:2::1')))).toBe('ok');
    expect(await outcome(limiter.consume('192.0.2.1'))).toBe('ok');
  });
});

describe('a limited route', () => {
  it('refuses one time too many with 429, Retry-After and the RateLimit headers', async () => {
    const limiter = limits.limiter({ name: 'route', counted: 'things', windows: [{ max: 2, seconds: 60 }] });
    const { app } = await buildFixture({}, (service) => {
      const rateLimit = limitedBy(limiter, ({ ip }) => addressKey(ip));
      service.get('/limited', { config: { access: 'public', rateLimit } }, async () => 'ok');
    });
    const ask = () => app.inject({ url: '/limited', remoteAddress: '192.0.2.1' });
    for (const answer of [await ask(), await ask()]) {
      expect(answer.statusCode).toBe(200);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"route-60";q=2;w=60',
      ratelimit: '"route-60";r=0;t=60',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    });
    expect((await app.inject({ url: '/limited', remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
    await app.close();
  });

  it('is refused by what limits it beside its window as well', async () => {
    const windows = [
      { max: 2, seconds: 60 },
      { max: 3, seconds: 3_600 },
    ];
    const limiter = limits.limiter({ name: 'route-twice', counted: 'things', windows });
    const { app } = await buildFixture({}, (service) => {
      const rateLimit = limitedBy(limiter, ({ ip }) => addressKey(ip));
      service.get('/limited', { config: { access: 'public', rateLimit } }, async () => 'ok');
    });
    const ask = async () => (await app.inject({ url: '/limited', remoteAddress: '192.0.2.1' })).headers;
    expect([await ask(), await ask(), await ask()].map((headers) => headers['retry-after'])).toEqual([
      undefined,
      undefined,
      '60',
    ]);
    nowMs += 60_000;
    expect((await ask())['retry-after']).toBeUndefined();
    expect(await ask()).toMatchObject({
      'retry-after': '3540',
      'ratelimit-policy': '"route-twice-60";q=2;w=60, "route-twice-3600";q=3;w=3600',
    });
    await app.close();
  });
});

describe('counting in the process', () => {
  const memoryOf = (seconds: number, keysMax: number) =>
    new BoundedMemory({ max: 10, seconds, keysMax, now });

  it('keeps no more keys than it may, whatever number of addresses comes by', () => {
    const memory = memoryOf(60, 100);
    for (let n = 0; n < 10_000; n += 1) memory.count(`address ${n}`);
    expect(memory.size).toBe(100);
    expect(memory.count('address 9999').used).toBe(2);
    expect(memory.count('address 0').used).toBe(1);
  });

  it('forgets keys whose window has ended', () => {
    const memory = memoryOf(1, 1_000);
    for (let n = 0; n < 500; n += 1) memory.count(`address ${n}`);
    nowMs += 1_000;
    memory.count('one more');
    expect(memory.size).toBe(1);
  });
});
