import type { Tenant } from '../database.ts';
import type { LeadBatchQuery, ReadLeadBatches } from '../leads/lead-batches.ts';
import type { Lead } from '../leads/lead.ts';
import { csvText } from './csv.ts';
import type { Turns } from './turns.ts';

/**
 * Writes the leads of a query into a file. What it gives has begun already, so that whatever can go wrong at the
 * beginning has; end it by its return() where it is not read to its end.
 */
export type ExportLeads = (tenant: Tenant, query: LeadBatchQuery) => Promise<BegunFile>;

/** The first text of a file, and the rest of it as it is read. */
export interface BegunFile {
  readonly begin: string;
  readonly rest: AsyncGenerator<string>;
}

/** What exports need. */
export interface LeadExportDependencies {
  readonly readBatches: ReadLeadBatches;
  readonly turns: Turns;
}

/** The columns of a file. */
export const exportedColumns = [
  ...(['id', 'name', 'email', 'phone', 'status', 'source', 'notes'] as const),
  ...(['createdAt', 'updatedAt'] as const),
] as const satisfies readonly (keyof Lead)[];

/** Makes the use case of exports: a file is of one moment, and never in memory as a whole. */
export function createLeadExport({ readBatches, turns }: LeadExportDependencies): ExportLeads {
  async function* write(tenant: Tenant, query: LeadBatchQuery): AsyncGenerator<string> {
    const giveBack = turns.take();
    try {
      let header = csvText([exportedColumns]);
      for await (const leads of readBatches(tenant, query)) {
        yield header + csvText(leads.map((lead) => exportedColumns.map((column) => lead[column])));
        header = '';
      }
      if (header !== '') yield header;
    } finally {
      giveBack();
    }
  }

  return async (tenant, query) => {
    const rest = write(tenant, query);
    const first = await rest.next();
    return { begin: first.done ? '' : first.value, rest };
  };
}
