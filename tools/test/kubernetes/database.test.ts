import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseNames, variablePrefix, workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/configuration/schema.ts';
import {
  find,
  servicesWithDatabase,
  sharedSettings,
  podOf,
  containerOf,
  environmentOf,
  type Container,
} from '../support/kubernetes/workloads.ts';

describe('the Job that migrates', () => {
  const job = podOf('Job', 'migrate');
  const [provision] = job.spec.initContainers ?? [];
  const [migrate] = job.spec.containers;

  it('makes the databases and roles of each service by infra/postgres, and migrates them past the pooler', () => {
    const passwords = environmentOf(provision as Container);
    const addresses = environmentOf(migrate);
    for (const { name } of servicesWithDatabase) {
      const prefix = variablePrefix(name);
      expect(Object.keys(passwords)).toEqual(
        expect.arrayContaining([`${prefix}_OWNER_PASSWORD`, `${prefix}_RUNTIME_PASSWORD`]),
      );
      const { database, owner, runtime } = databaseNames(name);
      const url = new URL(addresses[`${prefix}_MIGRATION_DATABASE_URL`] ?? '');
      expect([url.username, url.host, url.pathname]).toEqual([owner, 'postgres-rw:5432', `/${database}`]);
      const own = environmentOf(containerOf(name));
      const running = new URL(own['DATABASE_URL'] ?? '');
      expect([running.username, running.host, running.pathname]).toEqual([
        runtime,
        'pooler:5432',
        `/${database}`,
      ]);
      const direct = own['DATABASE_DIRECT_URL'];
      if (direct) expect(direct).toBe(running.href.replace('@pooler:', '@postgres-rw:'));
    }
    expect(migrate.image).toBe('tenantry/migrate');
    expect(find('ConfigMap', 'provisioning')).toMatchObject({
      data: {
        'provision.sh': readFileSync(join(workspaceRoot, 'infra/postgres/provision.sh'), 'utf8'),
        'roles.sql': expect.stringContaining('CREATE ROLE') as string,
        'database.sql': expect.stringContaining('REVOKE ALL ON DATABASE') as string,
      },
    });
  });

  it('gives a direct address to every service that listens', async () => {
    for (const service of servicesWithDatabase) {
      const listens = 'DATABASE_DIRECT_URL' in (await readSettings(service)).properties;
      const own = environmentOf(containerOf(service.name));
      expect([service.name, 'DATABASE_DIRECT_URL' in own]).toEqual([service.name, listens]);
    }
  });
});

describe('PostgreSQL', () => {
  it('acknowledges what a second instance has, and is backed up every night into an object store', () => {
    expect(find('Cluster', 'postgres')).toMatchObject({
      spec: {
        instances: 3,
        postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'required' } },
        plugins: [
          {
            name: 'barman-cloud.cloudnative-pg.io',
            isWALArchiver: true,
            parameters: { barmanObjectName: 'backups' },
          },
        ],
      },
    });
    expect(find('ObjectStore', 'backups')).toBeDefined();
    expect(find('ScheduledBackup', 'nightly')).toMatchObject({
      spec: {
        cluster: { name: 'postgres' },
        method: 'plugin',
        pluginConfiguration: { name: 'barman-cloud.cloudnative-pg.io' },
      },
    });
  });

  it('has a pooler in front of its replicas, for each service that reads them', async () => {
    expect(find('Pooler', 'pooler-ro')).toMatchObject({
      spec: { cluster: { name: 'postgres' }, type: 'ro', pgbouncer: { poolMode: 'transaction' } },
    });
    const { spec } = find('Cluster', 'postgres') as unknown as {
      spec: { certificates: { serverAltDNSNames: string[] } };
    };
    expect(spec.certificates.serverAltDNSNames).toEqual(['pooler', 'pooler-ro']);
    for (const service of servicesWithDatabase) {
      const own = environmentOf(containerOf(service.name));
      const reads = 'DATABASE_REPLICA_URL' in (await readSettings(service)).properties;
      expect(own['DATABASE_REPLICA_URL']).toBe(
        reads ? own['DATABASE_URL']?.replace('@pooler:', '@pooler-ro:') : undefined,
      );
    }
  });

  it('takes as many connections as the pooler and the listeners open at most', () => {
    const { spec: pooler } = find('Pooler', 'pooler') as unknown as {
      spec: { instances: number; pgbouncer: { poolMode: string; parameters: Record<string, string> } };
    };
    const { spec: cluster } = find('Cluster', 'postgres') as unknown as {
      spec: { postgresql: { parameters: Record<string, string> } };
    };
    expect(pooler.pgbouncer.poolMode).toBe('transaction');
    expect(sharedSettings['TENANT_BINDING']).toBe('transaction');
    expect(Number(pooler.pgbouncer.parameters['max_prepared_statements'])).toBeGreaterThan(0);
    const pooled =
      pooler.instances *
      Number(pooler.pgbouncer.parameters['default_pool_size']) *
      servicesWithDatabase.length;
    const listening = servicesWithDatabase
      .filter(({ name }) => 'DATABASE_DIRECT_URL' in environmentOf(containerOf(name)))
      .map(
        ({ name }) => find('HorizontalPodAutoscaler', name) as unknown as { spec: { maxReplicas: number } },
      )
      .reduce((sum, { spec }) => sum + spec.maxReplicas + 1, 0);
    // CloudNativePG itself, replication and migrations.
    const others = 20;
    expect(Number(cluster.postgresql.parameters['max_connections'])).toBeGreaterThanOrEqual(
      pooled + listening + others,
    );
  });
});
