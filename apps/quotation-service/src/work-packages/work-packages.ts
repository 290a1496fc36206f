import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Tenant } from '../database.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import { tooManyWorkPackages } from './work-packages.errors.ts';
import type { WorkPackageContent, WorkPackageRepository } from './work-packages.repository.ts';

/** What can be done with the work packages of a draft. */
export interface WorkPackages {
  /** Adds a package behind the others, and gives its id. */
  add(tenant: Tenant, quote: QuoteTarget, content: WorkPackageContent): Promise<string>;
}

/** What the use cases of work packages need. */
export interface WorkPackagesOptions {
  readonly repository: WorkPackageRepository;
  readonly locked: LockedQuotes;
  readonly audit: QuotationAudit;
}

/** Makes the use cases of work packages. */
export function createWorkPackages({ repository, locked, audit }: WorkPackagesOptions): WorkPackages {
  return {
    add: (tenant, target, content) =>
      locked.withDraft(tenant, target, async (tx, quote) => {
        const id = await repository.insert(tx, quote.id, content);
        if (id === undefined) throw tooManyWorkPackages();
        await locked.addToSubtotal(tx, quote, 0);
        await audit.record(tx, {
          actorUserId: target.actorUserId,
          action: 'work-package.added',
          target: quoteTarget(quote.id),
          details: { workPackageId: id },
        });
        return id;
      }),
  };
}
