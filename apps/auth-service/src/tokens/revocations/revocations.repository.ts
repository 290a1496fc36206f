import { statement, unscopedStatement, type Transaction } from '../../database.ts';
import type { FeedTable } from '../../events/index.ts';
import { defineSweep } from '../../ground/index.ts';
import type { EndedKeys, EndedSession, Revocation, RevocationNews } from './revocation.ts';

/** Endings of sessions of one user, or of keys of one organization, that are announced one by one, as long as a token lives. */
const endingsMax = 30;

/** Replaces earlier ones; a later one, of a transaction that began later but was faster, stays. */
const replaced = (issuedBefore: string) => `issued_before <= ${issuedBefore}`;

// Beyond the limit one revocation of the user takes the place of further entries, so that no user fills the memory of verifiers.
// Sessions that go on get new access tokens by their refresh tokens.
const revokeSession = unscopedStatement({
  name: 'revocation-of-session',
  text: `
    WITH ended AS (
        SELECT count(*) >= ${endingsMax} AS beyond FROM (
          SELECT id FROM revocations
          WHERE organization IS NULL AND sub = $1 AND kind = 'session' AND until > statement_timestamp()
          LIMIT ${endingsMax}) AS living),
      postponed AS (
        UPDATE users SET tokens_from = greatest(tokens_from, $3) FROM ended WHERE users.id = $1 AND beyond
        RETURNING tokens_from),
      earlier AS (
        DELETE FROM revocations USING ended
        WHERE beyond AND organization IS NULL AND sub = $1 AND kind = 'user' AND ${replaced('$3')}),
      written AS (
        INSERT INTO revocations (kind, sub, sid, issued_before, until)
        SELECT CASE WHEN beyond THEN 'user' ELSE 'session' END, $1::uuid, CASE WHEN NOT beyond THEN $2::uuid END,
          CASE WHEN beyond THEN $3::timestamptz END, $4::timestamptz
        FROM ended)
    SELECT tokens_from AS "tokensFrom" FROM postponed`,
});

const revokeUser = unscopedStatement({
  name: 'revocation-of-user',
  text: `
    WITH postponed AS (UPDATE users SET tokens_from = greatest(tokens_from, $2) WHERE id = $1),
      earlier AS (
        DELETE FROM revocations
        WHERE organization IS NULL AND sub = $1 AND kind = 'user' AND ${replaced('$2')})
    INSERT INTO revocations (kind, sub, issued_before, until) VALUES ('user', $1, $2, $3)`,
});

// A member and a service account have different ids: only one of the two exists.
const revokeMember = statement({
  name: 'revocation-of-member',
  text: `
    WITH postponed_member AS (
        UPDATE members SET tokens_from = greatest(tokens_from, $3) WHERE organization_id = $1 AND user_id = $2),
      postponed_account AS (
        UPDATE service_accounts SET tokens_from = greatest(tokens_from, $3) WHERE organization_id = $1 AND id = $2),
      earlier AS (
        DELETE FROM revocations
        WHERE organization = $1 AND sub = $2 AND kind = 'member' AND ${replaced('$3')})
    INSERT INTO revocations (kind, organization, sub, issued_before, until) VALUES ('member', $1, $2, $3, $4)`,
});

// As of sessions; the organization is locked, so that no other ending is counted at the same time.
const revokeKeys = unscopedStatement({
  name: 'revocation-of-keys',
  text: `
    WITH ended AS (
        SELECT count(*) + cardinality($3::uuid[]) > ${endingsMax} AS beyond FROM (
          SELECT id FROM revocations
          WHERE organization = $1 AND kind = 'session' AND until > statement_timestamp()
          LIMIT ${endingsMax}) AS living),
      written AS (
        INSERT INTO revocations (kind, organization, sub, sid, until)
        SELECT 'session', $1::uuid, $2::uuid, key.id, $4::timestamptz
        FROM ended CROSS JOIN unnest($3::uuid[]) AS key (id) WHERE NOT beyond)
    SELECT beyond FROM ended`,
});

