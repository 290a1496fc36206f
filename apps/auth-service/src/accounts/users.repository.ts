import { isUniqueViolation, type AuthDatabase, type Transaction } from '../database.ts';
import type { SessionUser } from '../sessions/session.ts';
import { userAlreadyExists } from './users.errors.ts';

/** An account about to be made. */
export interface NewUser extends SessionUser {
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
}

/** Where users are kept. */
export interface UsersRepository {
  transaction<Result>(
    scope: { readonly userId: string; readonly organizationId?: string },
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result>;
  /** @throws USER_ALREADY_EXISTS */
  insert(tx: Transaction, user: NewUser): Promise<void>;
}

/** Users in PostgreSQL. */
export function createUsersRepository(database: AuthDatabase): UsersRepository {
  return {
    transaction: (scope, work) => database.within(scope).transaction(work),

    async insert(tx, { createdAt, ...user }) {
      try {
        await tx.prisma.user.create({ data: { ...user, createdAt, updatedAt: createdAt } });
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
