import type { Audit } from '@tenantry/service/audit';

/** Audit actions of quotes and customers. */
export const quotationActions = [
  'customer.created',
  'customer.updated',
  'customer.erased',
  'customer.imported',
  'customer.import-undone',
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

/** One of {@link quotationActions}. */
export type QuotationAction = (typeof quotationActions)[number];

/** The audit trail of quotes. */
export type QuotationAudit = Audit<QuotationAction>;

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
