import type { PageRequest } from '@tenantry/service/business';
import type { Language } from '../wording/languages.ts';

/** What people say about a customer; null where nobody has. */
export interface CustomerFields {
  /** Empty until it is known. */
  readonly name: string;
  readonly email: string | null;
  /** Several lines. */
  readonly address: string | null;
  /** As `tidyVatNumber` writes it. */
  readonly vatNumber: string | null;
  /** Of its letters. */
  readonly language: Language | null;
}

/** The fields that quotes show: drafts follow them, and what was sent keeps them. */
export const quotedFields = ['name', 'email', 'address', 'vatNumber'] as const;

/** All of them, in the order in which statements take them. */
export const customerFields = [
  ...quotedFields,
  'language',
] as const satisfies readonly (keyof CustomerFields)[];

/** A customer. Times are ISO 8601 UTC. */
export interface Customer extends CustomerFields {
  /** Chosen by the client who names it in a quote, a lead's id for example; otherwise by the service. */
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Grows with every change. */
  readonly version: number;
}

/** Fields of a customer in a request about a quote; absent ones are unknown or unchanged. */
export interface NamedCustomer {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: Language | undefined;
  /** Its name in leads-service, used if none is set here. */
  readonly lead?: LeadName | undefined;
}

/** The name of a lead. */
export interface LeadName {
  readonly name: string;
  readonly email?: string;
}

/** Changed fields; null clears one, absent ones are unchanged. */
export type CustomerChanges = Partial<CustomerFields>;

/** The fields of a new customer; absent ones are unknown. */
export type NewCustomer = CustomerChanges & Pick<CustomerFields, 'name'>;

/** A customer that was written, and the earliest other with its e-mail address or VAT number. */
export interface WrittenCustomer {
  readonly customer: Customer;
  readonly duplicateOf: string | null;
}

/** The order of a list; a leading hyphen reverses it. */
export const customerOrders = ['name', '-name'] as const;

/** Selects a page of customers. */
export interface CustomerListQuery extends PageRequest {
  readonly sort: (typeof customerOrders)[number];
  /** By whose alphabet names are ordered: Swedish has å, ä and ö behind z. */
  readonly language: Language;
  /** Any part of name, e-mail, address or VAT number; case and accents do not matter. */
  readonly search?: string;
}
