import type * as business from '@tenantry/service/business';
import type { TenantDatabase } from '@tenantry/tenancy';
import { describedStatements, type OrganizationRows, type OrganizationTransaction } from '@tenantry/tenancy';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement } = describedStatements<Statements>('field-notes-service', { times: 'text' });

/** The service's database. */
export type Database = TenantDatabase<PrismaClient>;

/** The rows of an organization, each query on its own. */
export type Tenant = business.Tenant<PrismaClient>;

/** Who changes something in an organization, and when. */
export type Context = business.Context<PrismaClient>;

/** What routes ask about a request. */
export type Requests = business.Requests<PrismaClient>;

/** The rows of an organization, in a transaction or outside of one. */
export type Rows = OrganizationRows<PrismaClient>;

/** What runs in it takes effect together. */
export type Transaction = OrganizationTransaction<PrismaClient>;
