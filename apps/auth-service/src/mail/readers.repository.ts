import type { Unscoped } from '../database.ts';
import type { Reader } from './letter.ts';

/** How the holders of accounts want to be written to. */
export interface ReadersRepository {
  /** Undefined for an address without an account. */
  findByEmail(rows: Unscoped, email: string): Promise<Reader | undefined>;
  find(rows: Unscoped, userId: string): Promise<Reader | undefined>;
}

const select = { language: true, timeZone: true };

/** Readers in PostgreSQL. */
export function createReadersRepository(): ReadersRepository {
  return {
    findByEmail: async ({ prisma }, email) =>
      (await prisma.user.findFirst({ where: { email }, select })) ?? undefined,
    find: async ({ prisma }, id) => (await prisma.user.findFirst({ where: { id }, select })) ?? undefined,
  };
}
