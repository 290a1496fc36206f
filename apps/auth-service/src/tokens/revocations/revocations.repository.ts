import { statement, unscopedStatement } from '@tenantry/tenancy';
import type { Transaction, Unscoped } from '../../database.ts';
import type { FeedTable } from '../../events/index.ts';
import { defineSweep } from '../../ground/index.ts';
import type { Revocation, RevocationNews } from './revocation.ts';

/** Where verifiers find what is revoked, and from when on the tokens of those concerned are issued. */
export interface RevocationsRepository {
  insert(tx: Transaction, revocation: Revocation, news: RevocationNews): Promise<void>;
  /** As {@link RevocationsRepository.insert}, for every member of the scope's organization. */
  insertForMembers(tx: Transaction, news: RevocationNews): Promise<void>;
  /** Deletes what no living token can be concerned by. */
  sweep(rows: Unscoped): Promise<boolean>;
}

const revokeSession = unscopedStatement<never, [userId: string, sessionId: string, until: Date]>({
  name: 'revocation-of-session',
  text: `INSERT INTO revocations (kind, sub, sid, until) VALUES ('session', $1, $2, $3)`,
});

const revokeUser = unscopedStatement<never, [userId: string, issuedBefore: Date | null, until: Date]>({
  name: 'revocation-of-user',
  text: `
    WITH postponed AS (UPDATE users SET tokens_from = greatest(tokens_from, $2) WHERE id = $1)
    INSERT INTO revocations (kind, sub, issued_before, until) VALUES ('user', $1, $2, $3)`,
});

const revokeMember = statement<never, [userId: string, issuedBefore: Date | null, until: Date]>({
  name: 'revocation-of-member',
  text: `
    WITH postponed AS (
      UPDATE members SET tokens_from = greatest(tokens_from, $3) WHERE organization_id = $1 AND user_id = $2)
    INSERT INTO revocations (kind, organization, sub, issued_before, until) VALUES ('member', $1, $2, $3, $4)`,
});

const revokeMembers = statement<never, [issuedBefore: Date | null, until: Date]>({
  name: 'revocation-of-members',
  text: `
    WITH postponed AS (
      UPDATE members SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1 RETURNING user_id)
    INSERT INTO revocations (kind, organization, sub, issued_before, until)
    SELECT 'member', $1, user_id, $2, $3 FROM postponed`,
});

const sweepRevocations = defineSweep({
  table: 'revocations',
  over: 'until < statement_timestamp()',
  by: 'until',
});

/** Revocations in PostgreSQL. */
export function createRevocationsRepository(): RevocationsRepository {
  return {
    async insert(tx, revocation, { issuedBefore, until }) {
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
    },

    async insertForMembers(tx, { issuedBefore, until }) {
      await tx.query(revokeMembers, [issuedBefore, until]);
    },

    sweep: (rows) => sweepRevocations(rows),
  };
}

/** The revocations in force, in the form that libs/jwt-verify reads. */
export const revocationsTable: FeedTable = {
  table: 'revocations',
  value: `json_strip_nulls(json_build_object('kind', kind, 'sid', sid,
    'sub', CASE WHEN kind <> 'session' THEN sub END, 'organizationId', organization,
    'issuedBefore', extract(epoch FROM issued_before)::bigint, 'until', ceil(extract(epoch FROM until))::bigint))`,
  condition: 'until > clock_timestamp()',
};
