import type { Client, PoolClient, PoolConfig, QueryConfig } from 'pg';
import { settings, type Binding } from './scope.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * How long a connection stays bound to a scope.
 *
 * - `connection`: until it is handed to another scope; costs nothing while the scope stays the same.
 * - `transaction`: until the end of each transaction; right behind a pooler in transaction mode (PgBouncer), where
 *   the next transaction may run on another server connection.
 */
export type BindingMode = 'connection' | 'transaction';

/** Sends statements on a connection, and gives their answer. */
export type Send<Answer> = (client: PoolClient) => Promise<Answer>;

/** What a binder is made of. */
export interface BinderOptions {
  readonly timeouts: Timeouts;
  /** Whether no transaction may write. */
  readonly readOnly: boolean;
}

/** The one place where the two modes differ. */
export interface Binder {
  /** What the mode asks of every connection. */
  readonly connectionConfig: PoolConfig;
  /** Binds a connection that is handed out, so that transactions on it run in the scope. */
  lend(client: PoolClient, binding: Binding): Promise<void>;
  /** Takes back a connection that was lent. */
  reclaim(client: PoolClient): void;
  /** Runs what `send` sends, a single statement or several, in the scope. */
  run<Answer>(client: PoolClient, binding: Binding, send: Send<Answer>): Promise<Answer>;
}

/** Makes the binder of a mode. */
export function createBinder(mode: BindingMode, options: BinderOptions): Binder {
  return mode === 'connection' ? bindConnections(options) : bindTransactions(options);
}

// One plan for all tenants. Left to itself PostgreSQL plans a statement with LIMIT $2 anew at every execution, because
// it takes an unknown limit for a tenth of the table; for a page of ten rows that costs twice the execution.
export const planCacheMode = 'force_generic_plan';

const bindStatement = `SELECT ${settings.map((name, i) => `set_config('${name}', $${i + 1}, false)`).join(', ')}`;

const rebindStatement = bindStatement.replaceAll('false', 'true');

/** Binds what is left of a transaction to another scope; the end of the transaction undoes it, in either mode. */
export async function bindWithinTransaction(client: PoolClient, binding: Binding): Promise<void> {
  await client.query({ name: 'rebind-scope', text: rebindStatement, values: [...binding] });
}

function bindConnections({ timeouts, readOnly }: BinderOptions): Binder {
  const bindings = new WeakMap<PoolClient, Binding>();

  const isBound = (client: PoolClient, binding: Binding) => {
    const bound = bindings.get(client);
    return bound?.[0] === binding[0] && bound[1] === binding[1];
  };
  const bind = async (client: PoolClient, binding: Binding) => {
    // Forgotten first: a connection whose binding failed is bound anew before anything else runs on it.
    bindings.delete(client);
    await client.query({ name: 'bind-scope', text: bindStatement, values: [...binding] });
    bindings.set(client, binding);
  };

  return {
    connectionConfig: {
      pipeline: true,
      options: `-c plan_cache_mode=${planCacheMode} -c default_transaction_read_only=${readOnly}`,
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    },
    async lend(client, binding) {
      if (!isBound(client, binding)) await bind(client, binding);
    },
    reclaim: () => undefined,
    async run(client, binding, send) {
      if (isBound(client, binding)) return send(client);
      // Sent in one round trip. Should the binding fail, the statement names one tenant and the policies let another
      // one's rows through: it finds nothing, and what it answers is not believed.
      const [bound, answer] = await sentTogether(client, () =>
        Promise.allSettled([bind(client, binding), send(client)]),
      );
      if (bound.status === 'rejected') throw bound.reason;
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    },
  };
}

function bindTransactions({ timeouts, readOnly }: BinderOptions): Binder {
  // A pooler refuses settings as start-up parameters, so they travel with BEGIN. SET LOCAL and not set_config():
  // it takes no snapshot, so SET TRANSACTION ISOLATION LEVEL may still follow. A binding is UUIDs or ''.
  const begin = (binding: Binding) =>
    [
      readOnly ? 'BEGIN READ ONLY' : 'BEGIN',
      `SET LOCAL plan_cache_mode = ${planCacheMode}`,
      `SET LOCAL statement_timeout = ${timeouts.statementMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${timeouts.idleInTransactionMs}`,
      ...settings.map((name, i) => `SET LOCAL ${name} = '${binding[i] ?? ''}'`),
    ].join('; ');

  return {
    connectionConfig: { pipeline: true },
    async lend(client, binding) {
      // Prisma begins its transactions by itself, with this very text.
      const query = client.query.bind(client) as (...call: readonly unknown[]) => unknown;
      client.query = ((config: string | QueryConfig, ...rest: readonly unknown[]) => {
        const text = typeof config === 'string' ? config : config.text;
        return text === 'BEGIN' ? query(begin(binding)) : query(config, ...rest);
      }) as typeof client.query;
    },
    reclaim(client) {
      Reflect.deleteProperty(client, 'query');
    },
    async run(client, binding, send) {
      // Sent in one round trip. Should BEGIN fail nothing is bound and the policies raise; should the statement
      // fail COMMIT rolls back.
      const [, answer, committed] = await sentTogether(client, () =>
        Promise.allSettled([client.query(begin(binding)), send(client), client.query('COMMIT')]),
      );
      if (answer.status === 'rejected') throw answer.reason;
      if (committed.status === 'rejected') throw committed.reason;
      return answer.value;
    },
  };
}

/** Hands to the system at once what is sent meanwhile: a call of its own for each query costs half as much as its answer. */
export function sentTogether<Answers>(client: PoolClient, send: () => Answers): Answers {
  const { stream } = (client as PoolClient & Pick<Client, 'connection'>).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
