import { statement, unscopedStatement, type Transaction } from '../../database.ts';
import type { FeedTable } from '../../events/index.ts';
import { defineSweep } from '../../ground/index.ts';
import type { Revocation, RevocationNews } from './revocation.ts';

const revokeSession = unscopedStatement({
  name: 'revocation-of-session',
  text: `INSERT INTO revocations (kind, sub, sid, until) VALUES ('session', $1, $2, $3)`,
});

/** Replaces earlier ones; a later one, of a transaction that began later but was faster, stays. */
const replaced = (issuedBefore: string) => `issued_before <= ${issuedBefore}`;

const revokeUser = unscopedStatement({
  name: 'revocation-of-user',
  text: `
    WITH postponed AS (UPDATE users SET tokens_from = greatest(tokens_from, $2) WHERE id = $1),
      earlier AS (
        DELETE FROM revocations
        WHERE organization IS NULL AND sub = $1 AND kind = 'user' AND ${replaced('$2')})
    INSERT INTO revocations (kind, sub, issued_before, until) VALUES ('user', $1, $2, $3)`,
});

const revokeMember = statement({
  name: 'revocation-of-member',
  text: `
    WITH postponed AS (
        UPDATE members SET tokens_from = greatest(tokens_from, $3) WHERE organization_id = $1 AND user_id = $2),
      earlier AS (DELETE FROM revocations WHERE organization = $1 AND sub = $2 AND ${replaced('$3')})
    INSERT INTO revocations (kind, organization, sub, issued_before, until) VALUES ('member', $1, $2, $3, $4)`,
});

const revokeOrganization = statement({
  name: 'revocation-of-organization',
  text: `
    WITH postponed AS (
        UPDATE members SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1 RETURNING user_id),
      earlier AS (
        DELETE FROM revocations
        WHERE organization = $1 AND (sub IS NULL OR sub IN (SELECT user_id FROM postponed)) AND ${replaced('$2')})
    INSERT INTO revocations (kind, organization, sub, within_organization, issued_before, until)
    SELECT 'organization', $1::uuid, NULL::uuid, false, $2::timestamptz, $3::timestamptz
    UNION ALL SELECT 'member', $1, user_id, true, $2, $3 FROM postponed`,
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
  async insert(tx: Transaction, revocation: Revocation, news: RevocationNews): Promise<void> {
    const { issuedBefore, until } = news;
    const { userId } = revocation;
    switch (revocation.kind) {
      case 'session':
        await tx.query(revokeSession, [userId, revocation.sessionId, until]);
        return;
      case 'member':
        await tx.query(revokeMember, [userId, issuedBefore, until]);
        return;
      case 'user':
        await tx.query(revokeUser, [userId, issuedBefore, until]);
    }
  }

  /** As {@link RevocationsRepository.insert}, for all of the scope's organization: one for it, and those of its members. */
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
    'sub', CASE WHEN kind <> 'session' THEN sub END, 'organizationId', organization,
    'withinOrganization', CASE WHEN within_organization THEN true END,
    'issuedBefore', extract(epoch FROM issued_before)::bigint, 'until', ceil(extract(epoch FROM until))::bigint))`,
  condition: 'until > clock_timestamp()',
  // A revocation must not wait.
  perOrganizationMax: 1_000_000,
};
