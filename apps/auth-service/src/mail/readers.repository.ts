import type { Unscoped } from '../database.ts';
import type { Reader } from './letter.ts';

const select = { language: true, timeZone: true };

/** How the holders of accounts want to be written to. */
export class ReadersRepository {
  /** Undefined for an address without an account. */
  async findByEmail({ prisma }: Unscoped, email: string): Promise<Reader | undefined> {
    return (await prisma.user.findFirst({ where: { email }, select })) ?? undefined;
  }

  async find({ prisma }: Unscoped, id: string): Promise<Reader | undefined> {
    return (await prisma.user.findFirst({ where: { id }, select })) ?? undefined;
  }
}
