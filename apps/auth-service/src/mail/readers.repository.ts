import { unscopedStatement, type Unscoped } from '../database.ts';
import type { Reader } from './letter.ts';

/** How the holders of accounts want to be written to. */
export interface ReadersRepository {
  /** Undefined for an address without an account. */
  findByEmail(rows: Unscoped, email: string): Promise<Reader | undefined>;
  find(rows: Unscoped, userId: string): Promise<Reader | undefined>;
}

const columns = 'language, time_zone AS "timeZone"';

const readerByEmail = unscopedStatement({
  name: 'reader-by-email',
  text: `SELECT ${columns} FROM users WHERE email = $1`,
});

const readerById = unscopedStatement({
  name: 'reader-by-id',
  text: `SELECT ${columns} FROM users WHERE id = $1`,
});

/** Readers in PostgreSQL. */
export function createReadersRepository(): ReadersRepository {
  return {
    findByEmail: async (rows, email) => (await rows.query(readerByEmail, [email]))[0],
    find: async (rows, userId) => (await rows.query(readerById, [userId]))[0],
  };
}
