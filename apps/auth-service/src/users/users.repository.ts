import { isUniqueViolation, type Transaction } from '../database.ts';
import type { SessionUser } from '../sessions/session.ts';
import { userAlreadyExists } from './users.errors.ts';

/** Where users are kept. */
export interface UsersRepository {
  /** @throws USER_ALREADY_EXISTS */
  insert(tx: Transaction, user: SessionUser & { readonly createdAt: Date }): Promise<void>;
}

/** Users in PostgreSQL. */
export function createUsersRepository(): UsersRepository {
  return {
    async insert(tx, { id, email, name, createdAt }) {
      try {
        await tx.prisma.user.create({ data: { id, email, name, createdAt, updatedAt: createdAt } });
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
