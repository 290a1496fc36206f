import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { afterAll } from 'vitest';

/** The queries of `work` by their names, or their text where they have none; binding a connection to a scope is none. */
export type QueriesOf = (work: () => Promise<unknown>) => Promise<string[]>;

type Asked = string | { readonly name?: string; readonly text: string };

function nameOf(asked: Asked): string {
  if (typeof asked === 'string') return asked;
  const { name = asked.text, text } = asked;
  return name.startsWith('tenancy-') ? text : name;
}

/** Listens to every connection of the process until the file's tests are over. */
export function listenToQueries(): QueriesOf {
  const heard = new AsyncLocalStorage<string[]>();
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [Asked | { readonly queries: readonly Asked[] }];
    const all = typeof asked === 'object' && 'queries' in asked ? asked.queries : [asked];
    heard.getStore()?.push(...all.map(nameOf));
    return Reflect.apply(query, this, args) as never;
  };
  afterAll(() => {
    pg.Client.prototype.query = query;
  });

  return async (work) => {
    const queries: string[] = [];
    await heard.run(queries, work);
    return queries.filter((asked) => !/set_config/.test(asked));
  };
}
