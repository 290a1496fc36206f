import { ApiError } from '@tenantry/envelope';
import type { Page, PageRequest } from '@tenantry/service/business';
import { daySeconds, dailySweep, type Chores, type ScheduleWork } from '@tenantry/service/work';
import type { Context, Tenant } from '../database.ts';
import { purgeKind } from '../leads/deleted-leads.ts';
import type { LeadAudit } from '../leads/lead.ts';
import {
  purgeBatch,
  type LeadImportRepository,
  type PastImport,
  type TouchedLead,
} from './lead-imports.repository.ts';
import { importMsMax } from './import-limits.ts';

/** The kind of due work that forgets old imports. */
export const pastImportsKind = 'past-imports';
/** How long an import can be taken back. */
export const undoDays = 30;
const namedMax = 100;

/** Also for another organization's import. */
export const importNotFound = () => new ApiError('NOT_FOUND', 'No import has this id.');

/** What taking an import back has done. */
export interface Undoing {
  readonly undone: number;
  /** Leads that stay, because they were changed since. */
  readonly kept: number;
  /** The first hundred of them. */
  readonly keptLeads: readonly TouchedLead[];
}

export interface PastImportsOptions {
  readonly imports: LeadImportRepository;
  readonly audit: LeadAudit;
  readonly scheduleWork: ScheduleWork;
}

/** The imports of an organization, which can be taken back. */
export class PastImports {
  readonly #options: PastImportsOptions;

  constructor(options: PastImportsOptions) {
    this.#options = options;
  }

  /** One page, newest first. */
  list(tenant: Tenant, query: PageRequest): Promise<Page<PastImport>> {
    return this.#options.imports.page(tenant, query);
  }

  async get(tenant: Tenant, id: string): Promise<PastImport> {
    const found = await this.#options.imports.find(tenant, id);
    if (!found) throw importNotFound();
    return found;
  }

  /** The rows that an import left out, as CSV, piece by piece. */
  leftOut(tenant: Tenant, id: string): AsyncGenerator<string> {
    return this.#options.imports.leftOut(tenant, id);
  }

  /**
   * Takes an import back: leads that nobody has changed since are deleted, as by DELETE, and what was filled is emptied. What was
   * changed stays. Once more, it takes back what has become untouched, which is nothing.
   *
   * @throws NOT_FOUND
   */
  async undo({ tenant, actor }: Context, id: string): Promise<Undoing> {
    const { imports, audit, scheduleWork } = this.#options;
    return tenant.transaction(
      async (tx) => {
        if (!(await imports.find(tx, id))) throw importNotFound();
        await imports.lock(tx, id);
        let [undone, kept] = [0, 0];
        const keptLeads: TouchedLead[] = [];
        for await (const part of imports.parts(tx, id)) {
          const done = await imports.undo(tx, part);
          undone += done.undone;
          kept += done.kept.length;
          keptLeads.push(...done.kept.slice(0, namedMax - keptLeads.length));
        }
        if (undone > 0) {
          await imports.noteUndone(tx, id, undone);
          await audit.record(tx, { actor, action: 'lead.import-undone', details: { leads: undone, kept } });
          const { organizationId } = tenant.scope;
          await scheduleWork(tx, { kind: purgeKind, id: organizationId, afterSeconds: daySeconds });
        }
        return { undone, kept, keptLeads };
      },
      { limitMs: importMsMax },
    );
  }
}

/** Forgets imports, and what their rows became, once they can no longer be taken back. */
export const pastImportsChores = (imports: LeadImportRepository): Chores => ({
  [pastImportsKind]: dailySweep(purgeBatch, (tenant) => imports.purge(tenant, undoDays)),
});
