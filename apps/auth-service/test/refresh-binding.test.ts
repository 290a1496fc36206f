import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { productsOf, sessionBindings } from '@tenantry/service/browser';
import { thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClient, whereaboutsOf, type BoundClient } from '../src/ground/index.ts';
import { signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const device = fc.constantFrom(null, 'phone-0001', 'phone-0002');
const userAgent = fc.constantFrom('App/1.0', 'App/2.0 (iPhone)', 'Other/1.0');
/** Near each other and far from each other. */
const addressV4 = fc.oneof(fc.constantFrom('203.0.113.7', '203.0.113.8', '203.0.114.7'), fc.ipV4());
const addressV6 = fc.oneof(
  fc.constantFrom('2001:db8:1:2::1', '2001:db8:1:2:8::1', '2001:db8:1:3::1', '2001:db8:2::1', '::'),
  fc.ipV6(),
);
const address = fc.oneof(addressV4, addressV6, fc.constant(null));

const bound = fc
  .record({
    deviceId: device,
    userAgent: fc.option(userAgent),
    ipAddress: address,
    otherIpAddress: fc.option(fc.oneof(addressV4, addressV6)),
  })
  .filter(
    ({ ipAddress, otherIpAddress }) =>
      ipAddress === null || otherIpAddress === null || isIPv6(ipAddress) !== isIPv6(otherIpAddress),
  );
const client = fc.record({ deviceId: device, userAgent, ipAddress: address });

describe.each(sessionBindings)('a session bound by %s', (binding) => {
  test('is renewed by its newest token where its whereabouts are its own, whoever decides it [S-69]', async () => {
    const { app, sql } = await startService({ settings: { SESSION_BINDING: binding } });
    const { id: userId, refreshToken } = await signUp(app);
    const hash = createHash('sha256').update(refreshToken).digest();
    const [fresh] = await sql('SELECT id, refresh_generation FROM sessions WHERE user_id = $1', [userId]);

    /** Makes the session the newest one of its token, and binds it. @returns what is stored */
    async function bind(to: BoundClient): Promise<BoundClient> {
      const { deviceId, userAgent: agent, ipAddress, otherIpAddress } = to;
      // Those who were refused have ended the session more often than is announced one by one.
      await sql('UPDATE users SET tokens_from = NULL WHERE id = $1', [userId]);
      const [row] = await sql(
        `UPDATE sessions SET refresh_generation = $2, refresh_hash = $3, refresh_former_hashes = '{}', revoked_at = NULL,
           device_id = $4, user_agent = $5, device_products = $6, ip_address = $7, other_ip_address = $8
         WHERE id = $1 RETURNING host(ip_address) AS "ipAddress", host(other_ip_address) AS "otherIpAddress"`,
        [
          ...[fresh?.['id'], fresh?.['refresh_generation'], hash],
          ...[deviceId, agent, productsOf(agent), ipAddress, otherIpAddress],
        ],
      );
      return { ...to, ...row };
    }

    await fc.assert(
      fc.asyncProperty(bound, client, async (to, from) => {
        const stored = await bind(to);
        // A socket in the file system has no address.
        const ip = from.ipAddress ?? 'none';
        const headers = {
          'user-agent': from.userAgent,
          ...(from.deviceId !== null && { 'x-device-id': from.deviceId }),
        };
        const { statusCode } = await app.inject({
          ...{ method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } },
          ...{ headers, remoteAddress: ip },
        });
        const whereabouts = whereaboutsOf(readClient({ ip, headers }), stored, binding);
        expect(statusCode).toBe(whereabouts === 'here' ? 200 : 401);
      }),
      { numRuns: thorough(2_000, 200) },
    );
  });
});
