import { statement } from '@tenantry/tenancy';
import type { Transaction } from '../../database.ts';
import type { FeedTable } from '../../events/feeds/feed.repository.ts';
import type { Revocation, RevocationNews } from './revocation.ts';

/** Writes the news, and from when on the tokens of those concerned are issued. */
export async function insertRevocation(
  { prisma }: Transaction,
  revocation: Revocation,
  { issuedBefore, until }: RevocationNews,
): Promise<void> {
  const { kind, userId } = revocation;
  const sid = kind === 'session' ? revocation.sessionId : null;
  const organization = kind === 'member' ? revocation.organizationId : null;

  if (issuedBefore !== null) {
    const later = { OR: [{ tokensFrom: null }, { tokensFrom: { lt: issuedBefore } }] };
    const data = { tokensFrom: issuedBefore };
    if (organization === null) await prisma.user.updateMany({ where: { id: userId, ...later }, data });
    else {
      await prisma.member.updateMany({ where: { organizationId: organization, userId, ...later }, data });
    }
  }
  await prisma.revocation.create({ data: { kind, sid, sub: userId, organization, issuedBefore, until } });
}

const holdTokens = statement<never, [issuedBefore: Date | null]>({
  name: 'members-hold-tokens',
  text: 'UPDATE members SET tokens_from = greatest(tokens_from, $2) WHERE organization_id = $1',
});
const revokeMembers = statement<never, [issuedBefore: Date | null, until: Date]>({
  name: 'members-revoke',
  text: `
    INSERT INTO revocations (kind, sub, organization, issued_before, until)
    SELECT 'member', user_id, organization_id, $2, $3 FROM members WHERE organization_id = $1`,
});

/** As {@link insertRevocation}, for every member of the scope's organization. */
export async function insertMemberRevocations(
  tx: Transaction,
  { issuedBefore, until }: RevocationNews,
): Promise<void> {
  await tx.query(holdTokens, [issuedBefore]);
  await tx.query(revokeMembers, [issuedBefore, until]);
}

/** The news in force, in the form that libs/jwt-verify reads. */
export const revocationsTable: FeedTable = {
  table: 'revocations',
  value: `json_strip_nulls(json_build_object('kind', kind, 'sid', sid,
    'sub', CASE WHEN kind <> 'session' THEN sub END, 'organizationId', organization,
    'issuedBefore', extract(epoch FROM issued_before)::bigint, 'until', ceil(extract(epoch FROM until))::bigint))`,
  condition: 'until > clock_timestamp()',
};
