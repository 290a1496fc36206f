import type { PageRequest } from '@tenantry/service/business';
import type { Language } from '../wording/languages.ts';

/** A customer. Times are ISO 8601 UTC. */
export interface Customer {
  /** Chosen by the client: a lead's id for example. */
  readonly id: string;
  /** Empty until it is known. */
  readonly name: string;
  readonly email: string | null;
  /** Of its letters; null if not set. */
  readonly language: Language | null;
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

/** Changed fields; null clears address and language, absent ones are unchanged. */
export interface CustomerChanges {
  readonly name?: string;
  readonly email?: string | null;
  readonly language?: Language | null;
}

/** The order of a list; a leading hyphen reverses it. */
export const customerOrders = ['name', '-name'] as const;

/** Selects a page of customers. */
export interface CustomerListQuery extends PageRequest {
  readonly sort: (typeof customerOrders)[number];
  /** Any part of name or e-mail; case and accents do not matter. */
  readonly search?: string;
}
