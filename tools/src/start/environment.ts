import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { variablePrefix } from '@tenantry/dev-database';
import type { ServiceDescription } from '../services.ts';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What `.env` at the root says, under what the environment says. */
export function readEnvironment(workspaceRoot: string, env: Environment): Environment {
  const file = join(workspaceRoot, '.env');
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...env } : env;
}

/** The whole stack, as far as the environment of one service depends on it. */
export interface Surroundings {
  services: readonly ServiceDescription[];
  ports: ReadonlyMap<string, number>;
  secrets: Environment;
  /** What the person who starts it has set: everything passes through, and nothing is overruled but the wiring. */
  env: Environment;
}

/** The address a service listens on. */
export function addressOf({ ports }: Pick<Surroundings, 'ports'>, service: ServiceDescription): string {
  return `http://127.0.0.1:${ports.get(service.name) ?? service.port}`;
}

/** Where people open the gateway: by the name that passkeys are for, since browsers take no address for a domain. */
export function openedAddressOf(surroundings: Surroundings, gateway: ServiceDescription): string {
  const address = addressOf(surroundings, gateway);
  const isNamed = surroundings.env['PASSKEY_RP_ID'] === 'localhost';
  return isNamed ? address.replace('127.0.0.1', 'localhost') : address;
}

/**
 * The settings of a console that nobody else has given an address: letters link to the address that is printed, and passkeys
 * work where people open the same console as `localhost`, since browsers have none for an IP address.
 */
export function consoleAddresses(surroundings: Surroundings, gateway: ServiceDescription): Environment {
  const { env } = surroundings;
  if (env['FRONTEND_URL']) return {};
  const FRONTEND_URL = openedAddressOf(surroundings, gateway);
  if (env['PASSKEY_RP_ID'] !== undefined || env['FRONTEND_STAGING_URL']) return { FRONTEND_URL };
  const FRONTEND_STAGING_URL = FRONTEND_URL.replace('127.0.0.1', 'localhost');
  return { FRONTEND_URL, FRONTEND_STAGING_URL, PASSKEY_RP_ID: 'localhost' };
}

/** The gateway alone reaches a service, and says who asks. What TRUST_PROXY a person sets is about the gateway's peers. */
const behindGateway = { HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1/32' };

/** The environment one service is started with: its own database and its own secrets, none of another service. */
export function serviceEnvironment(
  service: ServiceDescription,
  surroundings: Surroundings,
  databaseUrl: string | undefined,
): Environment {
  const { env, ports, secrets } = surroundings;
  const isGateway = service.prefix === undefined;
  return {
    ...authAddresses(surroundings),
    ...leadsAddress(surroundings),
    ...withoutForeignSecrets(surroundings),
    ...Object.fromEntries(service.secrets.map((name) => [name, env[name] || secrets[name]])),
    ...(isGateway ? { ROUTES: env['ROUTES'] || routes(surroundings) } : behindGateway),
    PORT: String(ports.get(service.name) ?? service.port),
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: undefined,
    DATABASE_REPLICA_URL: undefined,
  };
}

/** The issuer is the address clients see; keys and revocations are fetched straight from the service. */
function authAddresses(surroundings: Surroundings): Environment {
  const gateway = surroundings.services.find(({ prefix }) => prefix === undefined);
  const auth = surroundings.services.find(({ prefix }) => prefix === '/api/auth');
  if (gateway === undefined || auth === undefined) return {};
  const internal = {
    AUTH_INTERNAL_URL: addressOf(surroundings, auth),
    AUTH_REVOCATIONS_URL: `${addressOf(surroundings, auth)}/internal/revocations`,
  };
  if (surroundings.env['AUTH_URL']) return internal;
  return {
    ...internal,
    AUTH_URL: `${addressOf(surroundings, gateway)}/api/auth`,
    AUTH_JWKS_URL: `${addressOf(surroundings, auth)}/api/auth/jwks`,
  };
}

/** What a service of somebody else's verifies tokens with; names and values as the services of this repository have them. */
export function downstreamEnvironment(surroundings: Surroundings): Environment {
  const auth = surroundings.services.find(({ prefix }) => prefix === '/api/auth');
  if (auth === undefined) return {};
  const { AUTH_URL = surroundings.env['AUTH_URL'], AUTH_REVOCATIONS_URL } = authAddresses(surroundings);
  return { AUTH_URL, AUTH_JWKS_URL: `${addressOf(surroundings, auth)}/api/auth/jwks`, AUTH_REVOCATIONS_URL };
}

/** The quotation service asks leads-service for the names of its customers, straight and with the caller's token. */
function leadsAddress(surroundings: Surroundings): Environment {
  const leads = surroundings.services.find(({ prefix }) => prefix === '/api/leads');
  return leads && !surroundings.env['LEADS_URL'] ? { LEADS_URL: addressOf(surroundings, leads) } : {};
}

function routes(surroundings: Surroundings): string {
  return surroundings.services
    .filter(({ prefix }) => prefix !== undefined)
    .map((service) => `${service.prefix}=${addressOf(surroundings, service)}`)
    .join(',');
}

function withoutForeignSecrets({ env, services }: Surroundings): Environment {
  const withheld = new Set(services.flatMap((service) => service.secrets));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !withheld.has(name) && !name.endsWith('_DATABASE_URL')),
  );
}

/** The settings in which a person may name the database of one service. */
export function databaseSettings({ name }: ServiceDescription) {
  const prefix = variablePrefix(name);
  return { url: `${prefix}_DATABASE_URL`, migrationUrl: `${prefix}_MIGRATION_DATABASE_URL` };
}

/** The addresses a person has set for one service's database, each undefined when they did not. */
export function ownDatabase(service: ServiceDescription, env: Environment) {
  const { url, migrationUrl } = databaseSettings(service);
  return { url: env[url] || undefined, migrationUrl: env[migrationUrl] || undefined };
}
