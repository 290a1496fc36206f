import type { Audit } from '@tenantry/business-service';

/** What the audit trail records of quotes and their customers. */
export const quotationActions = [
  'customer.updated',
  'quote.created',
  'quote.sent',
  'work-package.added',
  'line-item.added',
] as const;

/** The audit trail of quotes. */
export type QuotationAudit = Audit<(typeof quotationActions)[number]>;

/** A quote, as the trail names it. */
export const quoteTarget = (id: string) => ({ type: 'quote', id });
