import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, it } from 'vitest';
import { documentsIn, type Manifest } from '../support/kubernetes/manifests.ts';
import { services, servicesWithDatabase, workloads, containersOf } from '../support/kubernetes/workloads.ts';

describe('secrets', () => {
  const made = documentsIn(
    execFileSync('sh', [join(workspaceRoot, 'infra/k8s/secrets.sh')], { encoding: 'utf8' }),
  ) as (Manifest & { stringData: Record<string, string> })[];
  const keys = new Map(made.map(({ metadata, stringData }) => [metadata.name, Object.keys(stringData)]));

  it('that containers name are made by secrets.sh, or docs/operations.md says who makes them', () => {
    const operations = readFileSync(join(workspaceRoot, 'docs/operations.md'), 'utf8');
    const section = /^## Kubernetes$.*?(?=^## )/ms.exec(operations)?.[0];
    const named = workloads
      .flatMap(containersOf)
      .flatMap(({ env }) => env)
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(named.length).toBeGreaterThan(20);
    for (const { name, key, optional } of named) {
      if (optional) expect(section).toContain(`\`${key}\``);
      else if (keys.has(name)) expect(keys.get(name)).toContain(key);
      else expect(section).toMatch(new RegExp(`create -n tenantry secret generic ${name} .*=${key}=`));
    }
    const unused = [...keys.keys()].filter((name) => !named.some((reference) => reference.name === name));
    expect(unused).toEqual([]);
  });

  it('are new each time, and long enough', () => {
    const values = made.flatMap(({ stringData }) => Object.entries(stringData));
    const random = values.flatMap(([key, value]) => (key === 'username' ? [] : [value]));
    expect(new Set(random).size).toBe(random.length);
    for (const value of random) expect(value).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of a service are seen by itself, and by what migrates for it [S-118]', () => {
    const readers = (secret: string) =>
      workloads
        .filter((workload) =>
          containersOf(workload).some(({ env }) =>
            env.some(({ valueFrom }) => valueFrom?.secretKeyRef.name === secret),
          ),
        )
        .map(({ metadata }) => metadata.name)
        .sort();
    for (const { name } of servicesWithDatabase) {
      expect(readers(`${name}-database`)).toEqual([name, 'migrate'].sort());
    }
    expect(readers('auth-secret')).toEqual(['auth-service']);
    const peers = services.filter(({ secrets }) => secrets.includes('INTERNAL_API_KEY'));
    expect(readers('internal-api-key')).toEqual(peers.map(({ name }) => name).sort());
  });
});
