import { TenantDatabase } from '@tenantry/tenancy';

/** A named statement. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/** A list as a service queries it: a statement and its values from `$2` on, or a search. */
export interface AskedList {
  /** Reads every row where it is a search. */
  readonly statement: Named;
  readonly values: readonly unknown[];
  readonly search?: { readonly term: string; readonly indexed: Named; readonly sample: Named };
}

/** The function by which a service answers a list. */
export type ListQuery = (rows: unknown, query: object) => Promise<{ readonly total?: number }[]>;

interface AskedSearch {
  readonly scan: Named;
  readonly indexed: Named;
  readonly text: { readonly sample: Named };
}

/** What a service's own code asks its rows for to answer a list. */
export function askedList(list: ListQuery, query: object): AskedList {
  let asked: AskedList | undefined;
  const rows = {
    query(statement: Named, values: readonly unknown[]) {
      asked = { statement, values };
      return Promise.resolve([]);
    },
    search({ scan, indexed, text }: AskedSearch, term: string, values: readonly unknown[]) {
      asked = { statement: scan, values, search: { term, indexed, sample: text.sample } };
      return Promise.resolve([]);
    },
  };
  void list(rows, query);
  if (!asked) throw new Error('The list asked for nothing.');
  return asked;
}

/** Reaches a service's rows as the service does, by statements alone. */
export function openRows(connectionString: string): TenantDatabase {
  return new TenantDatabase({
    connectionString,
    poolSize: 1,
    timeouts: { statementMs: 60_000, answerMs: 60_000 },
    models: { ModelName: {} },
    prisma: () => ({ $extends: () => undefined, $disconnect: () => Promise.resolve() }),
  });
}
