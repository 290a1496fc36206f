import type { Transaction } from '../database.ts';
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
