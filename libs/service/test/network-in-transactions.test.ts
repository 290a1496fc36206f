import { randomUUID } from 'node:crypto';
import { callOutside, callService } from '@tenantry/service/calls';
import { createLogger } from '@tenantry/service/logging';
import { RateLimits } from '@tenantry/service/rate-limits';
import { testLog } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from './work/fixture/database.ts';

const logger = createLogger({ name: 'fixture', level: 'trace', destination: testLog() });
const limiter = new RateLimits({ logger }).limiter({
  name: 'calls',
  counted: 'calls',
  windows: [{ max: 5, seconds: 60 }],
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

describe('in a transaction', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['no other service is called', () => callService('find lead', 'http://127.0.0.1:1/', {})],
    [
      'no server of others is called',
      () => callOutside('redeem code', 'http://127.0.0.1:1/', { timeoutMs: 1_000, bytesMax: 1_000 }),
    ],
    ['no limit is counted that instances share, with or without a Redis', () => limiter.consume('192.0.2.1')],
  ])('%s [S-109]', async (_, wait) => {
    const tenant = fixture.open().within({ organizationId: randomUUID() });
    // Most callers take any error for an outage, and go on.
    const asking = tenant.transaction(() => wait().catch(() => undefined));
    await expect(asking).rejects.toMatchObject({ code: 'NETWORK_IN_TRANSACTION' });
  });
});
