import type { api } from '@tenantry/client';
import { standingOf } from '../quote-filter.ts';

/** What can be done with a quote that was sent. */
export type QuoteAction = 'resend' | 'link' | 'revise' | 'duplicate' | 'accept' | 'reject' | 'contract';

type Standing = Pick<api.Quote, 'status' | 'validUntil' | 'supersededBy' | 'contractedAt'>;

/** What can be done with a quote as it stands at a moment, the most likely first. */
export function actionsFor(quote: Standing, now: number): readonly QuoteAction[] {
  const { supersededBy, contractedAt } = quote;
  if (supersededBy !== null) return ['duplicate'];
  switch (standingOf(quote, now)) {
    case 'draft':
      return ['duplicate'];
    case 'sent':
      return ['link', 'resend', 'accept', 'reject', 'revise', 'duplicate'];
    case 'expired':
      return ['revise', 'reject', 'duplicate'];
    case 'accepted':
      return contractedAt === null ? ['contract', 'duplicate'] : ['duplicate'];
    case 'rejected':
      return ['revise', 'duplicate'];
  }
}

/** What takes a quote on: while its customer has it, that is for them to do. */
export const isNextStep = (action: QuoteAction): boolean => action === 'revise' || action === 'contract';
