import type { Transaction } from '../database.ts';
import type { FeedTable } from '../feeds/feed.repository.ts';
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

/** The news in force, in the form that libs/jwt-verify reads. */
export const revocationsTable: FeedTable = {
  table: 'revocations',
  value: `json_strip_nulls(json_build_object('kind', kind, 'sid', sid,
    'sub', CASE WHEN kind <> 'session' THEN sub END, 'organizationId', organization,
    'issuedBefore', extract(epoch FROM issued_before)::bigint, 'until', ceil(extract(epoch FROM until))::bigint))`,
  condition: 'until > clock_timestamp()',
};
