import { statement, unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import { sweepBatch } from '../ground/index.ts';
import { subjectOf, type RecordedEvent, type MemberState } from './event.ts';
import type { FeedTable } from './feeds/feed.repository.ts';

const insertEvents = unscopedStatement({
  name: 'events-insert',
  text: `
    INSERT INTO events (type, subject, user_id, organization, payload)
    SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::jsonb[])`,
});

const memberState = `
  SELECT m.organization_id AS "organizationId", m.user_id AS "userId", u.email,
    u.email_verified_at IS NOT NULL AS "emailVerified", u.name, u.family_name AS "familyName", m.role, u.disabled_at IS NOT NULL AS disabled, m.created_at AS "createdAt"
  FROM members m JOIN users u ON u.id = m.user_id`;

// Transactions that change the same membership, or its user, publish one after the other, and the later one reads what the
// earlier one wrote.
const lockMember = statement({
  name: 'event-member',
  times: 'text',
  text: `${memberState} WHERE m.organization_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE OF m`,
});
const lockMemberships = statement({
  name: 'event-memberships',
  times: 'text',
  owner: 'user',
  text: `${memberState} WHERE m.user_id = $1 ORDER BY m.organization_id FOR NO KEY UPDATE OF m`,
});

const insertMembers = statement({
  name: 'events-insert-members',
  text: `
    INSERT INTO events (type, subject, user_id, organization, payload)
    SELECT 'member.added', concat('member:', m."organizationId", ':', m."userId"), m."userId", m."organizationId",
      to_jsonb(m) || jsonb_build_object(
        'createdAt', to_char(m."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM (${memberState} WHERE m.organization_id = $1) AS m`,
});

const forgetUser = unscopedStatement({
  name: 'events-forget-user',
  text: `DELETE FROM events WHERE user_id = $1 AND type NOT IN ('member.removed', 'user.erased')`,
});

const forgetOrganization = unscopedStatement({
  name: 'events-forget-organization',
  text: 'DELETE FROM events WHERE organization = $1',
});

/** A reader that starts over still gets the erasures of users whom its trail may name: for the default retention of trails. */
const erasureDays = 400;

// The latest event of a subject has its full state, and the last one is only needed for as long as a reader may lag behind. An
// organization that can be restored has not ended yet.
//
// Events to keep are mixed with those to delete, so no index finds the latter: the table is scanned by id.
const sweepEvents = unscopedStatement({
  name: 'events-sweep',
  text: `
    WITH slice AS MATERIALIZED (
      SELECT id, type, subject, organization, created_at < statement_timestamp() - make_interval(secs => $2) AS is_old,
        created_at < statement_timestamp() - make_interval(days => ${erasureDays}) AS is_forgotten
      FROM events WHERE id > $1::bigint ORDER BY id LIMIT ${sweepBatch}
    ), gone AS (
      DELETE FROM events WHERE id = ANY(ARRAY(
        SELECT old.id FROM slice AS old WHERE old.is_old AND (
          old.type IN ('member.removed', 'organization.purged')
          OR old.type = 'user.erased' AND old.is_forgotten
          OR old.type = 'organization.deleted'
            AND (SELECT kept.id FROM deleted_organizations AS kept WHERE kept.id = old.organization) IS NULL
          OR EXISTS (SELECT FROM events AS later WHERE later.subject = old.subject AND later.id > old.id))))
    )
    SELECT max(id)::text AS to, count(*) = ${sweepBatch} AND bool_or(is_old) AS "areMore" FROM slice`,
});

/** The outbox. Its rows belong to no tenant. */
export class EventsRepository {
  async insert(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
    tx.send(insertEvents, [
      events.map(({ type }) => type),
      events.map(subjectOf),
      events.map((event) => ('userId' in event ? event.userId : null)),
      events.map(({ organizationId }) => organizationId),
      events.map(payloadOf),
    ]);
  }

  /** A member of the scope's organization; the row is locked until the transaction ends. */
  async lockMember(tx: Transaction, userId: string): Promise<MemberState | undefined> {
    return (await tx.query(lockMember, [userId]))[0];
  }

  /** Publishes every member of the scope's organization as added. */
  async insertMembers(tx: Transaction): Promise<void> {
    await tx.query(insertMembers, []);
  }

  /** Every membership of the scope's user, likewise. */
  lockMemberships(tx: Transaction): Promise<MemberState[]> {
    return tx.query(lockMemberships, []);
  }

  /** Deletes a user's events, except that a membership has ended, for readers that have not read that yet. */
  async forgetUser(tx: Transaction, userId: string): Promise<void> {
    tx.send(forgetUser, [userId]);
  }

  /** Deletes every event about an organization, and within it. */
  async forgetOrganization(tx: Transaction, organizationId: string): Promise<void> {
    await tx.query(forgetOrganization, [organizationId]);
  }

  /**
   * Deletes events replaced by a later one, and expired last events, in the next slice after an id.
   *
   * @returns the last id of the slice; undefined once it reaches recent events or the end
   */
  async sweep(
    rows: Unscoped,
    { after, retentionSeconds }: { readonly after: string; readonly retentionSeconds: number },
  ): Promise<string | undefined> {
    const [slice] = await rows.query(sweepEvents, [after, retentionSeconds]);
    return slice?.areMore ? (slice.to ?? undefined) : undefined;
  }
}

/** The type has a column of its own. */
const payloadOf = (event: RecordedEvent): string => JSON.stringify({ ...event, type: undefined });

/** The outbox, each event with its id and the moment it was recorded. */
export const eventsTable: FeedTable = {
  table: 'events',
  value: `payload || jsonb_build_object('id', entry.id::text, 'type', type,
    'occurredAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  // The latest event of a subject is enough, but an erasure also ends what was told of the user elsewhere.
  condition: `(entry.type = 'user.erased'
    OR entry.id = (SELECT max(later.id) FROM events AS later WHERE later.subject = entry.subject))`,
  perOrganizationMax: 100,
};
