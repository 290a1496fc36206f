import pg, { type PoolConfig } from 'pg';
import { planCacheMode, type BindingMode } from './binding.ts';
import type { TenantPool } from './pool.ts';

/** The pooler between the service and PostgreSQL does not support how the service binds connections. */
export class PoolerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PoolerError';
  }
}

/**
 * Refuses an unsuitable connection pooler, so that a service never starts where one tenant's query could run on a connection
 * that is bound to another.
 *
 * Two connections beside the pool ask which server process they have: the first again while the second is in a
 * transaction, so that a pooler which shares them out cannot give both the same as before.
 *
 * @param setting the setting that the pool's address comes from
 * @throws {PoolerError} saying what to set.
 * @example await assertPoolerFits(database.pool);
 */
export async function assertPoolerFits(
  { options, binding }: Pick<TenantPool, 'options' | 'binding'>,
  setting = 'DATABASE_URL',
): Promise<void> {
  const [one, other] = [connection(options), connection(options)];
  try {
    await one.connect();
    await other.connect();
    const before = await whoServes(one);
    await other.query('BEGIN');
    const beside = await whoServes(other);
    if (binding === 'connection') {
      if (beside.process === before.process) throw unfit(shared, { setting });
      if ((await whoServes(one)).process !== before.process) throw unfit(shared, { setting });
      if (before.planCacheMode !== planCacheMode)
        throw unfit('ignores start-up parameters, time-outs among them', { setting });
    }
    await other.query('COMMIT');
    await whoServes(one);
  } catch (error) {
    throw explained(error, { binding, setting });
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

interface Server {
  readonly process: number;
  readonly planCacheMode: string;
}

function connection(options: PoolConfig): pg.Client {
  const client = new pg.Client(options);
  // One that breaks rejects what it was asked.
  client.on('error', () => undefined);
  return client;
}

/** By a statement that is prepared once for each connection, as the service's own are. */
async function whoServes(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>({
    name: 'pooler-check',
    text: `SELECT pg_backend_pid() AS process, current_setting('plan_cache_mode') AS "planCacheMode"`,
  });
  return rows[0] as Server;
}

const unfit = (what: string, { setting, ...options }: ErrorOptions & { readonly setting: string }) =>
  new PoolerError(
    `${setting} leads to a connection pooler that ${what}. Set TENANT_BINDING=transaction, or let ${setting} lead to PostgreSQL itself.`,
    options,
  );

const shared = 'gives each transaction another connection';

/** protocol_violation: PostgreSQL itself takes these parameters. */
const refusedParameter = '08P01';
/** invalid_sql_statement_name and duplicate_prepared_statement. */
const lostStatement = ['26000', '42P05'];

function explained(
  error: unknown,
  { binding, setting }: { readonly binding: BindingMode; readonly setting: string },
): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (lostStatement.includes(code)) {
    return binding === 'connection'
      ? unfit(shared, { setting })
      : new PoolerError(
          `${setting} leads to a connection pooler that loses prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements, or let ${setting} lead to PostgreSQL itself.`,
          { cause: error },
        );
  }
  if (binding === 'connection' && code === refusedParameter) {
    return unfit(`refuses start-up parameters (${message})`, { setting, cause: error });
  }
  return error;
}
