import { expect, it } from 'vitest';
import type { Standing } from './standing.ts';
import { tablesOf } from './tables.ts';

/** Tables of libraries whose rows do not count towards a quota. */
const uncountedByAll: Readonly<Record<string, string>> = {
  due_work: 'a row for each row that counts, until the work is done',
  event_subjects: 'a row for each member, whose number auth-service limits',
  organization_ends: 'a row for an organization that was deleted',
  storage_use: 'what is counted, summed up again and again',
  storage_quotas: 'a row for each organization',
};

/** What organizations store is counted. */
export function storageTests(standing: () => Standing, uncounted: Readonly<Record<string, string>>): void {
  it('counts every table of organizations, or says why not', async () => {
    const { testDatabase } = standing().running;
    const counted = await testDatabase.query<{ name: string }>(
      `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgfoid = 'app.count_storage()'::regprocedure
       GROUP BY tgrelid HAVING count(*) = 3`,
    );
    const tables = [...(await tablesOf(testDatabase))].filter(([, owned]) => owned).map(([name]) => name);
    const reasons = { ...uncountedByAll, ...uncounted };
    const known = [
      ...counted.map(({ name }) => name),
      ...Object.keys(reasons).filter((name) => tables.includes(name)),
    ];
    expect(known.sort()).toEqual(tables.sort());
    expect(Object.keys(uncounted).filter((name) => !tables.includes(name))).toEqual([]);
  });
}
