import { ApiError } from '@tenantry/envelope';
import type { OrganizationTransaction as Transaction, Page, PageRequest } from '@tenantry/tenancy';
import type { AccountActor } from '../resources/actors.ts';
import type { Context } from '../tenants/context.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { dailySweep, type Chores } from '../work/housekeeping.ts';
import { importMsMax } from './import-limits.ts';
import {
  importsForgottenAtOnce,
  type ImportPart,
  type ImportsRepository,
  type PastImport,
  type TouchedItem,
  type UndonePart,
} from './imports.repository.ts';

/** The kind of due work that forgets old imports. */
export const pastImportsKind = 'past-imports';
/** How long an import can be taken back. */
export const undoDays = 30;
const namedMax = 100;

export const importNotFound = () => new ApiError('NOT_FOUND', 'No import has this id.');

/** What was taken back. */
export interface Undoing {
  readonly undone: number;
  /** What stays, because it was changed. */
  readonly kept: number;
  /** The first hundred of these. */
  readonly named: readonly TouchedItem[];
}

export interface PastImportsOptions {
  readonly imports: ImportsRepository;
  /** Takes back what is untouched of a part. */
  readonly undo: (tx: Transaction, part: ImportPart) => Promise<UndonePart>;
  /** Notes in the trail what was taken back, and what else comes with it. */
  readonly recordUndoing: (
    tx: Transaction,
    actor: AccountActor,
    counts: Pick<Undoing, 'undone' | 'kept'>,
  ) => Promise<void>;
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
   * Takes an import back: what nobody has changed since is deleted, and what was filled is emptied. What was changed stays. Once
   * more, it takes back what has become untouched, which is nothing.
   *
   * @throws NOT_FOUND
   */
  async undo({ tenant, actor }: Context, id: string): Promise<Undoing> {
    const { imports, undo, recordUndoing } = this.#options;
    return tenant.transaction(
      async (tx) => {
        if (!(await imports.find(tx, id))) throw importNotFound();
        await imports.lock(tx, id);
        let [undone, kept] = [0, 0];
        const named: TouchedItem[] = [];
        for await (const part of imports.parts(tx, id)) {
          const done = await undo(tx, part);
          undone += done.undone;
          kept += done.kept.length;
          named.push(...done.kept.slice(0, namedMax - named.length));
        }
        if (undone > 0) {
          await imports.noteUndone(tx, id, undone);
          await recordUndoing(tx, actor, { undone, kept });
        }
        return { undone, kept, named };
      },
      { limitMs: importMsMax },
    );
  }
}

/** Forgets imports, and what their rows became, once they can no longer be taken back. */
export const pastImportsChores = (imports: ImportsRepository): Chores => ({
  [pastImportsKind]: dailySweep(importsForgottenAtOnce, (tenant) => imports.purge(tenant, undoDays)),
});
