import type { TenantRows } from '@tenantry/tenancy';
import type { Chores } from '../housekeeping.ts';
import { statement } from '../statements.ts';

/** The kind of due work that removes the name of a user. */
export const namesKind = 'audit-names';
/** As long as an access token lives: until then a request of the user may write another entry with the name. */
export const namesAfterSeconds = 15 * 60;
const batchSize = 1_000;

/** Forgets the names of users who were erased, batch by batch: a trail may name one in very many entries. */
export function auditNamesChores(): Chores {
  const forget = statement({
    name: 'audit-forget-actor',
    text: `
      UPDATE audit_events SET actor_name = NULL WHERE organization_id = $1 AND id = ANY (ARRAY(
        SELECT id FROM audit_events
        WHERE organization_id = $1 AND actor_user_id = $2 AND id > $3
          AND actor_kind = 'user' AND actor_name IS NOT NULL
        ORDER BY id LIMIT ${batchSize}))
      RETURNING id`,
  });
  /** Forgets a batch of names. @returns the last of these entries, where there may be more */
  async function forgetFrom(tenant: TenantRows<unknown>, userId: string, after: string) {
    const forgotten = await tenant.query(forget, [userId, after]);
    if (forgotten.length < batchSize) return undefined;
    return forgotten.reduce((last, { id }) => (id > last ? id : last), after);
  }
  return {
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
}
