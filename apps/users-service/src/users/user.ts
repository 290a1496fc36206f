import type { PageRequest } from '@tenantry/service/business';
import type { DividedName, WholeName } from './names.ts';

/** A user as the directory of an organization shows them. Times are ISO 8601 UTC. */
export interface User extends DividedName {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  /** The account is disabled. */
  readonly disabled: boolean;
  /** In the organization, as auth-service names it. */
  readonly role: string;
}

/** A user with what a change needs to know; `version` grows with every change. */
export interface Profile extends User {
  readonly version: number;
  /** The name as the account has it. */
  readonly whole: WholeName;
}

/** The fields of a new user. */
export interface NewUser extends DividedName {
  readonly email: string;
  readonly password: string;
}

/** The order of a list; a leading hyphen reverses it. */
export const userOrders = ['name', '-name', 'email', '-email', 'createdAt', '-createdAt'] as const;
export type UserOrder = (typeof userOrders)[number];

/** Selects a page of users. */
export interface UserListQuery extends PageRequest {
  readonly sort: UserOrder;
  /** Any part of name or e-mail; case and accents do not matter. */
  readonly search?: string;
}
