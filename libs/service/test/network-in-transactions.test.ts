import { describe, expect, it } from 'vitest';
import { callOutside, callService } from '@tenantry/service/calls';
import { createLogger } from '@tenantry/service/logging';
import { RateLimits } from '@tenantry/service/rate-limits';
import { testLog } from '@tenantry/test-kit';
import { duringTransaction } from '@tenantry/transaction-guard';

const logger = createLogger({ name: 'fixture', level: 'trace', destination: testLog() });
const limiter = new RateLimits({ logger }).limiter({
  name: 'calls',
  counted: 'calls',
  windows: [{ max: 5, seconds: 60 }],
});

describe('in a transaction', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['no other service is called', () => callService('find lead', 'http://127.0.0.1:1/', {})],
    [
      'no server of others is called',
      () => callOutside('redeem code', 'http://127.0.0.1:1/', { timeoutMs: 1_000, bytesMax: 1_000 }),
    ],
    ['no limit is counted that instances share, with or without a Redis', () => limiter.consume('192.0.2.1')],
  ])('%s', async (_, wait) => {
    const errors: Error[] = [];
    const transaction = { isOpen: true, refuse: (error: Error) => errors.push(error) };
    const code = 'NETWORK_IN_TRANSACTION';
    await expect(duringTransaction(transaction, wait)).rejects.toMatchObject({ code });
    expect(errors).toMatchObject([{ code }]);
  });
});
