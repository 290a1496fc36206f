import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServiceDescription } from '../src/services.ts';
import {
  consoleAddresses,
  ownDatabase,
  readEnvironment,
  serviceEnvironment,
} from '../src/start/environment.ts';

const service = (name: string, prefix: string | undefined, secrets: string[] = []): ServiceDescription => ({
  name,
  directory: `/checkout/apps/${name}`,
  port: 1,
  prefix,
  secrets,
  hasDatabase: prefix !== undefined,
});
const gateway = service('gateway', undefined);
const auth = service('auth-service', '/api/auth', ['AUTH_SECRET']);
const leads = service('leads-service', '/api/leads');
// A service that is named nowhere: the tools know it by its description alone.
const invoices = service('invoices-service', '/api/invoices', ['SIGNING_SECRET']);
const services = [gateway, auth, leads, invoices];
const ports = new Map(services.map(({ name }, index) => [name, 4000 + index]));
const secrets = { AUTH_SECRET: 'made for auth', SIGNING_SECRET: 'made for invoices' };
const surroundings = (env: Record<string, string> = {}) => ({ services, ports, secrets, env });

describe('the environment of a service', () => {
  it('routes the gateway to every service, a new one included', () => {
    expect(serviceEnvironment(gateway, surroundings(), undefined)['ROUTES']).toBe(
      '/api/auth=http://127.0.0.1:4001,/api/leads=http://127.0.0.1:4002,/api/invoices=http://127.0.0.1:4003',
    );
  });

  it('gives each service its own secrets and database, and none of another', () => {
    const env = {
      LEADS_SERVICE_DATABASE_URL: 'postgresql://leads',
      AUTH_SECRET: 'from outside',
      LOG_LEVEL: 'debug',
    };
    const ofLeads = serviceEnvironment(leads, surroundings(env), 'postgresql://mine');
    expect(ofLeads).toMatchObject({ DATABASE_URL: 'postgresql://mine', LOG_LEVEL: 'debug', PORT: '4002' });
    expect(Object.keys(ofLeads)).not.toContain('AUTH_SECRET');
    expect(Object.keys(ofLeads)).not.toContain('LEADS_SERVICE_DATABASE_URL');
    expect(serviceEnvironment(auth, surroundings(env), undefined)['AUTH_SECRET']).toBe('from outside');
    expect(serviceEnvironment(invoices, surroundings(), undefined)['SIGNING_SECRET']).toBe(
      'made for invoices',
    );
  });

  it('never takes a database that an environment happens to name for all', () => {
    const another = 'postgresql://another-project';
    const env = {
      DATABASE_URL: another,
      DATABASE_DIRECT_URL: another,
      DATABASE_REPLICA_URL: another,
      PORT: '80',
      HOST: '0.0.0.0',
    };
    expect(serviceEnvironment(leads, surroundings(env), 'postgresql://mine')).toMatchObject({
      DATABASE_URL: 'postgresql://mine',
      DATABASE_DIRECT_URL: undefined,
      DATABASE_REPLICA_URL: undefined,
      PORT: '4002',
      HOST: '127.0.0.1',
    });
    expect(serviceEnvironment(gateway, surroundings(env), undefined)).toMatchObject({
      DATABASE_URL: undefined,
      HOST: '0.0.0.0',
    });
  });

  it('lets services believe the gateway about who asks, and the gateway whom a person says', () => {
    const env = { TRUST_PROXY: '10.0.0.0/8' };
    expect(serviceEnvironment(leads, surroundings(env), undefined)['TRUST_PROXY']).toBe('127.0.0.1/32');
    expect(serviceEnvironment(auth, surroundings(), undefined)['TRUST_PROXY']).toBe('127.0.0.1/32');
    expect(serviceEnvironment(gateway, surroundings(env), undefined)['TRUST_PROXY']).toBe('10.0.0.0/8');
    expect(serviceEnvironment(gateway, surroundings(), undefined)['TRUST_PROXY']).toBeUndefined();
  });

  it('makes the address of the gateway the issuer, unless the environment names one', () => {
    expect(serviceEnvironment(leads, surroundings(), undefined)).toMatchObject({
      AUTH_URL: 'http://127.0.0.1:4000/api/auth',
      AUTH_JWKS_URL: 'http://127.0.0.1:4001/api/auth/jwks',
      AUTH_INTERNAL_URL: 'http://127.0.0.1:4001',
      AUTH_REVOCATIONS_URL: 'http://127.0.0.1:4001/internal/revocations',
    });
    const elsewhere = serviceEnvironment(leads, surroundings({ AUTH_URL: 'https://id.example' }), undefined);
    expect(elsewhere['AUTH_URL']).toBe('https://id.example');
    expect(elsewhere).not.toHaveProperty('AUTH_JWKS_URL');
    expect(elsewhere['AUTH_REVOCATIONS_URL']).toBe('http://127.0.0.1:4001/internal/revocations');
  });

  it('turns passkeys on where people open the console as localhost, unless the environment says otherwise', () => {
    const FRONTEND_URL = 'http://127.0.0.1:4000';
    const FRONTEND_STAGING_URL = 'http://localhost:4000';
    const on = { FRONTEND_URL, FRONTEND_STAGING_URL, PASSKEY_RP_ID: 'localhost' };
    expect(consoleAddresses(surroundings(), gateway)).toEqual(on);
    expect(consoleAddresses(surroundings({ PASSKEY_RP_ID: '' }), gateway)).toEqual({ FRONTEND_URL });
    const named = consoleAddresses(surroundings({ PASSKEY_RP_ID: 'localhost' }), gateway);
    expect(named).toEqual({ FRONTEND_URL: 'http://localhost:4000' });
    expect(consoleAddresses(surroundings({ FRONTEND_URL: 'https://app.example' }), gateway)).toEqual({});
  });

  it('takes from .env what the environment does not say', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tenantry-env-'));
    expect(readEnvironment(root, { PORT: '1' })).toEqual({ PORT: '1' });
    await writeFile(join(root, '.env'), '# settings\nPORT=2\nLOG_LEVEL="debug"\n');
    expect(readEnvironment(root, { PORT: '1' })).toEqual({ PORT: '1', LOG_LEVEL: 'debug' });
    await rm(root, { recursive: true });
  });

  it('reads the addresses of a service’s own database by its name', () => {
    const env = { INVOICES_SERVICE_DATABASE_URL: 'a', INVOICES_SERVICE_MIGRATION_DATABASE_URL: 'b' };
    expect(ownDatabase(invoices, env)).toEqual({ url: 'a', migrationUrl: 'b' });
    expect(ownDatabase(leads, { ...env, LEADS_SERVICE_DATABASE_URL: '' })).toEqual({
      url: undefined,
      migrationUrl: undefined,
    });
  });
});
