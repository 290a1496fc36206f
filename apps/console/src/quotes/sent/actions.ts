import type { api } from '@tenantry/client';

/** What can be done with a quote that was sent. */
export type QuoteAction = 'resend' | 'link' | 'revise' | 'duplicate' | 'accept' | 'reject' | 'contract';

type Standing = Pick<api.Quote, 'status' | 'supersededBy' | 'contractedAt'>;

/** What can be done with a quote as it stands, the most likely first. */
export function actionsFor({ status, supersededBy, contractedAt }: Standing): readonly QuoteAction[] {
  if (supersededBy !== null) return ['duplicate'];
  switch (status) {
    case 'draft':
      return ['duplicate'];
    case 'sent':
      return ['resend', 'link', 'accept', 'reject', 'revise', 'duplicate'];
    case 'accepted':
      return contractedAt === null ? ['contract', 'duplicate'] : ['duplicate'];
    case 'rejected':
      return ['revise', 'duplicate'];
  }
}
