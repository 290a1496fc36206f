import { describedStatements, modelsOf } from '@tenantry/tenancy';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement, unscopedStatement } = describedStatements<Statements>('quotation-service', {
  times: 'text',
});

/** The Prisma models of rows. */
export const models = modelsOf<PrismaClient>();

/** What a request asks: the organization's rows, with the actor and the time of a change. */
export type { Context, Requests, Tenant } from '@tenantry/service/business';
/** The rows of an organization, in a transaction or outside of one, and a transaction, whose queries take effect together. */
export type { OrganizationRows as Rows, OrganizationTransaction as Transaction } from '@tenantry/tenancy';
/** Copies of data in auth-service. */
export type { Projection } from '@tenantry/service/events';
