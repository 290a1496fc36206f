import { ApiError } from '@tenantry/envelope';
import { retryOnContention } from '@tenantry/service/failures';
import type { Rows, Tenant } from '../database.ts';
import type { LeadStatus } from './lead-status.ts';
import type { LeadHistoryRepository } from './lead-history.repository.ts';
import { auditTarget, type LeadAudit } from './lead.ts';
import type { LeadRepository } from './leads.repository.ts';

/** A quote that was accepted. */
export interface AcceptedQuote {
  readonly id: string;
  readonly number: string;
  /** The lead that it was made for, if its customer is one. */
  readonly leadId: string;
  readonly acceptedAt: Date;
}

/** What moves leads in the trail and in their history. */
export const acceptedQuoteActor = { kind: 'job', name: 'accepted-quote' } as const;

export interface AcceptedQuotesOptions {
  readonly repository: Pick<LeadRepository, 'findForUpdate' | 'update'>;
  readonly history: LeadHistoryRepository;
  /** Whether the organization has its accepted quotes move a lead from where it stands to won. */
  readonly mayWin: (rows: Rows, from: LeadStatus) => Promise<boolean>;
  readonly audit: LeadAudit;
}

/** Accepted quotes move their leads to won. */
export class AcceptedQuotes {
  readonly #options: AcceptedQuotesOptions;

  constructor(options: AcceptedQuotesOptions) {
    this.#options = options;
  }

  /**
   * Moves the lead of an accepted quote to won where the organization lets it. A lead that has moved since the acceptance stays
   * where it was put, so a repetition does nothing, however late it comes.
   *
   * @throws NOT_FOUND for an organization that was deleted: when it is restored, the acceptance still holds.
   */
  async apply(tenant: Tenant, { leadId, acceptedAt, ...quote }: AcceptedQuote): Promise<void> {
    const { repository, history, mayWin, audit } = this.#options;
    await retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const found = await repository.findForUpdate(tx, leadId);
        if (!found || found.isDeleted || found.lead.status === 'won') return;
        if (!(await mayWin(tx, found.lead.status))) return;
        const since = await history.since(tx, leadId, { quoteId: quote.id, at: acceptedAt });
        if (since.hasEnded) throw organizationEnded();
        if (since.hasMoved) return;
        const { status: from } = found.lead;
        const lead = await repository.update(tx, { ...found.lead, status: 'won' });
        await history.record(tx, { leadId, from, to: 'won', quote });
        await audit.recordChange(tx, {
          actor: acceptedQuoteActor,
          action: 'lead.won-by-quote',
          target: auditTarget(lead),
          details: { quoteId: quote.id, quoteNumber: quote.number },
          before: found.lead,
          after: lead,
        });
      }),
    );
  }
}

const organizationEnded = () => new ApiError('NOT_FOUND', 'The organization was deleted.');
