import type { Audit } from '@tenantry/business-service';

/** Audit actions of quotes and customers. */
export const quotationActions = [
  'customer.updated',
  'customer.erased',
  'quote.created',
  'quote.updated',
  'quote.deleted',
  'quote.sent',
  'quote.accepted',
  'quote.rejected',
  'quote.revised',
  'quote.duplicated',
  'contract.created',
  'quote.resent',
  'quote.linked',
  'work-package.added',
  'work-package.updated',
  'work-package.removed',
  'work-package.reordered',
  'line-item.added',
  'line-item.updated',
  'line-item.removed',
  'line-item.reordered',
] as const;

/** The fields of a quote, a work package and a customer whose changes are recorded. */
export const auditedFields = [
  ...(['customerId', 'customerName', 'customerEmail', 'title', 'description'] as const),
  ...(['currency', 'vatRate', 'vatExemptionReason', 'validUntil'] as const),
  ...(['name', 'email', 'language'] as const),
] as const;

/** One of {@link quotationActions}. */
export type QuotationAction = (typeof quotationActions)[number];

/** The audit trail of quotes. */
export type QuotationAudit = Audit<QuotationAction, (typeof auditedFields)[number]>;

/** A quote, as the trail names it. */
export const quoteTarget = ({ id, number }: { readonly id: string; readonly number: string }) => ({
  type: 'quote',
  id,
  name: number,
});

/** A customer, likewise. */
export const customerTarget = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  type: 'customer',
  id,
  ...(name !== '' && { name }),
});
