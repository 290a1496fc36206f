import type * as business from '@tenantry/service/business';
import { describedStatements, type OrganizationRows, type OrganizationTransaction } from '@tenantry/tenancy';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement } = describedStatements<Statements>('leads-service', {
  times: 'text',
});

/** The rows of an organization, each query on its own. */
export type Tenant = business.Tenant<PrismaClient>;

/** The organization, actor and time of a change. */
export type Context = business.Context<PrismaClient>;

/** What routes ask about a request. */
export type Requests = business.Requests<PrismaClient>;

/** The rows of an organization, in a transaction or outside of one. */
export type Rows = OrganizationRows<PrismaClient>;

/** A transaction: its queries take effect together. */
export type Transaction = OrganizationTransaction<PrismaClient>;
