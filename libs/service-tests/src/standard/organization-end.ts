import { randomUUID } from 'node:crypto';
import { keepsAuditTrail } from '@tenantry/service/audit';
import { countsStorage, type BusinessService } from '@tenantry/service/business';
import { mentionsOf } from '@tenantry/test-kit';
import type { TProperties } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../callers.ts';
import { openTestFeed, type TestFeed } from '../feed.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../start.ts';
import { organizationArchiveTests } from './organization-archive.ts';
import { tablesOf } from './tables.ts';

/** An organization that is populated. */
export interface Populated {
  readonly organizationId: string;
  /** An owner of it. */
  readonly caller: Caller;
  readonly userId: string;
  readonly service: TestService;
  readonly feed: TestFeed;
}

/** What the tests are told. */
export interface OrganizationEndTestsOptions extends Pick<TestServiceOptions, 'env'> {
  /** Writes at least one row to every table with an organization's data. */
  readonly populate: (populated: Populated) => Promise<void>;
}

/**
 * An organization that was purged leaves no row in any table of a service, and others lose none. The tables are those of the
 * catalog: a new one fails until `populate` writes to it, and is then checked automatically.
 *
 * @example organizationEndTests(service, { populate: async ({ caller }) => { await caller.send('POST', '/api/leads', …); } });
 */
export function organizationEndTests<Settings extends TProperties>(
  service: BusinessService<Settings>,
  { populate, env }: OrganizationEndTestsOptions,
): void {
  describe(`an organization that was deleted, to ${service.name},`, () => {
    let feed: TestFeed;
    let running: TestService;
    beforeAll(async () => {
      feed = await openTestFeed();
      running = await startTestService(service, { env: { ...feed.env, ...env } });
    });
    afterAll(async () => {
      await running.close();
      await feed.close();
    });

    const mentions = (organizationId: string) => mentionsOf(running.testDatabase.adminUrl, organizationId);

    /** An organization with rows in every table of the catalog. */
    async function populated(): Promise<string> {
      const organizationId = randomUUID();
      feed.tell(organizationEvent('organization.created', organizationId));
      const userId = randomUUID();
      feed.tell(ownerEvent(organizationId, userId));
      const caller = await running.member({ organizationId, role: 'owner', sub: userId });
      await populate({ organizationId, caller, userId, service: running, feed });
      const tables = [...(await tablesOf(running.testDatabase))].filter(([, owned]) => owned);
      const empty = async () => {
        const kept = await mentions(organizationId);
        return tables.map(([name]) => name).filter((name) => !(name in kept));
      };
      await expect.poll(empty, { message: 'tables that were not populated' }).toEqual(['organization_ends']);
      return organizationId;
    }

    it.runIf(keepsAuditTrail(service.models))(
      'has its trail forget a user who was erased, once no token of theirs is taken any more [S-196]',
      async () => {
        await running.app.ready();
        const place = { organizationId: randomUUID(), userId: randomUUID() };
        feed.tell({ type: 'user.erased', ...place });
        const due = () =>
          running.testDatabase.query(
            `SELECT organization_id AS "organizationId", id AS "userId" FROM due_work
             WHERE kind = 'audit-names' AND next_attempt_at > now() + INTERVAL '14 minutes'`,
          );
        await expect.poll(due).toEqual([place]);
      },
    );

    it.runIf(countsStorage(service.models))('has all of its rows and bytes counted', async () => {
      await running.app.ready();
      const organizationId = await populated();
      const { query } = running.testDatabase;
      const sums = () =>
        query<{ rows: number; bytes: number }>(
          'SELECT sum(rows)::int AS rows, sum(bytes)::int AS bytes FROM storage_use WHERE organization_id = $1',
          [organizationId],
        );
      const counted = await sums();
      expect(counted[0]?.rows).toBeGreaterThan(0);
      await query(`SELECT set_config('app.organization_id', $1, true), app.recount_storage()`, [
        organizationId,
      ]);
      expect(await sums()).toEqual(counted);
    });

    it('leaves no row behind in any table once it is purged, and takes none of another [S-192]', async () => {
      await running.app.ready();
      const [mine, theirs] = [await populated(), await populated()];
      const others = await mentions(theirs);
      feed.tell({ type: 'organization.deleted', organizationId: mine });
      await expect.poll(async () => (await mentions(mine))['organization_ends']).toBe(1);

      feed.stand(mine, { state: 'gone' });
      feed.tell({ type: 'organization.purged', organizationId: mine });
      const purgeNow = 'UPDATE organization_ends SET purge_at = now() WHERE organization_id = $1';
      await running.testDatabase.query(purgeNow, [mine]);
      await expect.poll(() => mentions(mine), { interval: 200 }).toEqual({});
      expect(await mentions(theirs)).toEqual(others);
    });

    organizationArchiveTests(service, () => ({ running, feed, populated, env: { ...feed.env, ...env } }));
  });
}

/** The event of an owner with a confirmed address. */
export const ownerEvent = (organizationId: string, userId: string) => ({
  type: 'member.added' as const,
  organizationId,
  userId,
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  familyName: null,
  role: 'owner',
  disabled: false,
  createdAt: '2026-11-21T10:00:00.000Z',
});

/** An event with the whole state of an organization. */
export const organizationEvent = (
  type: 'organization.created' | 'organization.updated',
  organizationId: string,
) => ({
  type,
  organizationId,
  name: 'Acme',
  slug: 'acme',
  createdAt: '2026-11-21T10:00:00.000Z',
  settings: { defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
});
