import { statement } from '@tenantry/tenancy';
import type { Transaction, Unscoped } from '../../database.ts';
import type { FeedTable } from '../../events/index.ts';
import type { Revocation, RevocationNews } from './revocation.ts';

/** Where verifiers find what is revoked, and from when on the tokens of those concerned are issued. */
export interface RevocationsRepository {
  insert(tx: Transaction, revocation: Revocation, news: RevocationNews): Promise<void>;
  /** As {@link RevocationsRepository.insert}, for every member of the scope's organization. */
  insertForMembers(tx: Transaction, news: RevocationNews): Promise<void>;
  /** Deletes what no living token can be concerned by. */
  sweep(pool: Unscoped): Promise<void>;
}

const postponeTokens = statement<never, [issuedBefore: Date | null]>({
  name: 'members-postpone-tokens',
  text: 'UPDATE members SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1',
});
const revokeMembers = statement<never, [issuedBefore: Date | null, until: Date]>({
  name: 'members-revoke',
  text: `
    INSERT INTO revocations (kind, sub, organization, issued_before, until)
    SELECT 'member', user_id, organization_id, $2, $3 FROM members WHERE organization_id = $1`,
});

/** Revocations in PostgreSQL. */
export function createRevocationsRepository(): RevocationsRepository {
  return {
    async insert({ prisma }, revocation, { issuedBefore, until }) {
      const { kind, userId } = revocation;
      const sid = kind === 'session' ? revocation.sessionId : null;
      const organization = kind === 'member' ? revocation.organizationId : null;

      if (issuedBefore !== null) {
        const later = { OR: [{ tokensFrom: null }, { tokensFrom: { lt: issuedBefore } }] };
        const data = { tokensFrom: issuedBefore };
        if (organization === null) await prisma.user.updateMany({ where: { id: userId, ...later }, data });
        else {
          await prisma.member.updateMany({
            where: { organizationId: organization, userId, ...later },
            data,
          });
        }
      }
      await prisma.revocation.create({ data: { kind, sid, sub: userId, organization, issuedBefore, until } });
    },

    async insertForMembers(tx, { issuedBefore, until }) {
      await tx.query(postponeTokens, [issuedBefore]);
      await tx.query(revokeMembers, [issuedBefore, until]);
    },

    async sweep(pool) {
      await pool.query('DELETE FROM revocations WHERE until < clock_timestamp()');
    },
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
