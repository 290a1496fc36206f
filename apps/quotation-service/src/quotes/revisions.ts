import type { Page, PageRequest } from '@tenantry/service/business';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Tenant, Transaction } from '../database.ts';
import type { OrganizationSettings } from '../settings/organization-settings.ts';
import { yearIn } from '../wording/time-zone.ts';
import type { Counted, LockedQuotes, QuoteTarget } from './locked-quotes.ts';
import { textBytesMax, tooMuchText } from './quote-text.ts';
import { quoteNotFound, quoteSuperseded, quoteUnrevisable } from './quotes.errors.ts';
import type { QuoteCustomer, QuoteRepository } from './quotes.repository.ts';
import type { Quote } from './quote.ts';
import type { ListedRevision, Revision, RevisionRepository } from './revisions.repository.ts';
import { revisedValidity, standardValidity } from './validity.ts';

export interface RevisionsOptions {
  readonly repository: RevisionRepository;
  readonly quotes: Pick<QuoteRepository, 'insert' | 'setSums'>;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

/** The revisions of a quote, and new drafts of it. */
export class Revisions {
  readonly #options: RevisionsOptions;

  constructor(options: RevisionsOptions) {
    this.#options = options;
  }

  /** A page of all revisions of a quote, given the id of any, the latest first. */
  async list(tenant: Tenant, id: string, page: PageRequest): Promise<Page<ListedRevision>> {
    const found = await this.#options.repository.page(tenant, id, page);
    if (found.total === 0) throw quoteNotFound();
    return found;
  }

  /** Creates a draft with the same number, which replaces a sent or rejected one. */
  revise(
    { tenant, actor, now }: Context,
    target: QuoteTarget,
    { timeZone }: OrganizationSettings,
  ): Promise<Revision> {
    const { repository, audit } = this.#options;
    return this.#withBoth(tenant, target, async (tx, quote, customer) => {
      if (quote.supersededBy !== null) throw quoteSuperseded();
      if (quote.status !== 'sent' && quote.status !== 'rejected') throw quoteUnrevisable();
      const validUntil = revisedValidity(quote, now, timeZone);
      const revision = await repository.insert(tx, quote.id, {
        customer,
        validUntil,
        textBytes: quote.textBytes,
      });
      await repository.copyContent(tx, quote.id, revision.id);
      await audit.record(tx, {
        actor,
        action: 'quote.revised',
        target: quoteTarget(quote),
        details: { revisionId: revision.id },
      });
      return revision;
    });
  }

  /** Copies a quote of any status into a draft with a new number. */
  duplicate(
    { tenant, actor, now }: Context,
    target: QuoteTarget,
    { timeZone, numberPrefix }: OrganizationSettings,
  ): Promise<Pick<Quote, 'id' | 'number'>> {
    const { repository, quotes, audit } = this.#options;
    return this.#withBoth(tenant, target, async (tx, quote, customer) => {
      const { title, description, currency, vatRate, vatExemptionReason } = quote;
      const copy = await quotes.insert(tx, {
        title,
        description,
        currency,
        vatRate,
        vatExemptionReason,
        customer,
        numberPrefix,
        validUntil: standardValidity(now, timeZone),
        year: yearIn(timeZone, now),
      });
      await repository.copyContent(tx, quote.id, copy.id);
      await quotes.setSums(tx, copy.id, quote);
      await audit.record(tx, {
        actor,
        action: 'quote.duplicated',
        target: quoteTarget(quote),
        details: { copyId: copy.id },
      });
      return copy;
    });
  }

  /** Runs `work` with the source of a new draft. */
  #withBoth<Result>(
    tenant: Tenant,
    target: QuoteTarget,
    work: (tx: Transaction, quote: Counted, customer: QuoteCustomer) => Promise<Result>,
  ): Promise<Result> {
    const { locked } = this.#options;
    return locked.withCustomer(tenant, target, async (tx, quote, customer) => {
      const counted = await locked.count(tx, quote);
      if (counted.textBytes > textBytesMax) throw tooMuchText('workPackages');
      return work(tx, counted, customer);
    });
  }
}
