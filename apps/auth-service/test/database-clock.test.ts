import { afterEach, describe, expect, test, vi } from 'vitest';
import { claimsOf, send } from './support/client.ts';
import { foundCompany, switchTo } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;

describe('instances whose clocks differ', () => {
  afterEach(() => vi.useRealTimers());

  test.each([-3_000, 3_000])(
    'revoke and issue by the database’s clock: one that is %i ms off [S-91]',
    async (offMs) => {
      const clockOff = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
      const { id, owner, member } = await foundCompany(service);
      const read = (token: string) => send(app, `GET /organization/${id}`, { token });
      // Fast, it issues ahead of the others; slow, it revokes behind them.
      if (offMs > 0) clockOff();
      const token = await switchTo(service, member.token, id);
      vi.useRealTimers();
      expect((await read(token)).status).toBe(200);
      const issuedAt = Number(claimsOf(token)['iat']);

      if (offMs < 0) clockOff();
      const change = { token: owner.token, body: { role: 'admin' } };
      expect((await send(app, `PATCH /organization/${id}/members/${member.id}`, change)).status).toBe(200);
      vi.useRealTimers();
      const [revoked] = await sql(
        'SELECT issued_before FROM revocations WHERE sub = $1 AND organization = $2',
        [member.id, id],
      );
      expect((revoked?.['issued_before'] as Date).getTime() / 1_000).toBeGreaterThan(issuedAt);
    },
  );
});
