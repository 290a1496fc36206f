import { describedStatements } from '@tenantry/tenancy';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement } = describedStatements<Statements>('field-notes-service', { times: 'text' });

/** What a request asks: the organization's rows, with the actor and the time of a change. */
export type { Context, Requests, Tenant } from '@tenantry/service/business';
/** The rows of an organization, in a transaction or outside of one, and a transaction, whose queries take effect together. */
export type { OrganizationRows as Rows, OrganizationTransaction as Transaction } from '@tenantry/tenancy';
/** The service's database. */
export type { TenantDatabase as Database } from '@tenantry/tenancy';
