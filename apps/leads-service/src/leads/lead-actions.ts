/** Audit actions of leads. */
export const leadActions = [
  'lead.created',
  'lead.updated',
  'lead.deleted',
  'lead.restored',
  'lead.erased',
  'lead.purged',
  'lead.imported',
] as const;

/** One of {@link leadActions}. */
export type LeadAction = (typeof leadActions)[number];
