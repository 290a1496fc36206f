import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { ExplainedError } from './explained-error.ts';

/** The names of a service's database and its roles; migrations grant to the last two by name. */
export interface DatabaseNames {
  database: string;
  /** Migrates, and owns every object. */
  owner: string;
  /** The role of the running service: owns nothing, never bypasses row-level security. */
  runtime: string;
  /** The role that the service switches to for a search by an index. */
  search: string;
}

/** The two addresses of a service's database. */
export interface DatabaseUrls {
  ownerUrl: string;
  runtimeUrl: string;
}

export interface Provision {
  /** Address of a superuser, or of a role that may create roles and databases. */
  adminUrl: string;
  /** Name of the service's folder under apps, as `leads-service`. */
  service: string;
  /** Derived from the administrator's password when absent: the same at every call. */
  ownerPassword?: string;
  runtimePassword?: string;
  /** A database name other than the service's own, for a test or a scratch database. */
  database?: string;
}

/** `leads-service` → tenantry_leads, tenantry_leads_owner, tenantry_leads_service, tenantry_leads_search. */
export function databaseNames(service: string): DatabaseNames {
  const stem = `tenantry_${service.replace(/-service$/, '').replaceAll('-', '_')}`;
  return { database: stem, owner: `${stem}_owner`, runtime: `${stem}_service`, search: `${stem}_search` };
}

/** The same server, another database or role. */
export function withDatabase(
  url: string,
  database: string,
  role?: { user: string; password: string },
): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (role) {
    changed.username = encodeURIComponent(role.user);
    changed.password = encodeURIComponent(role.password);
  }
  return changed.href;
}

/**
 * Creates a service's roles and database, or brings existing ones to the same state; safe to call from several processes in
 * parallel. Operators run the same SQL by `infra/postgres/provision.sh`.
 */
export async function provisionDatabase(provision: Provision): Promise<DatabaseUrls> {
  const { adminUrl, service } = provision;
  const names = databaseNames(service);
  const roles = rolesOf(provision);
  await connected(adminUrl, async (client) => {
    await configure(client, roles);
    await client.query(await provisioningSql('roles.sql'));
    await createDatabase(client, provision.database ?? names.database, names.owner);
  });
  return grantDatabase(provision);
}

/** The second half of {@link provisionDatabase}: gives existing roles their rights on an existing database. */
export async function grantDatabase(provision: Provision): Promise<DatabaseUrls> {
  const { adminUrl, service, database = databaseNames(service).database } = provision;
  const roles = rolesOf(provision);
  await connected(withDatabase(adminUrl, database), async (client) => {
    await configure(client, roles);
    await client.query(await provisioningSql('database.sql'));
  });
  return {
    ownerUrl: withDatabase(adminUrl, database, roles.owner),
    runtimeUrl: withDatabase(adminUrl, database, roles.runtime),
  };
}

/** Runs work on one connection and closes it whatever happens. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // If the server goes away, the running query fails; without a listener the process would end.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Checks that a configured address leads to a database.
 *
 * @throws ExplainedError that names the setting
 */
export async function assertReachable({ url, setting }: { url: string; setting: string }): Promise<void> {
  try {
    await connected(url, async () => undefined);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const { host = '', pathname = '' } = URL.parse(url) ?? {};
    const isAnswered = /^[0-9A-Z]{5}$/.test(code ?? '');
    throw new ExplainedError(
      isAnswered
        ? `The database ${host}${pathname} refuses the connection (${message}): correct ${setting}.`
        : `No database answers at ${host} (${code ?? message}): start it, or correct ${setting}.`,
    );
  }
}

function rolesOf({ adminUrl, service, ownerPassword, runtimePassword }: Provision) {
  const { owner, runtime } = databaseNames(service);
  return {
    owner: { user: owner, password: ownerPassword ?? derivePassword(adminUrl, owner) },
    runtime: { user: runtime, password: runtimePassword ?? derivePassword(adminUrl, runtime) },
  };
}

async function configure(client: Client, roles: ReturnType<typeof rolesOf>): Promise<void> {
  await client.query(
    `SELECT set_config('tenantry.owner', $1, false), set_config('tenantry.owner_password', $2, false),
            set_config('tenantry.runtime', $3, false), set_config('tenantry.runtime_password', $4, false)`,
    [roles.owner.user, roles.owner.password, roles.runtime.user, roles.runtime.password],
  );
}

async function createDatabase(client: Client, database: string, owner: string): Promise<void> {
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (found.rowCount !== 0) return;
  const name = client.escapeIdentifier(database);
  try {
    await client.query(
      `CREATE DATABASE ${name} OWNER ${client.escapeIdentifier(owner)} TEMPLATE template0
       ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'`,
    );
  } catch (error) {
    // duplicate_database, or unique_violation on the catalog: another process was faster.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

function derivePassword(adminUrl: string, role: string): string {
  return createHmac('sha256', decodeURIComponent(new URL(adminUrl).password))
    .update(role)
    .digest('base64url');
}

const provisioningSql = (file: string) =>
  readFile(new URL(`../../../infra/postgres/sql/${file}`, import.meta.url), 'utf8');
