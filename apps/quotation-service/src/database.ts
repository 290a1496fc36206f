import type * as business from '@tenantry/business-service';
import type { AccountActor, Actor } from '@tenantry/service-kit/resources';
import {
  describedStatements,
  type OrganizationRows,
  type OrganizationTransaction,
  type TenantDatabase,
} from '@tenantry/tenancy';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement, unscopedStatement } = describedStatements<Statements>('quotation-service', {
  times: 'text',
});

/** What reads models. */
export type Client = PrismaClient;

/** The service's database. */
export type Database = TenantDatabase<PrismaClient>;

/** The rows of an organization, each query on its own. */
export type Tenant = business.Tenant<PrismaClient>;

/** Gives the rows of the organization in whose name a request comes. */
export type TenantOf = business.TenantOf<PrismaClient>;

/** Who changes something in an organization, and when. */
export type Context<By extends Actor = AccountActor> = business.Context<PrismaClient, By>;

/** Gives the context of a request. */
export type ContextOf = business.ContextOf<PrismaClient>;

/** Whether a request has been answered under its Idempotency-Key: then nothing is prepared for it. */
export type IsAnswered = business.BusinessParts<PrismaClient>['isAnswered'];

/** The rows of an organization, in a transaction or outside of one. */
export type Rows = OrganizationRows<PrismaClient>;

/** What runs in it takes effect together. */
export type Transaction = OrganizationTransaction<PrismaClient>;

/** Copies of data in auth-service. */
export type Projection = business.Projection<PrismaClient>;