const revokeOrganization = statement({
  name: 'revocation-of-organization',
  text: `
    WITH members_postponed AS (
        UPDATE members SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1 RETURNING user_id AS sub),
      accounts_postponed AS (
        UPDATE service_accounts SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1 RETURNING id AS sub),
      postponed AS (SELECT sub FROM members_postponed UNION ALL SELECT sub FROM accounts_postponed),
      earlier AS (
        DELETE FROM revocations
        WHERE organization = $1 AND (sub IS NULL OR sub IN (SELECT sub FROM postponed)) AND ${replaced('$2')})
    INSERT INTO revocations (kind, organization, sub, within_organization, issued_before, until)
    SELECT 'organization', $1::uuid, NULL::uuid, false, $2::timestamptz, $3::timestamptz
    UNION ALL SELECT 'member', $1, sub, true, $2, $3 FROM postponed`,
});

/** Deletes what no living token can be concerned by. */
export const sweepRevocations = defineSweep({
  table: 'revocations',
  over: 'until < statement_timestamp()',
  by: 'until',
});

/**
 * Stores revocations, and the time from which tokens of those affected may be issued. The latest revocation of a user, member
 * or organization replaces earlier ones, so that there is one for each, however often it changes.
 */
export class RevocationsRepository {
  async insert(
    tx: Transaction,
    { kind, userId }: Exclude<Revocation, EndedSession>,
    { issuedBefore, until }: RevocationNews,
  ): Promise<void> {
    await tx.query(kind === 'user' ? revokeUser : revokeMember, [userId, issuedBefore, until]);
  }

  /**
   * As {@link RevocationsRepository.insert}, for a session; beyond a number of them for all tokens of its user.
   *
   * @param news of the user
   * @returns from when on tokens of the user are issued, if that has changed
   */
  async insertSession(
    tx: Transaction,
    { userId, sessionId }: EndedSession,
    { issuedBefore, until }: RevocationNews,
  ): Promise<Date | undefined> {
    const [beyond] = await tx.query(revokeSession, [userId, sessionId, issuedBefore, until]);
    return beyond?.tokensFrom ?? undefined;
  }

  /**
   * As {@link RevocationsRepository.insertSession}, for keys of a service account of an organization that is locked.
   *
   * @returns false beyond a number of them: then nothing is written
   */
  async insertKeys(
    tx: Transaction,
    { organizationId, accountId, keyIds }: EndedKeys,
    { until }: RevocationNews,
  ): Promise<boolean> {
    const [ended] = await tx.query(revokeKeys, [organizationId, accountId, keyIds, until]);
    return ended?.beyond !== true;
  }

  /**
   * As {@link RevocationsRepository.insert}, for all of the scope's organization: one for it, and those of its members and service
   * accounts.
   */
  async insertForOrganization(tx: Transaction, { issuedBefore, until }: RevocationNews): Promise<void> {
    await tx.query(revokeOrganization, [issuedBefore, until]);
  }
}

/** A revocation as the feed reads it: in the form for libs/jwt-verify, and whether its organization's covers it too. */
export interface RevocationEntry {
  readonly kind: Revocation['kind'] | 'organization';
  readonly withinOrganization?: true;
}

/** The revocations in force, as {@link RevocationEntry}. */
export const revocationsTable: FeedTable = {
  table: 'revocations',
  value: `json_strip_nulls(json_build_object('kind', kind, 'sid', sid,
    'sub', CASE WHEN kind <> 'session' THEN sub END,
    'organizationId', CASE WHEN kind <> 'session' THEN organization END,
    'withinOrganization', CASE WHEN within_organization THEN true END,
    'issuedBefore', extract(epoch FROM issued_before)::bigint, 'until', ceil(extract(epoch FROM until))::bigint))`,
  condition: 'until > clock_timestamp()',
  // A revocation must not wait.
  perOrganizationMax: 1_000_000,
};
