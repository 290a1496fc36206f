import type { TenantRows } from '@tenantry/tenancy';
import { statement } from '../statements.ts';
import type { Chores } from '../work/housekeeping.ts';

/** The kind of due work that removes the name of a user. */
export const namesKind = 'audit-names';
/** The lifetime of an access token: until then a request of the user may still write an entry with the name. */
export const namesAfterSeconds = 15 * 60;
const batchSize = 1_000;

const forgetNames = statement({
  name: 'audit-forget-actor',
  text: `
    UPDATE audit_events SET actor_name = NULL WHERE organization_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM audit_events
      WHERE organization_id = $1 AND actor_user_id = $2 AND id > $3
        AND actor_kind = 'user' AND actor_name IS NOT NULL
      ORDER BY id LIMIT ${batchSize}))
    RETURNING id`,
});

/** Removes the names of erased users, batch by batch: a trail may name a user in very many entries. */
export const auditNamesChores: Chores = {
  [namesKind]: {
    async work({ id: userId }, { tenant, signal }) {
      let after: string | undefined = '00000000-0000-0000-0000-000000000000';
      while (after !== undefined) {
        signal.throwIfAborted();
        after = await forgetFrom(tenant, userId, after);
      }
      return 'done';
    },
  },
};

/** Removes a batch of names. @returns the last of these entries if there may be more */
async function forgetFrom(tenant: TenantRows, userId: string, after: string): Promise<string | undefined> {
  const forgotten = await tenant.query(forgetNames, [userId, after]);
  if (forgotten.length < batchSize) return undefined;
  return forgotten.reduce((last, { id }) => (id > last ? id : last), after);
}
